import type { Awaitable, NewUser, Tenant } from '../contracts/host.ts'
import { isGeneratedColumn, readFlag } from './tables/row-values.ts'
import type { UserTableOptions } from './table-options.ts'
import type { Condition, Row, Search, TableRows } from './tables/table-rows.ts'

type Rows = Awaitable<readonly Row[]>

type StatementOptions = Pick<
  UserTableOptions,
  'columns' | 'where' | 'ignoreEmailCase' | 'newRow' | 'timestamp'
>

/** The statements of a provider. Those that change a row name it by its id. */
export interface Statements {
  byId(id: string, tenant: Tenant): Rows
  byIds(ids: readonly string[], tenant: Tenant): Rows
  /** Returns one row at most, and the number of rows that the database finds, as `matches`. */
  byEmail(email: string, tenant: Tenant): Rows
  /** Returns the ids and emails of the first rows, for an email that several rows may have. */
  idsByEmail(email: string, tenant: Tenant): Rows
  all(): Rows
  /** Returns the ids of all rows, also of those that are deleted. */
  idsWithDeleted(): Rows
  insert(fields: NewUser, tenant: Tenant): Promise<void>
  /** Replaces a hash that is still `from`. @returns the number of changed rows. */
  replaceHash(id: string, from: string | null, to: string): Awaitable<number>
  setHash(id: string, to: string): Promise<void>
  /** Marks the email as verified if it is still this one, and not verified meanwhile. */
  markVerified(id: string, email: string, unverified: unknown): Promise<void>
  remove(id: string): Promise<void>
}

/** Prepares the statements of a provider. */
export function createStatements(options: StatementOptions, rows: TableRows): Statements {
  const { columns, ignoreEmailCase = false } = options
  const { deletedAt: _, ...withoutDeletion } = columns
  const lookUp = createLookUps(options, rows)
  const id: Condition = { column: columns.id, is: 'equal' }
  const time = (): unknown => {
    const now = new Date()
    return options.timestamp?.(now) ?? now
  }
  const setHash = rows.update([columns.passwordHash], [id])
  const email: Condition = {
    column: columns.email,
    is: ignoreEmailCase ? 'lower-case' : 'equal',
  }
  const remove =
    columns.deletedAt === undefined ? rows.remove([id]) : rows.update([columns.deletedAt], [id])
  return {
    byId: lookUp(id, { limit: 1 }),
    byIds: lookUp({ column: columns.id, is: 'one-of' }),
    byEmail: lookUp(email, { limit: 1, isCounted: true }),
    idsByEmail: lookUp(email, { properties: ['id', 'email'], limit: MAX_NAMESAKES }),
    all: createList(options, rows),
    idsWithDeleted: createList({ ...options, columns: withoutDeletion }, rows, {
      properties: ['id'],
    }),
    insert: async (fields, tenant) => {
      const row = newRowOf(options, fields, tenant)
      await insertRow(rows, row, columns)
    },
    replaceHash: createReplacement(columns, rows, id),
    setHash: async (user, to) => void (await setHash([to, user])),
    markVerified: createMark(columns, rows, time),
    remove: async (user) =>
      void (await remove(columns.deletedAt === undefined ? [user] : [time(), user])),
  }
}

function createReplacement(
  { passwordHash: column }: UserTableOptions['columns'],
  rows: TableRows,
  id: Condition,
): Statements['replaceHash'] {
  const ifSame = rows.update([column], [id, { column, is: 'same' }])
  const ifNull = rows.update([column], [id, { column, is: 'null' }])
  return (user, from, to) => (from === null ? ifNull([to, user]) : ifSame([to, user, from]))
}

/** At most so many rows are searched for the only one that has exactly the email. */
const MAX_NAMESAKES = 20

type TableOptions = Pick<UserTableOptions, 'columns' | 'where'>

/** Returns the conditions that every row of a user fulfils, and their values. */
function fixedOf({ columns, where = {} }: TableOptions) {
  const entries = Object.entries(where)
  const conditions = entries.map(([column, value]): Condition => ({
    column,
    is: value === null ? 'null' : value === false ? 'equal-or-null' : 'equal',
  }))
  const { deletedAt } = columns
  const present: readonly Condition[] =
    deletedAt === undefined ? [] : [{ column: deletedAt, is: 'null' }]
  return {
    conditions: [...conditions, ...present],
    values: entries.flatMap(([, value]) => (value === null ? [] : [value])),
  }
}

/** Creates what prepares look-ups by a condition, among the users of a tenant. */
function createLookUps(options: TableOptions, rows: TableRows) {
  const fixed = fixedOf(options)
  const { tenant: column } = options.columns
  return (condition: Condition, search: Search = {}) => {
    const conditions = [condition, ...fixed.conditions]
    const tenantIs = (is: 'equal' | 'null'): readonly Condition[] =>
      column === undefined ? conditions : [...conditions, { column, is }]
    const withoutTenant = rows.find(tenantIs('null'), search)
    const withTenant = rows.find(tenantIs('equal'), search)
    return (value: unknown, tenant: Tenant): Rows => {
      if (tenant === null) return withoutTenant([value, ...fixed.values])
      if (column === undefined) throw new Error(NO_TENANTS)
      return withTenant([value, ...fixed.values, tenant])
    }
  }
}

const NO_TENANTS =
  'the request has a tenant, and the users table has no column for it: name it as `columns.tenant`'

function createList(options: TableOptions, rows: TableRows, search: Search = {}): () => Rows {
  const { conditions, values } = fixedOf(options)
  const find = rows.find(conditions, search)
  return () => find(values)
}

function newRowOf(options: StatementOptions, fields: NewUser, tenant: Tenant): Row {
  const { columns, where = {}, newRow } = options
  if (tenant !== null && columns.tenant === undefined) throw new Error(NO_TENANTS)
  return {
    [columns.email]: fields.email,
    [columns.passwordHash]: fields.passwordHash,
    ...(columns.name !== undefined && { [columns.name]: fields.name }),
    ...(columns.tenant !== undefined && { [columns.tenant]: tenant }),
    ...where,
    ...newRow?.(fields),
  }
}

async function insertRow(
  rows: TableRows,
  row: Row,
  { name }: UserTableOptions['columns'],
): Promise<void> {
  // A column that `newRow` leaves undefined gets the database's own value.
  const given = Object.entries(row).filter(([, value]) => value !== undefined)
  try {
    await rows.insert(given.map(([column]) => column))(given.map(([, value]) => value))
  } catch (error) {
    if (!isGeneratedColumn(error)) throw error
    const example = `\`newRow: () => ({ ${name ?? 'name'}: undefined })\``
    throw new Error(`a column is generated: leave it out, such as ${example}`, { cause: error })
  }
}

function createMark(
  { id, email, emailVerifiedAt }: UserTableOptions['columns'],
  rows: TableRows,
  time: () => unknown,
): Statements['markVerified'] {
  if (emailVerifiedAt === undefined) return async () => undefined
  const same: readonly Condition[] = [
    { column: id, is: 'equal' },
    { column: email, is: 'same' },
  ]
  const ifNull = rows.update([emailVerifiedAt], [...same, { column: emailVerifiedAt, is: 'null' }])
  const ifEqual = rows.update(
    [emailVerifiedAt],
    [...same, { column: emailVerifiedAt, is: 'equal' }],
  )
  return async (user, address, unverified) => {
    const values = [time(), user, address]
    // MySQL compares no bit with the bytes that its driver returns for it.
    const read = unverified instanceof Uint8Array ? readFlag(unverified) : unverified
    await (read === null ? ifNull(values) : ifEqual([...values, read]))
  }
}
