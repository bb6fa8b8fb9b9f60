import * as v from 'valibot'
import { sizes } from './limits.ts'
import type { MessageKey } from './messages.ts'
import type { RouteName } from './routes.ts'
import { messageOfMissing } from './validation.ts'

/**
 * Schemas of every request and response body. They are the only home of the wire names.
 *
 * @see docs/specification.md, "Resources and their fields"; docs/http-api.md, "Routes" and "Errors"
 */

/** Marks a schema's message as a key of the catalogue. The response translates it. */
const says = (key: MessageKey): MessageKey => key

/** Describes a request body. Unknown fields are ignored. */
const body = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  v.object(fields, messageOfMissing(fields))

/**
 * Rejects lone surrogates, which all encode to the same bytes and would make two passwords
 * equal.
 */
const text = (required: MessageKey) =>
  v.pipe(
    v.string(({ input }) => (input === undefined ? required : says('svc::auth.field.type'))),
    v.minLength(1, required),
    v.check((value) => value.isWellFormed(), says('svc::auth.field.characters')),
  )

const CONTROL = /\p{Cc}/u

/** Rejects control characters in text that is displayed or compared literally. */
const plain = (required: MessageKey, most: number) =>
  v.pipe(
    text(required),
    v.maxCodePoints(most, says('svc::auth.field.length')),
    v.check((value) => value.trim() !== '', required),
    v.check((value) => !CONTROL.test(value), says('svc::auth.field.characters')),
  )

const credentials = body({
  email: plain('svc::auth.field.email.required', sizes.emailCharacters),
  password: v.pipe(
    text('svc::auth.field.password.required'),
    v.maxCodePoints(sizes.passwordCharacters, says('svc::auth.field.length')),
  ),
})

const codeEntry = body({
  code: v.pipe(plain('svc::auth.field.code.required', sizes.codeCharacters), v.trim()),
})

const setupRequest = body({
  fresh: v.optional(v.boolean(says('svc::auth.field.type'))),
})

const sendRequest = body({
  panel: v.optional(v.string(says('svc::auth.field.type'))),
})

const integer = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(integer, v.minValue(0))

const loginAnswer = v.union([
  v.strictObject({ two_factor: v.literal(false) }),
  v.strictObject({ two_factor: v.literal(true), expires_in: integer, attempts_left: integer }),
])

/** A time as `Date.toISOString` writes it. */
const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
)

/** The body of `GET /user`, unless the host presents its users differently. */
const user = v.looseObject({
  id: v.string(),
  name: v.nullable(v.string()),
  email: v.string(),
  email_verified_at: v.nullable(instant),
})

export type UserBody = v.InferOutput<typeof user>

const twoFactorStatus = v.strictObject({
  enabled: v.boolean(),
  required: v.boolean(),
  pending: v.boolean(),
  codes_unseen: v.boolean(),
})

const unreadCount = v.strictObject({ unread_count: count })

/** An entry of the bell. */
export const notificationEntry = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  type: v.string(),
  data: v.strictObject({
    title: v.string(),
    body: v.nullable(v.string()),
    url: v.nullable(v.string()),
  }),
  read_at: v.nullable(instant),
  created_at: instant,
})
export type NotificationEntry = v.InferOutput<typeof notificationEntry>

/** The request and success bodies of every route; `null` means no body. */
export const payloads = {
  csrf: { request: null, success: null },
  login: { request: credentials, success: loginAnswer },
  'login.two-factor': { request: codeEntry, success: null },
  logout: { request: null, success: null },
  user: { request: null, success: user },
  'two-factor': { request: null, success: twoFactorStatus },
  'two-factor.setup': {
    request: v.optional(setupRequest),
    success: v.strictObject({ secret: v.string(), qr_code: v.string() }),
  },
  'two-factor.confirm': {
    request: codeEntry,
    success: v.strictObject({ recovery_codes: v.array(v.string()) }),
  },
  'two-factor.codes-seen': { request: null, success: null },
  'two-factor.disable': { request: null, success: null },
  'svc.email.send': {
    request: v.optional(sendRequest),
    success: v.strictObject({ retry_after: count }),
  },
  'svc.email.verify': { request: null, success: null },
  notifications: {
    request: null,
    success: v.strictObject({ data: v.array(notificationEntry), unread_count: count }),
  },
  'notifications.unread-count': { request: null, success: unreadCount },
  'notifications.read': { request: null, success: unreadCount },
  'notifications.read-all': { request: null, success: unreadCount },
  'notifications.stream': { request: null, success: null },
  openapi: { request: null, success: v.looseObject({ openapi: v.string() }) },
} as const satisfies Record<
  RouteName,
  { readonly request: v.GenericSchema | null; readonly success: v.GenericSchema | null }
>

type Payloads = typeof payloads
type Body<Schema> = Schema extends v.GenericSchema ? v.InferInput<Schema> : null

/** The request body of a route. */
export type RequestBody<Name extends RouteName> = Body<Payloads[Name]['request']>
/** The success body of a route. */
export type SuccessBody<Name extends RouteName> = Body<Payloads[Name]['success']>

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
  'svc::auth.email_verification_required': { field: null },
  'svc::auth.two_factor_setup_required': { field: null },
  'svc::auth.verification_invalid': { field: null },
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
 * `expires_in` are in seconds.
 */
export const refusalBody = v.strictObject({
  message: v.string(),
  key: v.picklist(Object.keys(refusals) as RefusalKey[]),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
  retry_after: v.optional(count),
  two_factor: v.optional(v.literal(true)),
  expires_in: v.optional(count),
  attempts_left: v.optional(count),
  email_verification_required: v.optional(v.literal(true)),
  email: v.optional(v.string()),
  two_factor_setup_required: v.optional(v.literal(true)),
})
export type RefusalBody = v.InferOutput<typeof refusalBody>
