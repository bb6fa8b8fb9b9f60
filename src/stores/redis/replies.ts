import { StoreError } from '../../contracts.ts'
import type { EpochMs } from '../../contracts.ts'

/*
 * What Redis answers, made sure of: a client may be set to give buffers, or numbers as text.
 */

/** @throws {StoreError} It is none. */
export function text(answer: unknown): string {
  if (typeof answer === 'string') return answer
  throw new StoreError('Redis did not answer with a text; its client must give texts as strings')
}

/** @throws {StoreError} It is none. */
export function texts(answer: unknown): readonly string[] {
  return list(answer).map(text)
}

/** @throws {StoreError} It is none. */
export function list(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new StoreError('Redis did not answer with a list')
}

/** @throws {StoreError} It is none. */
export function count(answer: unknown): number {
  const number = Number(answer)
  if (Number.isSafeInteger(number)) return number
  throw new StoreError('Redis did not answer with a number')
}

/** @throws {StoreError} One of them is no number. */
export function sum(answers: readonly unknown[]): number {
  return answers.reduce<number>((total, answer) => total + count(answer), 0)
}

/** @throws {StoreError} It is none. */
export function instant(stored: unknown): EpochMs {
  const at = typeof stored === 'string' ? Number(stored) : Number.NaN
  if (Number.isFinite(at)) return at
  throw new StoreError('Redis keeps something that is no instant')
}

/** @throws {StoreError} It is no JSON. */
export function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored)
  } catch (cause) {
    throw new StoreError('Redis keeps something that is not of the service', { cause })
  }
}

/** The fields of a record; `null`: there is no record. @throws {StoreError} A field is missing. */
export function valuesOf<Field extends string>(
  answer: unknown,
  fields: readonly Field[],
): Readonly<Record<Field, string>> | null {
  const values = list(answer)
  if (values.every((value) => value === null)) return null
  const entries = fields.map((field, index) => [field, text(values[index])])
  // Each of the fields has just got its value.
  return Object.fromEntries(entries) as Record<Field, string>
}

/** Names and values, as Redis takes them. */
export function flat(
  fields: Readonly<Record<string, string | number>>,
): readonly (string | number)[] {
  return Object.entries(fields).flat()
}
