import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { createPool } from 'mysql2/promise'
import { times } from '../../rules/limits.ts'
import { socketOf } from './lent-connection.ts'

/** The time in milliseconds that a server has to end the connections when they are closed. */
const FAREWELL_MS = 300

/** Opens a pool by an address. It connects with the first use. */
export function openOwnPool(driver: { readonly createPool: typeof createPool }, uri: string) {
  const pool = driver.createPool({
    uri,
    charset: 'utf8mb4',
    // Later than the deadline of a call, which a busy process does not miss. The driver would.
    connectTimeout: 2 * times.storeSeconds * 1000,
    // A stack for each statement, in case it fails, would cost as much time as the statement.
    trace: false,
    // The driver takes `true` of an address for the name of a profile.
    ...(new URL(uri).searchParams.get('ssl') === 'true' && { ssl: {} }),
  })
  const sockets = new Set<Duplex>()
  pool.on('connection', (connection) => {
    // An error between two statements would end the process. The next statement reports it.
    connection.on('error', () => undefined)
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
