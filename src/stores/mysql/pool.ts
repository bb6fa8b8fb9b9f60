import { ConfigError } from '../../contracts/errors.ts'
import { clientOf, type MysqlClient } from './lent-connection.ts'
import type { MysqlPool } from './host-pool.ts'
import { openOwnPool } from './own-pool.ts'
import { ensureSettings } from './session-settings.ts'

/** A pool with the functions that prepare and close its connections. */
export interface Source {
  readonly checkOut: () => Promise<MysqlClient>
  /** Applies or checks the settings of a connection before its first use. */
  readonly prepare: (client: MysqlClient) => Promise<void>
  /** The statements that begin a transaction. */
  readonly begin: readonly string[]
  /** Closes what was opened here. */
  readonly release: () => Promise<void>
}

const READ_COMMITTED = 'TRANSACTION ISOLATION LEVEL READ COMMITTED'
const START = 'START TRANSACTION'

/**
 * The settings of our own connections. A statement that waits for a lock when its caller has given
 * up would still take effect, so the server gives up soon; a second is its shortest time.
 */
const OWN_SETTINGS = [
  `SET autocommit = 1, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 1`,
  `SET SESSION ${READ_COMMITTED}`,
]

/**
 * Opens the pool, or uses the host's.
 *
 * @throws {ConfigError} No driver.
 */
export async function openSource(database: string | MysqlPool): Promise<Source> {
  if (typeof database === 'string') {
    const { pool, close } = openOwnPool(await driver(), database)
    return {
      checkOut: checkOutOf(pool),
      prepare: onFirstUse(OWN_SETTINGS),
      begin: [START],
      release: close,
    }
  }
  return {
    checkOut: checkOutOf(database),
    prepare: onFirstUse([]),
    // For the next transaction only: the transactions of the host keep their level.
    begin: [`SET ${READ_COMMITTED}`, START],
    release: async () => undefined,
  }
}

function checkOutOf(pool: MysqlPool): Source['checkOut'] {
  return async () => clientOf(await pool.getConnection())
}

function onFirstUse(settings: readonly string[]): Source['prepare'] {
  const prepared = new WeakSet<object>()
  return async (client) => {
    if (prepared.has(client.connection)) return
    for (const setting of settings) await client.control(setting)
    await ensureSettings(client)
    prepared.add(client.connection)
  }
}

async function driver() {
  try {
    return await import('mysql2/promise')
  } catch (cause) {
    throw new ConfigError('stores: mysqlStores needs a driver; run `npm install mysql2`', { cause })
  }
}
