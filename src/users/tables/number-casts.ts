import { isRounded } from './row-values.ts'

/** A value of a row, as mysql2 gives it to the `typeCast` of a host. */
interface Field {
  readonly type: string
}

/** An option of mysql2, which converts the values of rows. */
export type TypeCast = (field: Field, next: () => unknown) => unknown

/** The types that a prepared statement returns as a fixed number of bytes. */
const NUMBERS: ReadonlySet<string> = new Set([
  'TINY',
  'SHORT',
  'YEAR',
  'INT24',
  'LONG',
  'LONGLONG',
  'FLOAT',
  'DOUBLE',
])

/**
 * Wraps the `typeCast` of a host for prepared statements. There, `field.string()` and
 * `field.buffer()` of the driver take the first byte of a number for the length of a text: the
 * number is another one, and so are the id and the hash that follow.
 */
export function castingNumbers(typeCast: TypeCast): TypeCast {
  return (field, next) => {
    if (!NUMBERS.has(field.type)) return typeCast(field, next)
    let text: string | null | undefined
    const read = (): string | null => (text ??= textOf(next(), field))
    const buffer = (): Buffer | null => {
      const value = read()
      return value === null ? null : Buffer.from(value)
    }
    return typeCast(Object.assign(field, { string: read, buffer }), next)
  }
}

/** Returns the text of a number, which the driver may also return as a text. */
function textOf(value: unknown, { type }: Field): string | null {
  if (type === 'LONGLONG' && isRounded(value)) throw new RangeError(ROUNDED)
  return value === null ? null : `${value as number | string}`
}

const ROUNDED =
  'an integer is beyond 2^53, and the driver rounded it: give createPool supportBigNumbers'
