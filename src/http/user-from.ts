import type { User } from '../core/boundary/checked-users.ts'
import type { PanelAuth, RequestHeaders, Verdict } from '../contracts/service-contract.ts'
import { checkGuardOptions } from './checked-guard.ts'
import { guardMeasured } from './measured-request.ts'
import type { Service } from './service.ts'
import { requestOfHeaders } from './wire/headers-request.ts'

/**
 * Creates `auth.userFrom`. A page is rendered by many components, each of which asks, so the
 * verdict is kept for as long as the headers are.
 */
export function createUserFrom(service: Service): PanelAuth<User>['userFrom'] {
  const kept = new WeakMap<RequestHeaders, Map<string, Promise<Verdict<User>>>>()
  return async (headers, options = {}) => {
    const checked = { ...checkGuardOptions(service, options), passive: true }
    const isAction = options.csrf !== undefined
    const key = JSON.stringify([isAction, checked])
    const known = kept.get(headers) ?? new Map<string, Promise<Verdict<User>>>()
    kept.set(headers, known)
    const request = requestOfHeaders(headers, { method: isAction ? 'POST' : 'GET' })
    const verdict = known.get(key) ?? guardMeasured(service, request, checked)
    known.set(key, verdict)
    return verdict
  }
}
