// No dependencies: this runs before node_modules exists. It installs and builds only what is stale.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const abiFile = 'node_modules/.node-abi'
const buildStamp = 'dist/.build-stamp'
/** An installation compiles for minutes without output, so progress is reported. */
const progressSeconds = 10
const inputRooms = ['src', 'spa', 'panel']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
checkNode()
if (!isInstalled()) await step('installing the dependencies (npm ci)', install)
const inputs = hashOfInputs()
if (readOrNull(buildStamp) !== inputs) await step('building into dist', async () => build(inputs))

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Node 20.19 or newer is needed; this is ${process.version}. See https://nodejs.org.`,
  )
  process.exit(1)
}

// npm records what it installed: equal entries in the lock file mean that nothing changed.
function isInstalled() {
  const installed = readOrNull('node_modules/.package-lock.json')
  if (installed === null) return false
  // A native module belongs to one Node release line; the stamp is missing after a manual install.
  if ((readOrNull(abiFile) ?? abi()) !== abi()) return false
  const have = JSON.parse(installed).packages
  const want = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
  return (
    Object.entries(want).every(([path, entry]) => path === '' || matches(have[path], entry)) &&
    Object.keys(have).every((path) => path in want)
  )
}

function matches(installed, wanted) {
  if (installed === undefined) return wanted.optional === true || wanted.devOptional === true
  return installed.version === wanted.version && installed.integrity === wanted.integrity
}

async function install() {
  await npm('ci', '--no-audit', '--no-fund')
  writeFileSync(abiFile, abi())
}

async function build(stamp) {
  // The SPA joins the build as soon as it has a build file.
  await npm('run', '--silent', existsSync('spa/vite.config.ts') ? 'build' : 'build:code')
  mkdirSync('dist', { recursive: true })
  writeFileSync(buildStamp, stamp)
}

function hashOfInputs() {
  const configs = readdirSync('.').filter((name) =>
    /^(tsconfig.*|package|package-lock)\.json$/.test(name),
  )
  const hash = createHash('sha256')
  for (const file of [...configs, ...inputRooms.flatMap(filesIn)].toSorted()) {
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
    await run()
  } catch (error) {
    console.error(`ensure: failed while ${what}`)
    process.exit(error.status || 1)
  } finally {
    clearInterval(progress)
  }
  console.log(`ensure: done in ${elapsed().toFixed(1)} s`)
}

async function npm(...args) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []]
  const child = spawn(command, [...first, ...args], { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw Object.assign(new Error(`npm ${args[0]} failed`), { status })
}

function abi() {
  return `${process.versions.modules}-${process.platform}-${process.arch}`
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
