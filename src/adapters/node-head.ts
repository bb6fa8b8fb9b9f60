import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { PlainReply } from '../contracts/host.ts'
import { sizes } from '../rules/limits.ts'
import type { NodeIncoming } from './node-headers.ts'
import { reasonOf } from './reason-phrase.ts'

/** Writes the status and the headers of a reply. */
export function writeHead(
  request: NodeIncoming,
  response: ServerResponse,
  reply: PlainReply,
): void {
  const { status, headers } = reply
  if (!('authority' in request)) {
    response.writeHead(status, reasonOf(status), headersOf(request, response, reply))
    return
  }
  // HTTP/2 has no reason phrase, and no connection for each request.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.writeHead(status)
}

/**
 * Returns names and values in turn, a format that Node writes without further checks. For what
 * wraps `writeHead`, returns an object: `on-headers` before 1.1, of `compression`, reads no list.
 */
function headersOf(
  request: IncomingMessage,
  response: ServerResponse,
  { headers }: PlainReply,
): OutgoingHttpHeaders | string[] {
  // The unread rest of a body is read in vain, so the connection ends unless the rest is short.
  const ends = !request.complete && mayBeLong(request)
  if (Object.hasOwn(response, 'writeHead'))
    return { ...(headers as OutgoingHttpHeaders), ...(ends && { connection: 'close' }) }
  const lines: (string | readonly string[])[] = []
  for (const [name, value] of Object.entries(headers)) lines.push(name, value)
  if (ends) lines.push('connection', 'close')
  // Node writes a list of values as several lines; its types lack this.
  return lines as string[]
}

function mayBeLong({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return Number(headers['content-length'] ?? 0) > sizes.bodyBytes
}
