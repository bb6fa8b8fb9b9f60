import type { Clock } from '../../contracts.ts'
import type { Owner } from '../../store-contracts.ts'
import { times } from '../../rules/limits.ts'
import { randomId, type Part, type Signer } from '../crypto.ts'

/** The owner that a device is checked for; `userId` is `null` when no user has the email. */
export type DeviceOwner = Omit<Owner, 'userId'> & { readonly userId: string | null }

/**
 * Recognises browsers in which a user has completed a login, by a signed cookie. The cookie is
 * useless without the password.
 */
export interface Devices {
  /** Returns the id of the device that the cookie proves for this user, or `null`. */
  recognise(cookie: string | null, owner: DeviceOwner): string | null
  /** Issues a cookie for 90 days. A recognised device keeps its id. */
  issue(cookie: string | null, owner: Owner): string
}

/** A random id, its time of issue in seconds, and the MAC. */
const DEVICE = /^([\w-]{43})\.(\d{1,12})\.([\w-]{43})$/

/**
 * Creates the device cookies' issuer and verifier.
 *
 * @see docs/http-api.md, "Account ceiling"
 */
export function createDevices(signer: Signer, clock: Clock): Devices {
  const signed = (id: string, at: string, { tenant, userId }: DeviceOwner): readonly Part[] => [
    id,
    at,
    userId,
    tenant,
  ]
  const recognise: Devices['recognise'] = (cookie, owner) => {
    const [, id, at, mac] = DEVICE.exec(cookie ?? '') ?? []
    if (id === undefined || at === undefined || mac === undefined) return null
    const ageSeconds = clock.now() / 1000 - Number(at)
    const isCurrent = ageSeconds >= -times.clockSkewSeconds && ageSeconds < times.knownPlaceSeconds
    return signer.verify(mac, ...signed(id, at, owner)) && isCurrent ? id : null
  }
  return {
    recognise,
    issue(cookie, owner) {
      const id = recognise(cookie, owner) ?? randomId()
      const at = String(Math.floor(clock.now() / 1000))
      return `${id}.${at}.${signer.sign(...signed(id, at, owner))}`
    },
  }
}
