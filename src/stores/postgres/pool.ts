import type { Client, ClientConfig, Pool, PoolConfig } from 'pg'
import { ConfigError } from '../../contracts/errors.ts'
import { loadPackage } from '../../contracts/optional-package.ts'
import { times } from '../../rules/limits.ts'
import { ignoreError, type PooledClient } from '../sql/pooled-client.ts'
import { guarded } from './socket-guard.ts'

/** The values that the stores bind. */
export type PostgresValue = string | number | null | readonly string[]

/** A statement as `pg` takes it. */
export interface PostgresQuery {
  /** Prepared under this name, once per connection. */
  readonly name?: string
  readonly text: string
  readonly values?: PostgresValue[]
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown }
  /** Default: that of the pool. */
  readonly query_timeout?: number
}

/** A checked-out connection with the methods that the stores use. */
export interface PostgresClient extends PooledClient {
  /** The process of the server, as it was named when the connection was opened. */
  readonly processID?: number | null
  query(query: PostgresQuery): Promise<{
    readonly rows: readonly unknown[]
    readonly rowCount: number | null
  }>
}

/** A pool of connections: a `pg.Pool` fits. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /** The connection settings; the subscribing connection uses them too. */
  readonly options?: ClientConfig
  /** The class of its connections. Replaced by one whose connections survive malformed messages. */
  Client?: new () => object
}

/** A pool with the functions that open and close its connections. */
export interface Source {
  readonly pool: PostgresPool
  /** Opens a connection outside the pool. */
  readonly openClient: () => Client
  /** Closes what was opened here. */
  readonly release: () => Promise<void>
}

const TIMEOUT_MS = times.storeSeconds * 1000

/**
 * Makes the server abort statements and transactions that no caller awaits, because they would hold
 * their locks.
 */
const OWN_OPTIONS = {
  // Later than the deadline of a call, which a busy process does not miss. The driver would.
  connectionTimeoutMillis: 2 * TIMEOUT_MS,
  statement_timeout: TIMEOUT_MS,
  idle_in_transaction_session_timeout: TIMEOUT_MS,
  keepAlive: true,
  // An unclosed pool, as when its server hangs, must not keep the process alive.
  allowExitOnIdle: true,
} as const

/**
 * Opens the pool, or uses the host's.
 *
 * @throws {ConfigError} No driver, or no settings for the subscribing connection.
 */
export async function openSource(
  database: string | PostgresPool,
  listen: string | null,
): Promise<Source> {
  const pg = await driver()
  const elsewhere = listen === null ? null : { connectionString: listen }
  if (typeof database === 'string') {
    const options = { connectionString: database, ...OWN_OPTIONS }
    const pool = new pg.Pool(options)
    pool.on('error', ignoreError)
    return {
      pool,
      openClient: () => guarded(new pg.Client(elsewhere ?? options)),
      release: async () => pool.end(),
    }
  }
  const config = elsewhere ?? database.options
  if (config === undefined)
    throw new ConfigError(
      'stores: the pool does not expose its connection settings; give `listen`, a connection string',
    )
  database.on('error', ignoreError)
  return {
    pool: database,
    openClient: () => guarded(new pg.Client(config)),
    release: async () => void database.off('error', ignoreError),
  }
}

/**
 * Opens a pool for the host.
 *
 * @throws {ConfigError} No driver.
 */
export async function openPool(url: string, options: PoolConfig): Promise<Pool> {
  const pg = await driver()
  return new pg.Pool({ connectionString: url, ...OWN_OPTIONS, ...options })
}

async function driver() {
  const { default: pg } = await loadPackage({
    name: 'pg',
    neededBy: 'stores: postgresStores',
    load: () => import('pg'),
  })
  return pg
}
