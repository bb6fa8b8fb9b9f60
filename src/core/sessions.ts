import type { Clock, SessionOwner, SessionRecord, SessionStore, Tenant } from '../contracts.ts'
import { times } from '../rules/limits.ts'
import { hashOf, randomId } from './crypto.ts'
import { within } from './deadline.ts'

/** A session that is alive, under the key that the store knows it by. */
export interface Session {
  readonly key: string
  readonly record: SessionRecord
}

/** How long sessions live. */
export interface SessionLifetimes {
  readonly idleMinutes: number
  readonly absoluteMinutes: number
}

/** Opens, finds and ends sessions. An id is known to the browser alone; the store sees its hash. */
export interface Sessions {
  /** `null`: unknown, over, malformed, or another tenant's. */
  find(id: string, tenant: Tenant): Promise<Session | null>
  /** Opens a session in place of whatever the presented id stood for, and gives its id. */
  replace(presented: string | null, owner: SessionOwner, stamp: string): Promise<string>
  /** Moves the idle limit, at most once a minute. false: it was ended meanwhile. */
  keepAlive(session: Session): Promise<boolean>
  /** A re-hash is no change of password: the owner's other sessions go on. */
  restamp(owner: SessionOwner, from: string, to: string): Promise<void>
  end(session: Session): Promise<boolean>
  endAllOf(owner: SessionOwner): Promise<number>
}

const NOUN = 'the session store'

/** @see http-contract.md, "Sessions" */
export function createSessions(
  store: SessionStore,
  clock: Clock,
  lifetimes: SessionLifetimes,
): Sessions {
  return {
    async find(id, tenant) {
      const key = hashOf(id)
      const now = clock.now()
      const record = await within(NOUN, store.read(key, now))
      if (record === null || record.tenant !== tenant || isFromTheFuture(record, now)) return null
      return { key, record }
    },

    async replace(presented, owner, stamp) {
      const id = randomId()
      const key = hashOf(id)
      if (
        !(await within(NOUN, store.create(key, freshRecord(owner, stamp, clock.now(), lifetimes))))
      ) {
        throw new Error('a new session id exists already: the source of randomness is broken')
      }
      if (presented !== null) await endOrUndo(store, hashOf(presented), key)
      return id
    },

    async keepAlive({ key, record }) {
      const now = clock.now()
      if (now - record.lastSeenAt < times.sessionTouchSeconds * 1000) return true
      const seen = { lastSeenAt: now, expiresAt: expiryOf(record.createdAt, now, lifetimes) }
      return within(NOUN, store.touch(key, seen))
    },

    restamp: async (owner, from, to) => within(NOUN, store.restamp(owner, from, to)),
    end: async (session) => within(NOUN, store.destroy(session.key)),
    endAllOf: async (owner) => within(NOUN, store.destroyOthers(owner, null)),
  }
}

function freshRecord(
  owner: SessionOwner,
  stamp: string,
  now: number,
  lifetimes: SessionLifetimes,
): SessionRecord {
  return {
    ...owner,
    stamp,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: expiryOf(now, now, lifetimes),
  }
}

function expiryOf(createdAt: number, now: number, lifetimes: SessionLifetimes): number {
  return Math.min(
    now + lifetimes.idleMinutes * 60_000,
    createdAt + lifetimes.absoluteMinutes * 60_000,
  )
}

/** A clock that was set back must not make sessions live longer than they were given. */
function isFromTheFuture(record: SessionRecord, now: number): boolean {
  return record.createdAt > now + times.clockSkewSeconds * 1000
}

/** Two sessions must never come out of one: where the old one cannot be ended the new one is not given out. */
async function endOrUndo(store: SessionStore, old: string, fresh: string): Promise<void> {
  try {
    await within(NOUN, store.destroy(old))
  } catch (error) {
    await within(NOUN, store.destroy(fresh))
    throw error
  }
}
