import { ConfigError, StoreError } from '../../contracts/errors.ts'
import { pendingMigration, type Migrated } from '../../contracts/migrated.ts'
import type { Stores } from '../../contracts/store-contracts.ts'
import type { ClosableBus } from '../local-bus.ts'
import { storesWithoutTables } from '../stores-without-tables.ts'
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

/** Describes why a server is unusable at start. */
export interface StartErrors {
  /** Returns what a change of the configuration must do, for an error that only that can end. */
  readonly remedyOf: (error: ServerError) => string | undefined
  /** The code of a server that has no connection left. */
  readonly isFull: (code: string) => boolean
}

/** A server at its start. */
export interface StartingServer {
  /** The call of the host, for messages. */
  readonly call: string
  readonly errors: StartErrors
  readonly tables: ServerTables
  /** Closes the connections that were opened for the call. */
  readonly close: () => Promise<void>
}

/** The stores of a server, as its kind creates them. */
interface CreatedStores extends Omit<Stores, 'close' | 'migrated'> {
  readonly bus: ClosableBus
}

/**
 * Creates the stores once the tables are migrated, or are checked where `migrate` is false.
 *
 * @param check Checks how the server must be set up.
 * @throws {ConfigError} The tables are newer, or older and not migrated here.
 */
export async function startStores(
  server: StartingServer,
  { migrate, check = async () => undefined }: Readonly<{ migrate: boolean; check?: StartStep }>,
  create: () => CreatedStores,
): Promise<Stores> {
  const migrated = await started(server, async () => {
    await check()
    return prepareTables(server.tables, migrate)
  })
  if (migrated?.isPending === true) {
    await server.close()
    return storesWithoutTables(migrated)
  }
  const stores = create()
  return {
    ...stores,
    ...(migrated !== null && { migrated }),
    async close() {
      stores.bus.close()
      await server.close()
    },
  }
}

/** Migrates the tables, and closes the connections. */
export async function migrateServer(server: StartingServer): Promise<Migrated> {
  const migrated = await started(server, async () => migrateTables(server.tables))
  await server.close()
  return migrated
}

type StartStep = () => Promise<void>

/** Migrates the tables. Locks and writes nothing when they are up to date. */
async function migrateTables({ current, version, migrate }: ServerTables): Promise<Migrated> {
  const from = await version()
  return { from: from === current ? from : await migrate(), to: current }
}

/** Returns the migration, also one that a command must not run; `null` for a check. */
async function prepareTables(tables: ServerTables, migrate: boolean): Promise<Migrated | null> {
  const [from, to] = [await tables.version(), tables.current]
  if (migrate) return pendingMigration({ from, to }) ?? migrateTables(tables)
  if (from === to) return null
  throw new ConfigError(
    `stores: the tables svc_* are of version ${from}, and this @svc/auth needs ${to}; ${tables.remedy}`,
  )
}

/** Runs a step of the start. Its error names the remedy, if one is known. */
async function started<Result>(
  server: StartingServer,
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    // Not awaited: closing a connection to a silent server takes until it is given up.
    server.close().catch(() => undefined)
    throw startError(error, server)
  }
}

function startError(error: unknown, { call, errors }: StartingServer): unknown {
  if (!(error instanceof StoreError) || !(error.cause instanceof Error)) return error
  const cause: ServerError = error.cause
  const code = String(cause.code)
  // This error repeats the address, with its password.
  if (code === 'ERR_INVALID_URL')
    return new ConfigError(
      `stores: ${call}: the address cannot be read; percent-encode special characters in its password`,
    )
  const remedy = errors.remedyOf(cause)
  if (remedy !== undefined)
    return new ConfigError(`stores: ${call}: ${cause.message}; ${remedy}`, { cause })
  const reason = unreachableReason(cause) ?? (cause.message || code)
  const hint = errors.isFull(code) ? '; raise max_connections, or give a smaller pool' : ''
  return new StoreError(`stores: ${call}: ${reason}${hint}`, { cause })
}
