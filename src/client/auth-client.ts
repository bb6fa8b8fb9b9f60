import type { PayloadRoute, RefusalBody, RequestBody, SuccessBody } from '../rules/payloads.ts'
import { API_PATH, routeNamed } from '../rules/routes.ts'
import { createCsrfToken } from './csrf-token.ts'
import type { CsrfToken } from './csrf-token.ts'
import { NetworkError } from './network-error.ts'

/** What the service answered instead of doing it. Switch on `key`. */
export type Refusal = RefusalBody & { readonly status: number }

/** What one call produced. */
export type CallResult<Name extends PayloadRoute> =
  | { readonly outcome: 'ok'; readonly body: SuccessBody<Name> }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** The calls of the service, typed from its route table. */
export interface AuthClient {
  /**
   * Calls a route by its name; the CSRF token is fetched, sent and renewed by itself.
   *
   * @throws {NetworkError} when there is no answer, or one that is not the service's.
   */
  call<Name extends PayloadRoute>(name: Name, ...body: BodyOf<Name>): Promise<CallResult<Name>>
}

export interface AuthClientOptions {
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
  readonly fetch?: typeof globalThis.fetch
}

type BodyOf<Name extends PayloadRoute> =
  RequestBody<Name> extends null ? [] : [body: RequestBody<Name>]

type Answer =
  | { readonly outcome: 'ok'; readonly body: unknown }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

interface Wire {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly csrf: CsrfToken<Answer>
}

const CSRF_MISMATCH = 419

/** Longer than the service itself ever takes: five seconds for each thing that it asks. */
const DEADLINE_MS = 30_000

/** Makes a client for the browser. It keeps nothing but cookies. */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const { baseUrl = '', fetch = globalThis.fetch.bind(globalThis) } = options
  const csrf = createCsrfToken(() => send(wire, 'csrf', { body: null, token: null }))
  const wire: Wire = { baseUrl, fetch, csrf }
  return {
    async call<Name extends PayloadRoute>(name: Name, ...[body = null]: readonly unknown[]) {
      const isSafe = routeNamed(name).method === 'GET'
      const answer = await (isSafe
        ? send(wire, name, { body, token: null })
        : sendUnsafe(wire, name, body))
      // The service answers by the same payloads; a client does not check them again.
      return answer as CallResult<Name>
    },
  }
}

async function sendUnsafe(wire: Wire, name: PayloadRoute, body: unknown): Promise<Answer> {
  if (wire.csrf.read() === null) {
    const fetched = await wire.csrf.renew(null)
    if (fetched.outcome === 'refused') return fetched
  }
  const token = wire.csrf.read()
  const answer = await send(wire, name, { body, token })
  if (answer.outcome === 'ok' || answer.refusal.status !== CSRF_MISMATCH) return answer

  // Safe to send again: the token is judged before anything else happens.
  await wire.csrf.renew(token)
  return send(wire, name, { body, token: wire.csrf.read() })
}

async function send(
  wire: Wire,
  name: PayloadRoute,
  { body, token }: { readonly body: unknown; readonly token: string | null },
): Promise<Answer> {
  const { method, path } = routeNamed(name)
  const headers: Record<string, string> = { Accept: 'application/json' }
  if (token !== null) headers['X-XSRF-TOKEN'] = token
  if (body !== null) headers['Content-Type'] = 'application/json'
  const request: RequestInit = {
    method,
    headers,
    body: body === null ? null : JSON.stringify(body),
    credentials: isElsewhere(wire.baseUrl) ? 'include' : 'same-origin',
    // Nothing here ever redirects; what does is somebody else's page.
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  }
  try {
    return await answerOf(await wire.fetch(`${wire.baseUrl}${API_PATH}${path}`, request))
  } catch (error) {
    if (error instanceof NetworkError) throw error
    throw new NetworkError('the service could not be reached', { cause: error })
  }
}

function isElsewhere(baseUrl: string): boolean {
  return baseUrl !== '' && new URL(baseUrl, location.href).origin !== location.origin
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  if (response.ok) return { outcome: 'ok', body }
  if (!isRefusal(body)) throw new NetworkError(`${response.status} is not the service's answer`)
  return { outcome: 'refused', refusal: { ...body, status: response.status } }
}

function isRefusal(body: unknown): body is RefusalBody {
  if (typeof body !== 'object' || body === null) return false
  return 'key' in body && typeof body.key === 'string' && 'message' in body
}
