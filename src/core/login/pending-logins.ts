import type { Clock, Owner, PendingLogin, PendingLoginStore, Tenant } from '../../contracts.ts'
import { isAlive } from '../../rules/limits.ts'
import { hashOf, randomId } from '../crypto.ts'
import { withTimeout } from '../timeouts.ts'

/** A login that waits for its code, under the key that the store knows it by. */
export interface Pending {
  readonly key: string
  readonly record: PendingLogin
}

/** Logins whose password was right and whose code is owed: records of their own kind, never sessions. */
export interface PendingLogins {
  open(owner: Owner, stamp: string, expiresAt: number): Promise<string>
  find(id: string, tenant: Tenant): Promise<Pending | null>
  /** Whether it has been neither consumed nor ended, and is not over. */
  isWaiting(pending: Pending): Promise<boolean>
  /** true to one caller only, and only while it is not over. */
  consume(pending: Pending): Promise<boolean>
  end(key: string): Promise<void>
  /** Whatever waits under a presented id. */
  endOf(presentedId: string): Promise<void>
  endAllOf(owner: Owner): Promise<number>
}

const STORE_NAME = 'the store of pending logins'

/** @see docs/http-api.md, "Sessions" and "Limits" */
export function createPendingLogins(store: PendingLoginStore, clock: Clock): PendingLogins {
  const end = async (key: string): Promise<void> => withTimeout(STORE_NAME, store.destroy(key))
  return {
    async open(owner, stamp, expiresAt) {
      const id = randomId()
      const login = { ...owner, stamp, createdAt: clock.now(), expiresAt }
      if (await withTimeout(STORE_NAME, store.create(hashOf(id), login))) return id
      throw new Error('a new id exists already: the source of randomness is broken')
    },
    async find(id, tenant) {
      const key = hashOf(id)
      const now = clock.now()
      const record = await withTimeout(STORE_NAME, store.read(key, now))
      if (record === null || record.tenant !== tenant || !isAlive(record, now)) return null
      return { key, record }
    },
    async isWaiting({ key, record }) {
      const now = clock.now()
      return isAlive(record, now) && (await withTimeout(STORE_NAME, store.read(key, now))) !== null
    },
    async consume({ key, record }) {
      const now = clock.now()
      return isAlive(record, now) && withTimeout(STORE_NAME, store.consume(key, now))
    },
    end,
    endOf: async (presentedId) => end(hashOf(presentedId)),
    endAllOf: async (owner) => withTimeout(STORE_NAME, store.destroyOf(owner)),
  }
}
