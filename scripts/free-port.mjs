import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux (from 32768), macOS and Windows (from 49152) give to outgoing
 * connections, so that nothing takes the port before whoever asked for it listens, or while its
 * server restarts.
 */
const PORTS = { from: 11_000, to: 32_000 }

/** Returns a port on which nothing listens, at any address of this machine. */
export async function freePort() {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to)
    if (await isFree(port)) return port
  }
}

/**
 * Starts a server on a free port: on another one where a program took the first meanwhile.
 *
 * @template Server
 * @param {(port: number) => Promise<Server>} start Rejects with the log of a server that ended.
 * @returns {Promise<Server>}
 */
export async function onFreePort(start) {
  try {
    return await start(await freePort())
  } catch (error) {
    if (!/address already in use/i.test(error.message)) throw error
    return start(await freePort())
  }
}

async function isFree(port) {
  const server = createServer().listen(port)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false
    throw error
  }
  server.close()
  await once(server, 'close')
  return true
}
