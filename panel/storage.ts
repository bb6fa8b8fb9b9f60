import { join } from 'node:path'
import type { Stores } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import type { Database } from './database.ts'
import { migratePeople, type Migrated } from './schema.ts'
import type { KeptSettings } from './environment.ts'
import { locationOf } from './server-url.ts'
import { sqliteDatabase } from './sqlite-database.ts'

/** The panel's storage, opened and migrated. */
export interface Storage {
  /** The panel's own tables. */
  readonly database: Database
  /** The service's stores. */
  readonly stores: Stores
  /** Description of the location, without credentials. */
  readonly place: string
  /** Result of the migrations. */
  readonly migrated: {
    readonly people: Migrated
    /** `null`: SQLite, whose stores migrate their tables silently. */
    readonly service: Migrated | null
  }
  /** Closes what the stores do not close themselves. */
  readonly close: () => Promise<void>
}

type Log = (line: string) => void

/**
 * Opens the database, and Redis if it is set. Loads drivers on demand.
 *
 * @param log Receives one line for each later outage.
 * @throws {Error} The message names the variable whose server cannot be used, and the reason.
 */
export async function openStorage(settings: KeptSettings, log: Log): Promise<Storage> {
  const main = await openDatabase(settings, log)
  const { redisUrl } = settings
  if (redisUrl === null) return main
  try {
    return await withRedis(main, redisUrl, log)
  } catch (error) {
    await main.stores.close()
    await main.close()
    throw error
  }
}

async function openDatabase({ databaseUrl, dataFolder }: KeptSettings, log: Log): Promise<Storage> {
  if (databaseUrl === null) {
    const file = join(dataFolder, 'panel.sqlite')
    return orNamed('SVC_DATA', file, async () => openFile(file))
  }
  return orNamed('DATABASE_URL', locationOf(databaseUrl), async () => openServer(databaseUrl, log))
}

async function openFile(file: string): Promise<Storage> {
  const database = sqliteDatabase(file)
  try {
    const people = await migratePeople(database)
    return {
      database,
      stores: sqliteStores(database.handle),
      migrated: { people, service: null },
      place: `SQLite, the file ${file}`,
      close: database.close,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openServer(url: string, log: Log): Promise<Storage> {
  const [{ postgresDatabase }, { migratePostgres, postgresStores }] = await Promise.all([
    import('./postgres-database.ts'),
    import('@svc/auth/postgres'),
  ])
  const database = postgresDatabase(url, log)
  try {
    const people = await migratePeople(database)
    const service = await migratePostgres(url)
    return {
      database,
      stores: await postgresStores(database.pool, { migrate: false }),
      migrated: { people, service },
      place: `PostgreSQL at ${locationOf(url)}`,
      close: database.close,
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function withRedis(beside: Storage, url: string, log: Log): Promise<Storage> {
  const place = locationOf(url)
  const { openRedisStores } = await import('@svc/auth/redis')
  return {
    ...beside,
    stores: await orNamed('REDIS_URL', place, async () =>
      openRedisStores(url, beside.stores, { log }),
    ),
    place: `${beside.place}; sessions and attempts in Redis at ${place}`,
  }
}

async function orNamed<Result>(
  name: string,
  place: string,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open()
  } catch (cause) {
    throw new Error(`${name}: ${place} cannot be used`, { cause })
  }
}
