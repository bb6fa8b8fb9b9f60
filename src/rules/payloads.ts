import { z } from 'zod'
import { sizes } from './limits.ts'
import type { MessageKey } from './messages.ts'
import type { RouteName } from './routes.ts'

/**
 * Every body of the wire, as schemas: wire names live here and nowhere else.
 *
 * @see Specification, "Resources and their fields"; http-contract.md, "Routes" and "Errors"
 */

/** Messages of the schemas are keys of the catalogue, put into the request's language when they are answered. */
const says = (key: MessageKey): MessageKey => key

/** Unpaired surrogates encode to the same bytes, so that two passwords would collide. */
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

// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

const credentials = z.object({
  email: text('svc::auth.field.email.required')
    .max(sizes.emailCharacters, { error: says('svc::auth.field.length'), abort: true })
    .refine((value) => value.trim() !== '', {
      error: says('svc::auth.field.email.required'),
      abort: true,
    })
    .refine((value) => !CONTROL.test(value), { error: says('svc::auth.field.characters') }),
  password: text('svc::auth.field.password.required').max(sizes.passwordCharacters, {
    error: says('svc::auth.field.length'),
  }),
})

/** The body of `POST /login`. */
export type Credentials = z.infer<typeof credentials>

const loginAnswer = z.object({ two_factor: z.literal(false) })

const instant = z.iso.datetime({ precision: 3 })

/** The body of `GET /user`, unless the host presents its users otherwise. */
const user = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  email: z.string(),
  email_verified_at: instant.nullable(),
})
export type UserBody = z.infer<typeof user>

/** What a request to a route carries and what its success answers; `null` is no body. */
export const payloads = {
  csrf: { request: null, success: null },
  login: { request: credentials, success: loginAnswer },
  logout: { request: null, success: null },
  user: { request: null, success: user },
} as const satisfies Partial<
  Record<RouteName, { request: z.ZodType | null; success: z.ZodType | null }>
>

type Payloads = typeof payloads
type Body<Schema> = Schema extends z.ZodType ? z.infer<Schema> : null

/** The routes whose bodies are settled. */
export type PayloadRoute = keyof Payloads
export type RequestBody<Name extends PayloadRoute> = Body<Payloads[Name]['request']>
export type SuccessBody<Name extends PayloadRoute> = Body<Payloads[Name]['success']>

/** Every refusal by the key that a client switches on, with the field that is at fault. */
export const refusals = {
  'svc::auth.unauthenticated': { field: null },
  'svc::auth.csrf_mismatch': { field: null },
  'svc::auth.origin_mismatch': { field: null },
  'svc::auth.failed': { field: 'email' },
  'svc::auth.throttle': { field: 'email' },
  'svc::auth.invalid': { field: null },
  'svc::auth.email_verification_required': { field: null },
  'svc::auth.not_found': { field: null },
  'svc::auth.method_not_allowed': { field: null },
  'svc::auth.unsupported_media_type': { field: null },
  'svc::auth.malformed': { field: null },
  'svc::auth.too_large': { field: null },
  'svc::auth.too_many_requests': { field: null },
  'svc::auth.unavailable': { field: null },
} as const satisfies Partial<Record<MessageKey, { field: string | null }>>

export type RefusalKey = keyof typeof refusals

/** The body of every refusal. `errors` only where a field is at fault, `retry_after` in seconds. */
export const refusalBody = z.object({
  message: z.string(),
  key: z.enum(Object.keys(refusals) as [RefusalKey, ...RefusalKey[]]),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  retry_after: z.int().min(0).optional(),
  email_verification_required: z.literal(true).optional(),
  email: z.string().optional(),
})
export type RefusalBody = z.infer<typeof refusalBody>
