import type { Clock } from '../../contracts/host.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { times } from '../../rules/limits.ts'
import { randomId, START_CHARACTERS, type SignedPart, type Signer } from '../crypto.ts'

/** The owner that a device is checked for; `userId` is `null` when no user has the email. */
type DeviceOwner = Omit<Owner, 'userId'> & { readonly userId: string | null }

/** 128 random bits of an id; the start of their MAC follows. */
const RANDOM_CHARACTERS = 22

/** An id, its time of issue in seconds, and the MAC. */
const DEVICE = /^([\w-]{43})\.(\d{1,12})\.([\w-]{43})$/

/**
 * Recognises browsers in which a user has completed a login, by a signed cookie. The cookie is
 * useless without the password.
 */
export type Devices = ReturnType<typeof createDevices>

/**
 * Creates the device cookies' issuer and verifier.
 *
 * @see docs/http-api.md, "Account ceiling"
 */
export function createDevices(signer: Signer, clock: Clock) {
  const signed = (
    id: string,
    at: string,
    { tenant, userId }: DeviceOwner,
  ): readonly SignedPart[] => [id, at, userId, tenant]
  const recognise = (cookie: string | null, owner: DeviceOwner): string | null => {
    const [, id, at, mac] = DEVICE.exec(cookie ?? '') ?? []
    if (id === undefined || at === undefined || mac === undefined) return null
    const ageSeconds = clock.now() / 1000 - Number(at)
    const isCurrent = ageSeconds >= -times.clockSkewSeconds && ageSeconds < times.knownPlaceSeconds
    return signer.verify(mac, ...signed(id, at, owner)) && isCurrent ? id : null
  }
  function isIssued(id: string): boolean {
    const [random, start] = [id.slice(0, RANDOM_CHARACTERS), id.slice(RANDOM_CHARACTERS)]
    return signer.verifyStart(start, random)
  }
  function newId(): string {
    const random = randomId().slice(0, RANDOM_CHARACTERS)
    return `${random}${signer.sign(random).slice(0, START_CHARACTERS)}`
  }
  return {
    /** Returns the id of the device that the cookie proves for this user, or `null`. */
    recognise,
    /**
     * Returns the id of a device that was issued here to any user, or `null`. It needs no user, so
     * that a login can be admitted before its user is read.
     */
    issuedId(cookie: string | null) {
      const [, id = null] = DEVICE.exec(cookie ?? '') ?? []
      return id !== null && isIssued(id) ? id : null
    },
    /** Issues a cookie for 90 days. A recognised device keeps its id. */
    issue(cookie: string | null, owner: Owner) {
      const known = recognise(cookie, owner)
      // Earlier versions issued ids without a MAC of their own.
      const id = known !== null && isIssued(known) ? known : newId()
      const at = String(Math.floor(clock.now() / 1000))
      return `${id}.${at}.${signer.sign(...signed(id, at, owner))}`
    },
  }
}
