import type { Server, ServerResponse } from 'node:http'
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

/**
 * Stops listening, ends streams, and closes each connection when it is idle, or the rest after four
 * seconds.
 *
 * @param closeRest Default: closes the connections that the server knows.
 */
export async function closeServer(
  server: Server,
  streams: Iterable<ServerResponse>,
  closeRest = (): void => server.closeAllConnections(),
): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const late = setTimeout(closeRest, LINGER_MS)
  const closed = new Promise((resolve) => server.close(resolve))
  endStreams(streams)
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
