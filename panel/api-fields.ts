import * as v from 'valibot'
import type { ApiTexts } from './api-texts.ts'

export const BODY_KIB = 16

/** Maximum lengths of fields, in characters. */
export const maxLengths = { title: 120, body: 1000, url: 2048, name: 90, email: 254 } as const

/** Rejects what not every database can keep: U+0000, and half of a surrogate pair. */
const storable = (message: string) =>
  v.check((text: string) => text.isWellFormed() && !text.includes('\0'), message)

/** Returns the rule for an optional field. */
export function optional(most: number, texts: ApiTexts) {
  return v.pipe(
    v.nullish(
      v.pipe(
        v.string(texts.giveText),
        v.trim(),
        storable(texts.giveText),
        v.maxCodePoints(most, texts.tooLong(most)),
      ),
      null,
    ),
    v.transform((text) => (text === '' ? null : text)),
  )
}

/** Returns the rule for a required field: a missing one is treated as empty. */
export function required(message: string) {
  return v.pipe(
    v.nullish(v.string(message), ''),
    v.trim(),
    v.minLength(1, message),
    storable(message),
  )
}
