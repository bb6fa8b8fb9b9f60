import type { Awaitable } from './awaitable.ts'

/** A device that shows codes of a user, such as an authenticator app on a phone. */
export interface TwoFactorDevice {
  /**
   * Unique among the devices of the user; no secret. 1 to 64 characters of A-Z, a-z, 0-9, `_`, `.`,
   * `~` and `-`; not `.` or `..`.
   */
  readonly id: string
  /** The name that the user has given; `null` for one without. */
  readonly name: string | null
  /** `null`: unknown. */
  readonly addedAt: Date | null
  /** The time of its last accepted code; `null`: unknown. */
  readonly lastUsedAt: Date | null
}

/**
 * The devices of users who have several: the codes of each log in. A user who enables the second
 * factor has one. The service adds and removes one only after a code of the user.
 *
 * @see `twoFactorCases` of `@svc/auth/testing`
 */
export interface TwoFactorDevices<User> {
  /** Lists the devices of a user, the oldest first; none if the second factor is not enabled. */
  list(user: User): Awaitable<readonly TwoFactorDevice[]>
  /**
   * Adds a device, whose first code `verifySetup` has accepted. That code does not log in.
   *
   * @param device `name` has 1 to 60 characters of any language.
   * @returns false, changing nothing, when the second factor is not enabled, or the user has five
   *   devices.
   */
  add(user: User, device: { readonly secret: string; readonly name: string }): Awaitable<boolean>
  /**
   * Removes a device, whose codes are refused from now on. Recovery codes stay.
   *
   * @returns false, changing nothing, when the user has no such device, or no other one: of two
   *   requests at once that remove the last two devices, one succeeds.
   */
  remove(user: User, id: string): Awaitable<boolean>
}
