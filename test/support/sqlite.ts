import { createRequire } from 'node:module'
import type { SqliteHandle } from '@svc/auth/sqlite'

/** A handle of a host, made without the service. */
export interface HostHandle extends SqliteHandle {
  close(): void
}

/** Opens a file as a host does. `timeout` is the busy timeout in milliseconds. */
export type OpenHandle = (file: string, options?: { readonly timeout?: number }) => HostHandle

type Driver = new (file: string, options?: { readonly timeout?: number }) => HostHandle

const require = createRequire(import.meta.url)
const [major = 0] = process.versions.node.split('.').map(Number)

/** The folder of the better-sqlite3 that fits the running Node; `scripts/nodes.mjs` sets it. */
const betterSqlite3Path =
  process.env['SVC_BETTER_SQLITE3'] ?? (major < 22 ? 'better-sqlite3' : null)

/** node:sqlite. `null` on Node 20. */
const nodeSqlite = driverOf(
  (process.getBuiltinModule('node:sqlite') as { readonly DatabaseSync: Driver } | undefined)
    ?.DatabaseSync,
)

/** better-sqlite3. `null` where the installed release crashes on this Node: 12 does from Node 24 on. */
const betterSqlite3 = driverOf(
  betterSqlite3Path === null ? undefined : (require(betterSqlite3Path) as Driver),
)

/**
 * The drivers that work here, by name. better-sqlite3 first: the stores use it for files once it is loaded, and one
 * process must not open a file with two copies of SQLite.
 */
export const drivers: readonly (readonly [string, OpenHandle])[] = [
  ...(betterSqlite3 === null ? [] : [['better-sqlite3', betterSqlite3] as const]),
  ...(nodeSqlite === null ? [] : [['node:sqlite', nodeSqlite] as const]),
]

/** The release of better-sqlite3 that an application links works on the running Node. */
export const hasBetterSqlite3 = betterSqlite3 !== null

/** Opens a handle with the first driver that works here. */
export const openHandle: OpenHandle = (file, options) => {
  const [first] = drivers
  if (first === undefined) throw new Error(`no SQLite driver works on Node ${process.version}`)
  return first[1](file, options)
}

function driverOf(Database: Driver | undefined): OpenHandle | null {
  // The default of better-sqlite3, as node:sqlite does not wait by itself.
  return Database === undefined
    ? null
    : (file, options) => new Database(file, { timeout: 5000, ...options })
}
