import { announce } from './announce.mjs'
import { countStatements } from './count-statements.mjs'
import { startBenchPanel } from './panel.mjs'

/* The reference panel; with `count` it reports its SQLite queries. */

const [, , folder, counting, ...servers] = process.argv
const count = counting === 'count' ? countStatements() : () => null
const { port } = await startBenchPanel([folder, ...servers])
announce({ port }, count)
