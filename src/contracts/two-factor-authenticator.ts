import type { Awaitable } from './awaitable.ts'
import type { MigratedTables } from './migrated.ts'
import type { TwoFactorDevices } from './two-factor-devices.ts'

/**
 * The host's second factor; the service contains none. Each method may return a value or a promise.
 * Only a literal `true` counts as yes. A method that throws, returns a value of another type or
 * does not answer within five seconds makes the request 503 and admits nobody.
 *
 * @see docs/specification.md, "Two-factor contract `Svc\Auth\TwoFactorAuthenticator`"
 * @see `twoFactorCases` of `@svc/auth/testing`
 */
export interface TwoFactorAuthenticator<User> {
  /** Returns whether a login of this user needs a code. */
  isEnabledFor(user: User): Awaitable<boolean>
  /** Returns whether this user must enable it before entering the panel. Called on each request. */
  isRequiredFor(user: User): Awaitable<boolean>
  /**
   * Verifies a code or recovery code at login. The implementation must accept each code once: of
   * two nodes that verify the same recovery code or time step at the same moment, one succeeds.
   */
  verify(user: User, code: string): Awaitable<boolean>
  /** Returns a new secret at the start of the set-up. Must not store it yet. */
  newSecret(): Awaitable<string>
  /**
   * Returns an image: any value for the `src` of an `<img>`, such as a data URL, or SVG markup. At
   * most 65,536 characters.
   */
  qrCode(user: User, secret: string): Awaitable<string>
  /** Verifies the first code against the secret that waits in the session. */
  verifySetup(secret: string, code: string): Awaitable<boolean>
  /**
   * Stores the secret and returns the recovery codes, which are shown once: 1 to 100, each of at
   * most 128 characters. The code form accepts at most 64 characters, so a longer code needs a
   * shorter form that `verify` accepts too. Rejects when the factor is enabled already.
   */
  enable(user: User, secret: string): Awaitable<readonly string[]>
  disable(user: User): Awaitable<void>
  /** Removes what is kept about a user who may have been removed. Default: `disable`. */
  erase?(userId: string, tenant?: string | null): Awaitable<void>
  /** The number of digits of a code, which the code page mentions. Default: `spa.code_digits`. */
  readonly codeDigits?: number
  /**
   * Returns how many recovery codes are left: a whole number from 0, for the security page. Called
   * only for users who have enabled the second factor. Unlike the others it fails no request: the
   * page then mentions none, and the log says why. Default: the page mentions none.
   */
  recoveryCodesLeft?(user: User): Awaitable<number>
  /**
   * Rejects, with the reason, where no code of a user can be verified, such as by a secret whose
   * key is missing. Called by `svc import` and `svc doctor`, only for users who have enabled the
   * second factor. Default: they report nothing.
   */
  checkReadable?(user: User): Awaitable<void>
  /**
   * Returns the time until which a user, for whom `isRequiredFor` returns `true`, may enter the
   * panel without; `null` for one who must enable it at once. An invalid date counts as past, and
   * is logged. Default: everybody must at once.
   */
  requiredFrom?(user: User): Awaitable<Date | null>
  /** Keeps several devices for a user. Default: a user has one. */
  readonly devices?: TwoFactorDevices<User>
  /** Creates the tables of the second factor, for `svc migrate`. Default: the host does. */
  migrate?(): Awaitable<MigratedTables | null>
  /** Loads what the first use would load. `auth.ready()` awaits it, and rejects with its error. */
  ready?(): Awaitable<void>
}
