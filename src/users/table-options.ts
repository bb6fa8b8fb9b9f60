import type { JsonObject, MustVerifyEmail, NewUser, Tenant } from '../contracts/host.ts'

/** The columns of a users table. Drizzle and Prisma name them by the properties of their models. */
export interface UserColumns<Column extends string = string> {
  /** A number, a UUID or a text. */
  readonly id: Column
  readonly email: Column
  /** Default: users have no name. */
  readonly name?: Column
  /** The hash of the password; argon2 or bcrypt. */
  readonly passwordHash: Column
  /**
   * The time at which the email was verified, or a boolean. Users with an unverified email must
   * verify it. Default: nobody must.
   */
  readonly emailVerifiedAt?: Column
  /** A time. Users with one are not found. Default: rows are deleted. */
  readonly deletedAt?: Column
  /** A boolean, 0 and 1, or a bit. Users without `true` are not found. Default: all are active. */
  readonly active?: Column
  /**
   * A boolean, or the time of the block, such as `banned` or `locked_at`. Users with a value other
   * than `false`, 0 and `null` are not found. Default: nobody is blocked.
   */
  readonly blocked?: Column
  /**
   * A time at which the block ends, such as `banExpires`; `null`: it lasts. Without `blocked`,
   * users are not found before this time. Default: blocks last.
   */
  readonly blockedUntil?: Column
  /** The tenant of a user. Default: the panel has no tenants. */
  readonly tenant?: Column
}

/** A user that was read from a table. */
export interface TableUser extends Partial<MustVerifyEmail> {
  readonly id: string
  /** As it is stored. */
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string | null
  /** As the driver returns it; `null` without such a column. */
  readonly emailVerifiedAt: unknown
  /** Absent without such a column. */
  readonly tenant?: Tenant
}

/** The part of a user that names the row. The ids of another tenant may be the same. */
export type NamedUser = Pick<TableUser, 'id' | 'tenant'>

/** A user with the values of `otherColumns`, as the driver returns them. */
export type UserWith<Other extends string> = TableUser & Readonly<Record<Other, unknown>>

/** A value that a row of the table must have. */
export type FixedValue = string | number | boolean | null

/** The options that every kind of users table has. */
export interface UserTableOptions<
  Other extends string = never,
  Column extends string = string,
  Presented extends JsonObject = JsonObject,
> {
  readonly columns: UserColumns<Column>
  /** More properties of a user, by their columns. Default: none. */
  readonly otherColumns?: Readonly<Record<Other, Column>>
  /**
   * Values that a row must have, by column; all other rows are not users of this panel. They are
   * compared exactly, whatever the column's collation is; `false` also takes `NULL`. New users get
   * them. Default: every row is a user.
   */
  readonly where?: Readonly<Partial<Record<Column, FixedValue>>>
  /**
   * Finds an email that is stored in upper case, by `lower(email)`, which needs an index of its
   * own. Default: false, the column's collation decides.
   */
  readonly ignoreEmailCase?: boolean
  /** Returns whether a user must verify the email. Default: all if `emailVerifiedAt` is there. */
  readonly mustVerify?: (user: UserWith<Other>) => boolean
  /** Returns `true` to admit the user. Default: everyone. */
  readonly canAccessPanel?: (user: UserWith<Other>) => boolean | Promise<boolean>
  /** Returns the body of `GET /user`. Default: id, name, email and email_verified_at. */
  readonly present?: (user: UserWith<Other>) => Presented
  /**
   * Returns more values of a new user, by column, such as an id. A column that is `undefined` is
   * left out. Default: none.
   */
  readonly newRow?: (fields: NewUser) => Readonly<Record<string, unknown>>
  /**
   * Converts the time for `emailVerifiedAt` and `deletedAt`. Default: the `Date`; `true` or 1 in an
   * `emailVerifiedAt` that is `false` or 0.
   */
  readonly timestamp?: (now: Date) => unknown
  /**
   * Receives a line when two users have one email, and when `active` or `where` meets an unexpected
   * value. Default: standard error.
   */
  readonly log?: (line: string) => void
}

/** The options of a provider on SQL or Kysely, which name their table. */
export interface UserTable<
  Other extends string = never,
  Presented extends JsonObject = JsonObject,
> extends UserTableOptions<Other, string, Presented> {
  /** The name of the table, with its schema where needed, such as `auth.users`. */
  readonly table: string
}
