import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ConfigError } from '../../contracts.ts'
import type { SqliteStatement } from './statement.ts'

/** An open database: a better-sqlite3 `Database` and a node:sqlite `DatabaseSync` both fit. */
export interface SqliteHandle {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

/** A database that was opened here and is closed here. */
export interface OwnHandle extends SqliteHandle {
  close(): void
}

/** Opens a file with a driver. */
export type OpenFile = (file: string) => OwnHandle

const require = createRequire(import.meta.url)
const nodeMajor = Number.parseInt(process.versions.node, 10)

/**
 * Chooses the driver for files: node:sqlite, which needs no compiler and belongs to the running Node, while
 * better-sqlite3 has to match it. A better-sqlite3 that the host has loaded comes first, as the host may have the same
 * file open: two copies of SQLite in one process do not see each other's locks, and damage the file.
 *
 * @throws {ConfigError} There is no driver that works on this Node.
 */
export function chooseDriver(): OpenFile {
  return loadedBetterSqlite3() ?? nodeSqlite() ?? betterSqlite3()
}

function loadedBetterSqlite3(): OpenFile | null {
  const suitable = loadedReleases().find(({ id }) => unsuitability(versionBeside(id)) === null)
  return suitable === undefined ? null : opening(suitable.exports)
}

function loadedReleases(): readonly NodeJS.Module[] {
  return Object.values(require.cache).flatMap((module) =>
    module !== undefined && ENTRY.test(module.id) ? [module] : [],
  )
}

const ENTRY = /[/\\]better-sqlite3[/\\]lib[/\\]index\.js$/

function nodeSqlite(): OpenFile | null {
  // The types of Node 20 do not know it; its documented export is this constructor.
  const builtin = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite')) as
    | { readonly DatabaseSync: new (file: string) => OwnHandle }
    | undefined
  return builtin === undefined ? null : (file) => new builtin.DatabaseSync(file)
}

/** Node 22 and 24 print a warning when node:sqlite is loaded, which a host can do nothing about. */
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

function betterSqlite3(): OpenFile {
  const crash = unsuitability(installedVersion())
  if (crash !== null) throw new ConfigError(`stores: ${crash}; ${REMEDY}`)
  try {
    const open = opening(require('better-sqlite3'))
    // Its native part is loaded with the first database.
    open(':memory:').close()
    return open
  } catch (cause) {
    throw new ConfigError(
      `stores: no SQLite driver works on Node ${process.versions.node}; ${REMEDY}`,
      { cause },
    )
  }
}

/** An optional peer, so it is not imported; its documented export is this constructor. */
function opening(exported: unknown): OpenFile {
  const Database = exported as new (file: string) => OwnHandle
  return (file) => new Database(file)
}

const REMEDY =
  'use Node 22.13 or newer, which has node:sqlite, or on Node 20 run `npm install better-sqlite3@12`'

/**
 * Returns why a release must not be loaded at all: it crashes the process, which cannot be caught. `null` where it
 * works, or is not installed.
 *
 * @param major The major version of better-sqlite3.
 */
function unsuitability(major: number | null): string | null {
  if (major === null) return null
  // Built for a newer Node-API: a segmentation fault when it is loaded.
  const isTooNew = major >= 13 && nodeMajor < 22
  // It finalises statements when their environment is gone, which Node 24.19 and newer answer with SIGABRT.
  const isTooOld = major < 13 && nodeMajor >= 24
  const crash = `better-sqlite3 ${major} crashes on Node ${process.versions.node}`
  return isTooNew || isTooOld ? crash : null
}

let hasWarned = false

/** Warns once of a handle of the host whose driver ends the process at some point, without an error to catch. */
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

/** @param entry The module that better-sqlite3 exports. */
function versionBeside(entry: string): number {
  const { version } = require(join(dirname(entry), '..', 'package.json')) as {
    readonly version: string
  }
  return Number.parseInt(version, 10)
}
