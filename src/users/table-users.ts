import type { JsonObject, NewUser, Tenant, UserProvider } from '../contracts/host.ts'
import { canonicalEmail } from '../contracts/email-address.ts'
import { warned } from '../contracts/provider-warning.ts'
import { OF_TENANTS } from '../contracts/tenant-marks.ts'
import { hiddenRows } from './tables/row-security.ts'
import { isCutOff, isText, type RowName } from './tables/row-values.ts'
import type { NamedUser, TableUser, UserTableOptions, UserWith } from './table-options.ts'
import { ALTERED, createHashChanges } from './hash-changes.ts'
import { createStatements } from './statements.ts'
import { createFinders } from './user-finders.ts'
import { shapeOf } from './user-reader.ts'
import type { TableShape, TableRows } from './tables/table-rows.ts'

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
  setPasswordHash(user: User, from: string | null, to: string): Promise<boolean>
  /** Creates a user, whose email is stored in the canonical form. */
  create(fields: NewUser, tenant?: Tenant): Promise<User>
  /**
   * Returns all users of all tenants, in the order of their emails.
   *
   * @param limit The maximum number of rows that are read, in no order. Default: all.
   */
  list(limit?: number): Promise<readonly User[]>
  /**
   * Counts the rows that are not users, by the reason. The rows that `where` excludes are counted
   * only if it excludes all rows.
   *
   * @param limit As of `list`.
   */
  leftOut(limit?: number): Promise<Readonly<Record<string, number>>>
  /** Replaces the hash of a password; sessions that were opened with the old one end. */
  setPassword(user: NamedUser, passwordHash: string): Promise<void>
  /** Removes a user, or writes `deletedAt` if the table has it; the user's sessions end. */
  remove(user: NamedUser): Promise<void>
}

/**
 * Creates the provider. The same rules hold on every kind of table, so they are applied here to
 * the rows that a database returns, and not in its SQL: what a collation or a conversion finds
 * besides is not the user.
 */
export function tableUsers<Other extends string, Presented extends JsonObject>(
  options: UserTableOptions<Other, string, Presented>,
  open: (shape: TableShape) => TableRows,
  database: 'server' | 'embedded' = 'server',
): TableUsers<UserWith<Other>, Presented> {
  const rows = open(shapeOf(options))
  const statements = createStatements(options, rows)
  const finders = createFinders<Other>(options, statements, database)
  const hashes = createHashChanges(statements)
  const nameOf = namerOf(options)
  const { present, canAccessPanel } = options
  const replaceHash = async (user: TableUser, from: string | null, to: string): Promise<boolean> =>
    hashes.replaceHash(nameOf(user), from === null ? null : textOf(from), textOf(to))
  return {
    ...finders,
    ...(options.columns.tenant !== undefined && { [OF_TENANTS]: true }),
    identify: identifierOf(options),
    passwordHash: (user) => user.passwordHash,
    rehash: replaceHash,
    setPasswordHash: replaceHash,
    async create(fields, tenant = null) {
      // In any other form the new user could not log in.
      const email = canonicalEmail(fields.email)
      await statements.insert({ ...fields, email }, tenant)
      const user = await finders.findByEmail(email, tenant)
      if (user === null) throw new Error(NOT_FOUND)
      ensureHash(user.passwordHash, fields.passwordHash)
      // Throws where SQLite has stored NULL in a primary key of texts.
      textOf(user.id)
      return user
    },
    setPassword: async (user, passwordHash) => hashes.setHash(nameOf(user), textOf(passwordHash)),
    async remove(user) {
      const { id, tenant } = nameOf(user)
      await statements.remove({ id, tenant })
      if ((await finders.findById(id, tenant)) !== null) throw new Error(NOT_REMOVED)
    },
    ...warnedOf(rows, options.columns),
    ...(present && { present }),
    ...(canAccessPanel && { canAccessPanel: (user) => canAccessPanel(user) }),
  }
}

/**
 * Creates what names the row of a user. An id alone may be that of a user of another tenant, who
 * must not be changed.
 */
function namerOf({ columns }: Pick<UserTableOptions, 'columns'>): (user: NamedUser) => RowName {
  return ({ id, tenant }) => {
    if (columns.tenant === undefined) return { id: textOf(id), tenant: null }
    if (tenant === undefined) throw new TypeError('give the user with its tenant, as it was read')
    return { id: textOf(id), tenant: tenant === null ? null : textOf(tenant) }
  }
}

/** Creates what identifies a user, with the tenant where the table has one. */
function identifierOf({ columns }: Pick<UserTableOptions, 'columns'>) {
  return ({ id, email, name, tenant }: TableUser) =>
    columns.tenant === undefined || tenant === undefined
      ? { id, email, name }
      : { id, email, name, tenant }
}

function warnedOf(rows: TableRows, { blockedUntil }: UserTableOptions['columns']) {
  return warned(
    async () => hiddenRows(rows, 'users in rows that its policies hide count as none'),
    async () =>
      blockedUntil === undefined ? null : ((await rows.localTimesOf?.(blockedUntil)) ?? null),
  )
}

/** Refuses a new user whose hash the database has changed. */
function ensureHash(stored: string | null, given: string | null): void {
  if (given === null || stored === given) return
  throw new Error(isCutOff(stored, given) ? NOT_WHOLE : ALTERED)
}

/** Refuses what is not a text: builders take an object for a condition of its own. */
function textOf(value: unknown): string {
  if (isText(value)) return value
  throw new TypeError('ids and hashes must be texts without U+0000')
}

const NOT_FOUND =
  'the new user was inserted, but is not found: check `newRow` and the defaults of the columns'
const NOT_REMOVED =
  'the database did not remove the row: check the rights, the policies and the triggers of the table'
const NOT_WHOLE =
  'the new user was inserted, but the column of `passwordHash` did not store the whole hash: make it a varchar(255) or a text, and set a password'
