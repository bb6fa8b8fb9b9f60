import { SECONDS_BELOW } from '../contracts/stored-time.ts'
import { readFlag } from './tables/row-values.ts'

/** A whole number of seconds or milliseconds; drivers return large ones as texts. */
const NUMBER = /^\d{9,13}$/

/**
 * Returns the value that says that an email is verified now, of the kind that a column holds: a
 * flag, a number of seconds or milliseconds, or a time.
 *
 * @param example A value of the column; `null`: none is known, and a time is returned.
 */
export function verifiedLike(example: unknown): unknown {
  const now = new Date()
  if (readFlag(example) !== null) {
    if (typeof example === 'boolean') return true
    return typeof example === 'string' ? '1' : 1
  }
  if (!NUMBER.test(String(example))) return now
  const ms = now.getTime()
  return Number(example) < SECONDS_BELOW ? Math.floor(ms / 1000) : ms
}
