import type { Awaitable, NewUser, Tenant } from '../contracts/host.ts'
import {
  isGeneratedColumn,
  isRowOf,
  isWithoutValue,
  readFlag,
  type RowName,
} from './tables/row-values.ts'
import type { UserTableOptions } from './table-options.ts'
import {
  MAX_NAMESAKES,
  type Condition,
  type Row,
  type Search,
  type TableRows,
} from './tables/table-rows.ts'

type AwaitableRows = Awaitable<readonly Row[]>

type StatementOptions = Pick<
  UserTableOptions,
  'columns' | 'where' | 'ignoreEmailCase' | 'newRow' | 'timestamp'
>

/** The statements of a provider. Those that change a row name it by its id and its tenant. */
export interface Statements {
  /** Returns one id at most, of any row; fails if the database refuses the values of `where`. */
  anyId(): AwaitableRows
  /** Returns two rows at most: ids that are only similar, or several rows with one id. */
  byId(id: string, tenant: Tenant): AwaitableRows
  byIds(ids: readonly string[], tenant: Tenant): AwaitableRows
  /** Returns two rows at most: emails that are only similar, or several rows with one email. */
  byEmail(email: string, tenant: Tenant): AwaitableRows
  /** Returns the ids and emails of the first rows, for an email that several rows may have. */
  idsByEmail(email: string, tenant: Tenant): AwaitableRows
  /** Returns all rows, or at most `limit` of them. */
  all(limit?: number): AwaitableRows
  /** Returns the ids of the rows as `all` does, also of those that are deleted. */
  idsWithDeleted(limit?: number): AwaitableRows
  /** Returns the ids of the rows as `all` does, also of those that `where` does not name. */
  idsOfTable(limit?: number): AwaitableRows
  insert(fields: NewUser, tenant: Tenant): Promise<void>
  /** Replaces a hash that is still `from`. @returns the number of changed rows. */
  replaceHash(user: RowName, from: string | null, to: string | null): Awaitable<number>
  setHash(user: RowName, to: string): Promise<void>
  /** Marks the email as verified if it is still this one. */
  markVerified(user: RowName, email: string | null, unverified: unknown): Promise<void>
  remove(user: RowName): Promise<void>
}

const IDS: Search = { properties: ['id'] }

/** Prepares the statements of a provider. */
export function createStatements(options: StatementOptions, rows: TableRows): Statements {
  const { columns, ignoreEmailCase = false } = options
  const { deletedAt: _, ...withoutDeletion } = columns
  const lookUp = createLookUps(options, rows)
  const id: Condition = { column: columns.id, is: 'equal' }
  const fixed = fixedOf(options)
  const anyId = rows.find(fixed.conditions, { properties: ['id'], limit: 1 })
  const email: Condition = {
    column: columns.email,
    is: ignoreEmailCase ? 'lower-case' : 'equal',
  }
  return {
    byId: lookUp(id, { limit: 2 }),
    byIds: lookUp({ column: columns.id, is: 'one-of' }),
    byEmail: lookUp(email, { limit: 2 }),
    idsByEmail: lookUp(email, { properties: ['id', 'email'], limit: MAX_NAMESAKES + 1 }),
    anyId: () => anyId(fixed.values),
    all: createList(options, rows),
    idsWithDeleted: createList({ ...options, columns: withoutDeletion }, rows, IDS),
    idsOfTable: createList({ columns: withoutDeletion }, rows, IDS),
    insert: async (fields, tenant) => {
      const row = newRowOf(options, fields, tenant)
      await insertRow(rows, row, columns)
    },
    ...createChanges(options, rows),
  }
}

/** A change of one row: the values to set, and those of further conditions. */
type Change = (
  user: RowName,
  set: readonly unknown[],
  more?: readonly unknown[],
) => Awaitable<number>

/** Prepares a change with the conditions that name the row at their head. */
type Prepare = (name: readonly Condition[]) => (values: readonly unknown[]) => Awaitable<number>

/**
 * Creates what prepares changes of the row of a user. A change changes nothing where the database
 * finds rows of other users, too.
 */
function changesOfOne({ columns, where }: TableOptions, rows: TableRows) {
  const { id, tenant: column } = columns
  const { conditions, values: fixed } = rulesOf(where)
  // By the index, and then exactly: a collation also finds `Ann` for `ann`. A row that `where`
  // leaves out, such as one of another tenant, may have the same id.
  const byId: readonly Condition[] = [
    { column: id, is: 'equal' },
    { column: id, is: 'same' },
    ...conditions,
  ]
  const changeBy = (prepare: Prepare, ...more: readonly Condition[]): Change => {
    const name = [...byId, ...more]
    const change = prepare(name)
    const find = rows.find(name, { properties: ['id', 'tenant'], limit: 2 })
    return async (user, set, rest = []) => {
      const { id, tenant } = user
      const values = [id, id, ...fixed, ...(tenant === null ? [] : [tenant])]
      const found = await find(values)
      if (!found.every((row) => isRowOf(user, row))) throw new Error(SIMILAR)
      if (found.length > 1) throw new Error(`nothing was changed: ${severalRows(id)}`)
      return change([...set, ...values, ...rest])
    }
  }
  return (prepare: Prepare): Change => {
    if (column === undefined) return changeBy(prepare)
    const alone = changeBy(prepare, { column, is: 'null' })
    const ofTenant = changeBy(prepare, { column, is: 'same' })
    return async (user, ...values) => (user.tenant === null ? alone : ofTenant)(user, ...values)
  }
}

const SIMILAR =
  'nothing was changed: for this id and tenant, the database also finds the row of a user whose id or tenant is spelled differently'

/** Returns the message about an id of several rows: a session of one would be one of the others. */
export function severalRows(id: string): string {
  return `several rows have the id ${id}, so none of them is a user: name a unique column as \`columns.id\`, and a column of tenants as \`columns.tenant\``
}

function createChanges(
  options: StatementOptions,
  rows: TableRows,
): Pick<Statements, 'replaceHash' | 'setHash' | 'markVerified' | 'remove'> {
  const { passwordHash: column, deletedAt } = options.columns
  const time = () => options.timestamp?.(new Date()) ?? new Date()
  const change = changesOfOne(options, rows)
  const ifSame = change((name) => rows.update([column], [...name, { column, is: 'same' }]))
  const ifNull = change((name) => rows.update([column], [...name, { column, is: 'null' }]))
  const setHash = change((name) => rows.update([column], name))
  const remove = change((name) =>
    deletedAt === undefined ? rows.remove(name) : rows.update([deletedAt], name),
  )
  return {
    replaceHash: (user, from, to) =>
      from === null ? ifNull(user, [to]) : ifSame(user, [to], [from]),
    setHash: async (user, to) => void (await setHash(user, [to])),
    markVerified: createMark(options, rows, change),
    remove: async (user) => void (await remove(user, deletedAt === undefined ? [] : [time()])),
  }
}

type TableOptions = Pick<UserTableOptions, 'columns' | 'where'>

/** Returns the conditions of `where`, and their values. */
function rulesOf(where: UserTableOptions['where'] = {}) {
  const entries = Object.entries(where)
  const conditions = entries.map(([column, value]): Condition => ({
    column,
    is: value === null ? 'null' : value === false ? 'equal-or-null' : 'equal',
  }))
  return { conditions, values: entries.flatMap(([, value]) => (value === null ? [] : [value])) }
}

/** Returns the conditions that every row of a user fulfils, and their values. */
function fixedOf({ columns: { deletedAt }, where }: TableOptions) {
  const { conditions, values } = rulesOf(where)
  const present: readonly Condition[] =
    deletedAt === undefined ? [] : [{ column: deletedAt, is: 'null' }]
  return { conditions: [...conditions, ...present], values }
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
    return (value: unknown, tenant: Tenant): AwaitableRows => {
      if (tenant === null) return withoutTenant([value, ...fixed.values])
      if (column === undefined) throw new Error(NO_TENANTS)
      return withTenant([value, ...fixed.values, tenant])
    }
  }
}

const NO_TENANTS =
  'the request has a tenant, and the users table has no column for it: name it as `columns.tenant`'

function createList(options: TableOptions, rows: TableRows, search: Search = {}) {
  const { conditions, values } = fixedOf(options)
  return (limit?: number): AwaitableRows =>
    rows.find(conditions, {
      ...search,
      isOfAllRows: true,
      ...(limit !== undefined && { limit }),
    })(values)
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

const NO_VALUE =
  "a column of the new user needs a value: give it by `newRow`, such as `newRow: () => ({ role: 'admin' })`"

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
    if (isWithoutValue(error)) throw new Error(NO_VALUE, { cause: error })
    if (!isGeneratedColumn(error)) throw error
    const example = `\`newRow: () => ({ ${name ?? 'name'}: undefined })\``
    throw new Error(`a column is generated: leave it out, such as ${example}`, { cause: error })
  }
}

function createMark(
  { columns, timestamp }: StatementOptions,
  rows: TableRows,
  change: ReturnType<typeof changesOfOne>,
): Statements['markVerified'] {
  const { email, emailVerifiedAt: column } = columns
  if (column === undefined) return async () => undefined
  const mark = change((name) => rows.update([column], [...name, { column: email, is: 'same' }]))
  return async (user, address, unverified) =>
    void (await mark(user, [timestamp?.(new Date()) ?? verifiedLike(unverified)], [address]))
}

/** Returns the value of a flag that is set, in place of one that is not; otherwise the time. */
function verifiedLike(unverified: unknown): unknown {
  if (readFlag(unverified) === null) return new Date()
  if (typeof unverified === 'boolean') return true
  return typeof unverified === 'string' ? '1' : 1
}
