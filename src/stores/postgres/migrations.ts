import { ConfigError } from '../../contracts/errors.ts'
import {
  migrationLock,
  postgresMigrations,
  postgresSchemaTable,
  schemaSql,
  usableVersion,
} from '../sql/migrations.ts'
import type { ServerTables } from '../sql/server-start.ts'
import { statement, type Query, type Connection } from './connection.ts'

const isolation = statement(`SELECT current_setting('transaction_isolation') AS level`)
const present = statement(`SELECT to_regclass('svc_schema')::text AS name`)
// An arbitrary number that no other program of the database is likely to use.
const lock = statement(`SELECT pg_advisory_xact_lock(7566947)`)
const version = statement(schemaSql.version)
const advance = statement(schemaSql.advance)
const oldest = statement(schemaSql.oldest)

/**
 * Checks the isolation level of a transaction, which a pooler in statement mode refuses. The
 * statements rely on READ COMMITTED: they wait for a row lock and then see the row's current
 * version.
 *
 * @throws {ConfigError} The database uses another level.
 */
export async function ensureReadCommitted({ transaction }: Connection): Promise<void> {
  const read = transaction(async (query) => query<{ readonly level: string }>(isolation))
  const [found] = (await read).rows
  if (found?.level === 'read committed') return
  throw new ConfigError(
    `stores: the isolation of the database is "${found?.level}", in which concurrent requests fail; ` +
      'set default_transaction_isolation to "read committed" for the role or the pool of the stores',
  )
}

/**
 * Checks that the bus can listen. A pooler in transaction mode accepts LISTEN and delivers nothing.
 *
 * @throws {ConfigError} A pooler is between, and `listen` is not given.
 */
export async function ensureListening(
  { isPooled }: Connection,
  listen: string | null,
): Promise<void> {
  if (listen !== null || !(await isPooled())) return
  throw new ConfigError(
    'stores: postgresStores: a pooler such as PgBouncer is before PostgreSQL, and in its transaction mode ' +
      'LISTEN receives nothing; give `listen`, an address that bypasses it (or the same address, if its ' +
      'pool_mode is session)',
  )
}

/** Returns the tables of a database. */
export function tablesOf({ query, longTransaction }: Connection): ServerTables {
  return {
    current: postgresMigrations.length,
    version: async () => versionOf(query),
    migrate: async () =>
      longTransaction(async (query, script) => {
        // Of nodes that start together, one creates the tables and the others find them.
        await query(lock)
        return repeatedly(script, async () => {
          await script(postgresSchemaTable)
          const held = await versionOf(query)
          for (const [index, step] of postgresMigrations.entries()) {
            if (index < held) continue
            await script(step)
            await query(advance, index + 1)
          }
          return held
        })
      }),
    remedy: 'run `svc migrate`, or call `migratePostgres` once, as a role that may create tables',
  }
}

type Script = (sql: string) => Promise<unknown>

const LOCK_NOT_AVAILABLE = '55P03'

/**
 * Runs the steps of a migration, again while a transaction of the host or a backup holds a table. A
 * statement that waits for such a lock makes every later statement on the table wait behind it, so
 * the running nodes would be down for as long. The lock of the migration is kept meanwhile.
 *
 * @throws {Error} The table was held for all of the tries.
 */
async function repeatedly<Result>(script: Script, steps: () => Promise<Result>): Promise<Result> {
  await script(`SET LOCAL lock_timeout = '${migrationLock.waitMs}ms'`)
  for (let tries = 1; ; tries += 1) {
    await script('SAVEPOINT svc_migration')
    try {
      return await steps()
    } catch (cause) {
      if (Object(cause).code !== LOCK_NOT_AVAILABLE) throw cause
      if (tries === migrationLock.tries) throw new Error(migrationLock.message, { cause })
    }
    await script('ROLLBACK TO SAVEPOINT svc_migration')
    // The server waits, because it ends a transaction that does nothing.
    await script(`SELECT pg_sleep(${migrationLock.pauseSeconds})`)
  }
}

async function versionOf(query: Query): Promise<number> {
  const [table] = (await query<{ readonly name: string | null }>(present)).rows
  if ((table?.name ?? null) === null) return 0
  const [row] = (await query<{ readonly version: number }>(version)).rows
  const found = row?.version ?? 0
  if (found <= postgresMigrations.length) return found
  const [kept] = (await query<{ readonly value: string }>(oldest)).rows
  return usableVersion(found, postgresMigrations, kept?.value, 'the PostgreSQL database')
}
