import { announce } from './announce.mjs'
import { countStatements } from './count-statements.mjs'
import { startBenchPanel } from './panel.mjs'

/* The reference panel; with `count` it tells what it asks of SQLite. */

const [, , folder, counting, ...servers] = process.argv
const count = counting === 'count' ? countStatements() : () => null
const { port } = await startBenchPanel([folder, ...servers])
announce({ port }, count)
