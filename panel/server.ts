import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Server as Listener } from 'node:net'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import { listenOnAll, type Hosts } from './listening.ts'

/** A server that ends within ten seconds, five of which it may drain. */
export interface PanelServer {
  readonly server: Server
  /** Answers requests by the listener. */
  answer(listener: RequestListener): void
  /** Begins to listen. */
  listen(port: number, hosts: Hosts): Promise<void>
  /** Answers as before, and asks whoever keeps a connection to open another one. */
  drain(seconds: number): Promise<void>
  /** Finishes what runs, ends what only waits, and at last the rest. */
  close(): Promise<void>
}

const LINGER_MS = 4000
/**
 * Delay of requests at the end of a drain. A proxy that sends a request where the fewest are under way then sends
 * none here, so that nobody is connecting when the port is closed.
 */
const HOLD_MS = 300
/** Maximum wait for a moment without new connections. */
const QUIET_WITHIN_MS = 200
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
  let isDraining = false
  let held: Promise<void> | null = null
  let release = (): void => undefined
  for (const event of ['request', 'checkContinue'] as const) {
    server.on(event, (_request: IncomingMessage, response: ServerResponse) => {
      if (isDraining) response.setHeader('connection', 'close')
    })
  }
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
    answer(listener) {
      server.on('request', (request, response) => {
        if (held === null) listener(request, response)
        else void held.then(() => listener(request, response))
      })
    },
    async drain(seconds) {
      isDraining = true
      await pause(seconds * 1000)
      held = new Promise((resolve) => (release = resolve))
      if (seconds > 0) await pause(HOLD_MS)
    },
    async close() {
      await quietMoment(server)
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const late = setTimeout(() => server.closeAllConnections(), LINGER_MS)
      const closed = new Promise((resolve) => server.close(resolve))
      for (const other of others) other.close()
      release()
      // A stream has no end of its own. Its browser opens another, at a node that is there.
      for (const stream of streams) stream.destroy()
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}

/**
 * Waits until a turn of the event loop in which nobody connected. The kernel resets connections that it has made and
 * that were not accepted yet when the port is closed, and with them a request that a proxy does not send twice.
 */
async function quietMoment(server: Server): Promise<void> {
  let connected = 0
  const count = (): void => void (connected += 1)
  server.on('connection', count)
  const until = performance.now() + QUIET_WITHIN_MS
  let before: number
  do {
    before = connected
    await setImmediate()
  } while (connected !== before && performance.now() < until)
  server.off('connection', count)
}
