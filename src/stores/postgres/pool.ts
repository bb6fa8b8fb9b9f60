import type { Client, ClientConfig } from 'pg'
import { ConfigError } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { guarded, guardedClass } from './socket-guard.ts'

/** What the stores bind. */
export type PostgresValue = string | number | null | readonly string[]

/** A statement as `pg` takes it. */
export interface PostgresQuery {
  /** Prepared under this name, once for each connection. */
  readonly name?: string
  readonly text: string
  readonly values?: PostgresValue[]
  readonly types?: { getTypeParser(oid: number): (text: string) => unknown }
}

/** A connection that is checked out, as far as the stores use one. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{
    readonly rows: readonly unknown[]
    readonly rowCount: number | null
  }>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /** @param destroy Whether it must not be used again. */
  release(destroy: boolean): void
}

/** A pool of connections: a `pg.Pool` fits. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
  on(event: 'error', listener: () => void): unknown
  off(event: 'error', listener: () => void): unknown
  /** How it connects; the connection that listens is opened in the same way. */
  readonly options?: ClientConfig
  /** What it makes connections with. Replaced by one whose connections survive malformed messages. */
  Client?: new () => object
}

/** A pool, and who opens and closes it. */
export interface Source {
  readonly pool: PostgresPool
  /** Opens a connection outside the pool. */
  readonly openClient: () => Client
  /** Closes what was opened here. */
  readonly release: () => Promise<void>
}

const TIMEOUT_MS = times.storeSeconds * 1000

/** The server gives up what nobody waits for any more: it would hold its locks. */
const OWN_OPTIONS = {
  connectionTimeoutMillis: TIMEOUT_MS,
  statement_timeout: TIMEOUT_MS,
  idle_in_transaction_session_timeout: TIMEOUT_MS,
  keepAlive: true,
  // A pool that is not closed, as its server hangs, keeps no process alive.
  allowExitOnIdle: true,
} as const

/** @throws {ConfigError} There is no driver, or no way to listen. */
export async function openSource(
  database: string | PostgresPool,
  listen: string | null,
): Promise<Source> {
  const pg = await driver()
  const elsewhere = listen === null ? null : { connectionString: listen }
  if (typeof database === 'string') {
    const options = { connectionString: database, ...OWN_OPTIONS }
    const pool = new pg.Pool({ ...options, Client: guardedClass(pg.Client) })
    pool.on('error', ignore)
    return {
      pool,
      openClient: () => guarded(new pg.Client(elsewhere ?? options)),
      release: async () => pool.end(),
    }
  }
  const config = elsewhere ?? database.options
  if (config === undefined) {
    throw new ConfigError(
      'stores: the pool does not tell how it connects; give `listen`, a connection string',
    )
  }
  database.on('error', ignore)
  if (database.Client !== undefined) database.Client = guardedClass(database.Client)
  return {
    pool: database,
    openClient: () => guarded(new pg.Client(config)),
    release: async () => void database.off('error', ignore),
  }
}

/** A connection that is lost while nobody uses it ends no process; who uses the next one hears of it. */
function ignore(): void {}

async function driver() {
  try {
    const { default: pg } = await import('pg')
    return pg
  } catch (cause) {
    throw new ConfigError('stores: postgresStores needs a driver; run `npm install pg`', { cause })
  }
}
