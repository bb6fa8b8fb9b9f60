import { storedTime } from '../contracts/stored-time.ts'
import type { UserColumns } from './table-options.ts'
import { plainTime, readFlag } from './tables/row-values.ts'
import { TEXT_OF, type Row } from './tables/table-rows.ts'

/** The properties of a block, whose values decide who may log in. */
const PROPERTIES = ['blocked', 'blockedUntil'] as const

type Property = (typeof PROPERTIES)[number]

/** Returns the columns whose text is also read, by the property of the text. */
export function textsOfBlock(
  columns: Pick<UserColumns, Property>,
): readonly (readonly [property: string, column: string])[] {
  return PROPERTIES.flatMap((property) => {
    const column = columns[property]
    return column === undefined ? [] : [[TEXT_OF + property, column] as const]
  })
}

/**
 * Returns the property of a block whose value is neither empty nor a readable time nor, for
 * `blocked`, a flag, such as the text of a status; `undefined` if none.
 */
export function unknownBlock(row: Row): Property | undefined {
  return PROPERTIES.find((property) => {
    const value = valueOf(row, property)
    if (value === undefined || isEmpty(value)) return false
    const isFlag = property === 'blocked' && readFlag(value) !== null
    return !isFlag && Number.isNaN(storedTime(value))
  })
}

/**
 * Returns whether a row says that its user must not log in now. A value that cannot be read blocks:
 * closed when in doubt.
 */
export function isBlocked(
  { blocked, blockedUntil }: Pick<UserColumns, Property>,
  row: Row,
): boolean {
  const [flag, until] = PROPERTIES.map((property) => valueOf(row, property))
  if (blocked !== undefined && isEmpty(flag)) return false
  // Without an end, a block lasts; without a block, there is nothing to end.
  if (blockedUntil === undefined || isEmpty(until)) return blocked !== undefined
  // A time that cannot be read is not a number, which is never less.
  return !(storedTime(until) <= Date.now())
}

/**
 * Returns a value; NaN, which is neither empty nor a time, where its text shows that the driver has
 * misread it. Drivers expect ISO 8601: they return `null` for `31/12/2026`, or swap the day and the
 * month. Of a date of MySQL without a month or a day they make an invalid one, or an earlier one.
 */
function valueOf(row: Row, property: Property): unknown {
  const [value, text] = [plainTime(row[property]), row[TEXT_OF + property]]
  if (typeof text !== 'string') return value
  // The zero date of MySQL arrives as an invalid date, or as one before 1900.
  if (text.startsWith('0000-00-00')) return null
  const isMisread = value === null || (value instanceof Date && !READABLE.test(text))
  return isMisread ? Number.NaN : value
}

/** A whole date, or a number from which Drizzle makes a time. */
const READABLE = /^(?:\d{4,}-(?!00)\d\d-(?!00)\d\d|\d+$)/

/** Returns whether a flag or a time was never set. `0000-00-00` is MySQL's zero date. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === 0 || value === 0n) return true
  if (value instanceof Uint8Array) return value.every((byte) => byte === 0)
  return typeof value === 'string' && /^(?:0(?:\.0+)?)?$|^0000-00-00/.test(value)
}
