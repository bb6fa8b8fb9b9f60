import { Kysely, PostgresDialect, sql, type PostgresPool } from 'kysely'
import { openPostgres, type PostgresDatabase } from '@svc/auth/postgres'
import { postgresFactors } from '@svc/auth/totp'
import { postgresUsers } from '@svc/auth/users'
import { factorTable, type Database, type Tables } from './database.ts'

/** The panel's tables on PostgreSQL, with the pool that they share with the service's stores. */
export interface PostgresTables extends Database, Pick<PostgresDatabase, 'pool'> {}

/** A migration may take long, and other nodes wait for it. */
const ALTER = { name: 'panel', connections: 1, deadlineSeconds: 60 }
/** Key of the advisory lock: the letters "panel". */
const ALTER_LOCK = 0x70_61_6e_65_6c

/**
 * Creates a pool; it opens connections on demand.
 *
 * @param url Such as `postgres://user:password@localhost:5432/panel`.
 * @param log Receives one line for each idle connection that breaks.
 */
export async function postgresDatabase(
  url: string,
  log: (line: string) => void,
): Promise<PostgresTables> {
  const database = await openPostgres(url, { name: 'panel', log })
  const tables = tablesOf(database)
  return {
    kind: 'PostgreSQL',
    pool: database.pool,
    tables,
    users: (table) => postgresUsers(database, table),
    factors: postgresFactors(database, factorTable),
    alter: async (work) => alter(url, work),
    close: async () => database.end(),
  }
}

function tablesOf(database: PostgresDatabase): Kysely<Tables> {
  // Kysely passes a cursor in place of a text only to stream rows, which the panel does not do.
  const pool = database as unknown as PostgresPool
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Runs a migration on a connection of its own, which may take longer than the pool's. */
async function alter<Result>(
  url: string,
  work: (tables: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const tables = tablesOf(await openPostgres(url, ALTER))
  try {
    return await tables.transaction().execute(async (transaction) => {
      await sql`SELECT pg_advisory_xact_lock(${ALTER_LOCK})`.execute(transaction)
      return work(transaction)
    })
  } finally {
    await tables.destroy()
  }
}
