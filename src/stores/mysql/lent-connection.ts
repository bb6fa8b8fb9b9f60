import { Duplex } from 'node:stream'
import { ConfigError } from '../../contracts/errors.ts'
import { ignoreError, type PooledClient } from '../sql/pooled-client.ts'
import type { MysqlConnection } from './host-pool.ts'

/** A checked-out connection. */
export interface MysqlClient extends PooledClient, Pick<MysqlConnection, 'execute' | 'connection'> {
  /** Runs a statement that some servers do not prepare. */
  readonly control: (sql: string) => Promise<unknown>
}

/**
 * Converts a connection of the driver.
 *
 * @throws {ConfigError} It is that of another driver, such as the package `mariadb`.
 */
export function clientOf(lent: MysqlConnection): MysqlClient {
  if (typeof lent.connection !== 'object') {
    lent.release()
    throw new ConfigError('the pool is not one of mysql2/promise; give such a pool')
  }
  return {
    connection: lent.connection,
    execute: async (query) => lent.execute(query),
    control: async (sql) => lent.query({ sql }),
    on: (event, listener) => lent.on(event, listener),
    off: (event, listener) => lent.off(event, listener),
    release(destroy) {
      if (!destroy) return lent.release()
      // A breaking connection may emit several errors, also after the last listener was removed.
      lent.on('error', ignoreError)
      lent.destroy()
      // The driver's `destroy` waits for the server to close the socket, which may be silent.
      socketOf(lent.connection)?.destroy()
    },
  }
}

/** Returns the socket of the driver's own connection. */
export function socketOf(connection: object): Duplex | null {
  return 'stream' in connection && connection.stream instanceof Duplex ? connection.stream : null
}
