import * as v from 'valibot'
import type { Awaitable, Clock, TwoFactorAuthenticator } from '../contracts/host.ts'
import { ensureOptions, optionalFunction, optionsOf } from '../contracts/call-options.ts'
import { reasonOfError } from '../contracts/errors.ts'
import { writeErrorLine } from '../process/write-line.ts'
import type { FactorStore, StoredFactor } from './factor-store.ts'
import {
  createRecoveryCodes,
  newRecoveryCodes,
  type RecoveryCodes,
} from './stored-recovery-codes.ts'
import { foreignSecrets, sealedSecrets, type Secrets } from './secrets.ts'
import { createTimeCodes, type TimeCodes } from './time-codes.ts'
import { bareCode } from './bare-code.ts'

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
  /** The number of digits of a code. Default: 6; many apps show no others. */
  readonly digits?: 6 | 7 | 8
  /** Returns the id and the email of a user. Default: the properties `id` and `email`. */
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
    'give the application keys, as in app.keys; is the variable of the environment set?',
  ),
  isRequiredFor: optionalFunction,
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

function isKey(key: unknown): boolean {
  return typeof key === 'string' && key !== ''
}

/**
 * Creates a second factor by codes of an authenticator app, and ten recovery codes. It needs the
 * packages `otpauth` and `qrcode`. A code is accepted 30 seconds early or late, and once.
 *
 * @throws {ConfigError} An option is unknown, missing or malformed.
 * @see RFC 6238 (TOTP), section 5.2: a code is accepted once
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 * import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
 *
 * const database = openSqlite('panel.db')
 * const { keys } = config.app
 * const twoFactor = totp<User>({ issuer: 'Acme', factors: sqliteFactors(database), keys })
 * createPanelAuth({ config, users, stores: sqliteStores(database), twoFactor })
 * ```
 */
export function totp<User extends object>(
  options: TotpOptions<User>,
): TwoFactorAuthenticator<User> {
  ensureOptions('totp', options, optionsOf(OPTIONS))
  const { issuer, factors, keys, isRequiredFor = () => false, digits = 6 } = options
  const codes = createTimeCodes(digits, options.clock ?? Date)
  const parts: TotpParts = {
    factors,
    codes,
    secrets: factors.secrets === undefined ? sealedSecrets(keys) : foreignSecrets(factors.secrets),
    recovery: createRecoveryCodes(factors.recoveryCodes),
  }
  const identify = identifierOf(options)
  return {
    codeDigits: digits,
    isEnabledFor: async (user) => (await factors.read(identify(user).id)) !== null,
    isRequiredFor,
    verify: verifierOf(parts, identify, notifierOf(options.onRecoveryCodeUsed)),
    newSecret: async () => factors.newSecret?.() ?? codes.newSecret(),
    qrCode: async (user, secret) => codes.qrCode({ issuer, email: identify(user).email }, secret),
    async verifySetup(secret, code) {
      const typed = bareCode(code)
      const step = codes.isCode(typed) ? await codes.stepOf(typed, secret) : null
      if (step !== null) codes.confirm(secret, step)
      return step !== null
    },
    enable: async (user, secret) => enable(parts, identify(user).id, secret),
    disable: async (user) => void (await factors.disable(identify(user).id)),
    recoveryCodesLeft: async (user) => countRecoveryCodes(parts, identify(user).id),
    migrate: async () => (await factors.migrate?.()) ?? null,
  }
}

interface TotpParts {
  readonly factors: FactorStore
  readonly codes: TimeCodes
  readonly secrets: Secrets
  readonly recovery: RecoveryCodes
}

/** Names a user of the host. */
type Identify<User> = (user: User) => { readonly id: string; readonly email: string }

/** Creates what names a user. A user without an id must not share a factor with another one. */
function identifierOf<User extends object>({ identify }: TotpOptions<User>): Identify<User> {
  return (user) => {
    const { id, email } = Object(identify === undefined ? user : identify(user)) as FactorUser
    if (!['string', 'number', 'bigint'].includes(typeof id) || id === '')
      throw new TypeError('totp: a user has no `id`: give `identify`')
    return { id: String(id), email }
  }
}

function verifierOf<User>(
  parts: TotpParts,
  identify: Identify<User>,
  notify: (user: User) => void,
): TwoFactorAuthenticator<User>['verify'] {
  return async (user, code) => {
    const { id } = identify(user)
    const typed = bareCode(code)
    if (parts.codes.isCode(typed)) return isTimeCodeValid(parts, id, typed)
    const isUsed = await useRecoveryCode(parts, id, code)
    if (isUsed) notify(user)
    return isUsed
  }
}

async function isTimeCodeValid(
  { factors, codes, secrets }: TotpParts,
  id: string,
  code: string,
): Promise<boolean> {
  const factor = await factors.read(id)
  if (factor === null || factor.secret === null) return false
  const step = await codes.stepOf(code, secrets.read(factor.secret, id))
  if (step === null) return false
  const used = { lastStep: step, secret: secrets.renew(factor.secret, id) }
  return (await factors.useStep(id, factor, used)) === true
}

/** Another login changes the codes at most as often as there are some. */
const MAX_TRIES = 100

async function useRecoveryCode(
  { factors, recovery }: TotpParts,
  id: string,
  typed: string,
): Promise<boolean> {
  const remove = await recovery.remove(typed, id)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const factor: StoredFactor | null = await factors.read(id)
    const stored = factor?.recoveryCodes ?? null
    const rest = stored === null ? null : remove(stored)
    if (factor === null || rest === null) return false
    // False if another login has changed the codes meanwhile: then they are read again.
    if ((await factors.replaceRecoveryCodes(id, factor, rest)) === true) return true
  }
  throw new Error(`the recovery codes of the user ${id} cannot be replaced`)
}

async function countRecoveryCodes({ factors, recovery }: TotpParts, id: string): Promise<number> {
  const stored = (await factors.read(id))?.recoveryCodes ?? null
  return stored === null ? 0 : recovery.count(stored, id)
}

async function enable(
  { factors, codes, secrets, recovery }: TotpParts,
  id: string,
  secret: string,
): Promise<readonly string[]> {
  const recoveryCodes = newRecoveryCodes()
  // The code of the set-up is used up, so that it does not log in, too.
  const lastStep = codes.confirmedStep(secret)
  const factor = {
    secret: secrets.write(secret, id),
    recoveryCodes: await recovery.write(recoveryCodes, id),
    lastStep,
  }
  if ((await factors.enable(id, factor)) === true) return recoveryCodes
  throw new Error('the second factor is enabled already: disable it first')
}

/** Creates what calls the host without waiting. Its failure must not refuse a login. */
function notifierOf<User>(notify: TotpOptions<User>['onRecoveryCodeUsed']) {
  return (user: User): void => {
    void (async () => notify?.(user))().catch((error: unknown) => {
      writeErrorLine(`totp: onRecoveryCodeUsed failed: ${reasonOfError(error)}`)
    })
  }
}
