/**
 * A number below, which is in 2001 as seconds, counts something else: a Julian day, the digits of
 * `20301231`, seconds since 2001, or -1 for a block that lasts.
 */
const SECONDS_FROM = 1e9
/** A number below is one of seconds: as milliseconds it is in the first years after 1970. */
const SECONDS_BELOW = 1e11

/**
 * Returns the time that a column of a table holds, in milliseconds since 1970: a time, a number of
 * seconds or milliseconds, or a text of either; NaN for any other value, such as a flag. Drivers
 * return `-infinity` of PostgreSQL as a number, too.
 */
export function storedTime(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string' && /^\d{4}-/.test(value)) return Date.parse(inUtc(value))
  const given = /number|bigint|string/.test(typeof value) ? Number(value) : Number.NaN
  if (given < SECONDS_FROM && Number.isFinite(given)) return Number.NaN
  return given < SECONDS_BELOW ? given * 1000 : given
}

/** Adds the zone to a time of SQLite, which `Date.parse` would take for local time. */
function inUtc(text: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/.exec(text) ?? []
  return time === undefined ? text : `${date}T${time}Z`
}
