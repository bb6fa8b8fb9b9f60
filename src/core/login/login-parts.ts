import type { Clock, Logger } from '../../contracts.ts'
import type { Limits } from '../../rules/limits.ts'
import type { AccountCeiling, LoginSource } from './account-ceiling.ts'
import type { Attempts } from '../attempts.ts'
import type { CheckedUsers } from '../checked-users.ts'
import type { Devices } from './devices.ts'
import type { Events } from '../events.ts'
import type { CheckedAuthenticator } from '../second-factor/checked-authenticator.ts'
import type { Passwords, PasswordSlot } from '../passwords/passwords.ts'
import type { PendingLogins } from './pending-logins.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SecurityStamps } from '../sessions/security-stamps.ts'

/** A login as it was asked for. */
export interface LoginRequest extends LoginSource {
  readonly email: string
  readonly password: string
  /** The session id that came with the request: whatever it stands for ends when the password is right. */
  readonly presentedId: string | null
  /** Aborted when the client has gone: a login that still waits for its hash is given up, and not counted. */
  readonly signal: AbortSignal | null
}

/** The login is complete. */
export interface Authenticated {
  readonly outcome: 'authenticated'
  readonly sessionId: string
  /** The device cookie to give out, so that the browser is a known place from now on. */
  readonly deviceCookie: string
}

export type LoginOutcome =
  | Authenticated
  /** The code is still owed. */
  | {
      readonly outcome: 'pending'
      readonly pendingId: string
      readonly expiresInSeconds: number
      readonly attemptsLeft: number
    }
  | { readonly outcome: 'failed' }
  | { readonly outcome: 'throttled'; readonly retryAfterSeconds: number }
  /** The password could not be compared in time: the login is not counted. */
  | { readonly outcome: 'overloaded' }

export interface LoginParts<User> {
  readonly users: CheckedUsers<User>
  /** `null`: none is bound. */
  readonly factor: CheckedAuthenticator<User> | null
  readonly passwords: Passwords
  readonly pendingLogins: PendingLogins
  readonly clock: Clock
  readonly attempts: Attempts
  readonly ceiling: AccountCeiling
  readonly devices: Devices
  readonly sessions: Sessions
  readonly stamps: SecurityStamps
  readonly limits: Limits
  readonly events: Events
  readonly logger: Logger
}

/** One login on its way: who asks, from where, with which place in the hashing queue. */
export interface LoginAttempt extends LoginRequest {
  /** The canonical email. */
  readonly account: string
  readonly place: PasswordSlot
}

/** The user that an email was found for, and what the host says about it; all `null` where there is none. */
export interface Found<User> {
  readonly user: User | null
  readonly id: string | null
  readonly hash: string | null
  /** Why something that the host owes is missing. */
  readonly fault: unknown
}
