import * as v from 'valibot'
import { sizes } from '../limits.ts'
import type { MessageKey } from '../messages.ts'
import { messageOfMissing } from '../validation.ts'

/*
 * The parts of the schemas of bodies. A schema is the only home of its wire names.
 *
 * @see docs/specification.md, "Resources and their fields"; docs/http-api.md, "Routes"
 */

/** Marks a schema's message as a key of the catalogue. The response translates it. */
export const says = (key: MessageKey): MessageKey => key

/** Describes a request body. Unknown fields are ignored. */
export const body = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  v.object(fields, messageOfMissing(fields))

/**
 * Rejects lone surrogates, which all encode to the same bytes and would make two passwords
 * equal.
 */
export const text = (required: MessageKey) =>
  v.pipe(
    v.string(({ input }) => (input === undefined ? required : says('svc::auth.field.type'))),
    v.minLength(1, required),
    v.check((value) => value.isWellFormed(), says('svc::auth.field.characters')),
  )

const CONTROL = /\p{Cc}/u

/** Rejects control characters in text that is displayed or compared literally. */
export const plain = (required: MessageKey, most: number) =>
  v.pipe(
    text(required),
    v.maxCodePoints(most, says('svc::auth.field.length')),
    v.check((value) => value.trim() !== '', required),
    v.check((value) => !CONTROL.test(value), says('svc::auth.field.characters')),
  )

/** The email of a login, and of everything else that looks a user up by it. */
export const emailEntry = plain('svc::auth.field.email.required', sizes.emailCharacters)

/** Describes a password as it was typed: neither trimmed nor normalised. */
export const passwordEntry = (required: MessageKey = 'svc::auth.field.password.required') =>
  v.pipe(text(required), v.maxCodePoints(sizes.passwordCharacters, says('svc::auth.field.length')))

/** The token of a link in a mail. */
export const tokenEntry = plain('svc::auth.field.token.required', sizes.tokenCharacters)

/** The panel that a link in a mail leads to. */
export const panelEntry = v.optional(v.string(says('svc::auth.field.type')))

/** Describes a choice that is `false` unless it is made. */
export const choice = v.optional(v.boolean(says('svc::auth.field.type')))

export const codeEntry = body({
  code: v.pipe(plain('svc::auth.field.code.required', sizes.codeCharacters), v.trim()),
})

export const integer = v.pipe(v.number(), v.safeInteger())
export const count = v.pipe(integer, v.minValue(0))

/** A time as `Date.toISOString` writes it. */
export const instant = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
)

/** A secret that waits for its first code. */
export const setUpAnswer = v.strictObject({ secret: v.string(), qr_code: v.string() })
export const setUpExample = {
  secret: 'JBSWY3DPEHPK3PXP',
  qr_code: 'data:image/svg+xml;base64,PHN2Zy8+',
}

/** The place of a session or device; `null`: unknown. */
export const placeFields = {
  browser: v.nullable(v.string()),
  system: v.nullable(v.string()),
  network: v.nullable(v.string()),
}
export const placeExample = { browser: 'Firefox', system: 'Linux', network: '203.0.113.x' }
