import type { Owner, Tenant } from '../../contracts.ts'
import { times, type Limits } from '../../rules/limits.ts'
import type { Attempt, Attempts } from '../attempts.ts'
import type { Part } from '../crypto.ts'
import type { Devices } from './devices.ts'

/** Where a login comes from. */
export interface LoginSource {
  readonly tenant: Tenant
  readonly network: string
  /** The device cookie as it came; `null`: none. */
  readonly deviceCookie: string | null
}

/** Whose failed logins are counted: the user, or the email where nobody has it. */
export type Account =
  | { readonly userId: string; readonly email?: never }
  | { readonly userId: null; readonly email: string }

/**
 * Limits the failed logins of one account over all networks. Those from places where nobody has completed a login are
 * counted together, so that an attacker with many networks has no more guesses than one with one; each place that is
 * known has a count of its own, so that the attacker does not keep the user out of it.
 *
 * @see docs/http-api.md, "Account ceiling"
 */
export interface AccountCeiling {
  /** Counts a login before its password is checked. An email that nobody has costs the same calls of the store. */
  reserve(account: Account, source: LoginSource): Promise<Attempt>
  /** Ends the row of failures and makes the place known. */
  complete(owner: Owner, source: LoginSource): Promise<void>
  /** Starts all counts of the account anew. */
  unlock(account: Account, tenant: Tenant): Promise<void>
}

export function createAccountCeiling(
  attempts: Attempts,
  devices: Devices,
  limits: Limits,
): AccountCeiling {
  /** Unlocking cannot clear counts of places that it does not know: it makes all of them other ones. */
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
      await attempts.remember(times.knownPlaceSeconds, 'login.known-network', network, ...of)
      await Promise.all([
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
