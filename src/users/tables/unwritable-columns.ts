import { reasonOfError } from '../../contracts/errors.ts'
import type { Warn } from '../../contracts/provider-warning.ts'
import type { TableRows } from './table-rows.ts'

interface Columns {
  readonly id: string
  readonly passwordHash: string
  readonly emailVerifiedAt?: string
}

/** No format of a hash. */
const NO_HASH = 'svc: no hash'

/**
 * Returns the warning that the database refuses to change a column that the service changes: the
 * first new password, or the first verified email, would show it. Its statements change no row.
 *
 * @param replaceHash The methods `rehash` and `setPasswordHash`, which a host may have left out.
 */
export function unwritableWarning(rows: TableRows, columns: Columns, replaceHash: unknown): Warn {
  const { id, passwordHash, emailVerifiedAt } = columns
  const find = rows.find([], { properties: ['id', 'emailVerifiedAt'], limit: 1 })
  async function reasonAgainst(column: string, values: readonly unknown[]): Promise<string | null> {
    try {
      const conditions = [
        { column: id, is: 'equal' },
        { column: passwordHash, is: 'same' },
      ] as const
      await rows.update([column], conditions)([...values, NO_HASH])
      return null
    } catch (error) {
      return `the database refuses to change the column ${column} (${reasonOfError(error)})`
    }
  }
  return async (provider) => {
    const [row] = await find([])
    if (row === undefined) return null
    const isReplaced = Object.values(provider).includes(replaceHash)
    const hash = isReplaced ? await reasonAgainst(passwordHash, [NO_HASH, row['id']]) : null
    if (hash !== null)
      return `${hash}: no password can be set or hashed anew; grant UPDATE on the table, name a table or view that can be changed, or leave \`rehash\` and \`setPasswordHash\` out of the provider`
    if (emailVerifiedAt === undefined) return null
    const time = await reasonAgainst(emailVerifiedAt, [row['emailVerifiedAt'], row['id']])
    return time === null
      ? null
      : `${time}: no email can be verified; grant UPDATE on it, or name another column`
  }
}
