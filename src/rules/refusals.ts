import * as v from 'valibot'
import type { MessageKey } from './messages.ts'
import { count } from './routes/body-schemas.ts'
import { CSRF_MISMATCH_STATUS } from './wire.ts'

interface RefusalRow {
  readonly status: number
  readonly field: string | null
}

/** Every refusal, by the key that a client switches on, with its status and the field at fault. */
export const refusals = {
  'svc::auth.malformed': { status: 400, field: null },
  'svc::auth.unauthenticated': { status: 401, field: null },
  'svc::auth.origin_mismatch': { status: 403, field: null },
  'svc::auth.email_verification_required': { status: 403, field: null },
  'svc::auth.two_factor_setup_required': { status: 403, field: null },
  'svc::auth.confirmation_required': { status: 403, field: null },
  'svc::auth.required_cannot_disable': { status: 403, field: null },
  'svc::auth.verification_invalid': { status: 403, field: null },
  'svc::auth.impersonated': { status: 403, field: null },
  'svc::auth.not_found': { status: 404, field: null },
  'svc::auth.method_not_allowed': { status: 405, field: null },
  'svc::auth.two_factor_already_enabled': { status: 409, field: null },
  'svc::auth.session_current': { status: 409, field: null },
  'svc::auth.two_factor_devices_full': { status: 409, field: null },
  'svc::auth.two_factor_last_device': { status: 409, field: null },
  'svc::auth.too_large': { status: 413, field: null },
  'svc::auth.unsupported_media_type': { status: 415, field: null },
  'svc::auth.csrf_mismatch': { status: CSRF_MISMATCH_STATUS, field: null },
  'svc::auth.failed': { status: 422, field: 'email' },
  'svc::auth.throttle': { status: 422, field: 'email' },
  'svc::auth.invalid': { status: 422, field: null },
  'svc::auth.two_factor_invalid': { status: 422, field: 'code' },
  'svc::auth.two_factor_exhausted': { status: 422, field: 'code' },
  'svc::auth.two_factor_expired': { status: 422, field: 'code' },
  'svc::auth.two_factor_setup_missing': { status: 422, field: 'code' },
  'svc::auth.password_incorrect': { status: 422, field: 'current_password' },
  'svc::auth.password_link_invalid': { status: 422, field: 'token' },
  'svc::auth.session_link_invalid': { status: 422, field: 'token' },
  'svc::auth.too_many_requests': { status: 429, field: null },
  'svc::auth.unavailable': { status: 503, field: null },
} as const satisfies Partial<Record<MessageKey, RefusalRow>>

export type RefusalKey = keyof typeof refusals

/**
 * The body of every refusal. `errors` is present only when a field is at fault; `retry_after` and
 * `expires_in` are in seconds. `request_id` names the line of an outage in the log.
 */
export const refusalBody = v.strictObject({
  message: v.string(),
  key: v.picklist(Object.keys(refusals) as RefusalKey[]),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  retry_after: v.optional(count),
  request_id: v.optional(v.string()),
  two_factor: v.optional(v.literal(true)),
  expires_in: v.optional(count),
  attempts_left: v.optional(count),
  email_verification_required: v.optional(v.literal(true)),
  email: v.optional(v.string()),
  two_factor_setup_required: v.optional(v.literal(true)),
  confirmation_required: v.optional(v.literal(true)),
})
export type RefusalBody = v.InferOutput<typeof refusalBody>
