import { hash } from 'node:crypto'
import { Client, Pool, type ClientBase, type QueryResultRow } from 'pg'
import type { Database, Read, Step, Tables, Value } from './database.ts'

/** The database on a server, and the pool of connections that the stores of the service share with it. */
export interface PostgresDatabase extends Database {
  readonly pool: Pool
}

/** A server that is silent for so long is down: the service answers 503 within two seconds. */
const SILENCE_MS = 1500
const CONNECTIONS = 10
/** Who changes the tables may take long, and others wait. */
const ALTER_MS = 60_000
/** Any number that nobody else locks: the letters "panel". */
const ALTER_LOCK = 0x70_61_6e_65_6c

/**
 * Makes a pool; connections are opened when they are needed.
 *
 * @param url Such as `postgres://user:password@localhost:5432/panel`.
 * @param log Gets one line for each connection that broke while nobody used it.
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
    // The server gives up what nobody waits for any more: it would hold its locks.
    statement_timeout: SILENCE_MS,
    idle_in_transaction_session_timeout: SILENCE_MS,
    max: CONNECTIONS,
    keepAlive: true,
  })
  // Without a listener it would end the process; the pool makes another connection by itself.
  pool.on('error', ({ message }) => log(`A connection to PostgreSQL broke: ${message}`))
  return {
    kind: 'PostgreSQL',
    pool,
    one<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const query = prepared(sql)
      return async (...values) => {
        const { rows } = await inTime(
          pool.query<Row & QueryResultRow>({ ...query, values: [...values] }),
        )
        const [row] = rows
        return row === undefined ? null : read(row)
      }
    },
    all<Row extends object, Result>(sql: string, read: Read<Row, Result>) {
      const query = prepared(sql)
      return async (...values) => {
        const { rows } = await inTime(
          pool.query<Row & QueryResultRow>({ ...query, values: [...values] }),
        )
        return rows.map(read)
      }
    },
    change(sql) {
      const query = prepared(sql)
      return async (...values) => inTime(changesOf(pool, query, values))
    },
    together: async (steps) => inTime(together(pool, steps)),
    alter: async (work) => alter(new Client({ ...connection, query_timeout: ALTER_MS }), work),
    close: async () => pool.end(),
  }
}

/** A statement that the server parses once for each connection, under a name of its own. */
interface Prepared {
  readonly name: string
  readonly text: string
}

/** PostgreSQL counts its values. There is no `?` in our SQL that is none. */
function prepared(sql: string): Prepared {
  let count = 0
  const text = sql.replaceAll('?', () => `$${(count += 1)}`)
  return { name: `panel_${hash('sha256', text, 'base64url').slice(0, 22)}`, text }
}

/** The pool bounds the wait for a connection and for an answer, each; this bounds them together. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
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

async function together(pool: Pool, steps: readonly Step[]): Promise<boolean> {
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
    // Nobody else gets a connection whose transaction may be open still.
    client.release(true)
    throw error
  } finally {
    client.off('error', ignoreError)
  }
}

/** Without a listener, a connection that breaks between two statements would end the process. */
function ignoreError(): void {}

/** A connection of its own: it is allowed to take longer than those of the pool. */
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

/** Who fails gives the connection up, and the server undoes the transaction with it. */
async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('BEGIN')
  const result = await work()
  await client.query('COMMIT')
  return result
}
