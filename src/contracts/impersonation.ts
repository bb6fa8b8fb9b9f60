import type { Awaitable } from './awaitable.ts'

/**
 * Binds impersonation: a person acts as another one, in a session that says so and that can change
 * nothing of the other's account.
 *
 * @example
 * ```ts
 * const impersonation: Impersonation<User> = {
 *   allows: (impersonator, user) => impersonator.email.endsWith('@support.example.com'),
 * }
 * ```
 */
export interface Impersonation<User> {
  /**
   * Returns `true` if a person may act as a user; any other value refuses. Called when it begins,
   * and again at each request of the session, which ends at a refusal.
   */
  allows(impersonator: User, user: User): Awaitable<boolean>
}

/** The person who acts as the user of a session. */
export interface Impersonator {
  readonly id: string
  readonly name: string
}
