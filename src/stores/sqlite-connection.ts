import { createRequire } from 'node:module'
import { ConfigError, StoreError } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import { ensureKnown, schemaSql, sqliteMigrations, sqliteSchemaTable } from './migrations.ts'
import { withQuickRows } from './sqlite-statement.ts'
import type { SqliteStatement, SqliteValue } from './sqlite-statement.ts'

/** An open database: a better-sqlite3 `Database` and a node:sqlite `DatabaseSync` both fit. */
export interface SqliteHandle {
  exec(sql: string): unknown
  prepare(sql: string): SqliteStatement
}

/** A statement whose failures are StoreErrors. */
export interface Query<Row> {
  /** @returns how many rows it changed. */
  run(...values: SqliteValue[]): number
  /** For reading only: a driver's `get` does not tell when the commit that follows its row fails. */
  get(...values: SqliteValue[]): Row | null
  all(...values: SqliteValue[]): readonly Row[]
}

/** A database whose tables are there and of the version that is known here. */
export interface Connection {
  readonly query: <Row>(sql: string) => Query<Row>
  /** Does all of the step or nothing of it. Its first statement writes. */
  readonly transaction: <Result>(step: () => Result) => Result
  /** Closes what was opened here. Idempotent. */
  readonly close: () => void
}

// FULL: a logout and a counted attempt outlive a power cut. Checkpoints are many and short: the 1,000 pages of
// SQLite's default hold every request up for more than ten milliseconds.
const SETTINGS = `
  PRAGMA busy_timeout = ${times.deadlineSeconds * 1000};
  PRAGMA journal_mode = WAL;
  PRAGMA wal_autocheckpoint = 100;
  PRAGMA synchronous = FULL`

interface OwnHandle extends SqliteHandle {
  close(): void
}

/**
 * Opens the file, or takes the handle, and brings the tables up to date.
 *
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database cannot be used now.
 */
export function connect(database: string | SqliteHandle): Connection {
  if (typeof database !== 'string') return connection(database, () => {})
  const handle = openFile(database)
  try {
    orStoreError(() => handle.exec(SETTINGS))
    return connection(handle, () => handle.close())
  } catch (error) {
    handle.close()
    throw error
  }
}

function connection(handle: SqliteHandle, release: () => void): Connection {
  let open = true
  function answer<Result>(step: () => Result): Result {
    if (!open) throw new StoreError('the stores are closed')
    return orStoreError(step)
  }
  migrate(handle)
  return {
    transaction: (step) => answer(() => inSavepoint(handle, step)),
    query<Row>(sql: string): Query<Row> {
      const statement = answer(() => withQuickRows(handle.prepare(sql)))
      // The rows are what the statement selects: the tables are STRICT, and `migrate` has seen how
      // the handle gives rows and numbers.
      return {
        run: (...values) => answer(() => Number(statement.run(...values).changes)),
        get: (...values) => answer(() => (statement.get(...values) as Row | undefined) ?? null),
        all: (...values) => answer(() => statement.all(...values) as Row[]),
      }
    },
    close() {
      if (!open) return
      open = false
      orStoreError(release)
    },
  }
}

// A savepoint: a given handle may be within a transaction of the host's, and else it makes one. Its
// lock comes with the first statement: one that writes waits for its turn, where a write after a
// read fails when somebody else has written in between.
function inSavepoint<Result>(handle: SqliteHandle, step: () => Result): Result {
  handle.exec('SAVEPOINT svc')
  try {
    const result = step()
    handle.exec('RELEASE svc')
    return result
  } catch (error) {
    undo(handle, 'ROLLBACK TO svc; RELEASE svc')
    throw error
  }
}

function orStoreError<Result>(step: () => Result): Result {
  try {
    return step()
  } catch (cause) {
    throw cause instanceof StoreError ? cause : new StoreError('SQLite failed', { cause })
  }
}

// IMMEDIATE: of processes that start at once, one makes the tables and the others find them.
function migrate(handle: SqliteHandle): void {
  orStoreError(() => handle.exec('BEGIN IMMEDIATE'))
  try {
    orStoreError(() => handle.exec(sqliteSchemaTable))
    const version = versionOf(handle)
    for (const [index, step] of sqliteMigrations.entries()) {
      if (index < version) continue
      orStoreError(() => handle.exec(step))
      orStoreError(() => handle.prepare(schemaSql.advance).run(index + 1))
    }
    orStoreError(() => handle.exec('COMMIT'))
  } catch (error) {
    undo(handle, 'ROLLBACK')
    throw error
  }
}

function undo(handle: SqliteHandle, how: string): void {
  try {
    handle.exec(how)
  } catch {
    // SQLite has rolled back already; what made it do so is thrown by the caller.
  }
}

function versionOf(handle: SqliteHandle): number {
  const row = orStoreError(() => handle.prepare(schemaSql.version).get())
  const version: unknown = typeof row === 'object' && row && 'version' in row ? row.version : null
  if (typeof version !== 'number') {
    throw new ConfigError(
      'stores: the SQLite handle must give rows as objects and integers as numbers',
    )
  }
  ensureKnown(version, sqliteMigrations)
  return version
}

function openFile(file: string): OwnHandle {
  const open = driver()
  try {
    return open(file)
  } catch (cause) {
    throw new ConfigError(
      `stores: ${file} cannot be opened; its folder must exist and both must be writable`,
      { cause },
    )
  }
}

type Open = (file: string) => OwnHandle

function driver(): Open {
  try {
    return betterSqlite3()
  } catch (cause) {
    const open = nodeSqlite()
    if (open) return open
    throw new ConfigError(
      'stores: sqliteStores needs a driver; run `npm install better-sqlite3`, or a Node that has ' +
        'node:sqlite (22.13 or newer)',
      { cause },
    )
  }
}

function betterSqlite3(): Open {
  // An optional peer, so it is not imported; its documented export is this constructor.
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (
    file: string,
  ) => OwnHandle
  // Its native part is loaded with the first database.
  new Database(':memory:').close()
  return (file) => new Database(file)
}

function nodeSqlite(): Open | null {
  // The types of Node 20 do not know it; its documented export is this constructor.
  const builtin = process.getBuiltinModule('node:sqlite') as
    | { readonly DatabaseSync: new (file: string) => OwnHandle }
    | undefined
  return builtin ? (file) => new builtin.DatabaseSync(file) : null
}
