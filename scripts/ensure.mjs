// No dependencies: this runs before node_modules exists. It installs and builds only what is stale.
// `ensure.mjs panel` leaves out the workspace, whose packages only tests, lint and benches need.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { pathsOfRoot } from './lock-file.mjs'
import { sqliteBinary } from './sqlite-binary.mjs'

const abiFile = 'node_modules/.node-abi'
const buildStamp = 'build/.stamp'
const sqlitePackage = 'node_modules/better-sqlite3'
const sqliteFile = `${sqlitePackage}/build/Release/better_sqlite3.node`
/** An installation compiles for minutes without a word: somebody who waits is told that it goes on. */
const progressSeconds = 10
/**
 * SQLite compiles in half the time with -O1, and runs 5 to 8 % slower. Hosts install their own copy. The TypeScript
 * compiler is a program in Go and takes less time where it collects garbage less often.
 */
const compilerSettings = { CFLAGS: '-O1', JOBS: 'max', GOGC: '400' }
const inputRooms = ['src', 'web', 'panel']
const isForPanel = process.argv[2] === 'panel'

// Without these a signal leaves the child processes, and their folders, behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]))
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
checkNode()
// The compiler takes longer than everything else, which does not need its result.
const compiled = isSqliteMissing() ? compile() : null
await installStale()
const steps = await Promise.allSettled([addSqlite(compiled), buildStale()])
const failed = steps.find(({ status }) => status === 'rejected')
if (failed) exitAfter(failed.reason)

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Node 20.19 or newer is needed; this is ${process.version}. See https://nodejs.org.`,
  )
  process.exit(1)
}

async function installStale() {
  const wanted = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  const installed = installedPackages()
  if (installed === null || !areLocked(installed, wanted)) return reinstall()
  const needed = isForPanel ? [...pathsOfRoot(wanted)] : Object.keys(wanted)
  const isMissing = (path) => path !== '' && !(path in installed) && wanted[path].optional !== true
  if (needed.some(isMissing)) return isForPanel ? reinstall() : addTestPackages()
}

/** Returns what npm notes in node_modules when it is done, or null where it has to start anew. */
function installedPackages() {
  const installed = readOrNull('node_modules/.package-lock.json')
  // A native module belongs to one Node release line; the stamp is missing after an install by hand.
  if (installed === null || (readOrNull(abiFile) ?? abi()) !== abi()) return null
  return JSON.parse(installed).packages
}

function areLocked(installed, wanted) {
  return Object.entries(installed).every(
    ([path, { version, integrity }]) =>
      path in wanted && version === wanted[path].version && integrity === wanted[path].integrity,
  )
}

async function reinstall() {
  const args = isForPanel ? ['--workspaces=false'] : []
  const what = isForPanel ? 'what the panel needs' : 'the dependencies'
  await install(`installing ${what} (npm ci)`, 'ci', ...args)
}

async function addTestPackages() {
  // `npm ci` removes node_modules first. Unlike it, this leaves half a package behind when it is interrupted.
  writeFileSync(abiFile, 'interrupted')
  await install('adding what the tests need (npm install)', 'install', '--no-save')
}

async function install(what, ...args) {
  await step(what, async () => {
    await npm(...args, '--ignore-scripts', '--no-audit', '--no-fund')
    writeFileSync(abiFile, 'interrupted')
    const scripted = scriptedPackages()
    if (scripted.length > 0) await npm('rebuild', ...scripted)
  }).catch(exitAfter)
  writeFileSync(abiFile, abi())
}

/** Returns the installed packages with install scripts, but for better-sqlite3, which is compiled meanwhile. */
function scriptedPackages() {
  const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'))
  return Object.keys(packages)
    .filter((path) => packages[path].hasInstallScript && path !== sqlitePackage)
    .map((path) => `./${path}`)
}

/** The panel uses node:sqlite where Node has it. */
function isSqliteMissing() {
  return !existsSync(sqliteFile) && !(isForPanel && isBuiltin('node:sqlite'))
}

function compile() {
  const file = step('fetching or compiling better-sqlite3', async () =>
    sqliteBinary({ ...compilerSettings, ...process.env }, npmIn),
  )
  // Nobody waits for it yet.
  file.catch(() => {})
  return file
}

async function addSqlite(begun) {
  if (!isSqliteMissing()) return
  const file = await (begun ?? compile())
  mkdirSync(dirname(sqliteFile), { recursive: true })
  copyFileSync(file, sqliteFile)
}

async function buildStale() {
  const inputs = hashOfInputs()
  if (readOrNull(buildStamp) === inputs) return
  await step('building', async () => build(inputs))
}

async function build(stamp) {
  // The SPA joins the build as soon as it has a build file.
  await npm('run', '--silent', existsSync('web/spa/vite.config.ts') ? 'build' : 'build:code')
  mkdirSync('build', { recursive: true })
  writeFileSync(buildStamp, stamp)
}

function hashOfInputs() {
  const configs = readdirSync('.').filter((name) =>
    /^(?:(?:tsconfig.*|package|package-lock)\.json|rolldown\.config\.ts)$/.test(name),
  )
  const hash = createHash('sha256')
  const entries = ['scripts/bundled-licenses.mjs', 'scripts/package-entries.mjs'].filter((file) =>
    existsSync(file),
  )
  for (const file of [...configs, ...entries, ...inputRooms.flatMap(filesIn)].toSorted()) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesIn(room) {
  if (!existsSync(room)) return []
  return readdirSync(room, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function step(what, run) {
  console.log(`ensure: ${what}`)
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const progress = setInterval(
    () => console.log(`ensure: still ${what}, ${elapsed().toFixed(0)} s`),
    progressSeconds * 1000,
  )
  try {
    const result = await run()
    console.log(`ensure: finished ${what} in ${elapsed().toFixed(1)} s`)
    return result
  } catch (error) {
    console.error(`ensure: failed while ${what}`)
    throw error
  } finally {
    clearInterval(progress)
  }
}

/** npm has said why it failed; everything else has a message. */
function exitAfter(error) {
  if (error.status === undefined) console.error(`\nensure: ${error.message}`)
  process.exit(error.status || 1)
}

async function npm(...args) {
  return npmIn('.', ...args)
}

async function npmIn(cwd, ...args) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []]
  const env = { ...compilerSettings, ...process.env }
  const stdio = ['inherit', 'pipe', 'inherit']
  const child = spawn(command, [...first, ...args], { cwd, stdio, env })
  const end = () => child.kill()
  process.once('exit', end)
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  process.off('exit', end)
  if (status === 0) return
  // Such as the errors of tsc. Otherwise the lines of the steps are enough.
  console.log(output)
  throw Object.assign(new Error(`npm ${args[0]} failed`), { status })
}

function abi() {
  return `${process.versions.modules}-${process.platform}-${process.arch}`
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
