import { once } from 'node:events'
import type { Server } from 'node:http'
import { sendToPort, type AdapterServer } from '@svc/auth/testing'

/** The server on a port of its own, as the published suite wants it. */
export async function listening(
  server: Server,
  calls = (): number => 0,
): Promise<AdapterServer & { readonly url: string }> {
  if (!server.listening) await once(server.listen(0), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    send: sendToPort(port),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
