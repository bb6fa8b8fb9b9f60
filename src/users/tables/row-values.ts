import { isStorable } from '../../contracts/storable-text.ts'
import { isUtf8 } from 'node:buffer'
import type { Tenant } from '../../contracts/host.ts'
import type { Row } from './table-rows.ts'

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
  if (value === null || value instanceof Uint8Array) throw new TypeError(BYTES)
  throw wrong('id', 'a number or a text', value)
}

const BYTES =
  'the column of `id` holds bytes, such as BINARY(16), a text that `char(n)` fills up with spaces, or nothing: let it be a text, or name a generated column with their text, as docs/users.md, "Columns", shows, and give new rows an id by `newRow`'

/** Returns the tenant of a row as text; `null`: it has none. */
export function readTenant(value: unknown): string | null {
  if (value === null) return null
  const text = textOf(value)
  if (text === null) throw wrong('tenant', 'a number or a text', value)
  return text
}

/**
 * Returns a text, or `null`. The bytes of a text are one, too: many systems store hashes so. The
 * type `char(n)` fills texts up with spaces, which PostgreSQL returns, and MySQL in one `sql_mode`;
 * its `binary(n)` fills hashes up with U+0000, and an export may leave a line feed after them.
 */
export function readText(property: string, value: unknown): string | null {
  const text = storedText(property, value)
  // Not of other texts: an email with U+0000 is that of somebody else, though collations ignore it.
  if (property === 'passwordHash') return text?.replace(/[\s\0]+$/, '') ?? null
  return text?.endsWith(' ') === true ? text.trimEnd() : text
}

/** Returns a text as it is stored, by which a change finds it again. */
export function storedText(property: string, value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array && isUtf8(value)) return Buffer.from(value).toString()
  throw wrong(property, 'a text', value)
}

/**
 * Returns the meaning of a flag: a boolean, 0 or 1, or a bit, which is a byte for MySQL and a text
 * for PostgreSQL; `null` for any other value.
 */
export function readFlag(value: unknown): boolean | null {
  const plain = value instanceof Uint8Array && value.length === 1 ? value[0] : value
  if (typeof plain === 'boolean') return plain
  if (plain === 1 || plain === 1n || plain === '1') return true
  return plain === 0 || plain === 0n || plain === '0' ? false : null
}

/**
 * Returns whether a database returned exactly the value that was asked for. Collations and
 * conversions also find other ones: `7abc` for 7, `muller` for `Müller`, `STAFF` for `staff`. A
 * flag that was never set is `null` in many tables, so `false` takes both.
 */
export function isExactly(asked: string | number | boolean, read: unknown): boolean {
  // Otherwise nobody would be a user, and nobody would know why.
  if (read === undefined) throw wrong('tenant` or `where', 'a value', read)
  if (typeof asked === 'boolean') return (read === null ? false : readFlag(read)) === asked
  if (typeof asked === 'number' && readFlag(asked) !== null && typeof read !== 'string')
    return readFlag(read) === readFlag(asked)
  return textOf(read) === String(asked)
}

/** Names the row of a user. */
export interface RowName {
  readonly id: string
  /** `null` where the table has no tenants, too. */
  readonly tenant: Tenant
}

/** Returns whether a row is that of a user: a collation also finds ids and tenants like theirs. */
export function isRowOf({ id, tenant }: RowName, row: Row): boolean {
  return readId(row['id']) === id && (tenant === null || isExactly(tenant, row['tenant']))
}

/** Returns the only text of a value; `null` where the driver may have changed it. */
function textOf(value: unknown): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (isRounded(value)) return null
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : null
}

/** Returns whether a value is an integer whose last digits the driver may have changed. */
export function isRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/**
 * Returns a time as a `Date` where a type parser of the host has made it an object of a library,
 * such as Luxon or Temporal; any other value unchanged.
 */
export function plainTime(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const time: unknown = 'epochMilliseconds' in value ? value.epochMilliseconds : value.valueOf()
  return Number.isFinite(time) ? new Date(Number(time)) : value
}

/** Returns whether a column says that the email is verified: by a time, or by a flag. */
export function isVerified(read: unknown): boolean {
  const value = plainTime(read)
  // MySQL's zero date arrives as an invalid one, as one before 1900, or as a text without a year.
  if (value instanceof Date) return value.getTime() > 0
  if (typeof value === 'string') return YEAR.test(value) || readFlag(value) === true
  if (typeof value === 'number' || typeof value === 'bigint') return value > 0
  return readFlag(value) === true
}

/** A time as text has the year, or is a number of seconds. */
const YEAR = /[1-9]\d{3}/

/**
 * Returns whether a value can be looked up: a text, because builders take an object for a condition
 * of its own, and one that a database can have kept.
 */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value)
}

/**
 * The errors by which a database says that a value is not of the column's type: PostgreSQL's
 * invalid_text_representation and numeric_value_out_of_range, Prisma's inconsistent column data
 * and data validation, MariaDB's truncated wrong value (for its type UUID).
 */
const NOT_OF_THE_TYPE: ReadonlySet<unknown> = new Set([
  '22P02',
  '22003',
  'P2007',
  'P2023',
  'ER_TRUNCATED_WRONG_VALUE',
])

/**
 * The errors by which a database says that its character set lacks a character: PostgreSQL's
 * untranslatable_character and character_not_in_repertoire, MySQL's illegal mix of collations.
 */
const NOT_OF_THE_CHARACTER_SET: ReadonlySet<unknown> = new Set([
  '22P05',
  '22021',
  'ER_CANT_AGGREGATE_2COLLATIONS',
  'ER_CANT_AGGREGATE_3COLLATIONS',
  'ER_CANT_AGGREGATE_NCOLLATIONS',
])

/**
 * The errors by which a database says that a text is longer than its column: PostgreSQL's
 * string_data_right_truncation, MySQL's data too long, Prisma's value too long.
 */
const TOO_LONG: ReadonlySet<unknown> = new Set(['22001', 'ER_DATA_TOO_LONG', 'P2000'])

/** Returns whether a database refused a text for its length. */
export function isTooLong(error: unknown): boolean {
  return hasCode(error, TOO_LONG)
}

/**
 * Returns whether a database refused a value for its type, such as a text for a UUID. PostgreSQL
 * has the same codes for a row that a view cannot convert, but names the parameter that it refused.
 */
export function isOfOtherType(error: unknown): boolean {
  const { code, where = '' } = Object(errorWithCode(error, NOT_OF_THE_TYPE))
  if (code === undefined) return false
  return !String(code).startsWith('22') || REFUSED_PARAMETER.test(String(where))
}

/** The end of the context, in each language. A statement of a function ends with a quote. */
const REFUSED_PARAMETER = / \$\d+(?: = '.*')?$/s

/**
 * Returns whether a database refused a value for its characters, such as an emoji in Latin-1.
 *
 * @param values The values that a request brought.
 */
export function lacksCharacter(error: unknown, values: readonly string[]): boolean {
  // Every character set has ASCII, so the error is then about something else.
  return hasCode(error, NOT_OF_THE_CHARACTER_SET) && !values.every(isAscii)
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** Returns whether an error has one of the codes, or an error that it was made of. */
export function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  return errorWithCode(error, codes) !== null
}

function errorWithCode(error: unknown, codes: ReadonlySet<unknown>): Error | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && codes.has(error.code)) return error
  // Drizzle and Prisma hide the error of the driver in the cause.
  return errorWithCode(error.cause, codes)
}

/** Returns whether a database refused a value because it generates the column itself. */
export function isGeneratedColumn(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The code is PostgreSQL's; SQLite and the driver of MariaDB have none.
  if (/generated column/i.test(error.message) || Object(error).code === '428C9') return true
  return isGeneratedColumn(error.cause)
}

/**
 * The errors by which a database says that a column has neither a value nor a default: PostgreSQL's
 * not_null_violation, those of MySQL, better-sqlite3 and Prisma.
 */
const WITHOUT_VALUE: ReadonlySet<unknown> = new Set([
  '23502',
  'ER_NO_DEFAULT_FOR_FIELD',
  'ER_BAD_NULL_ERROR',
  'SQLITE_CONSTRAINT_NOTNULL',
  'P2011',
])

/** Returns whether a database refused a row for a column that lacks a value. */
export function isWithoutValue(error: unknown): boolean {
  // Other drivers of SQLite have one code for all constraints.
  return hasCode(error, WITHOUT_VALUE) || /NOT NULL constraint/.test(String(error))
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
  isAscii,
]

function isInteger(id: string, bits: number): boolean {
  return /^-?\d{1,19}$/.test(id) && BigInt.asIntN(bits, BigInt(id)) === BigInt(id)
}

const NOTHING =
  'nothing; let the driver return rows as objects, by the names of their columns: mysql2 without rowsAsArray and nestTables, Kysely without a plugin that renames the property'

const AN_OBJECT = 'an object; let neither a plugin nor the type of the column parse its text'

/** Returns the error about a column that holds something else than its property promises. */
export function wrong(property: string, promised: string, value: unknown): TypeError {
  const kind = value === undefined ? NOTHING : typeof value === 'object' ? AN_OBJECT : typeof value
  return new TypeError(`the column of \`${property}\` must hold ${promised}; the row has ${kind}`)
}

/**
 * Returns whether a column took only the head of a text, as MySQL lets it without
 * `STRICT_TRANS_TABLES`. A trigger may change the text as a whole, and `char(n)` fills it up.
 */
export function isCutOff(
  stored: string | null | undefined,
  given: string | null | undefined,
): boolean {
  if (typeof stored !== 'string' || typeof given !== 'string' || stored === given) return false
  const head = stored.trimEnd()
  return head !== given && given.startsWith(head)
}
