import * as v from 'valibot'

/** Describes a name. One with a quote is more likely a mistake, or an injection. */
export const name = v.custom<string>(isName, ({ input }) =>
  input === undefined ? 'is missing' : 'give a name without quotes',
)

/** Describes a name that may be left out. */
export const optionalName = v.optional(name)

/** Describes the name of a table, with or without its schema. */
export const tableName = v.custom<string>(
  (table) => (typeof table === 'string' ? table.split('.') : [table]).every(isName),
  'give a name without quotes',
)

/** Describes an object whose keys are the names of columns. */
export const byColumn = v.custom<object>(
  (columns) => Object.keys(Object(columns)).every(isName),
  'give a name without quotes',
)

function isName(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && name.isWellFormed() && !/["'`\0]/.test(name)
}
