// Runs the suites of optional peers against the oldest release that `peerDependencies` allows.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** The lower end of each range, with its own dependencies. */
const OLDEST = {
  '@hono/node-server': '2.0.0',
  '@nestjs/common': '10.4.0',
  '@nestjs/core': '10.4.0',
  '@nestjs/platform-express': '10.4.0',
  '@nestjs/platform-fastify': '10.4.0',
  '@opentelemetry/api': '1.9.0',
  'better-sqlite3': '11.3.0',
  express: '4.18.2',
  fastify: '5.0.0',
  hono: '4.8.4',
  ioredis: '5.3.0',
  mysql2: '3.9.8',
  otpauth: '9.1.1',
  pg: '8.13.0',
  qrcode: '1.5.0',
  react: '18.2.0',
  'react-dom': '18.2.0',
  redis: '5.8.0',
}

const HELP = `Usage: npm run test:peers [-- --package NAME]

Copies the project into .cache/peers, installs there the oldest release of every optional peer, and runs the suites of
adapters, stores and React components. With --package only that peer is made old; repeat it for several.
`

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, package: { type: 'string', multiple: true } },
})
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const copy = join('.cache', 'peers')
const chosen = Object.entries(OLDEST).filter(
  ([name]) => values.package === undefined || values.package.includes(name),
)
if (chosen.length === 0) {
  console.error(`No such peer. They are: ${Object.keys(OLDEST).join(', ')}`)
  process.exit(2)
}

step('copying the project', copyProject)
step(`installing ${chosen.map((entry) => entry.join('@')).join(' ')}`, installOldest)
step('running the suites', runSuites)

function copyProject() {
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy, { recursive: true })
  const left = new Set(['.git', '.cache', 'data'])
  for (const name of readdirSync('.')) {
    if (!left.has(name)) cpSync(name, join(copy, name), { recursive: true, verbatimSymlinks: true })
  }
}

function installOldest() {
  const packages = chosen.map(([name, version]) => `${name}@${version}`)
  const flags = ['--no-save', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', ...flags, ...packages])
  for (const [name, version] of chosen) {
    const manifest = join(copy, 'node_modules', name, 'package.json')
    const installed = JSON.parse(readFileSync(manifest, 'utf8')).version
    if (installed !== version) throw new Error(`${name} ${installed} is there, not ${version}`)
  }
}

function runSuites() {
  const suites = [
    'test/adapters',
    'test/frameworks',
    'test/stores',
    'test/react',
    'test/telemetry',
    'test/totp',
  ]
  run('npx', ['vitest', 'run', '--project', 'unit', '--project', 'react', ...suites])
}

function run(command, args) {
  execFileSync(command, args, { cwd: copy, stdio: 'inherit' })
}

function step(what, act) {
  console.log(`peers: ${what}`)
  const started = performance.now()
  act()
  console.log(`peers: done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
