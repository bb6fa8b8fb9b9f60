import type { Awaitable } from './host.ts'

/**
 * Binds the passwords layer: forgotten, reset and changed passwords, and invitations. `{}` is
 * enough for user providers with `setPasswordHash`, as those of `@svc/auth/users` have it.
 *
 * @example
 * ```ts
 * const passwords: AccountPasswords<User> = {
 *   set: async (user, hash) => {
 *     await db.run('update users set password_hash = ? where id = ?', hash, user.id)
 *   },
 *   allows: async (user, password) => password !== user.name,
 * }
 * ```
 */
export interface AccountPasswords<User> {
  /**
   * Stores a new password hash. Changes of one user run one at a time.
   *
   * @returns false, changing nothing, when the hash cannot be replaced any more, such as for a user
   *   whose password was changed elsewhere.
   */
  set?(user: User, hash: string): Awaitable<boolean | void>
  /**
   * Returns `true` to accept a new password that follows the rules of the service; any other value
   * refuses. Default: accepted.
   */
  allows?(user: User, password: string): Awaitable<boolean>
}
