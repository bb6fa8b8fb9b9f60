import type { User } from '../core/boundary/checked-users.ts'
import type { PlainRequest } from '../contracts/host.ts'
import { readGuardOptions } from '../contracts/guard-options.ts'
import type {
  PanelAuth,
  RequestHeaders,
  Verdict,
  WebHeaders,
} from '../contracts/service-contract.ts'
import { guardHost } from './handle.ts'
import type { Service } from './service.ts'

/**
 * Creates `auth.userFrom`. A page is rendered by many components, each of which asks, so the
 * verdict is kept for as long as the headers are.
 */
export function createUserFrom(service: Service): PanelAuth<User>['userFrom'] {
  const kept = new WeakMap<RequestHeaders, Map<string, Promise<Verdict<User>>>>()
  return async (headers, options = {}) => {
    const { access, csrf } = readGuardOptions(options)
    const isAction = options.csrf !== undefined
    const key = isAction ? `${access} ${csrf}` : access
    const known = kept.get(headers) ?? new Map<string, Promise<Verdict<User>>>()
    kept.set(headers, known)
    const request = requestOf(headers, isAction ? 'POST' : 'GET')
    const verdict = known.get(key) ?? guardHost(service, request, { access, csrf, passive: true })
    known.set(key, verdict)
    return verdict
  }
}

function requestOf(headers: RequestHeaders, method: 'GET' | 'POST'): PlainRequest {
  return {
    method,
    target: '/',
    address: null,
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
  if (isWeb(headers)) return headers.get(name)
  const value = headers[name]
  return typeof value === 'object' ? value.join(', ') : (value ?? null)
}

function isWeb(headers: RequestHeaders): headers is WebHeaders {
  return typeof headers.get === 'function'
}
