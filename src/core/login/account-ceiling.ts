import type { Tenant } from '../../contracts/host.ts'
import type { EventClient } from '../../contracts/panel-events.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { times } from '../../rules/limits.ts'
import { UNKNOWN_NETWORK } from '../../rules/wire.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { Count } from './counted-attempts.ts'
import type { SignedPart } from '../crypto.ts'
import type { Devices } from './devices.ts'

/** The origin of a login request. */
export interface LoginSource extends EventClient {
  readonly tenant: Tenant
  /** The device cookie as received; `null` when the request carries none. */
  readonly deviceCookie: string | null
  /** The cookie of a trusted device as received; `null` when the request carries none. */
  readonly trustedDeviceId: string | null
}

/** The key of a failure count: the user, or the email when it belongs to no user. */
export type CountedAccount =
  | { readonly userId: string; readonly email?: never }
  | { readonly userId: null; readonly email: string }

/** The place of a request, as the account knows it. */
interface RequestPlace {
  readonly kind: 'device' | 'network'
  readonly name: string
  readonly isKnown: boolean
  readonly generation: string
  readonly of: readonly SignedPart[]
}

/**
 * Limits the failed logins and the incorrect codes of one account across all networks.
 *
 * Assumption: an attacker controls many networks, and may know the password, but has completed no
 * login for this account. Failures from unknown networks and browsers therefore share one count, so
 * that more networks buy no more guesses. Every known network or browser has its own count, so that
 * the attacker cannot lock the user out there.
 * Remaining risk: a user at an unknown place is locked out while the attack lasts.
 * Mitigation: `unlock` resets every count of the account.
 *
 * @see docs/http-api.md, "Account ceiling"
 */
export type AccountCeiling = ReturnType<typeof createAccountCeiling>

export function createAccountCeiling(attempts: Attempts, devices: Devices) {
  const { generationOf, placeOf } = createPlaces(attempts, devices)
  return {
    /**
     * Counts a login before its password is checked. An unknown email costs the same store calls,
     * so that timing does not reveal whether the account exists.
     */
    async reserve(account: CountedAccount, source: LoginSource) {
      const { limit, parts } = passwordCount('login', await placeOf(account, source))
      return attempts.reserve(limit, ...parts)
    },
    /**
     * Returns the counts of a code, in the order of their windows. A known browser is counted apart
     * from its network, so that nobody else in the network keeps it out.
     */
    async countsOfCode({ userId }: Owner, source: LoginSource, purpose: CodePurpose = 'login') {
      return codeCounts(purpose, await placeOf({ userId }, source))
    },
    /** Returns the count of a confirmation by password, apart from the logins of the account. */
    async countOfConfirmation({ userId }: Owner, source: LoginSource) {
      return passwordCount('confirm', await placeOf({ userId }, source))
    },
    /** Returns whether the user has completed a login in this network or browser before. */
    async isKnown({ userId }: Owner, source: LoginSource) {
      return (await placeOf({ userId }, source)).isKnown
    },
    /** Resets the failure counts and remembers the network as known. */
    async complete(owner: Owner, { tenant, network, deviceCookie }: LoginSource) {
      const of = partsOf({ userId: owner.userId }, tenant)
      const place = { generation: await generationOf(of), of }
      const device = devices.recognise(deviceCookie, owner)
      const counts = [
        ofUnknown('login', place),
        ofPlace('login', { kind: 'network', name: network, ...place }),
      ]
      if (device !== null) counts.push(ofPlace('login', { kind: 'device', name: device, ...place }))
      await Promise.all([
        attempts.remember(times.knownPlaceSeconds, 'login.known-network', network, ...of),
        ...counts.map(async (parts) => attempts.forget(...parts)),
      ])
    },
    /** Resets all counts of the account. */
    async unlock(account: CountedAccount, tenant: Tenant) {
      const forKnownPlaces = { max: Infinity, windowSeconds: times.knownPlaceSeconds }
      await attempts.count(forKnownPlaces, 'login.unlocked', ...partsOf(account, tenant))
    },
    /**
     * Removes the counts of the account that are not of a place. Known places cannot be enumerated;
     * without the account they count for nobody, and they expire.
     */
    async forget(account: CountedAccount, tenant: Tenant) {
      const of = partsOf(account, tenant)
      await forgetCounts(attempts, { generation: await generationOf(of), of })
    },
  }
}

async function forgetCounts(
  attempts: Attempts,
  place: Pick<RequestPlace, 'generation' | 'of'>,
): Promise<void> {
  for (const counted of ACCOUNT_COUNTS) await attempts.forget(...ofUnknown(counted, place))
  await attempts.forget('login.unlocked', ...place.of)
}

function createPlaces(attempts: Attempts, devices: Devices) {
  /**
   * Returns the current generation of the account's counts. The counts of known places cannot be
   * enumerated, so `unlock` starts a new generation instead of clearing each of them.
   */
  const generationOf = async (of: readonly SignedPart[]): Promise<string> =>
    String(await attempts.used('login.unlocked', ...of))

  async function placeOf(
    account: CountedAccount,
    { tenant, network, deviceCookie }: LoginSource,
  ): Promise<RequestPlace> {
    const of = partsOf(account, tenant)
    const [generation, logins] = await Promise.all([
      generationOf(of),
      attempts.used('login.known-network', network, ...of),
    ])
    // All clients without an address share it, so a login of the user there says nothing.
    const isKnown = logins > 0 && network !== UNKNOWN_NETWORK
    const device = devices.recognise(deviceCookie, { tenant, userId: account.userId })
    return device === null
      ? { kind: 'network', name: network, isKnown, generation, of }
      : { kind: 'device', name: device, isKnown: true, generation, of }
  }

  return { generationOf, placeOf }
}

function partsOf(account: CountedAccount, tenant: Tenant): readonly SignedPart[] {
  return account.userId === null
    ? ['nobody', account.email, tenant]
    : ['user', account.userId, tenant]
}

/** The counts that exist for an account and for each of its places. */
const ACCOUNT_COUNTS = [
  'login',
  'confirm',
  'code',
  'code.hour',
  'confirm.code',
  'confirm.code.hour',
] as const

type AccountCount = (typeof ACCOUNT_COUNTS)[number]

/** The counts of codes by their purpose: by the hour and by the day. */
const CODE_COUNTS = {
  login: ['code.hour', 'code'],
  confirmation: ['confirm.code.hour', 'confirm.code'],
} as const

type CodePurpose = keyof typeof CODE_COUNTS

/** Returns the count of a password: of the place if it is known, else of all unknown places. */
function passwordCount(counted: AccountCount, place: RequestPlace): Count {
  return place.isKnown
    ? { limit: 'login.failed.place', parts: ofPlace(counted, place) }
    : { limit: 'login.failed.account', parts: ofUnknown(counted, place) }
}

function codeCounts(purpose: CodePurpose, place: RequestPlace): readonly Count[] {
  const [hour, day] = CODE_COUNTS[purpose]
  const daily: Count = place.isKnown
    ? { limit: 'two-factor.place', parts: ofPlace(day, place) }
    : { limit: 'two-factor.user', parts: ofUnknown(day, place) }
  return [{ limit: 'two-factor.network', parts: ofPlace(hour, place) }, daily]
}

/** Returns the count that all unknown places of the account share. */
function ofUnknown(
  counted: AccountCount,
  { generation, of }: Pick<RequestPlace, 'generation' | 'of'>,
): readonly SignedPart[] {
  return [`${counted}.account`, generation, ...of]
}

/** Returns the count of one place. */
function ofPlace(
  counted: AccountCount,
  { kind, name, generation, of }: Omit<RequestPlace, 'isKnown'>,
): readonly SignedPart[] {
  return [`${counted}.place.${kind}`, name, generation, ...of]
}
