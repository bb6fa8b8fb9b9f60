import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { PanelAuth } from '../../contracts/service-contract.ts'
import { reasonOfError } from '../../contracts/errors.ts'
import { writeErrorLine } from '../../contracts/write-line.ts'
import { ensureAuth } from '../ensure-auth.ts'
import { closeServer, endStreams, isStream, track } from './close-server.ts'
import { onStopSignal } from './stop-signals.ts'

const HOST_CHECK_MS = 50
/** The process ends with 1 when it has not closed after this time. */
const CLOSE_MS = 10_000

/**
 * Stops a host at SIGTERM and SIGINT, for hosts that do not run by `serve`. Each HTTP server of the
 * process closes its port, finishes running requests, ends the streams of the bell, and drops what
 * is left after four seconds; then the service closes and the process ends.
 *
 * A host that listens for the signal itself, as Next.js and `enableShutdownHooks` of NestJS do,
 * stops its server and ends the process in its own way: then this ends the streams as soon as the
 * port is closed, and closes the service when the last connection is. Servers of Bun and Deno are
 * not seen: the process ends at once, and requests that are still running get no answer.
 *
 * @throws {ConfigError} The argument is not the service.
 *
 * @example
 * ```ts
 * closeOnSignals(auth)
 * ```
 */
export function closeOnSignals(auth: Pick<PanelAuth, 'close'>): void {
  if (typeof Object(auth).close !== 'function') ensureAuth(auth, 'closeOnSignals')
  services.add(auth)
  if (services.size > 1) return
  const open = watchServers()
  onStopSignal((signal, remove) => {
    const isAlone = process.listenerCount(signal) === 1
    // NestJS ends the process by the signal itself, which a listener would keep from it.
    if (!isAlone) remove()
    void (isAlone ? closeAll(open) : closeAfterHost(open)).catch(reportAndExit)
  })
}

/** Closed together, by one listener: a second one would look like one of the host. */
const services = new Set<Pick<PanelAuth, 'close'>>()

async function closeServices(): Promise<void> {
  await Promise.all(Array.from(services, async (auth) => auth.close()))
}

/** Servers that have received a request, the streams that they answer, and all connections. */
type OpenServers = ReturnType<typeof watchServers>

/**
 * Watches the HTTP servers of the process. The host's code creates and hides them, each framework
 * in its own way, but Node publishes every request with its server by `diagnostics_channel`.
 */
function watchServers() {
  const servers = new Set<Server>()
  const streams = new Set<ServerResponse>()
  const sockets = new Set<Socket>()
  subscribe('net.server.socket', (message) => track(sockets, (message as Accepted).socket))
  subscribe('http.server.request.start', (message) => {
    const { request, response, server } = message as StartedRequest
    // A server of node:http2 is published for its requests over HTTP/1, and lacks this method.
    if ('closeAllConnections' in server) servers.add(server)
    if (isStream(request.url)) track(streams, response)
  })
  return { servers, streams, sockets }
}

interface Accepted {
  readonly socket: Socket
}

interface StartedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

async function closeAll({ servers, streams, sockets }: OpenServers): Promise<void> {
  setTimeout(() => process.exit(1), CLOSE_MS)
  const open = { streams, sockets }
  await Promise.all(Array.from(servers, async (server) => closeServer(server, open)))
  await closeServices()
  process.exit()
}

async function closeAfterHost({ servers, streams }: OpenServers): Promise<void> {
  const running = [...servers].filter(({ listening }) => listening)
  const stopping = setInterval(() => {
    if (running.every(({ listening }) => !listening)) endStreams(streams)
  }, HOST_CHECK_MS)
  await Promise.all(running.map(async (server) => once(server, 'close')))
  clearInterval(stopping)
  await closeServices()
}

function reportAndExit(error: unknown): void {
  writeErrorLine(`The service could not be closed: ${reasonOfError(error)}`)
  process.exit(1)
}
