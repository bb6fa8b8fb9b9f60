import { expect } from 'vitest'
import type { Answer } from './browser.ts'

export const FAILED = '422 failed'
export const THROTTLED = '422 throttle'
export const LIMITED = '429 too_many_requests'
export const INVALID = '422 invalid'
export const UNAVAILABLE = '503 unavailable'
export const GUEST = '401 unauthenticated'
export const VERIFY_FIRST = '403 email_verification_required'
export const LINK_INVALID = '403 verification_invalid'
export const EXPIRED = '422 two_factor_expired'
export const ALREADY_ENABLED = '409 two_factor_already_enabled'
export const SETUP_MISSING = '422 two_factor_setup_missing'
export const SETUP_REQUIRED = '403 two_factor_setup_required'
export const WRONG_CODE = '422 two_factor_invalid'

/** Names an answer by its outcome: `ok`, or the status and key of the refusal. Checks the refusal's body. */
export function verdict({ status, headers, json }: Answer): string {
  expect(headers['cache-control']).toBe('no-store')
  if (status < 300) return 'ok'
  expect(json).toMatchObject({ message: expect.any(String), key: expect.any(String) })
  if (json.retry_after !== undefined) expect(headers['retry-after']).toBe(String(json.retry_after))
  return `${status} ${json.key.replace('svc::auth.', '')}`
}

/** Returns a list with the same value `count` times. */
export function times(count: number, verdict: string): readonly string[] {
  return Array.from({ length: count }, () => verdict)
}

/** Counts how often each value is in a list. */
export function tally(things: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(things)].map((thing) => [thing, things.filter((other) => other === thing).length]),
  )
}
