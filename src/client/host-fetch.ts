import { sendWithToken, type CsrfToken } from './csrf-token.ts'

/** `fetch` for routes of the host that the service guards. */
export type HostFetch = (path: string, init?: RequestInit) => Promise<Response>

interface HostWire {
  /** Origin of the service; empty: the page's own. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly credentials: () => RequestCredentials
  readonly csrf: CsrfToken<unknown>
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Fetches, sends and renews the CSRF token where a request changes something. */
export function createHostFetch({ baseUrl, fetch, credentials, csrf }: HostWire): HostFetch {
  return async (path, init = {}) => {
    const url = onOwnSite(baseUrl, path)
    const method = (init.method ?? 'GET').toUpperCase()
    const asked = { credentials: credentials(), ...init, method }
    if (SAFE.has(method)) return fetch(url, asked)

    if (csrf.read() === null) await csrf.renew(null)
    const send = async (token: string | null): Promise<Response> =>
      // A redirect could take the token to another site; a host that needs one says so.
      fetch(url, { redirect: 'error', ...asked, headers: withToken(init.headers, token) })
    return sendWithToken(csrf, send, isMismatch)
  }
}

/** @throws {TypeError} The path leads to another site, which must not learn the token. */
function onOwnSite(baseUrl: string, path: string): string {
  const base = new URL(baseUrl, location.href)
  const url = new URL(path, base)
  if (url.origin === base.origin) return url.href
  throw new TypeError(
    `${path} is not on the panel’s site, ${base.origin}: send it with a fetch of your own`,
  )
}

function withToken(given: RequestInit['headers'], token: string | null): Headers {
  const headers = new Headers(given)
  if (token !== null) headers.set('X-XSRF-TOKEN', token)
  return headers
}

const CSRF_MISMATCH = 419

/** A route of the host may answer 419 for reasons of its own; that is not sent again. */
async function isMismatch(response: Response): Promise<boolean> {
  if (response.status !== CSRF_MISMATCH) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (
    typeof body === 'object' &&
    body !== null &&
    'key' in body &&
    body.key === 'svc::auth.csrf_mismatch'
  )
}
