// Runs the tests on every supported release line of Node.
import { spawnSync } from 'node:child_process'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { NODES, NODES_FOLDER, binFolderOf, installNode } from './node-releases.mjs'

const HELP = `Usage: npm run test:nodes [-- --only LINE] [-- FILES...]

Runs the tests of \`npm test\` on Node ${Object.keys(NODES).join(', ')}, one after the other, and tells how each ended. The
releases of Node are installed once, into .cache/nodes (about 190 MB each). Linux on x64 only.

  --only LINE     one release line, such as 24; repeat it for several
  --project NAME  one project of vitest: unit, react or browser; repeat it for several
  FILES           names of test files, as vitest takes them

On Node 20 better-sqlite3 must have been compiled for it: run \`npm ci\` with Node 20 first.
`

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    project: { type: 'string', multiple: true },
  },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const lines = Object.keys(NODES).filter((line) => values.only?.includes(line) ?? true)
if (lines.length === 0)
  fail(`--only: there is no such line; they are ${Object.keys(NODES).join(', ')}`)

for (const line of lines) installNode(line)
const results = lines.map(run)
console.log('')
for (const { line, status, seconds } of results) {
  console.log(`Node ${NODES[line]}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
}
process.exit(results.every(({ status }) => status === 0) ? 0 : 1)

function run(line) {
  console.log(`\nnodes: testing on Node ${NODES[line]}`)
  const started = performance.now()
  const projects = (values.project ?? []).flatMap((name) => ['--project', name])
  const { status } = spawnSync(
    join(binFolderOf(line), 'node'),
    ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files],
    { stdio: 'inherit', env: environmentOf(line) },
  )
  return { line, status, seconds: ((performance.now() - started) / 1000).toFixed(0) }
}

function environmentOf(line) {
  const { SVC_BETTER_SQLITE3: _, ...environment } = process.env
  const own = resolve(NODES_FOLDER, line, 'node_modules', 'better-sqlite3')
  return {
    ...environment,
    PATH: `${binFolderOf(line)}${delimiter}${process.env.PATH}`,
    ...(line !== '20' && { SVC_BETTER_SQLITE3: own }),
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
