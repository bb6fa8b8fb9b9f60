import { StoreError } from '../../contracts/errors.ts'
import type {
  AttemptStore,
  MetadataStore,
  Owner,
  PendingLoginStore,
  Reservation,
  SessionStore,
} from '../../contracts/store-contracts.ts'
import { attemptSql, metadataSql, pendingLoginSql, sessionSql } from '../sql/queries.ts'
import type { Connection } from './connection.ts'
import { notificationWrites } from './notification-writes.ts'
import type { Transactional } from './transactional.ts'

type Prepare = Connection['query']

/** The writing methods of all stores. Their arguments and results can be sent between threads. */
export type SqliteWrites = ReturnType<typeof sqliteWrites>

/** A call of a writing method, in a form that can be sent between threads. */
export interface WriteCall {
  readonly store: keyof SqliteWrites
  readonly method: string
  readonly args: readonly unknown[]
}

/** Prepares the writing methods of all stores on a connection. */
export function sqliteWrites(query: Prepare) {
  return {
    sessions: sessionWrites(query),
    pendingLogins: pendingLoginWrites(query),
    attempts: attemptWrites(query),
    notifications: notificationWrites(query),
    metadata: metadataWrites(query),
  }
}

function sessionWrites(
  query: Prepare,
): Transactional<
  SessionStore,
  'create' | 'touch' | 'update' | 'restamp' | 'destroy' | 'destroyOthers' | 'deleteExpired'
> {
  const create = query(sessionSql.create)
  const touch = query(sessionSql.touch)
  const update = query(sessionSql.update)
  const restamp = query(sessionSql.restamp)
  const destroy = query(sessionSql.destroy)
  const destroyOthers = query(sessionSql.destroyOthers)
  const deleteExpired = query<Owner>(sessionSql.deleteExpired)
  return {
    create(key, { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret }) {
      const times = [createdAt, lastSeenAt, expiresAt] as const
      return create.run(key, tenant, userId, stamp, ...times, pendingSecret) === 1
    },
    touch: (key, { lastSeenAt, expiresAt }) =>
      touch.run(lastSeenAt, expiresAt, key, lastSeenAt) === 1,
    update: (key, { from, to }) => update.run(to, key, from) === 1,
    restamp: ({ tenant, userId }, from, to) => void restamp.run(to, userId, tenant, from),
    destroy: (key) => destroy.run(key) === 1,
    destroyOthers: ({ tenant, userId }, except) => destroyOthers.run(userId, tenant, except),
    deleteExpired: (now, limit) => deleteExpired.all(now, limit),
  }
}

function pendingLoginWrites(
  query: Prepare,
): Transactional<
  PendingLoginStore,
  'create' | 'consume' | 'destroy' | 'destroyOf' | 'deleteExpired'
> {
  const create = query(pendingLoginSql.create)
  const consume = query(pendingLoginSql.consume)
  const destroy = query(pendingLoginSql.destroy)
  const destroyOf = query(pendingLoginSql.destroyOf)
  const deleteExpired = query(pendingLoginSql.deleteExpired)
  return {
    create: (key, { tenant, userId, stamp, createdAt, expiresAt }) =>
      create.run(key, tenant, userId, stamp, createdAt, expiresAt) === 1,
    consume: (key, now) => consume.run(key, now) === 1,
    destroy: (key) => void destroy.run(key),
    destroyOf: ({ tenant, userId }) => destroyOf.run(userId, tenant),
    deleteExpired: (now, limit) => deleteExpired.run(now, limit),
  }
}

function attemptWrites(
  query: Prepare,
): Transactional<AttemptStore, 'reserve' | 'release' | 'clear' | 'deleteExpired'> {
  const reserve = query<Reservation>(attemptSql.reserve)
  const release = query(attemptSql.release)
  const clear = query(attemptSql.clear)
  const deleteExpired = query(attemptSql.deleteExpired)
  return {
    reserve(key, windowMs, now) {
      const [reservation] = reserve.all(key, now + windowMs, now, now)
      if (!reservation) throw new StoreError('SQLite returned no reservation')
      return reservation
    },
    release: (key, now) => void release.run(key, now),
    clear: (key) => void clear.run(key),
    deleteExpired: (now, limit) => deleteExpired.run(now, limit),
  }
}

/**
 * More than the free pages that a database may have, so that this write shows whether the file can
 * grow.
 */
const GROWTH = 'x'.repeat(64 * 1024)

interface MetadataWrites extends Transactional<MetadataStore, 'compareAndSet'> {
  /**
   * Checks that the database can be written: writes as much as it may need next, and commits a
   * small row.
   */
  readonly check: () => void
}

function metadataWrites(query: Prepare): MetadataWrites {
  const create = query(metadataSql.create)
  const replace = query(metadataSql.replace)
  const write = query(metadataSql.write)
  return {
    compareAndSet: (name, from, to) =>
      (from === null ? create.run(name, to) : replace.run(to, name, from)) === 1,
    check() {
      write.run('check', GROWTH)
      write.run('check', '')
    },
  }
}

/** Returns the step of a call. */
export function stepOf(writes: SqliteWrites, { store, method, args }: WriteCall): () => unknown {
  const step: unknown = Reflect.get(writes[store], method)
  if (typeof step !== 'function') throw new TypeError(`${store} has no ${method}`)
  return () => Reflect.apply(step, writes[store], args)
}
