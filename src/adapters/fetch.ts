import type { Awaitable, PlainReply, PlainRequest } from '../contracts/host.ts'
import type { GuardOptions, PanelAuth, Verdict } from '../contracts/service-contract.ts'
import type { Impersonator } from '../contracts/impersonation.ts'
import { BodyConsumedError } from '../contracts/errors.ts'
import { collectBytes } from './body-bytes.ts'
import { ensureAuth, ensureWebRequest } from './ensure-auth.ts'
import { failUnawaited } from './forgotten-await.ts'
import { createPageJudge, type PageGuardOptions } from './page-guard.ts'
import { reasonOf } from './reason-phrase.ts'
import { malformed, usableUrl } from './usable-url.ts'

export { checkPage, type PageCheckOptions, type PageVerdict } from './page-guard.ts'

/** Information that a web request lacks. */
export interface FetchInfo {
  /** The client's address, as the platform reports it; `null` if it is unknown. */
  readonly address: string | null
}

/**
 * Answers the service's routes; for any other it returns what `next` returns, or answers 404
 * without one. Answers 400 to a request whose URL cannot be used, so that `next` never sees one.
 */
export interface FetchHandler {
  (request: Request, info: FetchInfo): Promise<Response>
  <Other>(
    request: Request,
    info: FetchInfo,
    next: () => Awaitable<Other>,
  ): Promise<Response | Other>
}

/**
 * Returns the user of a route of the host, and the person who acts as the user; or the response to
 * send instead.
 */
export type FetchGuard<User> = (
  request: Request,
  info: FetchInfo,
) => Promise<
  | { readonly user: User; readonly response: null; readonly impersonator?: Impersonator }
  | { readonly user: null; readonly response: Response }
>

/**
 * Mounts the service as a web-standard handler: `(request, info, next) => Promise<Response>`.
 *
 * @example
 * ```ts
 * const serve = mount(auth)
 *
 * export async function handler(request: Request, address: string): Promise<Response> {
 *   return serve(request, { address }, () => new Response('Nothing here', { status: 404 }))
 * }
 * ```
 */
export function mount(auth: PanelAuth): FetchHandler {
  ensureAuth(auth, 'mount')
  return async <Other>(request: Request, info: FetchInfo, next?: () => Awaitable<Other>) => {
    ensureWebRequest(request, info)
    const url = usableUrl(request.url)
    if (url === null) return malformed()
    if (next !== undefined && !auth.serves(url.pathname)) return next()
    return toResponse(await auth.handle(convert(request, info, url)))
  }
}

/**
 * Guards a route of the host: returns its user, or the response to send instead.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * const requireUser = guard(auth)
 *
 * export async function handler(request: Request, address: string): Promise<Response> {
 *   const { user, response } = await requireUser(request, { address })
 *   return response ?? Response.json({ seenBy: user.name })
 * }
 * ```
 */
export function guard<User>(auth: PanelAuth<User>, options?: GuardOptions): FetchGuard<User> {
  ensureAuth(auth, 'guard')
  const guardOptions = auth.checkGuard(options)
  return guardBy(async (request) => auth.guard(request, guardOptions))
}

/**
 * Guards a page that the host renders: returns its user, or the response to send instead. A
 * navigation without a session is redirected to the login, and after the login back to the page.
 * Answer with `Cache-Control: no-store`, so that Back after the logout does not show the page.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * const requireUser = pageGuard(auth, { login: '/admin/main/login' })
 *
 * export async function handler(request: Request, address: string): Promise<Response> {
 *   const { user, response } = await requireUser(request, { address })
 *   if (response !== null) return response
 *   return new Response(`Hello, ${user.name}`, { headers: { 'cache-control': 'no-store' } })
 * }
 * ```
 */
export function pageGuard<User>(
  auth: PanelAuth<User>,
  options: PageGuardOptions,
): FetchGuard<User> {
  return guardBy(createPageJudge(auth, options))
}

function guardBy<User>(judge: (request: PlainRequest) => Promise<Verdict<User>>): FetchGuard<User> {
  const decide: FetchGuard<User> = async (request, info) => {
    ensureWebRequest(request, info)
    const url = usableUrl(request.url)
    if (url === null) return { user: null, response: malformed() }
    const verdict = await judge(convert(request, info, url))
    if (verdict.outcome === 'admitted') {
      const { user, impersonator } = verdict
      return { user, response: null, ...(impersonator !== undefined && { impersonator }) }
    }
    return { user: null, response: toResponse(verdict.reply) }
  }
  return (request, info) => failUnawaited(decide(request, info))
}

/**
 * Converts a web request.
 *
 * @throws {ConfigError} An argument is wrong.
 * @throws {TypeError} The URL of the request cannot be parsed.
 *
 * @example
 * ```ts
 * async function nameOf(request: Request, address: string): Promise<string | null> {
 *   const verdict = await auth.guard(toPlainRequest(request, { address }))
 *   return verdict.outcome === 'admitted' ? verdict.user.name : null
 * }
 * ```
 */
export function toPlainRequest(request: Request, info: FetchInfo): PlainRequest {
  ensureWebRequest(request, info)
  return convert(request, info, new URL(request.url))
}

function convert(request: Request, info: FetchInfo, url: URL): PlainRequest {
  return {
    method: request.method,
    target: url.pathname + url.search,
    // A platform that does not know the address leaves it undefined.
    address: info.address ?? null,
    signal: request.signal,
    header(name) {
      // Web platforms compress responses themselves, and some compress twice.
      if (name === 'accept-encoding') return null
      const value = request.headers.get(name)
      if (value !== null) return value
      if (name === 'host') return url.host
      return name === 'transfer-encoding' && isUnframed(request) ? 'chunked' : null
    },
    body: async (limitBytes) => readBody(request, limitBytes),
  }
}

/**
 * Returns `true` for a stream without a length, from HTTP/2 or the process itself. It may be empty.
 */
function isUnframed({ headers, body }: Request): boolean {
  return headers.get('content-length') === null && body !== null
}

async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const { body, bodyUsed, signal } = request
  // A consumed stream looks like an empty one.
  if (bodyUsed || body?.locked === true)
    throw new BodyConsumedError(
      'the body of a request was read before the service could read it: ' +
        'hand the request over unread, or a request.clone()',
    )
  if (body === null) return new Uint8Array()
  // Not cancelled: SvelteKit would close the connection before an oversized body is answered.
  const chunks = body.values({ preventCancel: true })
  return collectBytes(chunks, limitBytes, () => signal.aborted)
}

/**
 * Converts a plain reply to a web response.
 *
 * @example
 * ```ts
 * async function requireUser(request: Request, address: string): Promise<User> {
 *   const verdict = await auth.guard(toPlainRequest(request, { address }))
 *   if (verdict.outcome !== 'admitted') throw toResponse(verdict.reply)
 *   return verdict.user
 * }
 * ```
 */
export function toResponse({ status, headers, body }: PlainReply): Response {
  const lines = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) lines.append(name, one)
  }
  // The platform knows the length of a body; `@hono/node-server` 1 would write both.
  if (body !== null) lines.delete('content-length')
  return new Response(bodyOf(body), { status, statusText: reasonOf(status), headers: lines })
}

function bodyOf(body: PlainReply['body']): ConstructorParameters<typeof Response>[0] {
  if (body === null || typeof body === 'string') return body
  return body instanceof Uint8Array
    ? new Uint8Array(body)
    : ReadableStream.from(body).pipeThrough(asBytes())
}

function asBytes(): TransformStream<Uint8Array | string, Uint8Array> {
  const encoder = new TextEncoder()
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
    },
  })
}
