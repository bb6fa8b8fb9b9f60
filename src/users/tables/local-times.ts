import { storedTime } from '../../contracts/stored-time.ts'
import type { Row } from './table-rows.ts'
import { quotedBy, tableName, type Dialect, type SqlRunner } from './sql-rows.ts'

/** A column of times; `remedy` completes the warning. */
interface TimeColumn {
  readonly table: string
  readonly column: string
  readonly remedy: string
}

/** In one zone some times are those of UTC, such as the winter of London, and others are not. */
const SAMPLE = 1000

/**
 * Returns a warning if the driver reads the times of a column, which has no time zone, in that of
 * this process, which is not UTC; `null`: it does not, or there is no time.
 */
export async function localTimesWarning(
  all: SqlRunner['all'],
  dialect: Pick<Dialect, 'quote' | 'asText'>,
  { table, column, remedy }: TimeColumn,
): Promise<string | null> {
  const name = quotedBy(dialect)(column)
  const text = `select ${name} as value, ${dialect.asText(name)} as stored
    from ${tableName(table, dialect)} where ${name} is not null limit ${SAMPLE}`
  if (!(await all(text)([])).some(isLocal)) return null
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return `the times of ${column} have no time zone and are read in that of this process, ${timeZone}: if they are in UTC, blocks end too early or too late; ${remedy}`
}

/** Returns whether the driver has read a time in the zone of this process, and not in UTC. */
function isLocal({ value, stored }: Row): boolean {
  if (!(value instanceof Date) || typeof stored !== 'string') return false
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*$/.exec(stored) ?? []
  if (time === undefined) return false
  const local = Date.parse(`${date}T${time}`)
  return value.getTime() === local && local !== Date.parse(`${date}T${time}Z`)
}

/** Clocks of two machines differ by less, and two time zones by more. */
const MAX_SKEW_MS = 10 * 60_000

const NOW_OF_TIMESTAMP = `select now() as value from information_schema.columns
  where table_schema = coalesce(?, database()) and table_name = ? and column_name = ?
  and data_type = 'timestamp'`

/**
 * Returns a warning if MySQL converts the times of a column to a time zone other than the one that
 * the driver reads them in; `null`: it does not, as it does for the type `timestamp` only.
 */
export async function convertedTimesWarning(
  all: SqlRunner['all'],
  { table, column }: Omit<TimeColumn, 'remedy'>,
): Promise<string | null> {
  const [name, schema = null] = table.split('.').toReversed()
  const [row] = await all(NOW_OF_TIMESTAMP)([schema, name, column])
  const isOff = Math.abs(storedTime(row?.['value']) - Date.now()) > MAX_SKEW_MS
  if (!isOff) return null
  return `the server converts the times of ${column} to the time zone of its connections, and the driver reads them in another one: unless they were written in the same way, blocks end too early or too late; give createPool \`timezone: 'Z'\`, and let each connection \`set time_zone = '+00:00'\``
}
