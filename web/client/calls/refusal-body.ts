import type { RefusalBody } from '../../../src/rules/refusals.ts'

/** Returns whether a body is a refusal of the service. */
export function isRefusal(body: unknown): body is RefusalBody {
  if (typeof body !== 'object' || body === null) return false
  return 'key' in body && typeof body.key === 'string' && 'message' in body
}
