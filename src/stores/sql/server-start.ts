import { ConfigError, StoreError } from '../../contracts/errors.ts'
import { pendingMigration, type Migrated } from '../../contracts/migrated.ts'
import { unreachableReason, type ServerError } from './server-error.ts'

/*
 * The start of the stores on PostgreSQL and on MySQL: the tables, the errors of a database that is
 * unusable.
 */

/** The tables of a server. */
export interface ServerTables {
  /** The current version. */
  readonly current: number
  /**
   * Returns the version of the tables; 0 if they are missing.
   *
   * @throws {ConfigError} They are newer, or cannot be used.
   */
  readonly version: () => Promise<number>
  /** Migrates the tables while other nodes wait. @returns the version before. */
  readonly migrate: () => Promise<number>
  /** The call of the host that migrates them, and by whom. */
  readonly remedy: string
}

/** Migrates the tables. Locks and writes nothing when they are up to date. */
export async function migrateTables({
  current,
  version,
  migrate,
}: ServerTables): Promise<Migrated> {
  const from = await version()
  return { from: from === current ? from : await migrate(), to: current }
}

/**
 * Migrates or checks the tables.
 *
 * @returns the migration, also one that a command must not run; `null` for a check.
 * @throws {ConfigError} The tables are newer, or older and not migrated here.
 */
export async function prepareTables(
  tables: ServerTables,
  migrate: boolean,
): Promise<Migrated | null> {
  const [from, to] = [await tables.version(), tables.current]
  if (migrate) return pendingMigration({ from, to }) ?? migrateTables(tables)
  if (from === to) return null
  throw new ConfigError(
    `stores: the tables svc_* are of version ${from}, and this @svc/auth needs ${to}; ${tables.remedy}`,
  )
}

/** Describes why a server is unusable at start. */
export interface StartErrors {
  /** Returns what a change of the configuration must do, for an error that only that can end. */
  readonly remedyOf: (error: ServerError) => string | undefined
  /** The code of a server that has no connection left. */
  readonly isFull: (code: string) => boolean
}

interface Closing {
  readonly close: () => Promise<void>
}

/**
 * Runs a step of the start, and closes the connection when it fails.
 *
 * @param call The call of the host, for messages.
 * @throws the error with the remedy, if one is known.
 */
export async function started<Result>(
  connected: Closing,
  call: string,
  errors: StartErrors,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    // Not awaited: closing a connection to a silent server takes until it is given up.
    connected.close().catch(() => undefined)
    throw startError(error, call, errors)
  }
}

function startError(error: unknown, call: string, { remedyOf, isFull }: StartErrors): unknown {
  if (!(error instanceof StoreError) || !(error.cause instanceof Error)) return error
  const cause: ServerError = error.cause
  const code = String(cause.code)
  // This error repeats the address, with its password.
  if (code === 'ERR_INVALID_URL')
    return new ConfigError(
      `stores: ${call}: the address cannot be read; percent-encode special characters in its password`,
    )
  const remedy = remedyOf(cause)
  if (remedy !== undefined)
    return new ConfigError(`stores: ${call}: ${cause.message}; ${remedy}`, { cause })
  const reason = unreachableReason(cause) ?? (cause.message || code)
  const hint = isFull(code) ? '; raise max_connections, or give a smaller pool' : ''
  return new StoreError(`stores: ${call}: ${reason}${hint}`, { cause })
}
