import { once } from 'node:events'
import type { Server } from 'node:http'
import { sendToPort, type AdapterServer } from '@svc/auth/testing'

/** The server on a port of its own, as the published suite wants it. */
export async function listening(server: Server, calls = (): number => 0): Promise<AdapterServer> {
  if (!server.listening) await once(server.listen(0), 'listening')
  const address = server.address()
  return {
    calls,
    send: sendToPort(typeof address === 'object' && address !== null ? address.port : 0),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
