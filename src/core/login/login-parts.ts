import type { Clock, Logger } from '../../contracts/host.ts'
import type { Impersonation } from '../../contracts/impersonation.ts'
import type { Checked } from '../boundary/checked.ts'
import type { Limits } from '../../rules/limits.ts'
import type { Layer } from '../../rules/routes/row.ts'
import type { AccountCeiling, LoginSource } from './account-ceiling.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { Users } from '../boundary/checked-users.ts'
import type { Throttled } from './counted-attempts.ts'
import type { Devices } from './devices.ts'
import type { LoginPlaces } from './login-places.ts'
import type { Events } from '../events.ts'
import type { CheckedAuthenticator } from '../second-factor/checked-authenticator.ts'
import type { ProvisionalSessions } from '../second-factor/provisional-sessions.ts'
import type { Passwords, PasswordSlot } from '../passwords/passwords.ts'
import type { HashWarning } from './hash-warning.ts'
import type { FailureLog } from './failure-log.ts'
import type { PendingLogins } from './pending-logins.ts'
import type { SessionDetails } from '../sessions/session-details.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { TrustedDeviceParts } from './trusted-devices.ts'
import type { SecurityStamps } from '../sessions/security-stamps.ts'

/** A login request. */
export interface LoginRequest extends LoginSource {
  readonly email: string
  readonly password: string
  /**
   * The session id that the request presented. Its session or pending login ends when the password
   * is correct.
   */
  readonly presentedId: string | null
  /** The user wants to stay logged in when the browser closes. */
  readonly remember: boolean
  /**
   * Aborted when the client disconnects. A login that still waits for its hash is then abandoned
   * and not counted.
   */
  readonly signal: AbortSignal | null
}

/** A completed login. */
export interface Authenticated {
  readonly outcome: 'authenticated'
  readonly sessionId: string
  /** The time for which the browser keeps the cookie of the session; `null`: until it closes. */
  readonly cookieSeconds: number | null
  /** The device cookie to set, so that this browser counts as known from now on. */
  readonly deviceCookie: string
  /** The cookie of the trusted device that this browser has become; `null`: it has not. */
  readonly trustedDevice: { readonly id: string; readonly cookieSeconds: number } | null
}

/** The result of a login whose password, or other proof, was accepted. */
export type AcceptedOutcome =
  | Authenticated
  /** The second factor is still due. */
  | {
      readonly outcome: 'pending'
      readonly pendingId: string
      readonly expiresInSeconds: number
      readonly attemptsLeft: number
    }
  | { readonly outcome: 'failed' }

export type LoginOutcome =
  | AcceptedOutcome
  | Throttled
  /** The password was not compared in time, so the login is not counted. */
  | { readonly outcome: 'overloaded' }

export interface LoginParts {
  /** The layers that the host binds. */
  readonly layers: ReadonlySet<Layer>
  readonly users: Users
  /** `null` when no second factor is bound. */
  readonly factor: CheckedAuthenticator | null
  /** `null` when no second factor is bound. */
  readonly provisional: ProvisionalSessions | null
  /** `null`: nobody acts as another. */
  readonly impersonation: Checked<Impersonation<unknown>> | null
  readonly passwords: Passwords
  readonly pendingLogins: PendingLogins
  readonly clock: Clock
  readonly attempts: Attempts
  readonly ceiling: AccountCeiling
  /** `null` when `sessions.devices` is not bound. */
  readonly loginPlaces: LoginPlaces | null
  readonly devices: Devices
  /** `null`: the host does not bind them. */
  readonly trustedDevices: TrustedDeviceParts | null
  readonly sessions: Sessions
  readonly stamps: SecurityStamps
  readonly limits: Limits
  readonly events: Events
  readonly logger: Logger
  readonly warnOfHash: HashWarning
  readonly renewalLog: FailureLog
  /** The renewals of hashes that run, or have timed out, by tenant and user. */
  readonly renewals: Map<string, Promise<Renewal>>
  readonly refusalLog: FailureLog
}

/** The result of renewing a hash: the new one if it was stored, or the error. */
export interface Renewal {
  readonly to: string | null
  readonly error: unknown
}

/** The parts that check a password. */
export type PasswordCheckParts = Pick<
  LoginParts,
  | 'users'
  | 'sessions'
  | 'stamps'
  | 'logger'
  | 'warnOfHash'
  | 'renewalLog'
  | 'renewals'
  | 'refusalLog'
>

/** A password to check. */
export type PasswordAttempt = Pick<LoginAttempt, 'tenant' | 'password' | 'slot'>

/** A login in progress: the request, and its slot in the hashing queue. */
export interface LoginAttempt extends LoginRequest, AcceptedLogin {
  readonly slot: PasswordSlot
}

/** A login whose password, or other proof, was accepted. */
export interface AcceptedLogin extends LoginSource, Pick<LoginRequest, 'presentedId'> {
  /** The canonical email. */
  readonly account: string
  /** The details of the session. Default: none. */
  readonly details?: SessionDetails
}
