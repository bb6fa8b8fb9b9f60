import type { Tenant, TwoFactorAuthenticator } from '../contracts/host.ts'
import type { TwoFactorDevices } from '../contracts/two-factor-devices.ts'
import { reasonOfError } from '../contracts/errors.ts'
import { BY_ID_ALONE } from '../contracts/tenant-marks.ts'
import { writeErrorLine } from '../contracts/write-line.ts'
import { addDevice, listDevices, removeDevice } from './device-changes.ts'
import { ensureTotpOptions, type FactorUser, type TotpOptions } from './totp-options.ts'
import type { StoredFactor } from './factor-store.ts'
import { createRecoveryCodes, newRecoveryCodes } from './stored-recovery-codes.ts'
import { foreignSecrets, sealedSecrets } from './secrets.ts'
import { onlyDevice } from './stored-devices.ts'
import { createTimeCodes } from './time-codes.ts'
import { checkReadable, useCode, type TotpParts } from './used-codes.ts'
import { bareCode } from './bare-code.ts'

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
  ensureTotpOptions(options)
  const { issuer, factors, keys, digits = 6, clock = Date } = options
  const codes = createTimeCodes(digits, clock)
  const parts: TotpParts = {
    factors,
    codes,
    clock,
    secrets: factors.secrets === undefined ? sealedSecrets(keys) : foreignSecrets(factors.secrets),
    recovery: createRecoveryCodes(factors.recoveryCodes),
  }
  const identify = identifierOf(options)
  return {
    // The start and `svc doctor` read it.
    ...(options.identify === undefined && { [BY_ID_ALONE]: true }),
    codeDigits: digits,
    isEnabledFor: async (user) => isKept(await factors.read(identify(user).id)),
    ...requirementOf(options),
    verify: verifierOf(parts, identify, notifierOf(options.onRecoveryCodeUsed)),
    newSecret: async () => factors.newSecret?.() ?? codes.newSecret(),
    qrCode: async (user, secret) => codes.qrCode({ issuer, email: identify(user).email }, secret),
    async verifySetup(secret, code) {
      const step = await codes.stepOf(bareCode(code), secret)
      if (step !== null) codes.confirm(secret, step)
      return step !== null
    },
    enable: async (user, secret) => enable(parts, identify(user).id, secret),
    disable: async (user) => void (await factors.disable(identify(user).id)),
    erase: eraserOf(options),
    recoveryCodesLeft: async (user) => countRecoveryCodes(parts, identify(user).id),
    checkReadable: async (user) => checkReadable(parts, identify(user).id),
    ready: codes.load,
    migrate: async () => (await factors.migrate?.()) ?? null,
    ...(factors.replaceDevices !== undefined && { devices: createDevices(parts, identify) }),
  }
}

/** Returns who must set the factor up, and from when on. */
function requirementOf<User>({ isRequiredFor = () => false, requiredFrom }: TotpOptions<User>) {
  if (requiredFrom === undefined) return { isRequiredFor }
  const from = typeof requiredFrom === 'function' ? requiredFrom : () => requiredFrom
  return { isRequiredFor, requiredFrom: from }
}

/** Returns whether a store has a factor. A store in JavaScript may return anything. */
function isKept(factor: StoredFactor | null | undefined): boolean {
  if (factor !== undefined) return factor !== null
  throw new TypeError('totp: `read` of the store must return a factor or null; got undefined')
}

/** Names a user of the host. */
type Identify<User> = (user: User) => { readonly id: string; readonly email: string }

/**
 * Creates what names a user. Neither users without an id nor users of different tenants may share a
 * factor.
 */
function identifierOf<User extends object>({ identify }: TotpOptions<User>): Identify<User> {
  return (user) => {
    const { tenant = null } = user as { readonly tenant?: unknown }
    if (identify === undefined && tenant !== null)
      throw new TypeError(
        'totp: a user has a `tenant`, in each of which the `id` may be the same: give `identify`',
      )
    const { id, email } = Object(identify === undefined ? user : identify(user)) as FactorUser
    if (!['string', 'number', 'bigint'].includes(typeof id) || id === '')
      throw new TypeError('totp: a user has no `id`: give `identify`')
    return { id: String(id), email }
  }
}

/**
 * Creates the removal of the factor of a user who may be gone. `identify` receives what is known of
 * the user; where it needs more, only `disable` finds the factor.
 */
function eraserOf<User extends object>({ factors, identify }: TotpOptions<User>) {
  function idOf(known: FactorUser & { readonly id: string; readonly tenant: Tenant }): string {
    try {
      const { id } = Object(identify?.(known as unknown as User)) as Partial<FactorUser>
      return String(id ?? known.id)
    } catch {
      return known.id
    }
  }
  return async (id: string, tenant: Tenant = null): Promise<void> => {
    await factors.disable(idOf({ id, tenant, email: '' }))
  }
}

function verifierOf<User>(
  parts: TotpParts,
  identify: Identify<User>,
  notify: (user: User) => void,
): TwoFactorAuthenticator<User>['verify'] {
  return async (user, code) => {
    const used = await useCode(parts, identify(user).id, code)
    if (used === 'recovery-code') notify(user)
    return used !== null
  }
}

function createDevices<User>(parts: TotpParts, identify: Identify<User>): TwoFactorDevices<User> {
  return {
    list: async (user) => listDevices(parts, identify(user).id),
    add: async (user, device) => addDevice(parts, identify(user).id, device),
    remove: async (user, device) => removeDevice(parts, identify(user).id, device),
  }
}

async function countRecoveryCodes({ factors, recovery }: TotpParts, id: string): Promise<number> {
  const stored = (await factors.read(id))?.recoveryCodes ?? null
  return stored === null ? 0 : recovery.count(stored, id)
}

async function enable(
  { factors, codes, secrets, recovery, clock }: TotpParts,
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
    ...(factors.replaceDevices !== undefined && { devices: onlyDevice(clock.now()) }),
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
