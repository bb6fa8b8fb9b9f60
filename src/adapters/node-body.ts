import type { Readable } from 'node:stream'
import { BodyConsumedError } from '../contracts/errors.ts'
import { collectBytes } from './body-bytes.ts'
import { bytesOfParsed, bytesOfText } from './kept-text.ts'
import type { NodeIncoming } from './node-headers.ts'

/** Properties in which Express, Next.js and NestJS keep a body that they have read. */
interface KeptBody {
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** Reads the body of a request, or the body that an earlier parser has kept. */
export async function readBody(
  request: NodeIncoming,
  limitBytes: number,
): Promise<Uint8Array | null> {
  if (isReset(request)) return null
  if (!isConsumed(request)) return readStream(request, limitBytes)
  const kept = keptBytes(request)
  return kept.byteLength > limitBytes ? null : kept
}

/** Returns `true` if the client has reset a request over HTTP/2. Node ends it like a whole one. */
function isReset(request: NodeIncoming): boolean {
  return 'authority' in request && request.stream.aborted
}

/** Returns `true` if another reader has used the stream: the rest of it is not the whole body. */
function isConsumed(request: Readable): boolean {
  return request.readableDidRead || request.readableFlowing === true
}

function keptBytes(request: Readable): Uint8Array {
  const { rawBody, body } = request as Readable & KeptBody
  for (const kept of [rawBody, body]) {
    if (kept instanceof Uint8Array) return kept
    if (typeof kept === 'string') return bytesOfText(kept)
  }
  if (typeof body === 'object' && body !== null) return bytesOfParsed(body)
  throw new BodyConsumedError(
    'the body of a request was read before the service could read it, and is not in request.body: ' +
      'mount the service before whatever reads bodies',
  )
}

async function readStream(request: NodeIncoming, limitBytes: number): Promise<Uint8Array | null> {
  // The stream stays open, so that an oversized body can still be answered.
  const chunks: AsyncIterable<Uint8Array> = request.iterator({ destroyOnReturn: false })
  return collectBytes(chunks, limitBytes, () => request.destroyed || isReset(request))
}
