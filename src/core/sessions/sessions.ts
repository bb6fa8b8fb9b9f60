import type {
  Awaitable,
  Clock,
  Owner,
  SessionRecord,
  SessionStore,
  Tenant,
} from '../../contracts.ts'
import { isAlive, times } from '../../rules/limits.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import { hashOf, randomId } from '../crypto.ts'
import { mapAwaitable, withTimeout } from '../timeouts.ts'

/** A session that is alive, under the key that the store knows it by. */
export interface Session {
  readonly key: string
  readonly record: SessionRecord
}

/** A session to be opened. */
export interface Opening {
  /** The id that the request presented; whatever it stands for ends. */
  readonly presented: string | null
  readonly owner: Owner
  readonly stamp: string
}

/** How long sessions live. */
export interface SessionLifetimes {
  readonly idleMinutes: number
  readonly absoluteMinutes: number
}

/** Opens, finds and ends sessions. An id is known to the browser alone; the store sees its hash. */
export interface Sessions {
  /** `null`: unknown, over, malformed, or another tenant's. */
  find(id: string, tenant: Tenant): Awaitable<Session | null>
  /** The session as it is now; `null`: it was ended meanwhile. */
  reload(session: Session): Promise<Session | null>
  /**
   * Opens a session in place of whatever the presented id stood for, and ends it again if there is an objection once
   * it exists. Whatever ends all sessions of the owner while a login is under way has either happened by then, so
   * that `objection` sees it, or ends this session too.
   */
  openUnless<Objection>(
    opening: Opening,
    objection: () => Promise<Objection | null>,
  ): Promise<{ readonly id: string } | { readonly objection: Objection }>
  /**
   * Gives the session another id and ends its owner's others. It does not live longer for it, and its pending
   * secret is gone. `null`: it was ended meanwhile, and is not brought back.
   */
  rotate(session: Session): Promise<string | null>
  /** Whether the idle limit is to be moved: at most once a minute. */
  isDue(session: Session): boolean
  /** Moves the idle limit. false: it was ended meanwhile. */
  keepAlive(session: Session): Promise<boolean>
  /** Compares the pending secret and sets it. false: it is another one by now, or the session is gone. */
  swapSecret(
    session: Session,
    secret: { readonly from: string | null; readonly to: string | null },
  ): Promise<boolean>
  /** A re-hash is no change of password: the owner's other sessions go on. */
  restamp(owner: Owner, from: string, to: string): Promise<void>
  end(session: Session): Promise<boolean>
  /** Whatever session a presented id stands for. */
  endOf(presentedId: string): Promise<void>
  endAllOf(owner: Owner): Promise<number>
}

const STORE_NAME = 'the session store'

/** @see docs/http-api.md, "Sessions" */
export function createSessions(
  store: SessionStore,
  clock: Clock,
  lifetimes: SessionLifetimes,
  changeNotifier: ChangeNotifier,
): Sessions {
  const expiryOf = (createdAt: number, now: number): number =>
    Math.min(now + lifetimes.idleMinutes * 60_000, createdAt + lifetimes.absoluteMinutes * 60_000)

  async function create(
    record: SessionRecord,
  ): Promise<{ readonly id: string; readonly key: string }> {
    const id = randomId()
    const key = hashOf(id)
    if (await withTimeout(STORE_NAME, store.create(key, record))) return { id, key }
    throw new Error('a new session id exists already: the source of randomness is broken')
  }

  async function end(key: string): Promise<boolean> {
    const ended = await withTimeout(STORE_NAME, store.destroy(key))
    if (ended) await changeNotifier.sessionEnded(key)
    return ended
  }

  async function endOthers(owner: Owner, except: string | null): Promise<number> {
    const ended = await withTimeout(STORE_NAME, store.destroyOthers(owner, except))
    if (ended > 0) await changeNotifier.sessionsEnded(owner)
    return ended
  }

  /** Ends a session that was just opened when the step after it fails: nobody has been told its id. */
  async function orUndo<T>(fresh: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      await end(fresh)
      throw error
    }
  }

  /** Two sessions must never come out of one: where the old one cannot be ended the new one is not given out. */
  async function endOrUndo(old: string, fresh: string): Promise<boolean> {
    return orUndo(fresh, async () => end(old))
  }

  return {
    find(id, tenant) {
      const key = hashOf(id)
      const now = clock.now()
      return mapAwaitable(withTimeout(STORE_NAME, store.read(key, now)), (record) =>
        record === null || record.tenant !== tenant || !isAlive(record, now)
          ? null
          : { key, record },
      )
    },

    async reload({ key }) {
      const now = clock.now()
      const record = await withTimeout(STORE_NAME, store.read(key, now))
      return record === null || !isAlive(record, now) ? null : { key, record }
    },

    async openUnless({ presented, owner: { tenant, userId }, stamp }, objection) {
      const now = clock.now()
      const lifetime = { createdAt: now, lastSeenAt: now, expiresAt: expiryOf(now, now) }
      const { id, key } = await create({ tenant, userId, stamp, ...lifetime, pendingSecret: null })
      if (presented !== null) await endOrUndo(hashOf(presented), key)
      const found = await orUndo(key, objection)
      if (found === null) return { id }
      await end(key)
      return { objection: found }
    },

    async rotate(session) {
      const { record } = session
      const now = clock.now()
      const expiresAt = expiryOf(record.createdAt, now)
      const { id, key } = await create({
        ...record,
        lastSeenAt: now,
        expiresAt,
        pendingSecret: null,
      })
      const wasThere = await endOrUndo(session.key, key)
      await endOthers(record, wasThere ? key : null)
      return wasThere ? id : null
    },

    isDue: ({ record }) => clock.now() - record.lastSeenAt >= times.sessionTouchSeconds * 1000,

    async keepAlive({ key, record }) {
      const now = clock.now()
      const seen = { lastSeenAt: now, expiresAt: expiryOf(record.createdAt, now) }
      return withTimeout(STORE_NAME, store.touch(key, seen))
    },

    swapSecret: async ({ key }, secret) => withTimeout(STORE_NAME, store.update(key, secret)),
    restamp: async (owner, from, to) => withTimeout(STORE_NAME, store.restamp(owner, from, to)),
    end: async (session) => end(session.key),
    endOf: async (presentedId) => void (await end(hashOf(presentedId))),
    endAllOf: async (owner) => endOthers(owner, null),
  }
}
