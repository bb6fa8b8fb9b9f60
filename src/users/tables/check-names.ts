import * as v from 'valibot'

const nameOr = (missing: string) =>
  v.custom<string>(isName, ({ input }) =>
    input === undefined ? missing : 'give a name without quotes',
  )

/** Describes a name. One with a quote is more likely a mistake, or an injection. */
export const name = nameOr('is missing')

/** Describes a name that may be left out. A misspelt property is `undefined`: it is no omission. */
export const optionalName = v.exactOptional(
  nameOr('is undefined; give the name of a column, or leave it out'),
)

/** Describes the name of a table, with or without its schema. */
export const tableName = v.custom<string>(
  (table) => (typeof table === 'string' ? table.split('.') : [table]).every(isName),
  'give a name without quotes; where the name of the table itself has a dot, name a view of it',
)

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && name.isWellFormed() && !/["'`\0]/.test(name)
}
