import { hash } from 'node:crypto'
import { Client, Pool, type ClientBase, type QueryResultRow } from 'pg'
import type { Database, Read, Step, Tables, Value } from './database.ts'

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
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: SILENCE_MS,
    application_name: 'panel',
  }
  const pool = new Pool({
    ...connection,
    query_timeout: SILENCE_MS,
    // The server cancels statements that nobody waits for; they would hold their locks.
    statement_timeout: SILENCE_MS,
    idle_in_transaction_session_timeout: SILENCE_MS,
    max: CONNECTIONS,
    keepAlive: true,
  })
  // Without a listener, the error would end the process; the pool reconnects by itself.
  pool.on('error', ({ message }) => log(`A connection to PostgreSQL broke: ${message}`))
  return {
    kind: 'PostgreSQL',
    pool,
    one<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const query = prepared(sql)
      return async (...values) => {
        const { rows } = await withTimeout(
          pool.query<Row & QueryResultRow>({ ...query, values: [...values] }),
        )
        const [row] = rows
        return row === undefined ? null : read(row)
      }
    },
    all<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const query = prepared(sql)
      return async (...values) => {
        const { rows } = await withTimeout(
          pool.query<Row & QueryResultRow>({ ...query, values: [...values] }),
        )
        return rows.map(read)
      }
    },
    change(sql) {
      const query = prepared(sql)
      return async (...values) => withTimeout(changesOf(pool, query, values))
    },
    transaction: async (steps) => withTimeout(transaction(pool, steps)),
    alter: async (work) => alter(new Client({ ...connection, query_timeout: ALTER_MS }), work),
    close: async () => pool.end(),
  }
}

/** A named statement, which the server parses once for each connection. */
interface Prepared {
  readonly name: string
  readonly text: string
}

/** Replaces each `?` by a numbered parameter. Our SQL contains no other `?`. */
function prepared(sql: string): Prepared {
  let count = 0
  const text = sql.replaceAll('?', () => `$${(count += 1)}`)
  return { name: `panel_${hash('sha256', text, 'base64url').slice(0, 22)}`, text }
}

/**
 * Bounds the total time. The pool bounds the wait for a connection and for an answer separately.
 */
async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(new Error(`PostgreSQL was silent for ${SILENCE_MS} ms`))
    timer = setTimeout(giveUp, SILENCE_MS)
  })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}

async function changesOf(
  on: Pool | ClientBase,
  query: Prepared,
  values: readonly Value[],
): Promise<number> {
  const { rowCount } = await on.query({ ...query, values: [...values] })
  return rowCount ?? 0
}

async function transaction(pool: Pool, steps: readonly Step[]): Promise<boolean> {
  const client = await pool.connect()
  client.on('error', ignoreError)
  try {
    const done = await inTransaction(client, async () => {
      for (const [index, [sql, ...values]] of steps.entries()) {
        const changes = await changesOf(client, prepared(sql), values)
        if (index === 0 && changes === 0) return false
      }
      return true
    })
    client.release()
    return done
  } catch (error) {
    // Its transaction may still be open, so the connection must not be used again.
    client.release(true)
    throw error
  } finally {
    client.off('error', ignoreError)
  }
}

/**
 * Handles errors between statements, which the next statement reports. Without a listener, they
 * would end the process.
 */
function ignoreError(): void {}

/** Runs a migration on a connection of its own, which has a longer timeout than the pool's. */
async function alter<Result>(
  client: Client,
  work: (tables: Tables) => Promise<Result>,
): Promise<Result> {
  client.on('error', ignoreError)
  try {
    await client.connect()
    return await inTransaction(client, async () => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [ALTER_LOCK])
      return work({
        exec: async (sql) => void (await client.query(sql)),
        rows: async <Row>(sql: string) => (await client.query<Row & QueryResultRow>(sql)).rows,
      })
    })
  } finally {
    await client.end()
  }
}

/**
 * Runs a transaction. After a failure the caller closes the connection, and the server rolls back.
 */
async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}
