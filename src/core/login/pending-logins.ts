import type { Clock, Tenant } from '../../contracts/host.ts'
import type { Owner, PendingLogin, PendingLoginStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import { isAlive } from '../../rules/limits.ts'
import { hashOf, randomId } from '../crypto.ts'
import { storedDetails, type SessionDetails } from '../sessions/session-details.ts'

/** A pending login with its key in the store. */
export interface Pending {
  readonly key: string
  readonly record: PendingLogin
}

/**
 * Keeps logins whose password was correct and whose code is due. They are records of their own kind
 * and can never be read as sessions.
 */
export type PendingLogins = ReturnType<typeof createPendingLogins>

/**
 * Creates the pending logins on a store.
 *
 * @see docs/http-api.md, "Sessions" and "Limits"
 */
export function createPendingLogins(store: Checked<PendingLoginStore>, clock: Clock) {
  const end = async (key: string): Promise<void> => store.destroy(key)
  return {
    /**
     * Opens one and returns its id.
     *
     * @param details Of the session that the code opens. Default: none.
     */
    async open(owner: Owner, stamp: string, expiresAt: number, details: SessionDetails = {}) {
      const id = randomId()
      const kept = { createdAt: clock.now(), expiresAt, details: storedDetails(details) }
      const login = { ...owner, stamp, ...kept }
      if (await store.create(hashOf(id), login)) return id
      throw new Error('a new id exists already: the source of randomness is broken')
    },
    async find(id: string, tenant: Tenant) {
      const key = hashOf(id)
      const now = clock.now()
      const record = await store.read(key, now)
      if (record === null || record.tenant !== tenant || !isAlive(record, now)) return null
      return { key, record }
    },
    /** Returns whether the pending login was neither consumed nor ended, and has not expired. */
    async isWaiting({ key, record }: Pending) {
      const now = clock.now()
      return isAlive(record, now) && (await store.read(key, now)) !== null
    },
    /** Consumes an unexpired pending login. Resolves to true for exactly one caller. */
    async consume({ key, record }: Pending) {
      const now = clock.now()
      return isAlive(record, now) && store.consume(key, now)
    },
    end,
    /** Ends the pending login of a presented id, if it has one. */
    endOf: async (presentedId: string) => end(hashOf(presentedId)),
    endAllOf: async (owner: Owner) => store.destroyOf(owner),
  }
}
