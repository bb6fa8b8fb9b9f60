import { createRequire } from 'node:module'
import { ConfigError } from '../contracts.ts'
import type { SqliteStatement } from './sqlite-statement.ts'

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

/**
 * Chooses the driver for files. node:sqlite comes first: it needs no compiler, and it belongs to the running Node,
 * while better-sqlite3 has to match it.
 *
 * @throws {ConfigError} There is no driver that works on this Node.
 */
export function chooseDriver(): OpenFile {
  return nodeSqlite() ?? betterSqlite3()
}

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
  refuseUnsuitable()
  try {
    // An optional peer, so it is not imported; its documented export is this constructor.
    const Database = require('better-sqlite3') as new (file: string) => OwnHandle
    // Its native part is loaded with the first database.
    new Database(':memory:').close()
    return (file) => new Database(file)
  } catch (cause) {
    throw new ConfigError(
      `stores: no SQLite driver works on Node ${process.versions.node}; ${REMEDY}`,
      { cause },
    )
  }
}

const REMEDY =
  'use Node 22.13 or newer, which has node:sqlite, or on Node 20 run `npm install better-sqlite3@12`'

/** Releases that crash the process, which cannot be caught: they must not be loaded at all. */
function refuseUnsuitable(): void {
  const driver = versionOfBetterSqlite3()
  const node = Number.parseInt(process.versions.node, 10)
  if (driver === null) return
  // Built for a newer Node-API: a segmentation fault when it is loaded.
  const isTooNew = driver >= 13 && node < 22
  // Finalises statements when the environment is gone, which Node 24 answers with SIGABRT.
  const isTooOld = driver < 13 && node >= 24
  if (!isTooNew && !isTooOld) return
  throw new ConfigError(
    `stores: better-sqlite3 ${driver} crashes on Node ${process.versions.node}; ${REMEDY}`,
  )
}

/** Returns the major version; `null` where it is not installed. */
function versionOfBetterSqlite3(): number | null {
  try {
    const { version } = require('better-sqlite3/package.json') as { readonly version: string }
    return Number.parseInt(version, 10)
  } catch {
    return null
  }
}
