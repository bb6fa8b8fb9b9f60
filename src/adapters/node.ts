import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  readGuardOptions,
  type Awaitable,
  type GuardOptions,
  type PanelAuth,
  type PlainReply,
  type PlainRequest,
  type Watched,
} from '../contracts.ts'
import { readBody } from './node-body.ts'
import { reasonOf } from './reason-phrase.ts'

/** Answers what is the service's; calls `next` for everything else, or answers 404 where there is none. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void

/** The service as a handler of `node:http`, or of anything that calls handlers like it. */
export function mount(auth: PanelAuth): NodeHandler {
  return (request, response, next) => {
    if (next !== undefined && !auth.serves(request.url ?? '/')) return next()
    void answer(auth, request, response)
  }
}

/** An answer that cannot be written must not take the process with it. */
async function answer(
  auth: PanelAuth,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await send(request, response, await auth.handle(toPlainRequest(request)))
  } catch {
    response.destroy()
  }
}

/**
 * Guards a route of the host.
 *
 * @returns The user; `null` when the request has been answered already.
 * @throws {ConfigError} An option is wrong.
 */
export function guard<User>(
  auth: PanelAuth<User>,
  options?: GuardOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<User | null> {
  const guardOptions = readGuardOptions(options)
  return async (request, response) => {
    const verdict = await auth.guard(toPlainRequest(request), guardOptions)
    if (verdict.outcome === 'admitted') return verdict.user
    await send(request, response, verdict.reply)
    return null
  }
}

/**
 * Judges a request that stays open, such as the upgrade to a WebSocket: `ended` of what it resolves to is aborted when
 * the request would not be admitted any more, or its socket is closed.
 *
 * @throws {ConfigError} An option is wrong.
 */
export async function watch<User>(
  auth: PanelAuth<User>,
  request: IncomingMessage,
  options?: GuardOptions,
): Promise<Watched<User>> {
  return auth.watch(toPlainRequest(request), options)
}

/** The plain request of a Node request. */
export function toPlainRequest(request: IncomingMessage): PlainRequest {
  return new NodeRequest(request)
}

/** A class, so that a request costs one object and no closures. */
class NodeRequest implements PlainRequest {
  readonly #request: IncomingMessage
  /** Read at once: a socket that is closed has none, and every limit of a guest hangs on it. */
  readonly address: string | null

  constructor(request: IncomingMessage) {
    this.#request = request
    this.address = request.socket.remoteAddress ?? null
  }

  get method(): string {
    return this.#request.method ?? 'GET'
  }

  get target(): string {
    return this.#request.url ?? '/'
  }

  get signal(): AbortSignal {
    return closingOf(this.#request)
  }

  header(name: string): string | null {
    return headerOf(this.#request, name)
  }

  async body(limitBytes: number): Promise<Uint8Array | null> {
    return readBody(this.#request, limitBytes)
  }
}

/** One for all: an error with its stack for each of thousands of connections that break together takes long to make. */
const GONE = new DOMException('The connection was closed', 'AbortError')

const closingBySocket = new WeakMap<Socket, AbortSignal>()

/** One signal and one listener for each connection, however many requests come over it. */
function closingOf({ socket }: IncomingMessage): AbortSignal {
  const known = closingBySocket.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (socket.destroyed) controller.abort(GONE)
  else socket.once('close', () => controller.abort(GONE))
  closingBySocket.set(socket, controller.signal)
  return controller.signal
}

// Node keeps the first of these and drops the rest; whoever sends two must not choose which one is judged.
const ONCE = new Set(['content-type', 'host', 'referer'])

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  if (value === undefined) return null
  if (Array.isArray(value)) return value.join(', ')
  return ONCE.has(name) && isRepeated(request.rawHeaders, name) ? `${value}, …` : value
}

function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]
    if (raw !== undefined && raw.length === name.length && raw.toLowerCase() === name) count += 1
  }
  return count > 1
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: PlainReply,
): Awaitable<void> {
  const { status, body } = reply
  response.writeHead(status, reasonOf(status), linesOf(request, reply))
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body ?? undefined)
    return undefined
  }
  return sendPieces(response, body)
}

async function sendPieces(
  response: ServerResponse,
  body: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  response.flushHeaders()
  for await (const chunk of body) {
    if (response.closed || !(response.write(chunk) || (await isDrained(response)))) break
  }
  response.end()
}

/** Names and values in turn: what Node writes without looking at it twice. */
function linesOf(request: IncomingMessage, { headers }: PlainReply): string[] {
  const lines: (string | readonly string[])[] = []
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) lines.push(name, value)
  }
  // What was not read would be taken for the next request, or read for nothing.
  if (!request.complete && hasBody(request)) lines.push('connection', 'close')
  // Node writes a list of values as several lines, which its types do not say.
  return lines as string[]
}

const SLOW_READER_MS = 30_000

/** Waits for the reader to catch up. One that does not is dropped: nothing is buffered without end. */
async function isDrained(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (caughtUp: boolean): void => {
      clearTimeout(timer)
      response.off('drain', drained).off('close', gone)
      if (!caughtUp) response.destroy()
      resolve(caughtUp)
    }
    const drained = (): void => settle(true)
    const gone = (): void => settle(false)
    const timer = setTimeout(gone, SLOW_READER_MS)
    response.once('drain', drained).once('close', gone)
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
