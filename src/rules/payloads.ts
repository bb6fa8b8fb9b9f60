import { z } from 'zod'
import { sizes } from './limits.ts'
import type { MessageKey } from './messages.ts'
import type { RouteName } from './routes.ts'

/**
 * Schemas of every request and response body. They are the only home of the wire names.
 *
 * @see docs/specification.md, "Resources and their fields"; docs/http-api.md, "Routes" and "Errors"
 */

/** Marks a schema's message as a key of the catalogue. The response translates it. */
const says = (key: MessageKey): MessageKey => key

/**
 * Rejects lone surrogates, which all encode to the same bytes and would make two passwords
 * equal.
 */
const text = (required: MessageKey) =>
  z
    .string({
      error: (issue) => (issue.input === undefined ? required : says('svc::auth.field.type')),
    })
    .min(1, { error: required, abort: true })
    .refine((value) => value.isWellFormed(), {
      error: says('svc::auth.field.characters'),
      abort: true,
    })

const CONTROL = /\p{Cc}/u

/** Rejects control characters in text that is displayed or compared literally. */
const plain = (required: MessageKey, most: number) =>
  text(required)
    .max(most, { error: says('svc::auth.field.length'), abort: true })
    .refine((value) => value.trim() !== '', { error: required, abort: true })
    .refine((value) => !CONTROL.test(value), { error: says('svc::auth.field.characters') })

const credentials = z.object({
  email: plain('svc::auth.field.email.required', sizes.emailCharacters),
  password: text('svc::auth.field.password.required').max(sizes.passwordCharacters, {
    error: says('svc::auth.field.length'),
  }),
})

const codeEntry = z.object({
  code: plain('svc::auth.field.code.required', sizes.codeCharacters).transform((code) =>
    code.trim(),
  ),
})

const setupRequest = z.object({
  fresh: z.boolean({ error: says('svc::auth.field.type') }).optional(),
})

const sendRequest = z.object({
  panel: z.string({ error: says('svc::auth.field.type') }).optional(),
})

const loginAnswer = z.union([
  z.object({ two_factor: z.literal(false) }),
  z.object({ two_factor: z.literal(true), expires_in: z.int(), attempts_left: z.int() }),
])

const instant = z.iso.datetime({ precision: 3 })

/** The body of `GET /user`, unless the host presents its users differently. */
const user = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  email_verified_at: instant.nullable(),
})

export type UserBody = z.infer<typeof user>

const twoFactorStatus = z.object({
  enabled: z.boolean(),
  required: z.boolean(),
  pending: z.boolean(),
  codes_unseen: z.boolean(),
})

const unreadCount = z.object({ unread_count: z.int().min(0) })

/** An entry of the bell. */
export const notificationEntry = z.object({
  id: z.uuid(),
  type: z.string(),
  data: z.object({ title: z.string(), body: z.string().nullable(), url: z.string().nullable() }),
  read_at: instant.nullable(),
  created_at: instant,
})
export type NotificationEntry = z.infer<typeof notificationEntry>

/** The request and success bodies of every route; `null` means no body. */
export const payloads = {
  csrf: { request: null, success: null },
  login: { request: credentials, success: loginAnswer },
  'login.two-factor': { request: codeEntry, success: null },
  logout: { request: null, success: null },
  user: { request: null, success: user },
  'two-factor': { request: null, success: twoFactorStatus },
  'two-factor.setup': {
    request: setupRequest.optional(),
    success: z.object({ secret: z.string(), qr_code: z.string() }),
  },
  'two-factor.confirm': {
    request: codeEntry,
    success: z.object({ recovery_codes: z.array(z.string()) }),
  },
  'two-factor.codes-seen': { request: null, success: null },
  'two-factor.disable': { request: null, success: null },
  'svc.email.send': {
    request: sendRequest.optional(),
    success: z.object({ retry_after: z.int().min(0) }),
  },
  'svc.email.verify': { request: null, success: null },
  notifications: {
    request: null,
    success: z.object({ data: z.array(notificationEntry), unread_count: z.int().min(0) }),
  },
  'notifications.unread-count': { request: null, success: unreadCount },
  'notifications.read': { request: null, success: unreadCount },
  'notifications.read-all': { request: null, success: unreadCount },
  'notifications.stream': { request: null, success: null },
  openapi: { request: null, success: z.looseObject({ openapi: z.string() }) },
} as const satisfies Record<
  RouteName,
  { readonly request: z.ZodType | null; readonly success: z.ZodType | null }
>

type Payloads = typeof payloads
type Body<Schema> = Schema extends z.ZodType ? z.input<Schema> : null

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
export const refusalBody = z.object({
  message: z.string(),
  key: z.enum(Object.keys(refusals) as [RefusalKey, ...RefusalKey[]]),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  retry_after: z.int().min(0).optional(),
  two_factor: z.literal(true).optional(),
  expires_in: z.int().min(0).optional(),
  attempts_left: z.int().min(0).optional(),
  email_verification_required: z.literal(true).optional(),
  email: z.string().optional(),
  two_factor_setup_required: z.literal(true).optional(),
})
export type RefusalBody = z.infer<typeof refusalBody>
