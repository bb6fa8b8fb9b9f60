import type { MustVerifyEmail, Tenant } from '../contracts/host.ts'
import { reasonOfError } from '../contracts/errors.ts'
import { isBlocked, textsOfBlock, unknownBlock } from './block.ts'
import type { TableUser, UserTableOptions, UserWith } from './table-options.ts'
import {
  isExactly,
  isRounded,
  isVerified,
  readFlag,
  readId,
  readTenant,
  readText,
  storedText,
  wrong,
} from './tables/row-values.ts'
import type { Statements } from './statements.ts'
import type { Row, TableShape } from './tables/table-rows.ts'

/**
 * Returns the columns that a user is read from. They are named one by one, because a new column of
 * the table would invalidate prepared statements that select all.
 */
export function shapeOf({
  columns,
  otherColumns = {},
  where = {},
}: Pick<UserTableOptions<string>, 'columns' | 'otherColumns' | 'where'>): TableShape {
  const { deletedAt: _, ...read } = columns
  const rules = rulesOf(where)
  const rulesOfTexts = rules.filter(({ value }) => typeof value === 'string')
  const texts = textsOfBlock(columns)
  return {
    id: columns.id,
    selected: new Map([
      ...Object.entries({ ...otherColumns, ...read }),
      ...rules.map(({ property, column }) => [property, column] as const),
      ...texts,
    ]),
    asText: new Set([
      'id',
      'tenant',
      ...rulesOfTexts.map(({ property }) => property),
      ...texts.map(([property]) => property),
    ]),
  }
}

interface Rule {
  /** The property by which the column of the rule is read. */
  readonly property: string
  readonly column: string
  readonly value: string | number | boolean
}

/** Returns the columns to compare again. A database finds NULL for `null`, and nothing else. */
function rulesOf(where: UserTableOptions['where'] = {}): readonly Rule[] {
  return Object.entries(where).flatMap(([column, value], index) =>
    value === null || value === undefined ? [] : [{ property: `svcWhere${index}`, column, value }],
  )
}

/** Creates the function that returns the first rule of `where` that a row breaks. */
export function brokenRuleOf(where: UserTableOptions['where']): (row: Row) => Rule | undefined {
  const rules = rulesOf(where)
  return (row) => rules.find(({ property, value }) => !isExactly(value, row[property]))
}

/**
 * Creates the function that reads a user from a row; `null` for a row that is not a user. The
 * values that were read decide: a collation or a conversion also finds rows with other ones.
 *
 * @param log Receives a line when a column that decides who is a user holds an unexpected value, or
 *   the driver has rounded one of `otherColumns`.
 * @throws {UnreadableRowError} from that function.
 */
export function createReader<Other extends string>(
  ...args: Parameters<typeof createRowReader<Other>>
): ReturnType<typeof createRowReader<Other>> {
  const userOf = createRowReader(...args)
  return (row, tenant) => {
    try {
      return userOf(row, tenant)
    } catch (cause) {
      throw new UnreadableRowError(cause, row)
    }
  }
}

function createRowReader<Other extends string>(
  options: UserTableOptions<Other>,
  statements: Statements,
  log: (line: string) => void,
): (row: Row, tenant: Tenant) => UserWith<Other> | null {
  const { columns, otherColumns, mustVerify = () => true } = options
  const others = Object.keys(otherColumns ?? {})
  const brokenRule = brokenRuleOf(options.where)
  const warnOf = createColumnWarning(log)
  return (row, tenant) => {
    if (tenant !== null && !isExactly(tenant, row['tenant'])) return null
    const broken = brokenRule(row)
    if (broken !== undefined) return warnOf(`where.${broken.column}`, NOT_EXACTLY)
    if (columns.active !== undefined && !isFlag(row['active']))
      return warnOf('columns.active', NO_FLAG)
    const exclusion = exclusionOf(columns, row)
    const unknown = exclusion === 'blocked' ? unknownBlock(row) : undefined
    if (unknown !== undefined) return warnOf(`columns.${unknown}`, NO_BLOCK)
    const email = readText('email', row['email'])
    if (email === null || exclusion !== null) return null
    const user: Record<string, unknown> & TableUser = {
      id: readId(row['id']),
      email,
      name: columns.name === undefined ? null : readText('name', row['name']),
      passwordHash: readText('passwordHash', row['passwordHash']),
      emailVerifiedAt: columns.emailVerifiedAt === undefined ? null : row['emailVerifiedAt'],
      ...(columns.tenant !== undefined && { tenant: tenant ?? readTenant(row['tenant']) }),
    }
    for (const property of others) {
      // A rule of the host, such as `role !== 'guest'`, would admit a user without the property.
      if (row[property] === undefined) throw wrong(property, 'a value', undefined)
      if (isRounded(row[property])) warnOf(`otherColumns.${property}`, ROUNDED)
      user[property] = row[property]
    }
    // The properties are those of `otherColumns`.
    const whole = user as unknown as UserWith<Other>
    if (columns.emailVerifiedAt === undefined || !mustVerify(whole)) return whole
    return Object.assign(whole, verificationOf(user, row, statements))
  }
}

/** A row that the database found for a user has a value that cannot be read. */
export class UnreadableRowError extends TypeError {
  /** Private, because loggers write the properties of an error, and the row has the hash. */
  readonly #row: Row

  constructor(cause: unknown, row: Row) {
    super(reasonOfError(cause), { cause })
    this.#row = row
  }

  /** Returns a text of the row. @throws {TypeError} It is not a text. */
  read(property: string): string | null {
    return readText(property, this.#row[property])
  }
}

/** Returns the reason for which a row is not a user; `null` if its columns name none. */
export function exclusionOf(
  columns: UserTableOptions['columns'],
  row: Row,
): 'inactive' | 'blocked' | 'without an email' | null {
  if (columns.active !== undefined && readFlag(row['active']) !== true) return 'inactive'
  if (isBlocked(columns, row)) return 'blocked'
  // Without an address there is nothing to log in with, or to send a mail to.
  return readText('email', row['email'])?.includes('@') === true ? null : 'without an email'
}

function isFlag(value: unknown): boolean {
  return value === null || readFlag(value) !== null
}

const NOT_EXACTLY = 'the database finds rows whose value is spelled differently; they are not users'
const ROUNDED =
  'an integer is beyond 2^53, and the driver rounded it: let it return such numbers as text'
const NO_BLOCK =
  "the column holds neither a flag nor a time that the driver can read, so such users count as blocked: name a status in `where`, let PostgreSQL write times by `alter role … set datestyle = 'ISO'`, and give a date of MySQL its month and its day"
const NO_FLAG = 'the column holds neither a boolean nor 0 or 1; such rows are not users'

/** Creates the warning about a column, which logs each column once. */
function createColumnWarning(log: (line: string) => void): (column: string, text: string) => null {
  const known = new Set<string>()
  return (column, text) => {
    if (!known.has(column)) log(`${column}: ${text}`)
    known.add(column)
    return null
  }
}

/** Returns the methods of a user who must verify the email; other users do not have them. */
function verificationOf(
  { id, tenant = null, emailVerifiedAt }: TableUser,
  row: Row,
  statements: Statements,
): MustVerifyEmail {
  const email = storedText('email', row['email'])
  return {
    hasVerifiedEmail: () => isVerified(emailVerifiedAt),
    markEmailAsVerified: async () =>
      statements.markVerified({ id, tenant }, email, emailVerifiedAt),
  }
}
