import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ConfigError } from '../../contracts/errors.ts'
import { packageError } from '../../contracts/optional-package.ts'
import { ensureModuleUrl } from '../../contracts/own-files.ts'
import type { SqliteStatement } from './statement.ts'

/**
 * An open database: a better-sqlite3 or bun:sqlite `Database` and a node:sqlite `DatabaseSync` fit.
 */
export interface SqliteHandle {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

/** A database that the service closes. */
export interface OwnHandle extends SqliteHandle {
  close(): void
}

/** Opens a handle that the service alone uses, and closes. Returns a new one with each call. */
export type SqliteOpener = () => OwnHandle

/** A driver that opens files. */
export interface SqliteDriver {
  /** A built-in module, or the path of the module of better-sqlite3. */
  readonly name: string
  readonly open: (file: string) => OwnHandle
}

/** A file and the driver that opened it. Can be sent to another thread. */
export interface FileSource {
  readonly path: string
  readonly driver: SqliteDriver['name']
}

ensureModuleUrl(import.meta.url)
const require = createRequire(import.meta.url)
const nodeMajor = Number.parseInt(process.versions.node, 10)

/**
 * Chooses the driver for files. node:sqlite is preferred: it needs no compiler and always matches
 * the running Node; a Bun that lacks it has bun:sqlite. A better-sqlite3 that the host has already
 * loaded comes first, because the host may have opened the same file: two copies of SQLite in one
 * process do not see each other's locks and corrupt the file.
 *
 * @throws {ConfigError} No driver works on this Node.
 */
export function chooseDriver(): SqliteDriver {
  return loadedBetterSqlite3() ?? nodeSqlite() ?? bunSqlite() ?? betterSqlite3()
}

/**
 * Returns the driver that another thread of this process has chosen. A different one would be
 * another copy of SQLite.
 */
export function driverOf(name: SqliteDriver['name']): SqliteDriver {
  return BUILT_IN[name]?.() ?? opening(name, require(name))
}

function loadedBetterSqlite3(): SqliteDriver | null {
  const suitable = loadedReleases().find(({ id }) => unsuitability(versionBeside(id)) === null)
  if (suitable === undefined) return null
  const driver = opening(suitable.id, suitable.exports)
  return loads(driver) ? driver : null
}

/**
 * Returns whether better-sqlite3 has its native part, which it loads with the first database. A
 * host has opened no file without: it imports a package such as drizzle-orm, which imports this.
 */
function loads({ open }: SqliteDriver): boolean {
  try {
    open(':memory:').close()
    return true
  } catch {
    return false
  }
}

function loadedReleases(): readonly NodeJS.Module[] {
  return Object.values(require.cache).flatMap((module) =>
    module !== undefined && ENTRY.test(module.id) ? [module] : [],
  )
}

const ENTRY = /[/\\]better-sqlite3[/\\]lib[/\\]index\.js$/

const NODE_SQLITE = 'node:sqlite'
const BUN_SQLITE = 'bun:sqlite'
const BUILT_IN: Readonly<Record<string, () => SqliteDriver | null>> = {
  [NODE_SQLITE]: nodeSqlite,
  [BUN_SQLITE]: bunSqlite,
}

function nodeSqlite(): SqliteDriver | null {
  // The types of Node 20 lack node:sqlite; its documented export is this constructor.
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule(NODE_SQLITE)) as
    | { readonly DatabaseSync: unknown }
    | undefined
  return builtin === undefined ? null : opening(NODE_SQLITE, builtin.DatabaseSync)
}

function bunSqlite(): SqliteDriver | null {
  if (process.versions['bun'] === undefined) return null
  // The types of Node lack bun:sqlite; its documented export is this constructor.
  const builtin = require(BUN_SQLITE) as { readonly Database: unknown }
  return opening(BUN_SQLITE, builtin.Database)
}

/**
 * Suppresses the warning that Node 22 and 24 print when node:sqlite is loaded. A host cannot act on
 * it.
 */
function withoutExperimentalWarning<Result>(load: () => Result): Result {
  const emit = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  if (emit === undefined) return load()
  const value = (...warning: readonly unknown[]): void => {
    if (warning[1] !== 'ExperimentalWarning') Reflect.apply(emit.value, process, warning)
  }
  Object.defineProperty(process, 'emitWarning', { ...emit, value })
  try {
    return load()
  } finally {
    Object.defineProperty(process, 'emitWarning', emit)
  }
}

function betterSqlite3(): SqliteDriver {
  const crash = unsuitability(installedVersion())
  if (crash !== null) throw new ConfigError(`stores: ${crash}; ${REMEDY}`)
  try {
    const path = require.resolve('better-sqlite3')
    const driver = opening(path, require(path))
    // better-sqlite3 loads its native part with the first database.
    driver.open(':memory:').close()
    return driver
  } catch (cause) {
    const neededBy = `stores: SQLite on Node ${process.versions.node}`
    throw packageError({ name: 'better-sqlite3', neededBy, remedy: REMEDY }, cause)
  }
}

/**
 * Creates the driver of a documented constructor. better-sqlite3 is an optional peer dependency and
 * therefore not imported.
 */
function opening(name: string, exported: unknown): SqliteDriver {
  const Database = exported as new (file: string) => OwnHandle
  return { name, open: (file) => new Database(file) }
}

const REMEDY =
  'use Node 22.13 or newer, which has node:sqlite, or on Node 20 run `npm install better-sqlite3@12`; npm 12 builds it once `npm install-scripts approve better-sqlite3` and `npm rebuild` have run'

/**
 * Returns why loading a release would crash the process, which cannot be caught; `null` when it
 * works or is not installed.
 *
 * @param major The major version of better-sqlite3.
 */
function unsuitability(major: number | null): string | null {
  if (major === null) return null
  // The release is built for a newer Node-API and segfaults on load.
  const isTooNew = major >= 13 && nodeMajor < 22
  // The release finalises statements after their environment has ended, which Node 24.19 and newer
  // abort with SIGABRT.
  const isTooOld = major < 13 && nodeMajor >= 24
  const crash = `better-sqlite3 ${major} crashes on Node ${process.versions.node}`
  return isTooNew || isTooOld ? crash : null
}

let hasWarned = false

/** Warns once about a host's handle whose driver may abort the process. */
export function warnOfUnsuitable(handle: SqliteHandle): void {
  const release = loadedReleases().find((module) => module.exports === handle.constructor)
  const crash = release === undefined ? null : unsuitability(versionBeside(release.id))
  if (hasWarned || crash === null) return
  hasWarned = true
  process.emitWarning(`${crash}; run \`npm install better-sqlite3@13\``)
}

function installedVersion(): number | null {
  try {
    return versionBeside(require.resolve('better-sqlite3'))
  } catch {
    return null
  }
}

/**
 * Returns the major version from the package that contains a module.
 *
 * @param entry The module that better-sqlite3 exports.
 */
function versionBeside(entry: string): number {
  const path = join(dirname(entry), '..', 'package.json')
  const { version } = require(/* turbopackIgnore: true */ path) as { readonly version: string }
  return Number.parseInt(version, 10)
}
