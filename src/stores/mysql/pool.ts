import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { createPool } from 'mysql2/promise'
import { ConfigError } from '../../contracts/errors.ts'
import { loadPackage } from '../../contracts/optional-package.ts'
import { times } from '../../rules/limits.ts'
import { ignoreError } from '../sql/pooled-client.ts'
import {
  checkOutOf,
  connectionsOf,
  inOwnTime,
  rollBack,
  WITHOUT_COMMIT,
} from './host-connections.ts'
import type { MysqlPool } from './host-pool.ts'
import { type MysqlClient, socketOf } from './lent-connection.ts'
import { run, statement } from './run.ts'

/** A pool with the functions that lend and close its connections. */
export type Source = Awaited<ReturnType<typeof openSource>>

const READ_COMMITTED = 'TRANSACTION ISOLATION LEVEL READ COMMITTED'
const START = 'START TRANSACTION'

/**
 * The server rolls back the transaction of a node that has frozen or lost its network, whose locks
 * would block the other nodes for eight hours. Longer than the deadline of a call. MySQL knows no
 * such time but that after which it closes an idle connection.
 */
const ABANDONED = '/*M!100300 , idle_transaction_timeout = 2 */ /*!80000 , wait_timeout = 60 */'

/** The greatest `sql_select_limit`, which is the default. */
const UNLIMITED = '18446744073709551615'

/**
 * The settings of our own connections. A statement that waits for a lock when its caller has given
 * up would still take effect, so the server gives up soon; a second is its shortest time.
 */
const OWN_SETTINGS = [
  `SET autocommit = 1, sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION',
    sql_select_limit = ${UNLIMITED}, innodb_lock_wait_timeout = 1 ${ABANDONED}`,
  `SET SESSION ${READ_COMMITTED}`,
]

/**
 * Opens the pool, or uses the host's.
 *
 * @throws {ConfigError} No driver.
 */
export async function openSource(database: string | MysqlPool) {
  if (typeof database === 'string') {
    const { pool, close } = openOwnPool(await driver(), database)
    return {
      checkOut: checkOutOf(pool),
      prepare: preparationBy(OWN_SETTINGS),
      known: connectionsOf(pool),
      begin: [START],
      release: close,
    }
  }
  const prepare = preparationBy([])
  return {
    checkOut: checkOutOf(database),
    async prepare(client: MysqlClient) {
      await prepare(client)
      await rollBack(client)
    },
    known: connectionsOf(database),
    // For the next transaction only: the transactions of the host keep their level.
    begin: [`SET ${READ_COMMITTED}`, START],
    release: async () => undefined,
  }
}

/** Creates a function that applies or checks the settings of a connection before its first use. */
function preparationBy(settings: readonly string[]) {
  const prepared = new WeakSet<object>()
  return async (client: MysqlClient): Promise<void> => {
    if (prepared.has(client.connection)) return
    await inOwnTime(client, async () => {
      for (const setting of settings) await client.control(setting)
      await ensureSettings(client)
    })
    prepared.add(client.connection)
  }
}

async function driver() {
  return loadPackage({
    name: 'mysql2',
    neededBy: 'stores: mysqlStores',
    load: () => import('mysql2/promise'),
  })
}

/** The time in milliseconds that a server has to end the connections when they are closed. */
const FAREWELL_MS = 300

/** Opens a pool by an address. It connects with the first use. */
function openOwnPool(driver: { readonly createPool: typeof createPool }, uri: string) {
  const pool = driver.createPool({
    uri,
    charset: 'utf8mb4',
    // Later than the deadline of a call, which a busy process does not miss. The driver would.
    connectTimeout: 2 * times.storeSeconds * 1000,
    // A firewall forgets a connection that was idle for minutes, and says so to nobody.
    keepAliveInitialDelay: 10_000,
    // A stack for each statement, in case it fails, would cost as much time as the statement.
    trace: false,
    // The driver takes `true` of an address for the name of a profile, and by default it accepts a
    // certificate of any host.
    ...(new URL(uri).searchParams.get('ssl') === 'true' && { ssl: { verifyIdentity: true } }),
  })
  const sockets = new Set<Duplex>()
  pool.on('connection', (connection) => {
    connection.on('error', ignoreError)
    const socket = socketOf(connection)
    if (socket === null) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    pool,
    /** Closes the connections, also those whose server is silent. */
    close: async () => {
      // The driver rejects if a connection has failed; its socket is closed below.
      const ended = pool.end().catch(() => undefined)
      await Promise.race([ended, pause(FAREWELL_MS, undefined, { ref: false })])
      for (const socket of sockets) socket.destroy()
    },
  }
}

// The names of some variables differ between the servers, so that they cannot be selected.
const read = statement(
  `SHOW SESSION VARIABLES WHERE Variable_name IN
    ('autocommit', 'binlog_format', 'log_bin', 'sql_mode', 'sql_select_limit')`,
)

/**
 * Checks the settings of a connection that the statements rely on.
 *
 * @throws {ConfigError} A setting would lose or change what is stored.
 */
async function ensureSettings(client: Pick<MysqlClient, 'execute'>): Promise<void> {
  const { rows } = await run<Variable>(client, read, [])
  const settings = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]))
  const fault = faultOf(settings)
  if (fault !== null) throw new ConfigError(`stores: the connections to MySQL ${fault}`)
}

interface Variable {
  readonly Variable_name: string
  readonly Value: string
}

function faultOf(settings: ReadonlyMap<string, string>): string | null {
  // First: it also limits the rows of the settings.
  if (settings.get('sql_select_limit') !== UNLIMITED)
    return `have a sql_select_limit, so sessions would not be found; set it to ${UNLIMITED}`
  const modes = new Set(settings.get('sql_mode')?.split(','))
  if (!modes.has('STRICT_TRANS_TABLES') && !modes.has('STRICT_ALL_TABLES'))
    return 'have a sql_mode without STRICT_TRANS_TABLES, so the server would shorten texts silently; add it to the sql_mode of the server or of the pool'
  if (modes.has('EMPTY_STRING_IS_NULL'))
    return 'have EMPTY_STRING_IS_NULL in their sql_mode, which makes different tenants equal; remove it'
  if (modes.has('ORACLE'))
    return 'have ORACLE in their sql_mode, in which the server refuses the statements of notifications; remove it'
  if (settings.get('autocommit') !== 'ON') return WITHOUT_COMMIT
  if (settings.get('log_bin') === 'ON' && settings.get('binlog_format') === 'STATEMENT')
    return 'have binlog_format STATEMENT, which cannot log READ COMMITTED; set it to ROW or MIXED'
  return null
}
