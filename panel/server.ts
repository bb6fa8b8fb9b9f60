import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Server as Listener } from 'node:net'
import { listenOnAll, type Hosts } from './listening.ts'

/** A server that ends within ten seconds. */
export interface PanelServer {
  readonly server: Server
  /** Begins to listen. */
  listen(port: number, hosts: Hosts): Promise<void>
  /** Finishes what runs, ends what only waits, and at last the rest. */
  close(): Promise<void>
}

const LINGER_MS = 8000
const STREAM = '/svc/api/notifications/stream'

/** Slow or silent clients are let go long before Node would. */
export function createPanelServer(): PanelServer {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 1000,
  })
  const streams = new Set<ServerResponse>()
  let others: readonly Listener[] = []
  server.on('request', ({ url }, response) => {
    if (url?.startsWith(STREAM) !== true) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  return {
    server,
    async listen(port, hosts) {
      others = await listenOnAll(server, port, hosts)
    },
    async close() {
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const late = setTimeout(() => server.closeAllConnections(), LINGER_MS)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const other of others) other.close()
      // A stream has no end of its own. Its browser opens another, at a node that is there.
      for (const stream of streams) stream.destroy()
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}
