import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { ownProperty } from '../contracts/own-properties.ts'
import { hostOfHttp2 } from '../contracts/request-headers.ts'

/** A request of Node; over HTTP/2, of its server that is compatible with `node:http`. */
export type NodeIncoming = IncomingMessage | Http2ServerRequest

// Node keeps the first of these headers and drops the rest, while a proxy may read the last one. A
// client that sends two values must not pass the check with one and have the other used.
const ONCE = new Set(['content-type', 'host', 'referer'])

/** Returns a header; `null`: the request has none. */
export function headerOf(request: NodeIncoming, name: string): string | null {
  const value =
    ('authority' in request ? http2Header(request, name) : null) ??
    ownProperty(request.headers, name)
  if (value === undefined) return null
  if (Array.isArray(value)) return value.join(', ')
  return ONCE.has(name) && isRepeated(request.rawHeaders, name) ? `${value}, …` : value
}

/** Returns what HTTP/2 says in its own way; `null` for any other header. */
function http2Header({ headers, stream }: Http2ServerRequest, name: string): string | null {
  const { host, ':authority': authority, 'content-length': length } = headers
  if (name === 'host' && authority !== undefined) return hostOfHttp2(authority, host)
  const isUnframed = length === undefined && !stream.endAfterHeaders
  return name === 'transfer-encoding' && isUnframed ? 'chunked' : null
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]
    if (raw !== undefined && raw.length === name.length && raw.toLowerCase() === name) count += 1
  }
  return count > 1
}
