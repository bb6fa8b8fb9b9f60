import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, StoreError } from '../../contracts/errors.ts'
import { migrationLock, schemaSql, usableVersion } from '../sql/migrations.ts'
import type { ServerTables } from '../sql/server-start.ts'
import type { Connection, Query } from './connection.ts'
import { errorNumberOf, once, statement } from './run.ts'
import { mysqlMigrations, schemaTable } from './tables.ts'

const present = statement(
  `SELECT table_name AS name, engine AS engine FROM information_schema.tables
    WHERE table_schema = DATABASE() AND LEFT(table_name, 4) = 'svc_'`,
)
const version = statement(schemaSql.version)
const oldest = statement(schemaSql.oldest)
// Another node may have inserted it where the lock is of one server of a cluster only.
const advance = once(schemaSql.advance)

/** The name of the lock is of the whole server, so it contains that of the database. */
const LOCK = `CONCAT('svc:', SHA1(COALESCE(DATABASE(), '')))`
const lock = statement(`SELECT GET_LOCK(${LOCK}, 86400) AS held`)
const unlock = statement(`SELECT RELEASE_LOCK(${LOCK}) AS held`)

/** The shortest time that the server knows, in seconds; restored, as the pool may be the host's. */
const shortWait = statement(
  'SET @svc_lock_wait = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 1',
)
const waitAsBefore = statement('SET SESSION lock_wait_timeout = @svc_lock_wait')
const LOCK_WAIT = 1205

/** Repeats a statement as in PostgreSQL. Each of a migration can run again. */
async function repeatedly(step: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await step()
      return
    } catch (cause) {
      if (errorNumberOf(cause) !== LOCK_WAIT) throw cause
      if (tries === migrationLock.tries) throw new Error(migrationLock.message, { cause })
    }
    await pause(migrationLock.pauseSeconds * 1000)
  }
}

/** Returns the tables of a database. */
export function tablesOf({ query, longSession }: Connection): ServerTables {
  return {
    current: mysqlMigrations.length,
    version: async () => versionOf(query),
    migrate: async () =>
      longSession(async (query) => {
        // Of nodes that start together, one creates the tables and the others find them.
        const [locked] = (await query<{ readonly held: number | null }>(lock)).rows
        if (locked?.held !== 1) throw new StoreError('MySQL did not lock the migration')
        await ensureNoStranger(query)
        await query(shortWait)
        await query(statement(schemaTable))
        const held = await versionOf(query)
        for (const [index, statements] of mysqlMigrations.entries()) {
          if (index < held) continue
          for (const text of statements) await repeatedly(async () => query(once(text)))
          await query(advance, index + 1)
        }
        await query(waitAsBefore)
        await query(unlock)
        return held
      }),
    remedy: 'run `svc migrate`, or call `migrateMysql` once, as a user that may create tables',
  }
}

interface PresentTable {
  readonly name: string
  readonly engine: string
}

const OWN_TABLES: ReadonlySet<string | undefined> = new Set(
  mysqlMigrations.flat().map((text) => /CREATE TABLE IF NOT EXISTS (\w+)/.exec(text)?.[1]),
)

/**
 * Refuses tables of the same names that another program has created: a migration can run again, so
 * it would take them for its own and change them. The table of the version is created first.
 *
 * @throws {ConfigError} There is such a table.
 */
async function ensureNoStranger(query: Query): Promise<void> {
  const { rows } = await query<PresentTable>(present)
  const stranger = rows.find(({ name }) => OWN_TABLES.has(name))
  if (stranger === undefined || rows.some(({ name }) => name === 'svc_schema')) return
  throw new ConfigError(
    `stores: the database has a table ${stranger.name}, and no svc_schema, so another program has created it; ` +
      'rename it, or give the stores a database of their own',
  )
}

async function versionOf(query: Query): Promise<number> {
  const tables = (await query<PresentTable>(present)).rows
  const other = tables.find(({ engine }) => engine !== 'InnoDB')
  if (other !== undefined)
    throw new ConfigError(
      `stores: the table ${other.name} has the engine ${other.engine}, which has no transactions; ` +
        `run ALTER TABLE ${other.name} ENGINE = InnoDB`,
    )
  if (!tables.some(({ name }) => name === 'svc_schema')) return 0
  const [row] = (await query<{ readonly version: number }>(version)).rows
  const found = row?.version ?? 0
  if (found <= mysqlMigrations.length) return found
  const [kept] = (await query<{ readonly value: string }>(oldest)).rows
  return usableVersion(found, mysqlMigrations, kept?.value, 'the MySQL database')
}
