import type { MustVerifyEmail } from '../contracts.ts'
import { isBlocked } from './block.ts'
import type { TableUser, UserTableOptions, UserWith } from './table-options.ts'
import { isSet, isVerified, readId, readText } from './row-values.ts'
import type { Statements } from './statements.ts'
import type { Row, TableShape } from './user-rows.ts'

/**
 * Returns the columns that a user is read from. They are named one by one, because a new column of
 * the table would invalidate prepared statements that select all.
 */
export function shapeOf({
  columns,
  otherColumns = {},
}: Pick<UserTableOptions<string>, 'columns' | 'otherColumns'>): TableShape {
  const { deletedAt: _, tenant: __, ...read } = columns
  return { id: columns.id, selected: new Map(Object.entries({ ...otherColumns, ...read })) }
}

/** Creates the function that reads a user from a row; `null` for a row that is no user. */
export function createReader<Other extends string>(
  options: UserTableOptions<Other>,
  statements: Statements,
): (row: Row) => UserWith<Other> | null {
  const { columns, otherColumns, mustVerify = () => true } = options
  const others = Object.keys(otherColumns ?? {})
  return (row) => {
    if (columns.active !== undefined && !isSet(row['active'])) return null
    if (isBlocked(columns, row)) return null
    const email = readText('email', row['email'])
    // Without an address there is nothing to log in with, or to send a mail to.
    if (email === null || !email.includes('@')) return null
    const user: Record<string, unknown> & TableUser = {
      id: readId(row['id']),
      email,
      name: columns.name === undefined ? null : readText('name', row['name']),
      passwordHash: readText('passwordHash', row['passwordHash']),
      emailVerifiedAt: columns.emailVerifiedAt === undefined ? null : row['emailVerifiedAt'],
    }
    for (const property of others) user[property] = row[property]
    // The properties are those of `otherColumns`.
    const whole = user as unknown as UserWith<Other>
    if (columns.emailVerifiedAt === undefined || !mustVerify(whole)) return whole
    return Object.assign(whole, verificationOf(user, statements))
  }
}

/** Returns the methods of a user who must verify the email; other users do not have them. */
function verificationOf(
  { id, email, emailVerifiedAt }: TableUser,
  statements: Statements,
): MustVerifyEmail {
  return {
    hasVerifiedEmail: () => isVerified(emailVerifiedAt),
    markEmailAsVerified: async () => statements.markVerified(id, email, emailVerifiedAt),
  }
}
