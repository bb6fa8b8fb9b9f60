import { StoreError } from '../../errors.ts'
import type {
  AttemptStore,
  MetadataStore,
  Owner,
  PendingLogin,
  PendingLoginStore,
  Reservation,
  SessionRecord,
  SessionStore,
  Stores,
} from '../../contracts.ts'
import { localBus } from '../local-bus.ts'
import { memoryNotifications } from './notification-store.ts'

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
    notifications: memoryNotifications(ensureOpen),
    bus: localBus(),
    persistent: false,
    metadata: [memoryMetadata(ensureOpen)],
    check: ensureOpen,
    close() {
      closed = true
    },
  }
}

function memorySessions(ensureOpen: () => void): SessionStore {
  const stored = new Map<string, SessionRecord>()
  const sessions = () => {
    ensureOpen()
    return stored
  }
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
    touch(key, { lastSeenAt, expiresAt }) {
      const session = sessions().get(key)
      if (!session || session.expiresAt <= lastSeenAt) return false
      sessions().set(key, { ...session, lastSeenAt, expiresAt })
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
        if (isOf(owner, session) && session.stamp === from) {
          sessions().set(key, { ...session, stamp: to })
        }
      }
    },
    destroy: (key) => sessions().delete(key),
    destroyOthers(owner, except) {
      const ended = [...sessions()].filter(([key, it]) => isOf(owner, it) && key !== except)
      for (const [key] of ended) sessions().delete(key)
      return ended.length
    },
    deleteExpired(now, limit) {
      const over = [...sessions()].filter(([, it]) => it.expiresAt <= now).slice(0, limit)
      for (const [key] of over) sessions().delete(key)
      return over.map(([, { tenant, userId }]) => ({ tenant, userId }))
    },
  }
}

function memoryPendingLogins(ensureOpen: () => void): PendingLoginStore {
  const stored = new Map<string, PendingLogin>()
  const logins = () => {
    ensureOpen()
    return stored
  }
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
    destroyOf(owner) {
      const ended = [...logins()].filter(([, it]) => isOf(owner, it))
      for (const [key] of ended) logins().delete(key)
      return ended.length
    },
    deleteExpired(now, limit) {
      const over = [...logins()].filter(([, it]) => it.expiresAt <= now).slice(0, limit)
      for (const [key] of over) logins().delete(key)
      return over.length
    },
  }
}

function isOf(owner: Owner, { tenant, userId }: Owner): boolean {
  return tenant === owner.tenant && userId === owner.userId
}

function memoryAttempts(ensureOpen: () => void): AttemptStore {
  const stored = new Map<string, Reservation>()
  const windows = () => {
    ensureOpen()
    return stored
  }
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
      if (window && window.number > 0) {
        windows().set(key, { number: window.number - 1, endsAt: window.endsAt })
      }
    },
    count: (key, now) => running(key, now)?.number ?? 0,
    clear(key) {
      windows().delete(key)
    },
    deleteExpired(now, limit) {
      const over = [...windows()].filter(([, it]) => it.endsAt <= now).slice(0, limit)
      for (const [key] of over) windows().delete(key)
      return over.length
    },
  }
}

function memoryMetadata(ensureOpen: () => void): MetadataStore {
  const stored = new Map<string, string>()
  const entries = () => {
    ensureOpen()
    return stored
  }
  return {
    read: (name) => entries().get(name) ?? null,
    compareAndSet(name, from, to) {
      if ((entries().get(name) ?? null) !== from) return false
      entries().set(name, to)
      return true
    },
  }
}
