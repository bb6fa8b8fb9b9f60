import type { Tenant } from '../../contracts.ts'
import type { Owner } from '../../store-contracts.ts'
import { times, type Limits } from '../../rules/limits.ts'
import type { Attempt, Attempts } from '../attempts.ts'
import type { Part } from '../crypto.ts'
import type { Devices } from './devices.ts'

/** The origin of a login request. */
export interface LoginSource {
  readonly tenant: Tenant
  readonly network: string
  /** The device cookie as received; `null` when the request carries none. */
  readonly deviceCookie: string | null
}

/** The key of a failure count: the user, or the email when it belongs to no user. */
export type Account =
  | { readonly userId: string; readonly email?: never }
  | { readonly userId: null; readonly email: string }

/**
 * Limits the failed logins of one account across all networks.
 *
 * Assumption: an attacker controls many networks, but has completed no login for this account.
 * Failures from unknown networks and browsers therefore share one count, so that more networks buy
 * no more guesses. Every known network or browser has its own count, so that the attacker cannot
 * lock the user out there.
 * Remaining risk: a user at an unknown place is locked out while the attack lasts.
 * Mitigation: `unlock` resets every count of the account.
 *
 * @see docs/http-api.md, "Account ceiling"
 */
export interface AccountCeiling {
  /**
   * Counts a login before its password is checked. An unknown email costs the same store calls, so
   * that timing does not reveal whether the account exists.
   */
  reserve(account: Account, source: LoginSource): Promise<Attempt>
  /** Resets the failure counts and remembers the network as known. */
  complete(owner: Owner, source: LoginSource): Promise<void>
  /** Resets all counts of the account. */
  unlock(account: Account, tenant: Tenant): Promise<void>
}

export function createAccountCeiling(
  attempts: Attempts,
  devices: Devices,
  limits: Limits,
): AccountCeiling {
  /**
   * Returns the current generation of the account's counts. The counts of known places cannot be
   * enumerated, so `unlock` starts a new generation instead of clearing each of them.
   */
  const generationOf = async (of: readonly Part[]): Promise<string> =>
    String(await attempts.used('login.unlocked', ...of))

  return {
    async reserve(account, { tenant, network, deviceCookie }) {
      const of = partsOf(account, tenant)
      const generation = await generationOf(of)
      const isKnownNetwork = (await attempts.used('login.known-network', network, ...of)) > 0
      const device = devices.recognise(deviceCookie, { tenant, userId: account.userId })
      if (device !== null)
        return attempts.reserve(limits['login.failed.place'], ...ofDevice(device, generation, of))
      return isKnownNetwork
        ? attempts.reserve(limits['login.failed.place'], ...ofNetwork(network, generation, of))
        : attempts.reserve(limits['login.failed.account'], ...ofUnknown(generation, of))
    },
    async complete(owner, { tenant, network, deviceCookie }) {
      const of = partsOf({ userId: owner.userId }, tenant)
      const generation = await generationOf(of)
      const device = devices.recognise(deviceCookie, owner)
      await Promise.all([
        attempts.remember(times.knownPlaceSeconds, 'login.known-network', network, ...of),
        attempts.forget(...ofUnknown(generation, of)),
        attempts.forget(...ofNetwork(network, generation, of)),
        ...(device === null ? [] : [attempts.forget(...ofDevice(device, generation, of))]),
      ])
    },
    async unlock(account, tenant) {
      const forKnownPlaces = { max: Infinity, windowSeconds: times.knownPlaceSeconds }
      await attempts.reserve(forKnownPlaces, 'login.unlocked', ...partsOf(account, tenant))
    },
  }
}

function partsOf(account: Account, tenant: Tenant): readonly Part[] {
  return account.userId === null
    ? ['nobody', account.email, tenant]
    : ['user', account.userId, tenant]
}

const ofUnknown = (generation: string, of: readonly Part[]): readonly Part[] => [
  'login.account',
  generation,
  ...of,
]

const ofNetwork = (network: string, generation: string, of: readonly Part[]): readonly Part[] => [
  'login.place.network',
  network,
  generation,
  ...of,
]

const ofDevice = (device: string, generation: string, of: readonly Part[]): readonly Part[] => [
  'login.place.device',
  device,
  generation,
  ...of,
]
