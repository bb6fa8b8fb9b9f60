import { types } from 'node:util'
import * as v from 'valibot'
import { ensureOptions, optionalFunction, optionsOf } from '../contracts/call-options.ts'
import type { Awaitable, Clock } from '../contracts/host.ts'
import { keyCharacters } from '../rules/limits.ts'
import type { FactorStore } from './factor-store.ts'

/** A user, as an app and the store of factors name it. */
export interface FactorUser {
  /** Unique, also among the users of all tenants. */
  readonly id: string | number | bigint
  /** Shown by the app. */
  readonly email: string
}

/** The options of `totp`. */
export interface TotpOptions<User> {
  /** Shown by the app next to the email, such as the name of the panel. */
  readonly issuer: string
  /** Such as `sqliteFactors(database)`. */
  readonly factors: FactorStore
  /**
   * As in `app.keys`. The first key seals secrets, all open them, and a secret is sealed again with
   * its next code. To rotate, put the new key first, and keep the old one while users have not
   * logged in since.
   */
  readonly keys: readonly string[]
  /** Returns `true` for users who must enable it before entering the panel. Default: nobody. */
  readonly isRequiredFor?: (user: User) => Awaitable<boolean>
  /**
   * The time until which users, for whom `isRequiredFor` returns `true`, may enter the panel
   * without. The page Security and the home page tell them the days that remain. A function returns
   * the time of a user; `null` for one who must enable it at once. Default: everybody must at once.
   */
  readonly requiredFrom?: Date | ((user: User) => Awaitable<Date | null>)
  /** The number of digits of a code. Default: 6; many apps show no others. */
  readonly digits?: 6 | 7 | 8
  /**
   * Returns the id and the email of a user. Needed where users have tenants, whose ids may be the
   * same. Default: the properties `id` and `email`.
   */
  readonly identify?: (user: User) => FactorUser
  /**
   * Called after a login with a recovery code, such as to send a mail; the login does not wait for
   * it.
   */
  readonly onRecoveryCodeUsed?: (user: User) => Awaitable<unknown>
  /** Default: the system's clock. */
  readonly clock?: Clock
}

const OPTIONS = {
  issuer: v.custom<string>(
    (issuer) => typeof issuer === 'string' && issuer.trim() !== '',
    'give the name that the app shows',
  ),
  factors: v.custom<FactorStore>(
    (factors) => typeof Object(factors).read === 'function',
    'give a store, such as sqliteFactors(database)',
  ),
  keys: v.custom<readonly string[]>(
    (keys) => Array.isArray(keys) && keys.length > 0 && keys.every(isKey),
    `give a list of the keys in app.keys, each of at least ${keyCharacters} characters, as \`npx svc key generate\` makes them; is the variable of the environment set?`,
  ),
  isRequiredFor: optionalFunction,
  requiredFrom: v.optional(
    v.custom<Date | (() => Date)>(
      (from) => typeof from === 'function' || isValidDate(from),
      'give a valid Date, or a function that returns one',
    ),
  ),
  digits: v.optional(v.picklist([6, 7, 8], 'give 6, 7 or 8')),
  identify: optionalFunction,
  onRecoveryCodeUsed: optionalFunction,
  clock: v.optional(
    v.custom<Clock>(
      (clock) => typeof Object(clock).now === 'function',
      'give an object, like { now: () => Date.now() }',
    ),
  ),
} satisfies Record<keyof TotpOptions<unknown>, v.GenericSchema>

const schema = v.pipe(
  optionsOf(OPTIONS),
  v.forward(
    v.check(
      ({ isRequiredFor, requiredFrom }) =>
        requiredFrom === undefined || isRequiredFor !== undefined,
      'give isRequiredFor, too; without it, nobody must enable it',
    ),
    ['requiredFrom'],
  ),
)

/** Checks the options. @throws {ConfigError} The message names the option and the remedy. */
export function ensureTotpOptions(options: unknown): void {
  ensureOptions('totp', options, schema)
}

function isValidDate(value: unknown): boolean {
  return types.isDate(value) && !Number.isNaN(value.getTime())
}

function isKey(key: unknown): boolean {
  return typeof key === 'string' && key.length >= keyCharacters
}
