import * as v from 'valibot'
import type { MessageKey } from './messages.ts'
import { count } from './routes/body-schemas.ts'

/** Every refusal, by the key that a client switches on, with the field at fault. */
export const refusals = {
  'svc::auth.unauthenticated': { field: null },
  'svc::auth.csrf_mismatch': { field: null },
  'svc::auth.origin_mismatch': { field: null },
  'svc::auth.failed': { field: 'email' },
  'svc::auth.throttle': { field: 'email' },
  'svc::auth.invalid': { field: null },
  'svc::auth.two_factor_invalid': { field: 'code' },
  'svc::auth.two_factor_exhausted': { field: 'code' },
  'svc::auth.two_factor_expired': { field: 'code' },
  'svc::auth.two_factor_setup_missing': { field: 'code' },
  'svc::auth.two_factor_already_enabled': { field: null },
  'svc::auth.required_cannot_disable': { field: null },
  'svc::auth.two_factor_devices_full': { field: null },
  'svc::auth.two_factor_last_device': { field: null },
  'svc::auth.email_verification_required': { field: null },
  'svc::auth.two_factor_setup_required': { field: null },
  'svc::auth.confirmation_required': { field: null },
  'svc::auth.verification_invalid': { field: null },
  'svc::auth.password_incorrect': { field: 'current_password' },
  'svc::auth.password_link_invalid': { field: 'token' },
  'svc::auth.session_current': { field: null },
  'svc::auth.session_link_invalid': { field: 'token' },
  'svc::auth.impersonated': { field: null },
  'svc::auth.not_found': { field: null },
  'svc::auth.method_not_allowed': { field: null },
  'svc::auth.unsupported_media_type': { field: null },
  'svc::auth.malformed': { field: null },
  'svc::auth.too_large': { field: null },
  'svc::auth.too_many_requests': { field: null },
  'svc::auth.unavailable': { field: null },
} as const satisfies Partial<Record<MessageKey, { readonly field: string | null }>>

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
