import { CSRF_MISMATCH_STATUS, headerNames, isSafe } from '../../../src/rules/wire.ts'
import type { RefusalBody } from '../../../src/rules/refusals.ts'
import type { Confirmation } from './confirmation.ts'
import { sendWithToken, type CsrfToken } from './csrf-token.ts'
import { isRefusal } from './refusal-body.ts'

/**
 * `fetch` for the host's own guarded routes. Takes a `Request` as well as an address, so that
 * client libraries can use it in place of the global one.
 */
export type HostFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

export interface HostWire {
  /** Origin of the service; empty for the page's own. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly credentials: () => RequestCredentials
  readonly csrf: CsrfToken<unknown>
  readonly confirmation: Confirmation
}

/** A request that can be repeated with another token. */
interface HostRequest {
  readonly method: string
  readonly sendPlain: () => Promise<Response>
  readonly sendWith: (token: string | null) => Promise<Response>
}

/** Creates a `fetch` that adds and renews the CSRF token for requests that change something. */
export function createHostFetch(wire: HostWire): HostFetch {
  const { baseUrl, csrf, confirmation } = wire
  return async (input, init = {}) => {
    const url = onOwnSite(baseUrl, input instanceof Request ? input.url : input)
    const isStream = init.body instanceof ReadableStream
    const request =
      input instanceof Request || isStream
        ? fromRequest(wire, new Request(input instanceof Request ? input : url, init), init)
        : fromAddress(wire, url, init)
    return confirmation.send(async () => {
      if (isSafe(request.method)) return request.sendPlain()
      if (csrf.known().length === 0) await csrf.renew([])
      return sendWithToken(csrf, request.sendWith, isMismatch)
    }, forbiddenIn)
  }
}

function fromAddress({ fetch, credentials }: HostWire, url: string, init: RequestInit) {
  const method = (init.method ?? 'GET').toUpperCase()
  const asked = { credentials: credentials(), ...init, method }
  const request: HostRequest = {
    method,
    sendPlain: async () => fetch(url, asked),
    sendWith: async (token) =>
      // A redirect could carry the token to another site; a host that needs one opts in.
      fetch(url, { redirect: 'error', ...asked, headers: withToken(init.headers, token) }),
  }
  return request
}

/** Reads a `Request`. Each attempt sends a copy, because a body can be read only once. */
function fromRequest({ fetch, credentials }: HostWire, given: Request, init: RequestInit) {
  // A `Request` does not show if its caller set the default value.
  const asked = given.credentials === 'same-origin' ? credentials() : given.credentials
  const settings = { credentials: init.credentials ?? asked }
  const redirect = init.redirect ?? (given.redirect === 'follow' ? 'error' : given.redirect)
  const request: HostRequest = {
    method: given.method.toUpperCase(),
    sendPlain: async () => fetch(new Request(given, settings)),
    sendWith: async (token) => {
      const headers = withToken(given.headers, token)
      return fetch(new Request(given.clone(), { ...settings, redirect, headers }))
    },
  }
  return request
}

/**
 * Resolves an address.
 *
 * @throws {TypeError} It leads to another site, which must not learn the token.
 */
function onOwnSite(baseUrl: string, address: string | URL): string {
  const base = new URL(baseUrl, location.href)
  const url = new URL(address, base)
  if (url.origin === base.origin) return url.href
  throw new TypeError(
    `${String(address)} is not on the panel’s site, ${base.origin}: send it with a fetch of your own`,
  )
}

function withToken(given: RequestInit['headers'], token: string | null): Headers {
  const headers = new Headers(given)
  if (token !== null) headers.set(headerNames.csrfToken, token)
  return headers
}

/** Recognises the service's 419. The host's own 419 is not retried. */
async function isMismatch(response: Response): Promise<boolean> {
  const refusal = response.status === CSRF_MISMATCH_STATUS ? await refusalIn(response) : null
  return refusal?.key === 'svc::auth.csrf_mismatch'
}

/** Returns the service's 403; `null` for the host's own, and for every other answer. */
async function forbiddenIn(response: Response): Promise<RefusalBody | null> {
  return response.status === 403 ? refusalIn(response) : null
}

async function refusalIn(response: Response): Promise<RefusalBody | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return isRefusal(body) ? body : null
}
