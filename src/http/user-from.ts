import { ConfigError } from '../contracts/errors.ts'
import { ownProperty } from '../contracts/own-properties.ts'
import type { User } from '../core/boundary/checked-users.ts'
import type { PanelAuth, RequestHeaders, Verdict } from '../contracts/service-contract.ts'
import { isThenable } from '../core/timeouts.ts'
import { checkGuardOptions } from './checked-guard.ts'
import { guardMeasured } from './measured-request.ts'
import type { Service } from './service.ts'
import { requestOfHeaders } from './wire/headers-request.ts'

/**
 * The time for which a verdict is shared. The components of a page ask within it, and a connection
 * that stays open must not be admitted by a verdict of its beginning.
 */
const SHARED_MS = 5000

/** Refuses what has no headers: every user would be sent to the login, again and again. */
function ensureHeaders(given: unknown): void {
  const { headers, get } = Object(given) as Record<string, unknown>
  const isRequest = typeof headers === 'object' && typeof get !== 'function'
  if (typeof given === 'object' && given !== null && !isThenable(given) && !isRequest) return
  throw new ConfigError(
    'userFrom: its argument is not headers: give `request.headers`, or `await headers()` of Next.js',
  )
}

interface SharedVerdict {
  readonly begunAt: number
  readonly verdict: Promise<Verdict<User>>
}

/**
 * Creates `auth.userFrom`. A page is rendered by many components, each of which asks, so the
 * verdict is shared by those that ask with the same object of headers.
 */
export function createUserFrom(service: Service): PanelAuth<User>['userFrom'] {
  const kept = new WeakMap<RequestHeaders, Map<string, SharedVerdict>>()
  return async (headers, options = {}) => {
    ensureHeaders(headers)
    const checked = { ...checkGuardOptions(service, options), passive: true }
    const isAction = ownProperty(options, 'csrf') !== undefined
    const key = JSON.stringify([isAction, checked])
    const known = kept.get(headers) ?? new Map<string, SharedVerdict>()
    kept.set(headers, known)
    const shared = known.get(key)
    const now = performance.now()
    if (shared !== undefined && now - shared.begunAt < SHARED_MS) return shared.verdict
    const request = requestOfHeaders(headers, { method: isAction ? 'POST' : 'GET' })
    const verdict = guardMeasured(service, request, checked)
    known.set(key, { begunAt: now, verdict })
    return verdict
  }
}
