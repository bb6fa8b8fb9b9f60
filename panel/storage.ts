import { join } from 'node:path'
import type { Migrated, MigratedTables, Stores } from '@svc/auth'
import { sqliteStores } from '@svc/auth/sqlite'
import type { Database } from './database.ts'
import { migratePeople } from './schema.ts'
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
  readonly migrated: readonly MigratedTables[]
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
  return orClosed(
    async () => {
      await main.stores.close()
      await main.close()
    },
    async () => withRedis(main, redisUrl, log),
  )
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
  return orClosed(database.close, async () => {
    const people = await migratePeople(database)
    const stores = sqliteStores(database.handle)
    const migrated = migrations(people, stores.migrated)
    const place = `SQLite, the file ${file}`
    return { database, migrated, stores, place, close: database.close }
  })
}

async function openServer(url: string, log: Log): Promise<Storage> {
  const [{ postgresDatabase }, { migratePostgres, postgresStores }] = await Promise.all([
    import('./postgres-database.ts'),
    import('@svc/auth/postgres'),
  ])
  const database = await postgresDatabase(url, log)
  return orClosed(database.close, async () => ({
    database,
    migrated: migrations(await migratePeople(database), await migratePostgres(url)),
    stores: await postgresStores(database.pool, { migrate: false }),
    place: `PostgreSQL at ${locationOf(url)}`,
    close: database.close,
  }))
}

function migrations(people: Migrated, service: Migrated | undefined): readonly MigratedTables[] {
  const ofPanel = { tables: 'The tables of the panel (people…)', ...people }
  return service === undefined
    ? [ofPanel]
    : [ofPanel, { tables: 'The tables of the service (svc_…)', ...service }]
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

/** Closes what is open already if the rest cannot be opened. */
async function orClosed<Result>(
  close: () => Promise<void>,
  open: () => Promise<Result>,
): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    await close()
    throw error
  }
}
