import { StoreError } from '../../contracts.ts'
import type { Awaitable } from '../../contracts.ts'
import { accessOf } from './access.ts'
import { warnOfUnsuitable } from './driver.ts'
import type { SqliteHandle } from './driver.ts'
import { startError, storeError } from './errors.ts'
import { openFile } from './file.ts'
import { fileOf, identityCheckOf } from './identity.ts'
import { migrate } from './migrations.ts'
import { withRowObjects } from './statement.ts'
import type { SqliteValue } from './statement.ts'

/** A statement, for steps of `read`, `write` and `transaction`. Its failures are StoreErrors. */
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
  /** Runs a step that only reads. */
  readonly read: <Result>(step: () => Result) => Awaitable<Result>
  /** Runs a single statement that writes. Waits for another process's lock without blocking the event loop. */
  readonly write: <Result>(step: () => Result) => Awaitable<Result>
  /** As `write`, for several statements: all of them or none. The first one writes. */
  readonly transaction: <Result>(step: () => Result) => Awaitable<Result>
  /** @throws {StoreError} The file was deleted or replaced since it was opened. */
  readonly ensureInPlace: () => void
  /** Closes what was opened here. Idempotent. */
  readonly close: () => void
}

/**
 * Opens the file, or takes the handle, and brings the tables up to date.
 *
 * @throws {ConfigError} No driver, no such folder, or tables of a newer version.
 * @throws {StoreError} The database cannot be used now.
 */
export function connect(database: string | SqliteHandle): Connection {
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
  const file = start(handle, call)
  const access = accessOf(handle)
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
    query<Row>(sql: string): Query<Row> {
      const statement = answer(() => withRowObjects(handle.prepare(sql)))
      // The rows are what the statement selects: the tables are STRICT, and `migrate` has seen how
      // the handle gives rows and numbers.
      return {
        run: (...values) => answer(() => Number(statement.run(...values).changes)),
        get: (...values) => answer(() => (statement.get(...values) as Row | undefined) ?? null),
        all: (...values) => answer(() => statement.all(...values) as Row[]),
      }
    },
    read: (step) => settled(() => access.read(step)),
    write: (step) => settled(() => access.write(step)),
    transaction: (step) => settled(() => access.transaction(step)),
    ensureInPlace: identityCheckOf(file),
    close() {
      if (!open) return
      open = false
      orStoreError(release)
    },
  }
}

/** @returns the path of the file. */
function start(handle: SqliteHandle, call: string): string | null {
  let file: string | null = null
  try {
    file = fileOf(handle)
    const place = file ?? 'the database'
    accessOf(handle).blocking(() => migrate(handle, place))
    return file
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
