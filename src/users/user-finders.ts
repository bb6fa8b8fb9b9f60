import type { Tenant } from '../contracts/host.ts'
import { canonicalEmail } from '../contracts/email-address.ts'
import { batchedReads } from './batched-reads.ts'
import {
  groupsOf,
  isOfOtherType,
  isRowOf,
  isText,
  lacksCharacter,
  readId,
  readText,
} from './tables/row-values.ts'
import type { TableUser, UserTableOptions } from './table-options.ts'
import { severalRows, type Statements } from './statements.ts'
import { brokenRuleOf, createReader, exclusionOf, UnreadableRowError } from './user-reader.ts'
import { MAX_NAMESAKES, type Row } from './tables/table-rows.ts'
import { safeLog } from '../contracts/write-line.ts'

/** At most so many ids are looked up by one statement, which SQLite and MySQL limit. */
const BATCH = 500

/** Creates the reads of a provider. */
export function createFinders<Other extends string>(
  options: UserTableOptions<Other>,
  statements: Statements,
  database: 'server' | 'embedded',
) {
  const log = safeLog(options.log)
  const userOf = createReader(options, statements, log)
  const byId = findersById({ statements, userOf }, log)
  return {
    // An embedded database answers sooner than the tick ends.
    findById: database === 'server' ? batchedReads(byId) : byId.findById,
    findManyById: byId.findManyById,
    findByEmail: finderByEmail({ statements, userOf }, byId.findById, log),
    list: async (limit?: number) => {
      const users = readAll(await statements.all(limit), (row) => userOf(row, null), log)
      return users.toSorted((one, other) => (one.email < other.email ? -1 : 1))
    },
    leftOut: async (limit?: number) => countLeftOut(options, statements, limit),
  }
}

/**
 * Reads the users of all rows. In SQLite each row has types of its own, and one that cannot be read
 * must not hide the others, so it is logged.
 *
 * @throws {TypeError} No row can be read.
 */
function readAll<User>(
  rows: readonly Row[],
  userOf: (row: Row) => User | null,
  log: (line: string) => void,
): readonly User[] {
  const faults: { readonly row: Row; readonly error: unknown }[] = []
  const users = rows.flatMap((row) => {
    try {
      return userOf(row) ?? []
    } catch (error) {
      faults.push({ row, error })
      return []
    }
  })
  const [first] = faults
  if (first !== undefined && faults.length === rows.length) throw first.error
  for (const { row, error } of faults)
    log(`The user ${String(row['id'])} is left out: ${String(error)}`)
  return users
}

/** Counts the rows that are not users, by the reason. */
async function countLeftOut(
  options: Pick<UserTableOptions, 'columns' | 'where'>,
  statements: Statements,
  limit?: number,
): Promise<Readonly<Record<string, number>>> {
  const rows = await statements.all(limit)
  const named = (await statements.idsWithDeleted(limit)).length
  // Customers beside the users are no fault, but a `where` that names nobody is one.
  const others = named === 0 ? (await statements.idsOfTable(limit)).length : 0
  const counts = new Map([
    [BY_WHERE, others],
    ['deleted', named - rows.length],
  ])
  for (const row of rows) {
    const reason = reasonOf(options, row)
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].filter(([, count]) => count > 0))
}

const BY_WHERE = 'left out by `where`'

function reasonOf(
  { columns, where }: Pick<UserTableOptions, 'columns' | 'where'>,
  row: Row,
): string | null {
  try {
    return brokenRuleOf(where)(row) === undefined ? exclusionOf(columns, row) : BY_WHERE
  } catch {
    return 'unreadable'
  }
}

interface FinderParts<User> {
  readonly statements: Statements
  readonly userOf: (row: Row, tenant: Tenant) => User | null
}

function findersById<User extends TableUser>(
  { statements, userOf }: FinderParts<User>,
  log: (line: string) => void,
) {
  const warn = createWarning(log)

  function userAmong(rows: readonly Row[], id: string, tenant: Tenant): User | null {
    const [row, another] = rows
    if (another !== undefined) return warn(severalRows(id))
    return row === undefined ? null : userOf(row, tenant)
  }

  async function findById(id: string, tenant: Tenant = null): Promise<User | null> {
    if (!canFind(id, tenant)) return null
    try {
      // Compared again: MySQL finds the row 12 for '12abc', and PostgreSQL a UUID in upper case.
      const rows = (await statements.byId(id, tenant)).filter((row) => isRowOf({ id, tenant }, row))
      return userAmong(rows, id, tenant)
    } catch (error) {
      if (await isRefused(statements, error, valuesOf(id, tenant))) return null
      throw error
    }
  }

  /** Returns the function that reads one of the users: a row that cannot be read fails alone. */
  async function findEach(ids: readonly string[], tenant: Tenant) {
    const wanted = [...new Set(ids)].filter((id) => canFind(id, tenant))
    const found = new Map<string, readonly Row[]>()
    for (let at = 0; at < wanted.length; at += BATCH) {
      const rows = await findRows(statements, wanted.slice(at, at + BATCH), tenant)
      for (const [id, group] of groupById(rows, tenant)) found.set(id, group)
    }
    return (id: string) => userAmong(found.get(id) ?? [], id, tenant)
  }

  async function findManyById(ids: readonly string[], tenant: Tenant = null) {
    return ids.map(await findEach(ids, tenant))
  }

  return { findById, findEach, findManyById }
}

/** Groups the rows of exactly a tenant by their ids. */
function groupById(rows: readonly Row[], tenant: Tenant): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const id = readId(row['id'])
    if (isRowOf({ id, tenant }, row)) groups.set(id, [...(groups.get(id) ?? []), row])
  }
  return groups
}

/** Finds the rows of some ids. One that is not of the column's type must not hide the others. */
async function findRows(
  statements: Statements,
  ids: readonly string[],
  tenant: Tenant,
): Promise<readonly Row[]> {
  try {
    return await statements.byIds(ids, tenant)
  } catch (error) {
    if (!(await isRefused(statements, error, valuesOf(ids, tenant)))) throw error
    const groups = groupsOf(ids)
    if (groups.length === 1) return []
    const found: Row[] = []
    for (const group of groups) found.push(...(await findRows(statements, group, tenant)))
    return found
  }
}

function canFind(value: unknown, tenant: unknown): boolean {
  return isText(value) && (tenant === null || isText(tenant))
}

/**
 * Returns whether a database refused a value, so that no row has it.
 *
 * @throws It refuses the values of `where`, such as a label of an enum that was renamed meanwhile.
 */
async function isRefused(
  { anyId }: Pick<Statements, 'anyId'>,
  error: unknown,
  values: readonly string[],
): Promise<boolean> {
  if (!isOfOtherType(error) && !lacksCharacter(error, values)) return false
  await anyId()
  return true
}

function valuesOf(value: string | readonly string[], tenant: Tenant): readonly string[] {
  return [value, tenant ?? []].flat()
}

type FindById<User> = (id: string, tenant: Tenant) => Promise<User | null>

function finderByEmail<User extends TableUser>(
  { statements, userOf }: FinderParts<User>,
  findById: FindById<User>,
  log: (line: string) => void,
) {
  const findAmong = finderAmongNamesakes(statements, findById, log)
  return async (email: string, tenant: Tenant = null): Promise<User | null> => {
    if (!canFind(email, tenant)) return null
    try {
      const [row, another] = await statements.byEmail(email, tenant)
      if (row === undefined) return null
      if (another !== undefined) return await findAmong(email, tenant)
      const user = userOf(row, tenant)
      // Compared again: a collation that ignores accents finds the account of somebody else.
      return user !== null && hasEmail(user, email) ? user : null
    } catch (error) {
      if (error instanceof UnreadableRowError) return unreadableUser(error, email) as User | null
      if (lacksCharacter(error, valuesOf(email, tenant))) return null
      // Emails are texts, so only a tenant can be of another type than its column.
      if (tenant !== null && (await isRefused(statements, error, [tenant]))) return null
      throw error
    }
  }
}

/**
 * Returns a user whose properties throw the error; `null` for a row with another email. A login
 * reads the properties after it has compared the password: to reject here would answer 503, and
 * tell that the account exists.
 */
function unreadableUser(error: UnreadableRowError, canonical: string): unknown {
  const email = error.read('email')
  if (email === null || !hasEmail({ email }, canonical)) return null
  const get = (): never => {
    throw error
  }
  return Object.create(null, {
    ...Object.fromEntries(['id', 'email', 'name', 'tenant'].map((name) => [name, { get }])),
    passwordHash: { get: () => error.read('passwordHash') },
  })
}

function hasEmail({ email }: Pick<TableUser, 'email'>, canonical: string): boolean {
  return canonicalEmail(email) === canonical
}

/**
 * Creates the search where the database finds several rows for an email. It reads their ids and
 * emails, without their hashes, and then the only user who has exactly this email.
 */
function finderAmongNamesakes<User extends TableUser>(
  statements: Statements,
  findById: FindById<User>,
  log: (line: string) => void,
): FindById<User> {
  const warn = createWarning(log)
  return async (email, tenant) => {
    const rows = await statements.idsByEmail(email, tenant)
    if (rows.length > MAX_NAMESAKES) return warn(tooMany(rows.map((row) => String(row['id']))))
    let found: User | null = null
    for (const row of rows) {
      const stored = readText('email', row['email'])
      if (stored === null || !hasEmail({ email: stored }, email)) continue
      const user = await findById(readId(row['id']), tenant)
      if (user === null || !hasEmail(user, email)) continue
      // Nothing says whose password it is, and one account may imitate the other.
      if (found !== null) return warn(sameEmail([found.id, user.id]))
      found = user
    }
    return found
  }
}

function sameEmail(ids: readonly string[]): string {
  const pair = ids.toSorted().join(' and ')
  return `The users ${pair} have the same email, so neither can log in: change one of them`
}

function tooMany(ids: readonly string[]): string {
  const some = ids.toSorted().slice(0, 3).join(', ')
  return `The database finds more than ${MAX_NAMESAKES} rows for one email, such as those of the users ${some}, so none of them can log in: give the column a collation that tells their emails apart, or leave former users out by \`where\` or \`deletedAt\``
}

/** Creates the warning about an email that finds nobody, which logs a line once in a row. */
function createWarning(log: (line: string) => void): (line: string) => null {
  let last = ''
  return (line) => {
    if (line !== last) log(line)
    last = line
    return null
  }
}
