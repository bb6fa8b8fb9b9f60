import type { PlainRequest } from '../../contracts/host.ts'
import { ownProperty } from '../../contracts/own-properties.ts'
import { hostOfHttp2 } from '../../contracts/request-headers.ts'
import type { RequestHeaders, WebHeaders } from '../../contracts/service-contract.ts'

/** The rest of a request of which the headers are known. */
interface Known {
  readonly method: 'GET' | 'POST'
  /** The address of the client; `null`: unknown. */
  readonly address?: string | null
}

/** Makes a request for the gates from its headers, where nothing else of it is known. */
export function requestOfHeaders(
  headers: RequestHeaders,
  { method, address = null }: Known,
): PlainRequest {
  return {
    method,
    target: '/',
    address,
    header: (name) => (isFormHeader(name, headers) ? null : valueOf(headers, name)),
    body: async () => new Uint8Array(),
  }
}

/**
 * Returns whether a header must be ignored so that a submitted form is not taken for a followed
 * link, which may come from any site. Browsers send `Origin` with a form, never with a link. If
 * this header is ignored, the origin must be listed.
 */
function isFormHeader(name: string, headers: RequestHeaders): boolean {
  return name === 'sec-fetch-mode' && valueOf(headers, 'origin') !== null
}

function valueOf(headers: RequestHeaders, name: string): string | null {
  // A request of Express, which may be given in place of its headers, returns `undefined`.
  if (isWeb(headers)) return headers.get(name) ?? null
  const value = ownProperty(headers, name)
  const authority = ownProperty(headers, ':authority')
  if (name === 'host' && typeof authority === 'string')
    return hostOfHttp2(authority, value?.toString())
  return Array.isArray(value) ? value.join(', ') : ((value as string | undefined) ?? null)
}

function isWeb(headers: RequestHeaders): headers is WebHeaders {
  return typeof headers.get === 'function'
}
