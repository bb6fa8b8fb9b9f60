import type { Awaitable, MustVerifyEmail, Tenant, UserProvider } from '../contracts/host.ts'

/** A user to be stored by the host, and not by its provider. */
export interface StoredUser {
  readonly email: string
  readonly name: string | null
  readonly passwordHash: string | null
}

/** A user provider under test. Each case opens its own. */
export interface UserProviderStage<User> {
  readonly users: UserProvider<User> & {
    findManyById?(ids: readonly string[], tenant: Tenant): Promise<readonly (User | null)[]>
  }
  /** Stores a user who must verify the email, where the host's users do. @returns the id. */
  add(user: StoredUser): Awaitable<string>
  /** Changes a stored user as other code of the host does. */
  change(id: string, changes: Partial<StoredUser>): Awaitable<void>
  /** Removes a user as the host does: a deleted row, a soft-deleted one, or an inactive one. */
  remove(id: string): Awaitable<void>
  close?(): Awaitable<void>
}

/** Subject of the suite. */
export interface UserProviderSubject<User> {
  /** Opens an empty users table. */
  open(): Promise<UserProviderStage<User>>
}

/**
 * One rule of the contract, for any test runner: `for (const { name, run } of cases) test(name, ()
 * => run(subject))`.
 */
export interface UserProviderCase {
  readonly name: string
  /** Rejects if the rule is violated. */
  readonly run: <User>(subject: UserProviderSubject<User>) => Promise<void>
}

/** A user that the provider found, with its answers. */
export interface FoundUser<User> extends StoredUser {
  readonly user: User
  readonly id: string
  /** The methods of `MustVerifyEmail`; `null` for a user who need not verify. */
  readonly verification: MustVerifyEmail | null
}

/** The stage of a case. */
export interface UserScene<User> {
  readonly users: UserProviderStage<User>['users']
  readonly add: (user: StoredUser) => Promise<string>
  readonly change: (id: string, changes: Partial<StoredUser>) => Promise<void>
  readonly remove: (id: string) => Promise<void>
  readonly byId: (id: string) => Promise<FoundUser<User> | null>
  readonly byEmail: (email: string) => Promise<FoundUser<User> | null>
}

/** Creates a case of each rule about an empty users table, by its name. */
export function asUserProviderCases(
  rules: Readonly<Record<string, <User>(scene: UserScene<User>) => Promise<void>>>,
): readonly UserProviderCase[] {
  return Object.entries(rules).map(([name, rule]) => ({
    name,
    async run(subject) {
      const stage = await subject.open()
      const { users } = stage
      try {
        await rule({
          users,
          add: async (user) => stage.add(user),
          change: async (id, changes) => stage.change(id, changes),
          remove: async (id) => stage.remove(id),
          byId: async (id) => foundBy(users, await users.findById(id, null)),
          byEmail: async (email) => foundBy(users, await users.findByEmail(email, null)),
        })
      } finally {
        await stage.close?.()
      }
    },
  }))
}

/** Returns a user with the provider's answers. */
export function foundBy<User>(
  users: UserProvider<User>,
  user: User | null | undefined,
): FoundUser<User> | null {
  if (user === null || user === undefined) return null
  const { markEmailAsVerified } = Object(user) as Partial<MustVerifyEmail>
  const verification =
    typeof markEmailAsVerified === 'function' ? (user as User & MustVerifyEmail) : null
  const { id, email, name } = users.identify(user)
  return { user, id, email, name, passwordHash: users.passwordHash(user), verification }
}
