import type { UserColumns } from './table-options.ts'
import { plainTime } from './tables/row-values.ts'
import type { Row } from './tables/table-rows.ts'

/**
 * Returns whether a row says that its user must not log in now. A value that cannot be read blocks:
 * closed when in doubt.
 */
export function isBlocked(
  { blocked, blockedUntil }: Pick<UserColumns, 'blocked' | 'blockedUntil'>,
  row: Row,
  now = Date.now(),
): boolean {
  if (blocked !== undefined && isEmpty(row['blocked'])) return false
  const until = plainTime(row['blockedUntil'])
  // Without an end, a block lasts; without a block, there is nothing to end.
  if (blockedUntil === undefined || isEmpty(until)) return blocked !== undefined
  // A time that cannot be read is not a number, which is never less.
  return !(timeOf(until) <= now)
}

/** Returns whether a flag or a time was never set. `0000-00-00` is MySQL's zero date. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === 0 || value === 0n) return true
  if (value instanceof Uint8Array) return value.every((byte) => byte === 0)
  return typeof value === 'string' && /^0?$|^0000-00-00/.test(value)
}

/** A number below is one of seconds: as milliseconds it is in the first years after 1970. */
const SECONDS_BELOW = 1e11

function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string' && /^\d{4}-/.test(value)) return Date.parse(inUtc(value))
  if (!['number', 'bigint', 'string'].includes(typeof value)) return Number.NaN
  const given = Number(value)
  // Some systems write -1 for a block that lasts.
  if (given <= 0) return Number.NaN
  return given < SECONDS_BELOW ? given * 1000 : given
}

/** Adds the zone to a time of SQLite, which `Date.parse` would take for local time. */
function inUtc(text: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text) ?? []
  return time === undefined ? text : `${date}T${time}Z`
}
