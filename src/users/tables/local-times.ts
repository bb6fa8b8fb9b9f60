import { quotedBy, tableName, type Dialect, type SqlRunner } from './sql-rows.ts'

/** A column of times; `remedy` completes the warning. */
interface TimeColumn {
  readonly table: string
  readonly column: string
  readonly remedy: string
}

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
    from ${tableName(table, dialect)} where ${name} is not null limit 1`
  const [row] = await all(text)([])
  const { value, stored } = row ?? {}
  if (!(value instanceof Date) || typeof stored !== 'string') return null
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,3})?)\d*$/.exec(stored) ?? []
  if (time === undefined) return null
  const local = Date.parse(`${date}T${time}`)
  if (value.getTime() !== local || local === Date.parse(`${date}T${time}Z`)) return null
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return `the times of ${column} have no time zone and are read in that of this process, ${timeZone}: if they are in UTC, blocks end too early or too late; ${remedy}`
}
