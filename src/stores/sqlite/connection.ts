import type { Migrated } from '../../migrated.ts'
import { StoreError } from '../../errors.ts'
import type { Awaitable } from '../../contracts.ts'
import { accessOf } from './access.ts'
import { ensureDatabase } from './argument.ts'
import { warnOfUnsuitable } from './driver.ts'
import type { FileSource, SqliteHandle } from './driver.ts'
import { startError, storeError } from './sqlite-errors.ts'
import { openFile } from './file.ts'
import { createGroupCommit } from './group-commit.ts'
import { fileOf, identityCheckOf } from './identity.ts'
import { migrate } from './migrations.ts'
import { besideThread } from './pragmas.ts'
import { withRowObjects } from './statement.ts'
import type { SqliteValue } from './statement.ts'

/** A statement for steps of `read` and `write`. It throws StoreErrors. */
export interface Query<Row> {
  /**
   * Runs a writing statement.
   *
   * @returns the number of changed rows.
   */
  run(...values: SqliteValue[]): number
  /**
   * Runs a reading statement. Not for writes: a driver's `get` does not report a failed commit
   * after its row.
   */
  get(...values: SqliteValue[]): Row | null
  all(...values: SqliteValue[]): readonly Row[]
}

/** A database whose tables exist in the known version. */
export interface Connection {
  /** The versions of the tables before and after opening. */
  readonly migrated: Migrated
  readonly query: <Row>(sql: string) => Query<Row>
  /** Runs a step that only reads. */
  readonly read: <Result>(step: () => Result) => Awaitable<Result>
  /**
   * Runs a step, all of it or nothing, and commits it together with others of the same tick. Its
   * first statement must write. Waits for another process's lock without blocking the event loop.
   * Inside a transaction of the host, the step runs at once and shares its outcome.
   */
  readonly write: <Result>(step: () => Result) => Awaitable<Result>
  readonly isInTransaction: () => boolean
  /** Returns how long writes have blocked this thread in all, in milliseconds. */
  readonly blockedMs: () => number
  /** The file, for a thread to open; `null` when none may. */
  readonly source: FileSource | null
  /** Adapts the settings of the connection to a thread that begins or ends to write the file. */
  readonly setBesideThread: (thread: keyof typeof besideThread) => void
  /**
   * Checks that the file is still the one that was opened.
   *
   * @throws {StoreError} The file was deleted or replaced.
   */
  readonly ensureInPlace: () => void
  /** Closes what was opened here. Idempotent. */
  readonly close: () => void
}

/**
 * Opens the file, or uses the handle, and migrates the tables.
 *
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database is unavailable.
 */
export function connect(database: string | SqliteHandle): Connection {
  ensureDatabase(database)
  if (typeof database !== 'string') {
    warnOfUnsuitable(database)
    return connection(database, 'stores: sqliteStores', () => {})
  }
  const call = `stores: sqliteStores('${database}')`
  const file = openFile(database, call)
  try {
    return connection(file, call, () => file.close())
  } catch (error) {
    file.close()
    throw error
  }
}

function connection(handle: SqliteHandle, call: string, release: () => void): Connection {
  const { file, migrated } = start(handle, call)
  const access = accessOf(handle)
  const group = createGroupCommit(handle, access)
  let open = true

  function ensureOpen(): void {
    if (!open) throw new StoreError('the stores are closed')
  }
  function answer<Result>(step: () => Result): Result {
    ensureOpen()
    return orStoreError(step)
  }

  function settled<Result>(start: () => Awaitable<Result>): Awaitable<Result> {
    const result = answer(start)
    return result instanceof Promise ? result.catch(failWithStoreError) : result
  }

  return {
    migrated,
    query: (sql) => queryOf(handle, sql, answer),
    read: (step) => settled(() => access.read(step)),
    write: (step) =>
      settled(() => (access.isInTransaction() ? access.transaction(step) : group.run(step))),
    // node:sqlite throws when its handle is closed.
    isInTransaction: () => open && access.isInTransaction(),
    blockedMs: group.blockedMs,
    source: access.source,
    setBesideThread(thread) {
      if (!open) return
      const { busyTimeoutMs, checkpointPages } = besideThread[thread]
      access.setBusyTimeout(busyTimeoutMs)
      handle.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
    },
    ensureInPlace: identityCheckOf(file),
    close() {
      if (!open) return
      open = false
      orStoreError(release)
    },
  }
}

type Answer = <Result>(step: () => Result) => Result

function queryOf<Row>(handle: SqliteHandle, sql: string, answer: Answer): Query<Row> {
  const statement = answer(() => withRowObjects(handle.prepare(sql)))
  // The rows match what the statement selects: the tables are STRICT, and `migrate` has checked how
  // the handle returns rows and numbers.
  return {
    run: (...values) => answer(() => Number(statement.run(...values).changes)),
    get: (...values) => answer(() => (statement.get(...values) as Row | undefined) ?? null),
    all: (...values) => answer(() => statement.all(...values) as Row[]),
  }
}

interface Started {
  readonly file: string | null
  readonly migrated: Migrated
}

/**
 * Prepares the database.
 *
 * @returns the path of the file, and the versions of the tables.
 */
function start(handle: SqliteHandle, call: string): Started {
  let file: string | null = null
  try {
    file = fileOf(handle)
    const place = file ?? 'the database'
    return { file, migrated: accessOf(handle).blocking(() => migrate(handle, place)) }
  } catch (error) {
    throw startError(error, { call, file })
  }
}

function orStoreError<Result>(step: () => Result): Result {
  try {
    return step()
  } catch (error) {
    return failWithStoreError(error)
  }
}

function failWithStoreError(cause: unknown): never {
  throw storeError(cause)
}
