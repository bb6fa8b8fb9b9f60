import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { ensureArgument } from '../../contracts/call-argument.ts'
import {
  ensureOptions,
  optionalFunction,
  optionalNumber,
  optionalText,
  optionsOf,
} from '../../contracts/call-options.ts'
import { times } from '../../rules/limits.ts'
import { checkOutInTime, ignoreError, type KnownConnections } from '../sql/pooled-client.ts'
import { startDeadline, type Deadline } from '../store-deadline.ts'
import { lenderOf } from './known-connections.ts'
import { openPool, type PostgresPool } from './pool.ts'
import { createNames } from './pooler.ts'
import { ADDRESS } from './start-error.ts'
import { safeLog } from '../../contracts/write-line.ts'
import { atMostEvery } from '../../process/at-most-every.ts'

/** A result in the form that Kysely takes. */
export interface PostgresRows {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

/** A lent connection. After a failed statement it runs no other, and is closed when released. */
export interface PostgresConnection {
  query(text: string, values: readonly unknown[]): Promise<PostgresRows>
  release(): void
}

/** A database that the host's tables and the stores share. */
export interface PostgresDatabase {
  /** For `postgresStores` and `migratePostgres`. */
  readonly pool: PostgresPool
  /**
   * Lends a connection until the deadline, which includes the wait for one.
   *
   * @throws {Error} No connection is free in time, or the database cannot be reached.
   */
  connect(): Promise<PostgresConnection>
  /** Closes the idle connections now, and the others when they are released. */
  end(): Promise<void>
}

/** The least time between two lines: all connections of a pool break at once. */
const QUIET_SECONDS = 1

/** The options of `openPostgres`, beside its URL. */
export interface OpenPostgresOptions {
  /** The time in seconds for each use of a connection. Default: 1.5, as the stores have it. */
  readonly deadlineSeconds?: number
  /** The maximum number of connections. Default: 10. */
  readonly connections?: number
  /** The name of the connections in `pg_stat_activity`. Default: none. */
  readonly name?: string
  /** Receives one line for each idle connection that breaks. Default: standard error. */
  readonly log?: (line: string) => void
}

const OPTIONS = optionsOf({
  deadlineSeconds: optionalNumber,
  connections: optionalNumber,
  name: optionalText,
  log: optionalFunction,
})

/**
 * Opens a pool for the stores and the host's own tables. Every use of a connection has a deadline,
 * so that an outage of the database is answered 503 within two seconds, also by the host's users;
 * a connection that failed is not reused; a lost connection does not end the process. Prepares each
 * statement once for each connection. Connects with the first use.
 *
 * @param url Such as `postgres://user:password@localhost:5432/panel`.
 * @throws {ConfigError} An argument is wrong, or `pg` is not installed.
 *
 * @example
 * ```ts
 * const database = await openPostgres('postgres://panel@localhost/panel')
 * const stores = await postgresStores(database.pool)
 * const connection = await database.connect()
 * const { rows } = await connection.query('select * from orders where id = $1', ['42'])
 * connection.release()
 * ```
 */
export async function openPostgres(
  url: string,
  options: OpenPostgresOptions = {},
): Promise<PostgresDatabase> {
  ensureArgument(url, 'openPostgres: its first argument', ADDRESS)
  ensureOptions('openPostgres', options, OPTIONS)
  const { deadlineSeconds = times.storeSeconds, connections = 10, name } = options
  const log = safeLog(options.log)
  const timeoutMs = deadlineSeconds * 1000
  const pool = await openPool(url, {
    max: connections,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: timeoutMs,
    ...(name !== undefined && { application_name: name }),
  })
  const noteBreak = (error: Error) => log(`A connection to PostgreSQL broke: ${error.message}`)
  pool.on('error', atMostEvery(QUIET_SECONDS, noteBreak))
  pool.on('connect', (client) => client.on('error', ignoreError))
  const named = createNames()
  const lender = lenderOf<PoolClient>(pool)
  const { known } = lender
  return {
    pool,
    async connect() {
      const deadline = startDeadline('PostgreSQL', deadlineSeconds)
      try {
        const client = await checkOutInTime(lender, deadline.inTime)
        return lend(client, deadline, named, known)
      } catch (error) {
        deadline.end()
        throw error
      }
    },
    end: async () => pool.end(),
  }
}

function lend(
  client: PoolClient,
  deadline: Deadline,
  named: ReturnType<typeof createNames>,
  known: KnownConnections<object>,
): PostgresConnection {
  let failure: unknown = null
  return {
    async query(text, values) {
      if (failure !== null) throw failure
      try {
        if (values.length === 0) return await deadline.inTime(client.query({ text }))
        const statement = { name: nameOf(text), text }
        return await named.repeated(async () =>
          deadline.inTime(client.query({ ...named.of(statement), values: [...values] })),
        )
      } catch (error) {
        failure = error
        known.noteFailure(error)
        throw error
      }
    },
    release() {
      deadline.end()
      // A connection that failed may be silent, or have an open transaction.
      client.release(failure !== null)
      known.noteReturned()
    },
  }
}

const names = new Map<string, string>()

/** Names a statement, so that the server parses it once for each connection. */
function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = `host_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}
