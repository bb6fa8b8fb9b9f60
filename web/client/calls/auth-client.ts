import type { RequestBody, SuccessBody } from '../../../src/rules/routes.ts'
import { API_PATH, paths, type RouteName } from '../../../src/rules/paths.ts'
import { CSRF_MISMATCH_STATUS, headerNames, isSafe } from '../../../src/rules/wire.ts'
import {
  answerOf,
  parsed,
  type CallAnswer,
  type CallName,
  type Received,
  type Refusal,
} from './answer.ts'
import { createConfirmation, type AcceptedProofs, type AskConfirmation } from './confirmation.ts'
import { createCsrfToken, sendWithToken, type CsrfToken } from './csrf-token.ts'
import { createHostFetch, type HostFetch, type HostWire } from './host-fetch.ts'
import { NetworkError } from './network-error.ts'
import { ROTATING } from './rotation.ts'

/** The result of one call. */
export type CallResult<Name extends CallName> =
  | { readonly outcome: 'ok'; readonly body: SuccessBody<Name> }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }

/** The calls of the service, typed from its route table. */
export interface AuthClient {
  /**
   * Calls a route by its name. Fetches, sends and renews the CSRF token.
   *
   * @throws {NetworkError} The request failed, or the answer is not from the service.
   */
  call<Name extends CallName>(name: Name, ...args: CallArguments<Name>): Promise<CallResult<Name>>
  /**
   * Returns `true` if the browser has neither a session nor a pending login. The service answers
   * 204; `user` would answer 401, which browsers log as an error in the console.
   *
   * Returns `false` if the service does not answer this question; call `user` then.
   *
   * @throws {NetworkError} The request failed, or the answer is not from the service.
   */
  isGuest(): Promise<boolean>
  /**
   * `fetch` for your own routes behind the guard. Call it, or pass it to a library such as ky,
   * openapi-fetch or tRPC. For requests that change something it fetches and sends the CSRF token,
   * and retries once with a new token if the token is stale; it keeps the body for that retry. Such
   * a request rejects on a redirect, unless `init` allows it.
   *
   * @throws {TypeError} The address leads to another site, or the request failed.
   * @throws {NetworkError} The token could not be fetched.
   */
  readonly fetch: HostFetch
  /**
   * Adds a function that asks the user to confirm that it is them. `call` and `fetch` run it when a
   * route demands a confirmation, and then repeat the request once. `PanelAuthProvider` adds a
   * dialog by itself.
   *
   * @returns A function that removes it.
   *
   * @example
   * ```ts
   * client.onConfirmationRequired(async () => {
   *   const password = prompt('Your password') ?? ''
   *   return (await client.call('confirm', { password })).outcome === 'ok'
   * })
   * ```
   */
  readonly onConfirmationRequired: (ask: AskConfirmation) => () => void
  /** Asks the user to confirm now. Resolves to `false` if the user cancels, or nothing asks. */
  readonly askForConfirmation: (accepted: AcceptedProofs) => Promise<boolean>
}

/** The options of `createAuthClient`. */
export interface AuthClientOptions {
  /** Origin of the service. Default: the page's own. */
  readonly baseUrl?: string
  /**
   * Language of the service's messages, a BCP 47 tag, for a page whose language is not the
   * browser's. Default: those of the browser.
   */
  readonly locale?: string
  /** Sends every request. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
}

type PathOf<Name extends RouteName> = (typeof paths)[Name]['path']
type ParamsIn<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? Param | ParamsIn<Rest>
  : never

/** The body, if the route takes one, then the parameters of its path. */
export type CallArguments<Name extends RouteName> = [ParamsIn<PathOf<Name>>] extends [never]
  ? RequestBody<Name> extends null
    ? []
    : undefined extends RequestBody<Name>
      ? [body?: RequestBody<Name>]
      : [body: RequestBody<Name>]
  : [body: RequestBody<Name>, params: Readonly<Record<ParamsIn<PathOf<Name>>, string>>]

type Params = Readonly<Record<string, string>>

interface Wire extends Omit<HostWire, 'csrf' | 'confirmation'> {
  readonly csrf: CsrfToken<CallAnswer>
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>
}

/** Longer than the service ever takes: it gives each of its own calls five seconds. */
const DEADLINE_MS = 30_000

/**
 * Creates a client for the browser. Stores nothing but cookies.
 *
 * @example
 * ```ts
 * const client = createAuthClient()
 * const answer = await client.call('login', { email: 'ada@example.com', password: 'secret' })
 * if (answer.outcome === 'refused') console.error(answer.refusal.message)
 * const orders = await client.fetch('/api/orders', { method: 'POST', body: '{}' })
 * ```
 */
export function createAuthClient(options: AuthClientOptions = {}): AuthClient {
  const { baseUrl = '', locale, fetch = globalThis.fetch.bind(globalThis) } = options
  const csrf = createCsrfToken({
    site: () => siteOf(baseUrl),
    fetchToken: async (keep) => (await fetchToken(wire, keep)).answer,
    requestUser: async () => send(wire, 'user', { body: null, params: {}, token: null }),
  })
  const credentials = () => (siteOf(baseUrl) === 'own' ? 'same-origin' : 'include')
  const headers = {
    Accept: 'application/json',
    ...(locale !== undefined && { 'Accept-Language': locale }),
  }
  const wire: Wire = { baseUrl, fetch, csrf, credentials, headers }
  const confirmation = createConfirmation()
  return {
    fetch: createHostFetch({ ...wire, confirmation }),
    onConfirmationRequired: confirmation.onRequired,
    askForConfirmation: confirmation.ask,
    isGuest: async () => (await fetchToken(wire, (token) => csrf.accept(token))).session === 'none',
    async call<Name extends CallName>(
      name: Name,
      ...[body = null, params = {}]: readonly unknown[]
    ) {
      if (name === 'login') csrf.forgetShownUser()
      // `CallArguments` types the second argument as the path's parameters.
      const sent = { body, params: params as Params }
      const answer = await confirmation.send(
        async () => {
          if (name === 'user') return csrf.requestShownUser()
          return isSafe(paths[name].method)
            ? sendSafe(wire, name, sent)
            : sendUnsafe(wire, name, sent)
        },
        (given) => (given.outcome === 'refused' ? given.refusal : null),
      )
      // The way back from an impersonation is to another user than the page shows.
      const isSameUser = ROTATING.has(name) && name !== 'impersonation.end'
      if (answer.outcome === 'ok' && isSameUser) csrf.keepShownUser()
      // The service sends the payloads of the route table; the client only recognises them.
      return answer as CallResult<Name>
    },
  }
}

interface Sent {
  readonly body: unknown
  readonly params: Params
}

interface SentOnce extends Sent {
  readonly token: string | null
}

/** Refuses a read, as a change would be, that may have read the data of another user. */
async function sendSafe(wire: Wire, name: CallName, sent: Sent): Promise<CallAnswer> {
  const answer = await send(wire, name, { ...sent, token: null })
  if (answer.outcome === 'refused') return answer
  const other = await wire.csrf.findOtherUser()
  if (other?.outcome !== 'ok') return other ?? answer
  const key = 'svc::auth.csrf_mismatch'
  const message = 'another user has logged in'
  return { outcome: 'refused', refusal: { status: CSRF_MISMATCH_STATUS, key, message } }
}

async function sendUnsafe(wire: Wire, name: CallName, sent: Sent): Promise<CallAnswer> {
  if (wire.csrf.known().length === 0) {
    const fetched = await wire.csrf.renew([])
    if (fetched.outcome === 'refused') return fetched
  }
  return sendWithToken(
    wire.csrf,
    async (token) => send(wire, name, { ...sent, token }),
    (answer) => answer.outcome === 'refused' && answer.refusal.status === CSRF_MISMATCH_STATUS,
    (renewal) => (renewal.outcome === 'refused' ? renewal : null),
  )
}

/** Fetches a token. A front end on another site cannot read the cookie and needs the header. */
async function fetchToken(wire: Wire, keep: (token: string) => void) {
  const received = await request(wire, 'csrf', { body: null, params: {}, token: null })
  const answer = answerOf('csrf', received)
  const token = received.headers.get(headerNames.csrfToken)
  if (token !== null) keep(token)
  return { answer, session: received.headers.get(headerNames.session) }
}

async function send(wire: Wire, name: CallName, sent: SentOnce): Promise<CallAnswer> {
  return answerOf(name, await request(wire, name, sent))
}

async function request(
  wire: Wire,
  name: CallName,
  { body, params, token }: SentOnce,
): Promise<Received> {
  const { method, path } = paths[name]
  const headers: Record<string, string> = { ...wire.headers }
  if (token !== null) headers[headerNames.csrfToken] = token
  if (body !== null) headers['Content-Type'] = 'application/json'
  const init: RequestInit = {
    method,
    headers,
    body: body === null ? null : JSON.stringify(body),
    credentials: wire.credentials(),
    // The service completes the request even if the user leaves the page meanwhile.
    keepalive: !isSafe(method),
    // The service never redirects; a redirect comes from a proxy or a captive portal.
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
  }
  try {
    const response = await wire.fetch(wire.baseUrl + API_PATH + filled(path, params), init)
    const { ok, status, headers } = response
    return { ok, status, headers, body: parsed(await response.text()) }
  } catch (cause) {
    throw new NetworkError('the service could not be reached', { cause })
  }
}

function filled(path: string, params: Params): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function siteOf(baseUrl: string): 'own' | 'other' {
  const isHere = baseUrl === '' || new URL(baseUrl, location.href).origin === location.origin
  return isHere ? 'own' : 'other'
}
