import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type {
  ActivityEntry,
  ActivityStore,
  AttemptStore,
  KeyedSession,
  MetadataStore,
  Owner,
  PendingLogin,
  PendingLoginStore,
  Reservation,
  SessionRecord,
  SessionStore,
  Stores,
} from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { localBus } from '../local-bus.ts'
import { memoryNotifications } from './notification-store.ts'

export type { Stores } from '../../contracts/store-contracts.ts'

/**
 * Creates stores that live as long as the process. They are the reference for every other
 * implementation, for tests and for development. Only `deleteExpired` and `deleteOlder` remove
 * records.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 *
 * const auth = createPanelAuth({ config, users, stores: memoryStores() })
 * ```
 */
export function memoryStores(): Stores {
  let closed = false
  const ensureOpen = () => {
    if (closed) throw new StoreError('the stores are closed')
  }
  return {
    sessions: memorySessions(ensureOpen),
    pendingLogins: memoryPendingLogins(ensureOpen),
    attempts: memoryAttempts(ensureOpen),
    notifications: memoryNotifications(recordsWhile(ensureOpen)),
    bus: localBus(),
    activity: memoryActivity(ensureOpen),
    persistent: false,
    metadata: [memoryMetadata(ensureOpen)],
    check: ensureOpen,
    close() {
      closed = true
    },
  }
}

/** Returns an accessor to the records of one store, which throws once the stores are closed. */
function recordsWhile<Value>(ensureOpen: () => void): () => Map<string, Value> {
  const records = new Map<string, Value>()
  return () => {
    ensureOpen()
    return records
  }
}

/** Removes the records that match, at most `limit`. @returns the removed records. */
function removeWhere<Value>(
  records: Map<string, Value>,
  matches: (record: Value, key: string) => boolean,
  limit = Number.POSITIVE_INFINITY,
): readonly Value[] {
  const removed = [...records].filter(([key, record]) => matches(record, key)).slice(0, limit)
  for (const [key] of removed) records.delete(key)
  return removed.map(([, record]) => record)
}

function isOf(owner: Owner, { tenant, userId }: Owner): boolean {
  return tenant === owner.tenant && userId === owner.userId
}

function ownerOf({ tenant, userId }: SessionRecord): Owner {
  return { tenant, userId }
}

function memorySessions(ensureOpen: () => void): SessionStore {
  const sessions = recordsWhile<SessionRecord>(ensureOpen)
  return {
    create(key, record) {
      if (sessions().has(key)) return false
      sessions().set(key, { ...record })
      return true
    },
    read(key, now) {
      const session = sessions().get(key)
      return session && session.expiresAt > now ? session : null
    },
    list: (owner, now) => sessionsOf(sessions(), owner, now),
    touch(key, { lastSeenAt, expiresAt, details }) {
      const session = sessions().get(key)
      if (!session || session.expiresAt <= lastSeenAt) return false
      const next = { ...session, lastSeenAt, expiresAt }
      sessions().set(key, details == null ? next : { ...next, details })
      return true
    },
    update(key, { from, to }) {
      const session = sessions().get(key)
      if (!session || session.pendingSecret !== from) return false
      sessions().set(key, { ...session, pendingSecret: to })
      return true
    },
    restamp(owner, from, to) {
      for (const [key, session] of sessions()) {
        if (isOf(owner, session) && session.stamp === from)
          sessions().set(key, { ...session, stamp: to })
      }
    },
    destroy: (key) => sessions().delete(key),
    destroyOthers: (owner, except) =>
      removeWhere(sessions(), (it, key) => isOf(owner, it) && key !== except).length,
    deleteExpired: (now, limit) =>
      removeWhere(sessions(), ({ expiresAt }) => expiresAt <= now, limit).map(ownerOf),
  }
}

function sessionsOf(
  sessions: ReadonlyMap<string, SessionRecord>,
  owner: Owner,
  now: EpochMs,
): readonly KeyedSession[] {
  const found: KeyedSession[] = []
  for (const [key, session] of sessions) {
    if (isOf(owner, session) && session.expiresAt > now) found.push({ key, ...session })
  }
  return found
}

function memoryPendingLogins(ensureOpen: () => void): PendingLoginStore {
  const logins = recordsWhile<PendingLogin>(ensureOpen)
  const waiting = (key: string, now: number) => {
    const login = logins().get(key)
    return login && login.expiresAt > now ? login : null
  }
  return {
    create(key, login) {
      if (logins().has(key)) return false
      logins().set(key, { ...login })
      return true
    },
    read: waiting,
    consume: (key, now) => waiting(key, now) !== null && logins().delete(key),
    destroy(key) {
      logins().delete(key)
    },
    destroyOf: (owner) => removeWhere(logins(), (it) => isOf(owner, it)).length,
    deleteExpired: (now, limit) =>
      removeWhere(logins(), ({ expiresAt }) => expiresAt <= now, limit).length,
  }
}

function memoryAttempts(ensureOpen: () => void): AttemptStore {
  const windows = recordsWhile<Reservation>(ensureOpen)
  const running = (key: string, now: number) => {
    const window = windows().get(key)
    return window && window.endsAt > now ? window : null
  }
  return {
    atomic: true,
    reserve(key, windowMs, now) {
      const window = running(key, now)
      const latest = now + windowMs
      const next = window
        ? { number: window.number + 1, endsAt: Math.min(window.endsAt, latest) }
        : { number: 1, endsAt: latest }
      windows().set(key, next)
      return next
    },
    release(key, now) {
      const window = running(key, now)
      if (window && window.number > 0)
        windows().set(key, { number: window.number - 1, endsAt: window.endsAt })
    },
    count: (key, now) => running(key, now)?.number ?? 0,
    clear(key) {
      windows().delete(key)
    },
    deleteExpired: (now, limit) =>
      removeWhere(windows(), ({ endsAt }) => endsAt <= now, limit).length,
  }
}

function memoryMetadata(ensureOpen: () => void): MetadataStore {
  const entries = recordsWhile<string>(ensureOpen)
  return {
    read: (name) => entries().get(name) ?? null,
    compareAndSet(name, from, to) {
      if ((entries().get(name) ?? null) !== from) return false
      entries().set(name, to)
      return true
    },
  }
}

interface KeptActivity {
  readonly owner: string
  readonly entry: ActivityEntry
}

/**
 * Creates the activity store of the memory stores.
 *
 * @param ensureOpen Throws once the stores are closed.
 */
function memoryActivity(ensureOpen: () => void): ActivityStore {
  /** In the order of adding. */
  let kept: readonly KeptActivity[] = []
  const remove = (removed: readonly KeptActivity[]): number => {
    const isRemoved = new Set(removed)
    kept = kept.filter((one) => !isRemoved.has(one))
    return removed.length
  }
  const allOf = (owner: Owner): readonly KeptActivity[] => {
    ensureOpen()
    const key = ownerKey(owner)
    return kept.filter((one) => one.owner === key)
  }
  return {
    add(owner, entry, keep) {
      const same = allOf(owner).filter((one) => one.entry.event === entry.event)
      kept = [...kept, { owner: ownerKey(owner), entry: { ...entry } }]
      remove(same.slice(0, Math.max(0, same.length + 1 - keep)))
    },
    latest: (owner, limit) =>
      allOf(owner)
        .toReversed()
        .slice(0, limit)
        .map(({ entry }) => entry),
    deleteOlder(before, limit) {
      ensureOpen()
      return remove(kept.filter(({ entry }) => entry.at < before).slice(0, limit))
    },
    deleteOf: (owner) => remove(allOf(owner)),
  }
}
