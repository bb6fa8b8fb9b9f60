import { storedTime } from '../contracts/stored-time.ts'
import type { UserColumns } from './table-options.ts'
import { BLOCK_PROPERTIES, plainTime, readFlag, styleOf } from './tables/row-values.ts'
import type { Row } from './tables/table-rows.ts'

type Property = (typeof BLOCK_PROPERTIES)[number]

/** Returns the columns whose style is read, by property. */
export function stylesOfBlock(columns: Pick<UserColumns, Property>): ReadonlyMap<string, string> {
  return new Map(
    BLOCK_PROPERTIES.flatMap((property) => {
      const column = columns[property]
      return column === undefined ? [] : [[styleOf(property), column] as const]
    }),
  )
}

/** Returns the property of a block whose value the driver has misread; `undefined` if none. */
export function misreadBlock(row: Row): Property | undefined {
  return BLOCK_PROPERTIES.find((property) => isMisread(row, property))
}

/** Drivers expect ISO 8601: they return `null` for `31/12/2026`, or swap the day and the month. */
function isMisread(row: Row, property: Property): boolean {
  const style = row[styleOf(property)]
  if (typeof style !== 'string') return false
  const value = plainTime(row[property])
  if (value === null) return true
  const isTime = value instanceof Date || (typeof value === 'string' && readFlag(value) === null)
  return isTime && !style.startsWith('ISO')
}

/**
 * Returns the property of a block whose value is neither empty nor a time nor, for `blocked`, a
 * flag, such as the text of a status; `undefined` if none.
 */
export function unknownBlock(row: Row): Property | undefined {
  return BLOCK_PROPERTIES.find((property) => {
    const value = plainTime(row[property])
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
  const [flag, until] = BLOCK_PROPERTIES.map((property) =>
    // Neither empty nor a time.
    isMisread(row, property) ? Number.NaN : plainTime(row[property]),
  )
  if (blocked !== undefined && isEmpty(flag)) return false
  // Without an end, a block lasts; without a block, there is nothing to end.
  if (blockedUntil === undefined || isEmpty(until)) return blocked !== undefined
  // A time that cannot be read is not a number, which is never less.
  return !(storedTime(until) <= Date.now())
}

/** Returns whether a flag or a time was never set. `0000-00-00` is MySQL's zero date. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === 0 || value === 0n) return true
  if (value instanceof Uint8Array) return value.every((byte) => byte === 0)
  return typeof value === 'string' && /^(?:0(?:\.0+)?)?$|^0000-00-00/.test(value)
}
