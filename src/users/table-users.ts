import type { JsonObject, NewUser, Tenant, UserProvider } from '../contracts.ts'
import { canonicalEmail } from '../core/email/email-address.ts'
import { batchedReads } from './batched-reads.ts'
import { groupsOf, isRefusedId, isText } from './row-values.ts'
import type { TableUser, UserTableOptions, UserWith } from './table-options.ts'
import { createStatements, type Statements } from './statements.ts'
import { createReader, shapeOf } from './user-reader.ts'
import type { Row, TableShape, UserRows } from './user-rows.ts'
import { writeErrorLine } from '../write-line.ts'

/** The users of a table: for `createPanelAuth`, and for the command `svc` by `defineConfig`. */
export interface TableUsers<
  User extends TableUser = TableUser,
  Presented extends JsonObject = JsonObject,
> extends UserProvider<User, Presented> {
  /**
   * Finds a user by id. On a database server, the calls of one tick of the event loop are one
   * statement.
   */
  findById(id: string, tenant?: Tenant): Promise<User | null>
  findByEmail(email: string, tenant?: Tenant): Promise<User | null>
  /** Finds users by id with one statement; in the order of the ids, `null` for none. */
  findManyById(ids: readonly string[], tenant?: Tenant): Promise<readonly (User | null)[]>
  rehash(user: User, from: string, to: string): Promise<boolean>
  /** Creates a user, whose email is stored in the canonical form. */
  create(fields: NewUser, tenant?: Tenant): Promise<User>
  /** Returns all users of all tenants, in the order of their emails. */
  list(): Promise<readonly User[]>
  /** Replaces the hash of a password; sessions that were opened with the old one end. */
  setPassword(user: Pick<User, 'id'>, passwordHash: string): Promise<void>
  /** Removes a user, or writes `deletedAt` if the table has it; the user's sessions end. */
  remove(user: Pick<User, 'id'>): Promise<void>
}

/** At most so many ids are looked up by one statement, which SQLite and MySQL limit. */
const BATCH = 500

/**
 * Creates the provider. The same rules hold on every kind of table, so they are applied here to
 * the rows that a database returns, and not in its SQL: what a collation or a conversion finds
 * besides is not the user.
 */
export function tableUsers<Other extends string, Presented extends JsonObject>(
  options: UserTableOptions<Other, string, Presented>,
  open: (shape: TableShape) => UserRows,
  database: 'server' | 'embedded' = 'server',
): TableUsers<UserWith<Other>, Presented> {
  const statements = createStatements(options, open(shapeOf(options)))
  const finders = createFinders<Other>(options, statements, database)
  return {
    ...finders,
    identify: ({ id, email, name }) => ({ id, email, name }),
    passwordHash: (user) => user.passwordHash,
    rehash: async ({ id }, from, to) => (await statements.replaceHash(id, from, to)) > 0,
    async create(fields, tenant = null) {
      // In any other form the new user could not log in.
      const email = canonicalEmail(fields.email)
      await statements.insert({ ...fields, email }, tenant)
      const user = await finders.findByEmail(email, tenant)
      if (user === null) throw new Error(NOT_FOUND)
      return user
    },
    setPassword: async ({ id }, passwordHash) => statements.setHash(id, passwordHash),
    remove: async ({ id }) => statements.remove(id),
    ...presenterOf(options),
  }
}

const NOT_FOUND =
  'the new user was inserted, but is not found: check `newRow` and the defaults of the columns'

function presenterOf<Other extends string, Presented extends JsonObject>(
  options: UserTableOptions<Other, string, Presented>,
): Pick<UserProvider<UserWith<Other>, Presented>, 'present' | 'canAccessPanel'> {
  const { present = null, canAccessPanel = null } = options
  return {
    ...(present !== null && { present }),
    ...(canAccessPanel !== null && {
      canAccessPanel: (user) => canAccessPanel(user),
    }),
  }
}

interface Reading<User> {
  readonly statements: Statements
  readonly userOf: (row: Row) => User | null
  readonly usersOf: (rows: readonly Row[]) => readonly User[]
}

function createFinders<Other extends string>(
  options: UserTableOptions<Other>,
  statements: Statements,
  database: 'server' | 'embedded',
) {
  const userOf = createReader(options, statements)
  const usersOf = (rows: readonly Row[]) => rows.flatMap((row) => userOf(row) ?? [])
  const byId = findersById({ statements, userOf, usersOf })
  return {
    // An embedded database answers sooner than the tick ends.
    ...(database === 'server' ? batchedReads(byId) : byId),
    findByEmail: finderByEmail({ statements, userOf, usersOf }, options.log ?? writeErrorLine),
    list: async () =>
      usersOf(await statements.all()).toSorted((one, other) => (one.email < other.email ? -1 : 1)),
  }
}

function findersById<User extends TableUser>({ statements, userOf, usersOf }: Reading<User>) {
  async function findById(id: string, tenant: Tenant = null): Promise<User | null> {
    if (!isText(id)) return null
    try {
      // Compared again: MySQL finds the row 12 for '12abc', and PostgreSQL a UUID in upper case.
      for (const row of await statements.byId(id, tenant)) {
        const user = userOf(row)
        if (user?.id === id) return user
      }
      return null
    } catch (error) {
      if (isRefusedId(error)) return null
      throw error
    }
  }

  async function findGroup(ids: readonly string[], tenant: Tenant): Promise<readonly User[]> {
    try {
      return usersOf(await statements.byIds(ids, tenant))
    } catch (error) {
      if (!isRefusedId(error)) throw error
      // One id that is not of the column's type must not hide the users with the others.
      const groups = groupsOf(ids)
      if (groups.length === 1) return []
      const found: User[] = []
      for (const group of groups) found.push(...(await findGroup(group, tenant)))
      return found
    }
  }

  async function findManyById(ids: readonly string[], tenant: Tenant = null) {
    const wanted = [...new Set(ids)].filter(isText)
    const found = new Map<string, User>()
    for (let at = 0; at < wanted.length; at += BATCH) {
      const batch = await findGroup(wanted.slice(at, at + BATCH), tenant)
      for (const user of batch) found.set(user.id, user)
    }
    return ids.map((id) => found.get(id) ?? null)
  }

  return { findById, findManyById }
}

function finderByEmail<User extends TableUser>(
  { statements, usersOf }: Reading<User>,
  log: (line: string) => void,
) {
  const warnOfTwo = createWarning(log)
  return async (email: string, tenant: Tenant = null): Promise<User | null> => {
    if (!isText(email)) return null
    const found = usersOf(await statements.byEmail(email, tenant))
    // Compared again: a collation that ignores accents finds the account of somebody else.
    const [user, other] = found.filter((one) => canonicalEmail(one.email) === email)
    if (user === undefined || other === undefined) return user ?? null
    // Nothing says whose password it is, and one account may imitate the other.
    warnOfTwo(user.id, other.id)
    return null
  }
}

/** Creates the warning of two users with one email, which logs each pair once in a row. */
function createWarning(log: (line: string) => void) {
  let last = ''
  return (...ids: readonly [string, string]): void => {
    const pair = ids.toSorted().join(' and ')
    if (pair === last) return
    last = pair
    log(`The users ${pair} have the same email, so neither can log in: change one of them`)
  }
}
