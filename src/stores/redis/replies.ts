import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'

/*
 * Checks the types of Redis replies: a client may be configured to return buffers, or numbers as
 * text.
 */

/**
 * Returns a reply that is a string.
 *
 * @throws {StoreError} The reply is not a string.
 */
export function text(answer: unknown): string {
  if (typeof answer === 'string') return answer
  throw new StoreError('Redis did not return a string; its client must return texts as strings')
}

/**
 * Returns a stored text; `null` when it is empty, or a record of an earlier release has none.
 *
 * @throws {StoreError} The value is not a string.
 */
export function textOrNull(stored: unknown): string | null {
  return stored === null || stored === '' ? null : text(stored)
}

/**
 * Returns a reply that is a list of strings.
 *
 * @throws {StoreError} The reply is not a list of strings.
 */
export function texts(answer: unknown): readonly string[] {
  return list(answer).map(text)
}

/**
 * Returns a reply that is a list.
 *
 * @throws {StoreError} The reply is not a list.
 */
export function list(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new StoreError('Redis did not return a list')
}

/**
 * Returns a reply that is a number.
 *
 * @throws {StoreError} The reply is not a number.
 */
export function count(answer: unknown): number {
  const number = Number(answer)
  if (Number.isSafeInteger(number)) return number
  throw new StoreError('Redis did not return a number')
}

/**
 * Returns the sum of replies that are numbers.
 *
 * @throws {StoreError} A reply is not a number.
 */
export function sum(answers: readonly unknown[]): number {
  return answers.reduce<number>((total, answer) => total + count(answer), 0)
}

/**
 * Returns a stored time.
 *
 * @throws {StoreError} The value is not a time.
 */
export function instant(stored: unknown): EpochMs {
  const at = typeof stored === 'string' ? Number(stored) : Number.NaN
  if (Number.isFinite(at)) return at
  throw new StoreError('Redis returned a value that is not a time')
}

/**
 * Parses stored JSON.
 *
 * @throws {StoreError} The text is not JSON.
 */
export function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch (cause) {
    throw new StoreError('Redis returned a value that the service did not write', { cause })
  }
}

/**
 * Returns the values of a record's fields, in their order and not checked; `null` when it does not
 * exist. They are read by position: an object with computed keys takes as long to build as Redis
 * takes to answer.
 *
 * @throws {StoreError} The reply is not a list. A text is the error of reading this record.
 */
export function valuesOf(answer: unknown): readonly unknown[] | null {
  if (typeof answer === 'string') throw new StoreError(`Redis could not read a record: ${answer}`)
  const values = list(answer)
  return values.every((value) => value === null) ? null : values
}

/** Returns names and values as the flat list that Redis expects. */
export function flat(
  fields: Readonly<Record<string, string | number>>,
): readonly (string | number)[] {
  return Object.entries(fields).flat()
}
