import { hash } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { CompiledQuery, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Pool, type PoolClient } from 'pg'
import type { Database, Tables } from './database.ts'

/** A PostgreSQL database, with the connection pool that it shares with the service's stores. */
export interface PostgresDatabase extends Database {
  readonly pool: Pool
}

/** A server without an answer for so long is down: the service answers 503 within two seconds. */
const SILENCE_MS = 1500
const CONNECTIONS = 10
/** A migration may take long, and other nodes wait for it. */
const ALTER_MS = 60_000
/** Key of the advisory lock: the letters "panel". */
const ALTER_LOCK = 0x70_61_6e_65_6c

/**
 * Creates a pool; it opens connections on demand.
 *
 * @param url Such as `postgres://user:password@localhost:5432/panel`.
 * @param log Receives one line for each idle connection that breaks.
 */
export function postgresDatabase(url: string, log: (line: string) => void): PostgresDatabase {
  const pool = newPool(url, CONNECTIONS, SILENCE_MS)
  // Without a listener, the error would end the process; the pool reconnects by itself.
  pool.on('error', ({ message }) => log(`A connection to PostgreSQL broke: ${message}`))
  const lender = lenderOf(pool, SILENCE_MS)
  const tables = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lender }) })
  return {
    kind: 'PostgreSQL',
    pool,
    tables,
    prepare:
      <Row>({ sql }: CompiledQuery<Row>) =>
      async (...values) => {
        const client = await lender.connect()
        const { rows } = await client.query<Row>(sql, values).finally(() => client.release())
        return rows[0] ?? null
      },
    runAll: async (statements) => runAll(tables, statements),
    alter: async (work) => alter(url, work),
    close: async () => pool.end(),
  }
}

function newPool(url: string, max: number, silenceMs: number): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'panel',
    connectionTimeoutMillis: SILENCE_MS,
    // The server cancels statements that nobody waits for; they would hold their locks.
    statement_timeout: silenceMs,
    idle_in_transaction_session_timeout: silenceMs,
    max,
    keepAlive: true,
  })
  // An error between two statements would end the process. The next statement reports it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Bounds the total time of each use of a connection, including the wait for it. */
function lenderOf(pool: Pool, silenceMs: number): PostgresPool {
  return {
    async connect() {
      const until = performance.now() + silenceMs
      return lend(await pool.connect(), until)
    },
    end: async () => pool.end(),
  }
}

/**
 * Lends a connection to Kysely, which would reuse it after a failure. It may be silent or have an
 * open transaction then, so the pool closes it.
 */
function lend(client: PoolClient, until: number): PostgresPoolClient {
  let failure: unknown = null

  async function query(
    text: string,
    values: readonly unknown[],
  ): Promise<PostgresQueryResult<unknown>> {
    if (failure !== null) throw failure
    try {
      const named = values.length === 0 ? {} : { name: nameOf(text) }
      const query_timeout = Math.max(1, Math.ceil(until - performance.now()))
      const statement = { ...named, text, values: [...values], query_timeout }
      // The types of `command` differ between the packages.
      return (await client.query(statement)) as PostgresQueryResult<unknown>
    } catch (error) {
      failure = error
      throw error
    }
  }

  // Kysely passes a cursor instead of a text only to stream rows, which the panel does not do.
  return { query, release: () => client.release(failure !== null) } as PostgresPoolClient
}

const names = new Map<string, string>()

/** Names a statement, so that the server parses it once for each connection. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `panel_${hash('sha256', text, 'base64url').slice(0, 22)}`
  names.set(text, name)
  return name
}

async function runAll(
  tables: Kysely<Tables>,
  [first, ...others]: readonly CompiledQuery[],
): Promise<boolean> {
  return tables.transaction().execute(async (transaction) => {
    const { numAffectedRows = 0n } =
      first === undefined ? {} : await transaction.executeQuery(first)
    if (numAffectedRows === 0n) return false
    for (const statement of others) await transaction.executeQuery(statement)
    return true
  })
}

/** Runs a migration on a connection of its own, which may take longer than the pool's. */
async function alter<Result>(
  url: string,
  work: (tables: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const lender = lenderOf(newPool(url, 1, ALTER_MS), ALTER_MS)
  const tables = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lender }) })
  try {
    return await tables.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${ALTER_LOCK})`.execute(transaction)
      return work(transaction)
    })
  } finally {
    await tables.destroy()
  }
}
