import { ConfigError, StoreError } from '../../contracts/errors.ts'
import type { Awaitable } from '../../contracts/host.ts'
import type { Migrated } from '../../contracts/migrated.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { ensureDatabase } from './argument.ts'
import { type SqliteHandle, type SqliteOpener, warnOfUnsuitable } from './driver.ts'
import { identityCheckOf } from './identity.ts'
import { migrate } from './migrations.ts'
import { besideThread } from './pragmas.ts'
import { inSavepoint, inTransaction } from './savepoint.ts'
import { openPath, type ServiceConnection, sharedConnection } from './service-connection.ts'
import { isFull, isLocked, startError, storeError } from './sqlite-errors.ts'
import type { SqliteValue } from './statement.ts'

/**
 * Opens the file, or a connection of its own to the file of the handle, and migrates the tables.
 *
 * @throws {ConfigError} No driver, no such folder, a handle that cannot write, or tables of a newer
 *   version.
 * @throws {StoreError} The database is unavailable.
 */
export function connect(database: string | SqliteHandle | SqliteOpener): Connection {
  ensureDatabase(database)
  const call =
    typeof database === 'string' ? `stores: sqliteStores('${database}')` : 'stores: sqliteStores'
  const own = open(database, call)
  try {
    return connection(own, call)
  } catch (error) {
    own.close()
    throw error
  }
}

function open(database: string | SqliteHandle | SqliteOpener, call: string): ServiceConnection {
  if (typeof database === 'string') return openPath(database, call)
  if (typeof database === 'object') warnOfUnsuitable(database)
  const own = sharedConnection(database, call).hold()
  if (own.isWritable) return own
  own.close()
  throw new ConfigError(
    `${call}: your handle cannot write ${own.file}; open it for writing, let this user write the file and its folder, or name a file for the service, as in sqliteStores('svc.db')`,
  )
}

/** A database whose tables exist in the known version. */
export type Connection = ReturnType<typeof connection>

function connection(own: ServiceConnection, call: string) {
  const migrated = start(own, call)
  const { access } = own
  const ensureInPlace = identityCheckOf(own.file)
  const group = createGroupCommit(own, ensureInPlace)
  const statements = new Map<string, ReturnType<typeof prepare>>()
  let isOpen = true

  function guarded<Result>(step: () => Result): Result {
    if (!isOpen) throw new StoreError('the stores are closed')
    return orStoreError(step)
  }

  return {
    /** The versions of the tables before and after opening. */
    migrated,
    /** Returns the statement of a text, which is prepared once. */
    prepared: (sql: string) => {
      const known = statements.get(sql) ?? prepare(own, sql, guarded)
      statements.set(sql, known)
      return known
    },
    /** Runs a step that only reads. */
    read: <Result>(step: () => Result): Awaitable<Result> => {
      const result = guarded(() => access.read(step))
      return result instanceof Promise ? result.catch(failWithStoreError) : result
    },
    /**
     * Runs a step, all of it or nothing, and commits it together with others of the same tick.
     * Waits for the locks of others without blocking the event loop.
     *
     * @throws {StoreError} The file was deleted or replaced, so what is confirmed would be lost.
     */
    write: async <Result>(step: () => Result) =>
      guarded(() => group.run(step)).catch(failWithStoreError),
    /** Returns how long writes have blocked this thread in all, in milliseconds. */
    blockedMs: group.blockedMs,
    /** The file, for a thread to open; `null` when none may. */
    source: own.source,
    /** Adapts the connections of this thread to one that begins or ends to write the file. */
    setBesideThread: (thread: keyof typeof besideThread) => {
      if (!isOpen) return
      own.setBesideThread(thread)
      own.exec(`PRAGMA wal_autocheckpoint = ${besideThread[thread].checkpointPages}`)
    },
    /**
     * Checks that the file is still the one that was opened, as every write does.
     *
     * @throws {StoreError} The file was deleted or replaced.
     */
    ensureInPlace,
    /** Closes what was opened here. Idempotent. */
    close: () => {
      if (!isOpen) return
      isOpen = false
      orStoreError(own.close)
    },
  }
}

type Guarded = <Result>(step: () => Result) => Result

/**
 * Prepares a statement for steps of `read` and `write`. It throws StoreErrors. The type of its rows
 * is the caller's claim about what it selects.
 */
function prepare(own: ServiceConnection, sql: string, guarded: Guarded) {
  const statement = guarded(() => own.prepare(sql))
  // The rows match what the statement selects: the tables are STRICT, and `migrate` has checked how
  // the handle returns rows and numbers.
  return {
    /**
     * Runs a writing statement.
     *
     * @returns the number of changed rows.
     */
    run: (...values: SqliteValue[]) => guarded(() => Number(statement.run(...values).changes)),
    /**
     * Runs a reading statement. Not for writes: a driver's `get` does not report a failed commit
     * after its row.
     */
    get: <Row>(...values: SqliteValue[]) =>
      guarded(() => (statement.get(...values) as Row | undefined) ?? null),
    all: <Row>(...values: SqliteValue[]) => guarded(() => statement.all(...values) as Row[]),
  }
}

function start({ blocking, file }: ServiceConnection, call: string): Migrated {
  try {
    return blocking((handle) => migrate(handle, file ?? 'the database'))
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

type StepResult = { readonly result: unknown } | { readonly error: unknown }

/**
 * Creates what commits the steps of one tick of the event loop together, with one disk flush.
 *
 * @param ensureInPlace Throws if the file is no longer the one that was opened.
 */
function createGroupCommit(own: ServiceConnection, ensureInPlace: () => void) {
  let blockedMs = 0

  function outcomesOf(steps: readonly (() => unknown)[]): readonly StepResult[] {
    const [only] = steps
    if (only !== undefined && steps.length === 1) return [{ result: only() }]
    return steps.map((step) => {
      try {
        return { result: inSavepoint(own, step) }
      } catch (error) {
        // Without the lock nothing was written yet, and the whole group is tried again. After some
        // errors SQLite has rolled back all of the group.
        if (isLocked(error) || !own.isInTransaction()) throw error
        return { error }
      }
    })
  }

  function commit(steps: readonly (() => unknown)[]): readonly StepResult[] {
    const startedAt = performance.now()
    const run = () => inTransaction(own, () => outcomesOf(steps))
    try {
      ensureInPlace()
      return run()
    } catch (error) {
      if (!isFull(error) || !tryCheckpoint(own)) throw error
      return run()
    } finally {
      blockedMs += performance.now() - startedAt
    }
  }

  const together = batchPerTick(
    async (
      all: readonly (readonly [step: () => unknown])[],
    ): Promise<readonly Awaitable<unknown>[]> =>
      (await own.access.write(() => commit(all.map(([step]) => step)))).map(settled),
  )
  return {
    /**
     * Runs a step, all of it or nothing. A step that fails alone is rolled back alone; when the
     * commit fails, every step of the tick does.
     */
    // The result is that of the step.
    run: together as <Result>(step: () => Result) => Promise<Result>,
    /** Returns how long commits have blocked this thread in all, in milliseconds. */
    blockedMs: () => blockedMs,
  }
}

/**
 * Copies the write-ahead log into the file, so that the next commit writes over it. On a full disk
 * the log cannot grow to the size at which SQLite does this, and no write would succeed any more.
 *
 * @returns false when the file cannot take its new pages, either.
 */
function tryCheckpoint({ exec }: ServiceConnection): boolean {
  try {
    exec('PRAGMA wal_checkpoint')
    return true
  } catch {
    return false
  }
}

function settled(result: StepResult): Awaitable<unknown> {
  return 'error' in result ? Promise.reject(result.error) : result.result
}
