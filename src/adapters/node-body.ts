import type { IncomingMessage } from 'node:http'
import { BodyConsumedError } from '../contracts.ts'
import { bytesOfText } from './kept-text.ts'

/** Where frameworks keep a body that they have read: Express, Next.js and NestJS in these two. */
interface KeptBody {
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** Reads the body of a request, or what a parser before the service has kept of it. */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | null> {
  if (!isConsumed(request)) return readStream(request, limitBytes)
  const kept = keptBytes(request)
  return kept.byteLength > limitBytes ? null : kept
}

/** Somebody has read from the stream, or is about to: what it still gives is not the whole body. */
function isConsumed(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableFlowing === true
}

function keptBytes(request: IncomingMessage): Uint8Array {
  const { rawBody, body } = request as IncomingMessage & KeptBody
  for (const kept of [rawBody, body]) {
    if (kept instanceof Uint8Array) return kept
    if (typeof kept === 'string') return bytesOfText(kept)
  }
  const text = typeof body === 'object' && body !== null ? JSON.stringify(body) : undefined
  if (text !== undefined) return bytesOfText(text)
  throw new BodyConsumedError(
    'the body of a request was read before the service could read it, and is not in request.body: ' +
      'mount the service before whatever reads bodies',
  )
}

async function readStream(
  request: IncomingMessage,
  limitBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // The stream stays open, so that the answer can still be sent when there is too much.
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limitBytes) return null
      chunks.push(chunk)
    }
  } catch (error) {
    // The client went away: nobody hears the answer, and it is no outage.
    if (request.destroyed) return null
    throw error
  }
  return Buffer.concat(chunks)
}
