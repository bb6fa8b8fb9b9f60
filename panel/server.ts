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

/** An HTTP server that stops within ten seconds, including a drain of up to five. */
export interface PanelServer {
  /** Starts listening. */
  listen(port: number, hosts: Hosts): Promise<void>
  /** Keeps answering, and asks clients with a connection to open another one. */
  drain(seconds: number): Promise<void>
  /** Finishes running requests, closes idle connections, and then closes the rest. */
  close(): Promise<void>
}

const LINGER_MS = 4000
/**
 * Delay of requests at the end of a drain. A proxy that prefers the node with the fewest running
 * requests then sends none here, so that nobody is connecting when the port closes.
 */
const HOLD_MS = 300
/** Maximum wait for a moment without new connections. */
const QUIET_WITHIN_MS = 200
const STREAM = '/svc/api/notifications/stream'

/**
 * Creates the server. Its timeouts drop slow clients long before Node's defaults.
 *
 * @param bodyBytes Maximum size of a request body. A larger one is answered before it is sent.
 */
export function createPanelServer(listener: RequestListener, bodyBytes: number): PanelServer {
  let isDraining = false
  let held: Promise<void> | null = null
  let release = (): void => undefined
  let others: readonly Listener[] = []

  const answer: RequestListener = (request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
    if (held === null) listener(request, response)
    else void held.then(() => listener(request, response))
  }

  const timeouts = { headersTimeout: 10_000, requestTimeout: 20_000 }
  const server = createServer({ ...timeouts, connectionsCheckingInterval: 1000 }, answer)
  const streams = streamsOf(server)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) <= bodyBytes) response.writeContinue()
    answer(request, response)
  })
  return {
    async listen(port, hosts) {
      others = await listenOnAll(server, port, hosts)
    },
    async drain(seconds) {
      isDraining = true
      await pause(seconds * 1000)
      held = new Promise((resolve) => (release = resolve))
      if (seconds > 0) await pause(HOLD_MS)
    },
    async close() {
      await waitUntilQuiet(server)
      for (const other of others) other.close()
      await closeServer(server, () => {
        release()
        // A stream never ends by itself. Its browser reconnects to another node.
        for (const stream of streams) stream.destroy()
      })
    },
  }
}

function streamsOf(server: Server): ReadonlySet<ServerResponse> {
  const streams = new Set<ServerResponse>()
  server.on('request', ({ url }, response) => {
    if (url?.startsWith(STREAM) !== true) return
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  return streams
}

/** Stops listening, and closes each connection when it is idle, or after a while. */
async function closeServer(server: Server, finishRequests: () => void): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), LINGER_MS)
  const closed = new Promise((resolve) => server.close(resolve))
  finishRequests()
  await closed
  clearInterval(idle)
  clearTimeout(late)
}

/**
 * Waits for an event loop turn without new connections. When the port closes, the kernel resets
 * connections that were not accepted yet, and with them requests that a proxy does not repeat.
 */
async function waitUntilQuiet(server: Server): Promise<void> {
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
