// No dependencies: this runs before node_modules exists. It installs and builds only what is stale.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const abiFile = 'node_modules/.node-abi'
const buildStamp = 'dist/.build-stamp'
const inputRooms = ['src', 'spa', 'panel']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
checkNode()
if (!isInstalled()) step('installing the dependencies (npm ci)', install)
const inputs = hashOfInputs()
if (readOrNull(buildStamp) !== inputs) step('building into dist', () => build(inputs))

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `Node 20.19 or newer is needed; this is ${process.version}. See https://nodejs.org.`,
  )
  process.exit(1)
}

// npm writes down what it installed: the same entries as in the lock file mean that nothing changed.
function isInstalled() {
  const installed = readOrNull('node_modules/.package-lock.json')
  if (installed === null) return false
  // A native module belongs to one Node release line; the stamp is missing after an install by hand.
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

function install() {
  npm('ci', '--no-audit', '--no-fund')
  writeFileSync(abiFile, abi())
}

function build(stamp) {
  // The SPA joins the build as soon as it has a build file.
  npm('run', '--silent', existsSync('spa/vite.config.ts') ? 'build' : 'build:code')
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

function step(what, run) {
  console.log(`ensure: ${what}`)
  const started = performance.now()
  try {
    run()
  } catch (error) {
    console.error(`ensure: failed while ${what}`)
    process.exit(error.status || 1)
  }
  console.log(`ensure: done in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

function npm(...args) {
  const cli = process.env.npm_execpath
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []]
  execFileSync(command, [...first, ...args], { stdio: 'inherit' })
}

function abi() {
  return `${process.versions.modules}-${process.platform}-${process.arch}`
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
