import { warnOnce } from '../../contracts/warn-once.ts'
import type { ReadAnswer } from './checked.ts'

/* The types of answers that several contracts have in common. */

/** Returns whether an answer is an object other than an array. */
export function isObject(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
}

/** Reads `true` or `false`. */
export const flag: ReadAnswer<boolean> = (answer, wrong) => {
  if (typeof answer === 'boolean') return answer
  throw wrong('true or false', answer)
}

/** Reads a permission: any value but a literal `true` refuses. Node warns once of a truthy one. */
export const onlyTrue: ReadAnswer<boolean> = (answer, wrong) => {
  const isTruthy = Boolean(answer)
  if (isTruthy && answer !== true) warnOnce(wrong('a literal true to allow', answer).message)
  return answer === true
}

/**
 * Reads the answer of a method that promises none. Many libraries return something, and some
 * resolve where they fail: Resend and Supabase with `error`, `fetch` with `ok: false`.
 */
export const nothing: ReadAnswer<void> = (answer, wrong) => {
  if (!isObject(answer)) return
  const { error, ok }: { readonly error?: unknown; readonly ok?: unknown } = answer
  // A logger may return itself, whose `error` is a method.
  if (ok === false || isObject(error) || (typeof error === 'string' && error !== ''))
    throw wrong(
      'no object with a failure',
      answer,
      'throw the `error` of your library, or where `ok` is false',
    )
}

/** Reads a number of things. */
export const count: ReadAnswer<number> = (answer, wrong) => {
  if (Number.isSafeInteger(answer) && Number(answer) >= 0) return Number(answer)
  throw wrong('a whole number from 0', answer)
}

/** Reads a time in milliseconds. */
export const time: ReadAnswer<number> = (answer, wrong) => {
  if (Number.isFinite(answer)) return Number(answer)
  throw wrong('milliseconds since 1970 as a number', answer)
}

/** Reads a text. */
export const text: ReadAnswer<string> = (answer, wrong) => {
  if (typeof answer === 'string') return answer
  throw wrong('a string', answer)
}

/** Reads an answer that may also be `null`. */
export function orNull<Answer>(read: ReadAnswer<Answer>): ReadAnswer<Answer | null> {
  return (answer, wrong) => (answer === null ? null : read(answer, wrong))
}

/** Reads a list. */
export function listOf<Item>(read: ReadAnswer<Item>): ReadAnswer<readonly Item[]> {
  return (answer, wrong) => {
    if (!Array.isArray(answer)) throw wrong('an array', answer)
    for (const item of answer) read(item, wrong)
    return answer
  }
}

/** Reads an object with these fields. */
export function record<Fields extends object>(fields: {
  readonly [Name in keyof Fields]: ReadAnswer<Fields[Name]>
}): ReadAnswer<Fields> {
  const names = Object.keys(fields) as (keyof Fields & string)[]
  return (answer, wrong) => {
    if (typeof answer !== 'object' || answer === null) throw wrong('an object', answer)
    const given = answer as Fields
    for (const name of names)
      fields[name](given[name], (promised, got) => wrong(`${name} as ${promised}`, got))
    return given
  }
}
