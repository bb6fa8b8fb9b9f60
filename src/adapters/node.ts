import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { Awaitable, PlainReply, PlainRequest } from '../contracts/host.ts'
import type { GuardOptions, PanelAuth, Verdict, Watched } from '../contracts/service-contract.ts'
import { ownProperty } from '../contracts/own-properties.ts'
import { setAdmission } from './admitted-users.ts'
import { ensureAuth } from './ensure-auth.ts'
import { decidedFor } from './forgotten-await.ts'
import { readBody } from './node-body.ts'
import { writeHead } from './node-head.ts'
import { headerOf, type NodeIncoming } from './node-headers.ts'
import { createPageJudge, limitCaching, type Guarded, type PageGuardOptions } from './page-guard.ts'
import { isDrained } from './slow-reader.ts'

export { impersonatorOf } from './admitted-users.ts'
export * from './server/private-folder.ts'
export { closeOnSignals } from './server/close-on-signals.ts'
export * from './server/serve.ts'
export type { MetricsOptions } from './server/metrics-server.ts'

/** Answers the service's routes; for any other it calls `next`, or answers 404 without one. */
export type NodeHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: () => void,
) => void

/** Returns the user; `null` if the request is refused, and thereby answered. */
export type NodeGuard<User> = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => Promise<User | null>

/**
 * Mounts the service as a handler of `node:http` and compatible servers.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 *
 * createServer(mount(auth)).listen(3000)
 * ```
 */
export function mount(auth: PanelAuth): NodeHandler {
  ensureAuth(auth, 'mount')
  return (request, response, next) => {
    if (next !== undefined && !auth.serves(request.url ?? '/')) return next()
    void answer(auth, request, response as ServerResponse)
  }
}

/** Answers a request. A failing write must not end the process. */
async function answer(
  auth: PanelAuth,
  request: NodeIncoming,
  response: ServerResponse,
): Promise<void> {
  try {
    await send(request, response, await auth.handle(new NodeRequest(request, request.url)))
  } catch {
    response.destroy()
  }
}

/**
 * Guards a route of the host.
 *
 * @returns The user; `null` if the request is refused, and thereby answered.
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 *
 * const requireUser = guard(auth)
 * createServer(async (request, response) => {
 *   const user = await requireUser(request, response)
 *   if (user !== null) response.end(`Hello, ${user.name}`)
 * }).listen(3000)
 * ```
 */
export function guard<User>(auth: PanelAuth<User>, options?: GuardOptions): NodeGuard<User> {
  ensureAuth(auth, 'guard')
  const guardOptions = auth.checkGuard(options)
  return guardBy(auth, 'route', async (request) =>
    auth.guard(toPlainRequest(request), guardOptions),
  )
}

/**
 * Guards a page that the host renders. A navigation without a session is redirected to the login,
 * and after the login back to the page.
 *
 * @returns The user; `null` if the request is refused, and thereby answered.
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 *
 * const requireUser = pageGuard(auth, { login: '/admin/main/login' })
 * createServer(async (request, response) => {
 *   const user = await requireUser(request, response)
 *   if (user !== null) response.end(`<h1>Hello, ${user.name}</h1>`)
 * }).listen(3000)
 * ```
 */
export function pageGuard<User>(auth: PanelAuth<User>, options: PageGuardOptions): NodeGuard<User> {
  const judge = createPageJudge(auth, options)
  return guardBy(auth, 'page', async (request) => judge(toPlainRequest(request)))
}

function guardBy<User>(
  auth: PanelAuth<User>,
  guarded: Guarded,
  judge: (request: NodeIncoming) => Promise<Verdict<User>>,
): NodeGuard<User> {
  return async (request, given) => {
    const response = given as ServerResponse
    const verdict = await decidedFor(response, judge(request))
    if (verdict.outcome !== 'admitted') {
      // Another guard of the request may have answered, or a timeout of the host.
      if (!response.headersSent) await send(request, response, verdict.reply)
      return null
    }
    limitCaching(response, guarded)
    setAdmission(auth, request, verdict)
    return verdict.user
  }
}

/**
 * Guards a request that stays open, such as the upgrade to a WebSocket: `ended` of the result is
 * aborted when the request would no longer be admitted, or its socket closes.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 *
 * const server = createServer(mount(auth))
 * server.on('upgrade', async (request, socket) => {
 *   const watched = await watch(auth, request)
 *   if (watched.outcome !== 'admitted') socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n')
 *   else watched.ended.addEventListener('abort', () => socket.destroy())
 * })
 * ```
 */
export async function watch<User>(
  auth: PanelAuth<User>,
  request: IncomingMessage | Http2ServerRequest,
  options?: GuardOptions,
): Promise<Watched<User>> {
  return auth.watch(toPlainRequest(request), options)
}

/**
 * Converts a Node request. Its target is the path and query that the client sent, also behind a
 * router of Express.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 *
 * createServer(async (request, response) => {
 *   const verdict = await auth.guard(toPlainRequest(request))
 *   response.end(verdict.outcome === 'admitted' ? `Hello, ${verdict.user.name}` : 'Hello')
 * }).listen(3000)
 * ```
 */
export function toPlainRequest(request: IncomingMessage | Http2ServerRequest): PlainRequest {
  const routed: RoutedRequest = request
  return new NodeRequest(
    request,
    originForm(ownProperty(routed, 'originalUrl') ?? routed.url ?? '/'),
  )
}

/** The parts of a target: any scheme with its host, the path, the query, and any fragment. */
const TARGET = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?/i

/**
 * Returns the path and query of a target. Routers that use `url.parse`, such as that of Express,
 * also skip any scheme with its host, and a fragment, and read a backslash as a slash: a rule of
 * the host's middleware about a path must not miss these spellings.
 *
 * @see RFC 9112, section 3.2 (request target)
 */
function originForm(target: string): string {
  const [, path = '', query = ''] = TARGET.exec(target) ?? []
  return (path.replaceAll('\\', '/') || '/') + query
}

/** A request of which a router, such as that of Express, has removed its own path from `url`. */
interface RoutedRequest {
  readonly url?: string | undefined
  readonly originalUrl?: string
}

/** A class, so that a request costs one object and no closures. */
class NodeRequest implements PlainRequest {
  readonly #request: NodeIncoming
  readonly target: string
  /** Read at once: a closed socket has no address, and a guest's limits depend on it. */
  readonly address: string | null

  constructor(request: NodeIncoming, target = '/') {
    this.#request = request
    this.target = target
    this.address = request.socket.remoteAddress ?? null
  }

  get method(): string {
    return this.#request.method ?? 'GET'
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

/** Shared: creating an error with a stack for each of thousands of closed connections is slow. */
const GONE = new DOMException('The connection was closed', 'AbortError')

const closingBySocket = new WeakMap<Socket, AbortSignal>()

/**
 * Returns the signal of a connection: one signal and one listener, however many requests use it.
 * Over HTTP/2, Node gives each stream a socket of its own, which closes with the stream.
 */
function closingOf({ socket }: NodeIncoming): AbortSignal {
  const known = closingBySocket.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (socket.destroyed) controller.abort(GONE)
  else socket.once('close', () => controller.abort(GONE))
  closingBySocket.set(socket, controller.signal)
  return controller.signal
}

function send(request: NodeIncoming, response: ServerResponse, reply: PlainReply): Awaitable<void> {
  const { body } = reply
  writeHead(request, response, reply)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body ?? undefined)
    // The client need not send the rest of a body; RFC 9113, section 8.1. In a later turn, because
    // Node 26.10 loses an answer without a body whose stream is closed in this one.
    if ('authority' in request && !request.complete) setImmediate(() => request.stream.close())
    return undefined
  }
  return sendPieces(response, body)
}

async function sendPieces(
  response: ServerResponse,
  body: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  response.flushHeaders()
  try {
    for await (const chunk of body)
      if (response.closed || !(response.write(chunk) || (await isDrained(response)))) break
    response.end()
  } catch (error) {
    // The stream of a middleware may fail midway. The client must not take a part for the whole, as
    // it would over HTTP/2 without the error.
    response.destroy(error as Error)
  }
}
