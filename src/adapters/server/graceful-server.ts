import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Server as Listener, Socket } from 'node:net'
import { setImmediate, setTimeout as pause } from 'node:timers/promises'
import type { PanelAuth } from '../../contracts/service-contract.ts'
import { sizes } from '../../rules/limits.ts'
import { closeServer, isStream, track, type Open } from './close-server.ts'
import { listenOnAll, type Hosts } from './listening.ts'
import type { Probes } from './probes.ts'
import { closeIdleUnlessUnread } from './unread-requests.ts'

/**
 * Delay of requests at the end of a drain. A proxy that prefers the node with the fewest running
 * requests then sends none here, so that nobody is connecting when the port closes.
 */
const HOLD_MS = 300
/** Maximum wait for a moment without new connections. */
const QUIET_WITHIN_MS = 200

/**
 * Takes over the requests of a server, to answer probes and to stop without losing a request,
 * within five seconds and a drain before.
 */
export function createGracefulServer(
  server: Server,
  auth: Pick<PanelAuth, 'serves'>,
  probes: Probes,
) {
  let isDraining = false
  let held: Promise<void> | null = null
  let release = (): void => undefined
  let others: readonly Listener[] = []
  const handler = takeHandler(server, probes)
  const sockets = new Set<Socket>()
  const streams = new Set<ServerResponse>()

  const answer: RequestListener = (request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
    if (isStream(request.url)) track(streams, response)
    if (held === null) handler(request, response)
    else void held.then(() => handler(request, response))
  }

  server.on('request', answer)
  server.on('connection', (socket) => track(sockets, socket))
  closeIdleUnlessUnread(server)
  if (server.listenerCount('checkContinue') === 0) answerLargeBodiesEarly(server, auth)
  return {
    /** Starts listening. @returns the port. */
    async listen(port: number, hosts: Hosts, log: (line: string) => void) {
      const listening = await listenOnAll(server, port, hosts, { option: 'port', log })
      others = listening.others
      return listening.port
    },
    /** Keeps answering, and asks clients with a connection to open another one. */
    async drain(seconds: number) {
      isDraining = true
      await pause(seconds * 1000)
      held = new Promise((resolve) => (release = resolve))
      if (seconds > 0) await pause(HOLD_MS)
    },
    /** Finishes running requests, closes idle connections, and then closes the rest. */
    async close() {
      await waitUntilQuiet(server)
      await closeAll(server, { streams, sockets, others }, release)
    },
  }
}

async function closeAll(server: Server, open: Open, release: () => void): Promise<void> {
  const closed = closeServer(server, open)
  release()
  await closed
}

/** Removes the server's listeners for requests, and returns a handler that calls them. */
function takeHandler(server: Server, probes: Probes): RequestListener {
  // The types of Node lose those of the event.
  const listeners = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  return (request, response) => {
    const probe = probes.routes.get(request.url ?? '')
    if (probe !== undefined) probe(request, response)
    else for (const listener of listeners) listener(request, response)
  }
}

/** Lets the service refuse a body that is too large before the client sends it. */
function answerLargeBodiesEarly(server: Server, auth: Pick<PanelAuth, 'serves'>): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > sizes.bodyBytes
    if (!isTooLarge || !auth.serves(request.url ?? '/')) response.writeContinue()
    server.emit('request', request, response)
  })
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
