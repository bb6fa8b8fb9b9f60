import type { Awaitable } from '../contracts/host.ts'
import type { MigratedTables } from '../contracts/migrated.ts'

/** The second factor of a user, as it is stored. */
export interface StoredFactor {
  /** `null`: the user has recovery codes only. */
  readonly secret: string | null
  /** `null`: the user has none. */
  readonly recoveryCodes: string | null
  /** The step of the last code, for a store with devices; `null`: unknown. */
  readonly lastStep?: number | null
  /** The text that `replaceDevices` has stored; `null` before. */
  readonly devices?: string | null
}

/** The values of a second factor that is enabled. */
export interface NewFactor {
  readonly secret: string
  readonly recoveryCodes: string
  /** The step of the code that confirmed the set-up. It counts as used. */
  readonly lastStep: number
  /** Given to a store with `replaceDevices`. */
  readonly devices?: string
}

/** The devices of a user after a change. */
export interface ChangedDevices {
  readonly devices: string
  /** The secret and the step of the device that is the first one from now on; `null`: the same. */
  readonly first: UsedStep | null
}

/** A step of 30 seconds that a code uses up. */
export interface UsedStep {
  /** The number of steps since 1970. */
  readonly lastStep: number
  /** The secret to store from now on: the same, or sealed again by the newest key. */
  readonly secret: string
}

/**
 * Keeps the second factors of users, such as in columns of another system. Each method that writes
 * compares with what was read, in the statement that writes: of two nodes, one succeeds.
 *
 * @see `twoFactorCases` of `@svc/auth/testing`
 */
export interface FactorStore {
  /** Returns the factor of a user; `null` if none is enabled. */
  read(userId: string): Awaitable<StoredFactor | null>
  /**
   * Uses a step up, with all before it.
   *
   * @returns false, changing nothing, when the step or a later one was used, or the secret is no
   *   longer the one that was read.
   */
  useStep(userId: string, read: StoredFactor, used: UsedStep): Awaitable<boolean>
  /**
   * Replaces the codes by those that are left.
   *
   * @returns false, changing nothing, when the codes are no longer those that were read.
   */
  replaceRecoveryCodes(userId: string, read: StoredFactor, codes: string): Awaitable<boolean>
  /**
   * Replaces the devices of a user. `secret` and `lastStep` are those of the first one. Default: a
   * user has one device.
   *
   * @returns false, changing nothing, when the devices or the secret are no longer those that were
   *   read.
   */
  replaceDevices?(userId: string, read: StoredFactor, changed: ChangedDevices): Awaitable<boolean>
  /** Stores a factor. @returns false, changing nothing, when the user has one. */
  enable(userId: string, factor: NewFactor): Awaitable<boolean>
  /** Removes the factor. Idempotent. */
  disable(userId: string): Awaitable<unknown>
  /** The form of stored secrets, in base32. Default: sealed with the keys of `totp`. */
  readonly secrets?: StoredForm<string>
  /** The form of stored recovery codes. Default: a list of hashes. */
  readonly recoveryCodes?: StoredForm<readonly string[]>
  /**
   * Returns a new secret in base32, where the form cannot hold every one. Default: 160 random bits.
   */
  newSecret?(): Awaitable<string>
  /** Creates the table if it is missing, for `svc migrate`. Default: the host creates it. */
  migrate?(): Awaitable<MigratedTables>
}

/**
 * The form in which another system stores a value.
 *
 * @example
 * ```ts
 * import { Secret } from 'otpauth'
 *
 * const hexadecimal: StoredForm<string> = {
 *   read: (stored) => Secret.fromHex(stored).base32,
 *   write: (secret) => Secret.fromBase32(secret).hex,
 * }
 * ```
 */
export interface StoredForm<Value> {
  /** Opens what is stored. An error makes the request 503, and admits nobody. */
  read(stored: string, userId: string): Value
  write(value: Value, userId: string): string
}
