import { DAY_MS, isAlive } from '../../rules/limits.ts'
import type { Clock, EpochMs } from '../../contracts/host.ts'
import type { Owner, SessionRecord, SessionStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { hashOf, randomId } from '../crypto.ts'
import { detailsOf, storedDetails, type SessionPlace } from '../sessions/session-details.ts'
import { handleOf } from '../sessions/session-list.ts'
import type { SecurityStamps } from '../sessions/security-stamps.ts'
import { trustedOwnerOf } from '../sessions/trusted-owner.ts'
import { shortenedNetwork } from '../sessions/shortened-network.ts'
import { browserOf } from '../sessions/user-agent.ts'
import { surplusOf } from '../sessions/surplus.ts'

export interface TrustedDeviceParts {
  readonly store: Checked<SessionStore>
  readonly clock: Clock
  readonly stamps: SecurityStamps
  /** The lifetime of a trusted device. */
  readonly days: number
}

/** A login that trusts its browser. */
interface TrustingLogin {
  readonly owner: Owner
  /** The stamp of the password that was checked. */
  readonly stamp: string
  readonly network: string
  readonly userAgent: string | null
}

/** A user whose trusted devices are read. */
interface TrustingUser {
  readonly owner: Owner
  /** As it is stored now. */
  readonly credential: string
}

/** A trusted device as its user sees it. */
export interface ListedDevice extends SessionPlace {
  /** Names the device among those of its user. The cookie cannot be derived from it. */
  readonly handle: string
  readonly isCurrent: boolean
  readonly createdAt: EpochMs
  readonly expiresAt: EpochMs
}

/*
 * Keeps the browsers in which the code of a user is not asked for, in the store of sessions.
 *
 * Assumption: a thief may have the cookie or the password, but not both. So the cookie replaces the
 * code and nothing else, and only while its row exists. The row carries the stamp of the password,
 * and ends with all sessions of the user, which every change of the second factor ends.
 * Remaining risk: malware in the browser reads the cookie and the password.
 * Mitigation: the end that is set at first never moves. (docs/sessions.md, "Trusted devices")
 */

/** Returns the lifetime of the cookie. */
export function trustedSeconds({ days }: TrustedDeviceParts): number {
  return days * (DAY_MS / 1000)
}

/** Trusts the browser of a login. Returns the id for its cookie. */
export async function trust(
  { store, clock, days }: TrustedDeviceParts,
  { owner, stamp, network, userAgent }: TrustingLogin,
): Promise<string> {
  const id = randomId()
  const now = clock.now()
  const surplus = surplusOf(await store.list(trustedOwnerOf(owner), now), (one) => one.createdAt)
  await Promise.all(surplus.map(async ({ key }) => store.destroy(key)))
  const isNew = await store.create(keyOf(id), {
    ...trustedOwnerOf(owner),
    stamp,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + days * DAY_MS,
    pendingSecret: null,
    details: storedDetails({
      place: { ...browserOf(userAgent), network: shortenedNetwork(network) },
    }),
  })
  if (!isNew) throw new Error('a new id exists already: the source of randomness is broken')
  return id
}

/** Returns whether the cookie stands for the code of this user. */
export async function isTrusted(
  parts: TrustedDeviceParts,
  id: string,
  { owner, credential }: TrustingUser,
): Promise<boolean> {
  const record = await parts.store.read(keyOf(id), parts.clock.now())
  const { tenant, userId } = trustedOwnerOf(owner)
  if (record === null || record.tenant !== tenant || record.userId !== userId) return false
  return isValid(parts, record, credential)
}

/**
 * Returns the trusted devices of a user, the latest first.
 *
 * @param presented The id that the request presents.
 */
export async function listTrusted(
  parts: TrustedDeviceParts,
  { owner, credential }: TrustingUser,
  presented: string | null,
): Promise<readonly ListedDevice[]> {
  const current = presented === null ? null : keyOf(presented)
  const all = await parts.store.list(trustedOwnerOf(owner), parts.clock.now())
  return all
    .filter((device) => isValid(parts, device, credential))
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .map((device) => {
      const { browser, system, network } = detailsOf(device).place ?? UNKNOWN
      return {
        handle: handleOf(device.key),
        isCurrent: device.key === current,
        browser,
        system,
        network,
        createdAt: device.createdAt,
        expiresAt: endOf(parts, device),
      }
    })
}

/** Ends the trusted device of an id. */
export async function endTrustedOf({ store }: TrustedDeviceParts, id: string): Promise<void> {
  await store.destroy(keyOf(id))
}

/** Ends the trusted device of a handle. Resolves to false when the user has no such device. */
export async function endTrusted(
  { store, clock }: TrustedDeviceParts,
  owner: Owner,
  handle: string,
): Promise<boolean> {
  const all = await store.list(trustedOwnerOf(owner), clock.now())
  const device = all.find(({ key }) => handleOf(key) === handle)
  return device !== undefined && store.destroy(device.key)
}

function isValid(parts: TrustedDeviceParts, record: SessionRecord, credential: string): boolean {
  const lifetime = { createdAt: record.createdAt, expiresAt: endOf(parts, record) }
  return isAlive(lifetime, parts.clock.now()) && parts.stamps.fits(record.stamp, credential)
}

/** Returns the end of a device. A host that shortens the lifetime means those of earlier, too. */
function endOf({ days }: TrustedDeviceParts, { createdAt, expiresAt }: SessionRecord): EpochMs {
  return Math.min(expiresAt, createdAt + days * DAY_MS)
}

const UNKNOWN: SessionPlace = { browser: null, system: null, network: null }

/** Returns the key of a row. No session has it, because the id of a session has no colon. */
function keyOf(id: string): string {
  return hashOf(`trusted-device:${id}`)
}
