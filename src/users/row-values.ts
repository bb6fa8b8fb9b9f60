/**
 * Returns an id as text.
 *
 * @throws {RangeError} The driver has rounded it, so it may be the id of somebody else.
 */
export function readId(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'number')
    throw new RangeError(
      'an id is beyond 2^53, and the driver rounded it: let it return such numbers as text',
    )
  throw wrong('id', 'a number or a text', value)
}

/** Returns a text, or `null`. */
export function readText(property: string, value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  throw wrong(property, 'a text', value)
}

/** Returns whether a flag is set. Any other value is not: closed when in doubt. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === 1n
}

/** Returns whether a column says that the email is verified: by a time, or by a flag. */
export function isVerified(value: unknown): boolean {
  // MySQL's zero date arrives as an invalid one, or as this text.
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  if (typeof value === 'string') return value !== '' && !value.startsWith('0000-00-00')
  return value === true || (typeof value === 'number' && value > 0) || isSet(value)
}

/** Returns whether a text can be looked up. PostgreSQL stores neither U+0000 nor half a pair. */
export function isText(value: string): boolean {
  return value !== '' && value.isWellFormed() && !value.includes('\0')
}

/**
 * The errors by which a database says that a value is not of the column's type: PostgreSQL's
 * invalid_text_representation and numeric_value_out_of_range, Prisma's inconsistent column data
 * and data validation, MariaDB's truncated wrong value (for its type UUID).
 */
const REFUSED: ReadonlySet<unknown> = new Set([
  '22P02',
  '22003',
  'P2007',
  'P2023',
  'ER_TRUNCATED_WRONG_VALUE',
])

/** Returns whether a database refused an id, such as a text for a UUID: nobody has this id. */
export function isRefusedId(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && REFUSED.has(error.code)) return true
  // Drizzle and Prisma hide the error of the driver in the cause.
  return isRefusedId(error.cause)
}

/** Groups ids by the narrowest type of a column that takes them; a column refuses whole groups. */
export function groupsOf(ids: readonly string[]): readonly (readonly string[])[] {
  const typeOf = (id: string) => TYPES.findIndex((fits) => fits(id))
  const types = new Set(ids.map(typeOf))
  return Array.from(types, (type) => ids.filter((id) => typeOf(id) === type))
}

const TYPES: readonly ((id: string) => boolean)[] = [
  (id) => isInteger(id, 16),
  (id) => isInteger(id, 32),
  (id) => isInteger(id, 64),
  (id) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id),
]

function isInteger(id: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(id) && BigInt.asIntN(bits, BigInt(id)) === BigInt(id)
}

function wrong(property: string, promised: string, value: unknown): TypeError {
  const kind = value === undefined ? 'nothing' : typeof value
  return new TypeError(`the column of \`${property}\` must hold ${promised}; the row has ${kind}`)
}
