import type { Server, ServerResponse } from 'node:http'
import type { Server as Listener, Socket } from 'node:net'
import { API_PATH, paths } from '../../rules/paths.ts'

const LINGER_MS = 4000
const IDLE_CHECK_MS = 50
const STREAM = API_PATH + paths['notifications.stream'].path

/** Returns whether a request target opens a stream, which never ends by itself. */
export function isStream(target: string | undefined): boolean {
  return target?.startsWith(STREAM) === true
}

interface Closable {
  once(event: 'close', listener: () => void): unknown
}

/** Adds a connection or response to the open ones until it closes. */
export function track<Open extends Closable>(open: Set<Open>, one: Open): void {
  open.add(one)
  one.once('close', () => open.delete(one))
}

/** Ends streams. Their browsers reconnect to another node. */
export function endStreams(streams: Iterable<ServerResponse>): void {
  for (const stream of streams) stream.destroy()
}

/** The streams and connections of a server. */
export interface Open {
  readonly streams: Iterable<ServerResponse>
  /** Includes upgraded connections, which the server no longer knows. */
  readonly sockets: Iterable<Socket>
  /** Servers that pass their connections to this one, which then does not count them. */
  readonly others?: readonly Listener[]
}

/**
 * Stops listening, ends streams, and closes each connection when it is idle, or the rest after four
 * seconds.
 */
export async function closeServer(
  server: Server,
  { streams, sockets, others = [] }: Open,
): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const late = setTimeout(() => {
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
  }, LINGER_MS)
  const closed = [server, ...others].map(
    async (one) => new Promise((resolve) => one.close(resolve)),
  )
  endStreams(streams)
  await Promise.all(closed)
  clearInterval(idle)
  clearTimeout(late)
}
