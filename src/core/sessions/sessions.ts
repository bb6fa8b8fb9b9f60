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

/** A live session with its key in the store. */
export interface Session {
  readonly key: string
  readonly record: SessionRecord
}

/** The session to open. */
export interface Opening {
  /** The id that the request presented; its session ends. */
  readonly presented: string | null
  readonly owner: Owner
  readonly stamp: string
}

/** The idle and absolute lifetimes of sessions. */
export interface SessionLifetimes {
  readonly idleMinutes: number
  readonly absoluteMinutes: number
}

/** Opens, finds and ends sessions. Only the browser knows an id; the store receives its hash. */
export interface Sessions {
  /** Finds a session; `null` when it is unknown, expired, malformed or another tenant's. */
  find(id: string, tenant: Tenant): Awaitable<Session | null>
  /** Reads the session again; `null` when it has ended. */
  reload(session: Session): Promise<Session | null>
  /**
   * Opens a session in place of the presented one, and ends it again when `objection` returns one.
   *
   * The check runs once the session exists. An operation that ends all sessions of the owner
   * therefore either happened before the check, which sees its effect, or also ends this session.
   */
  openUnless<Objection>(
    opening: Opening,
    objection: () => Promise<Objection | null>,
  ): Promise<{ readonly id: string } | { readonly objection: Objection }>
  /**
   * Gives the session a new id and ends the owner's other sessions. The absolute lifetime stays,
   * and the pending secret is dropped. Returns `null` when the session has ended; it is not
   * recreated.
   */
  rotate(session: Session): Promise<string | null>
  /** Returns whether the idle limit is due to be extended: at most once a minute. */
  isDue(session: Session): boolean
  /** Extends the idle limit. Resolves to false when the session has ended. */
  keepAlive(session: Session): Promise<boolean>
  /**
   * Compares the pending secret and sets it. Resolves to false when it has changed or the session
   * has ended.
   */
  swapSecret(
    session: Session,
    secret: { readonly from: string | null; readonly to: string | null },
  ): Promise<boolean>
  /**
   * Moves the owner's sessions from one stamp to another. A re-hash does not change the password,
   * so the sessions must survive it.
   */
  restamp(owner: Owner, from: string, to: string): Promise<void>
  end(session: Session): Promise<boolean>
  /** Ends the session of a presented id, if it has one. */
  endOf(presentedId: string): Promise<void>
  endAllOf(owner: Owner): Promise<number>
}

const STORE_NAME = 'the session store'

/**
 * Creates the sessions on a store.
 *
 * @see docs/http-api.md, "Sessions"
 */
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

  /** Runs a step and ends the new session if it fails. No client has received its id yet. */
  async function orUndo<T>(fresh: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      await end(fresh)
      throw error
    }
  }

  /**
   * Ends the old session, or undoes the new one when that fails. One session must never become two.
   */
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
      const wasActive = await endOrUndo(session.key, key)
      await endOthers(record, wasActive ? key : null)
      return wasActive ? id : null
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
