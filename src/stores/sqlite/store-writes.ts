import { StoreError } from '../../contracts/errors.ts'
import type {
  ActivityStore,
  AttemptStore,
  MetadataStore,
  Owner,
  PendingLoginStore,
  Reservation,
  SessionStore,
} from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { activitySql } from '../sql/activity-queries.ts'
import { attemptSql, metadataSql, pendingLoginSql, sessionSql } from '../sql/queries.ts'
import { loginRow, sessionRow } from '../sql/stored-rows.ts'
import type { Connection } from './connection.ts'
import { notificationWrites } from './notification-writes.ts'
import type { Transactional } from './transactional.ts'

type Prepare = Connection['prepareAll']

/** The writing methods of all stores. Their arguments and results can be sent between threads. */
export type SqliteWrites = ReturnType<typeof sqliteWrites>

/** A call of a writing method, in a form that can be sent between threads. */
export interface WriteCall {
  readonly store: keyof SqliteWrites
  readonly method: string
  readonly args: readonly unknown[]
}

/** Prepares the writing methods of all stores on a connection. */
export function sqliteWrites(prepareAll: Prepare) {
  return {
    sessions: sessionWrites(prepareAll),
    pendingLogins: pendingLoginWrites(prepareAll),
    attempts: attemptWrites(prepareAll),
    notifications: notificationWrites(prepareAll),
    activity: activityWrites(prepareAll),
    metadata: metadataWrites(prepareAll),
  }
}

function sessionWrites(prepareAll: Prepare): Omit<Transactional<SessionStore>, 'read' | 'list'> {
  const sql = prepareAll(sessionSql)
  return {
    create: (key, record) => sql.create.run(key, ...sessionRow(record)) === 1,
    touch: (key, { lastSeenAt, expiresAt, details = null }) =>
      sql.touch.run(lastSeenAt, expiresAt, details, key, lastSeenAt) === 1,
    update: (key, { from, to }) => sql.update.run(to, key, from) === 1,
    restamp: ({ tenant, userId }, from, to) => void sql.restamp.run(to, userId, tenant, from),
    destroy: (key) => sql.destroy.run(key) === 1,
    destroyOthers: ({ tenant, userId }, except) => sql.destroyOthers.run(userId, tenant, except),
    deleteExpired: (now, limit) => sql.deleteExpired.all<Owner>(now, limit),
  }
}

function pendingLoginWrites(prepareAll: Prepare): Omit<Transactional<PendingLoginStore>, 'read'> {
  const sql = prepareAll(pendingLoginSql)
  return {
    create: (key, login) => sql.create.run(key, ...loginRow(login)) === 1,
    consume: (key, now) => sql.consume.run(key, now) === 1,
    destroy: (key) => void sql.destroy.run(key),
    destroyOf: ({ tenant, userId }) => sql.destroyOf.run(userId, tenant),
    deleteExpired: (now, limit) => sql.deleteExpired.run(now, limit),
  }
}

function attemptWrites(prepareAll: Prepare): Omit<Transactional<AttemptStore>, 'atomic' | 'count'> {
  const sql = prepareAll(attemptSql)
  return {
    reserve(key, windowMs, now) {
      const [reservation] = sql.reserve.all<Reservation>(key, now + windowMs, now, now)
      if (!reservation) throw new StoreError('SQLite returned no reservation')
      return reservation
    },
    release: (key, now) => void sql.release.run(key, now),
    clear: (key) => void sql.clear.run(key),
    deleteExpired: (now, limit) => sql.deleteExpired.run(now, limit),
  }
}

function activityWrites(prepareAll: Prepare): Omit<Transactional<ActivityStore>, 'latest'> {
  const sql = prepareAll(activitySql)
  return {
    add(owner, { event, at, network, browser, system }, keep) {
      const key = ownerKey(owner)
      sql.add.run(key, event, at, network, browser, system)
      sql.trim.run(key, event, key, event, keep)
    },
    deleteOlder: (before, limit) => sql.deleteOlder.run(before, limit),
    deleteOf: (owner) => sql.deleteOf.run(ownerKey(owner)),
  }
}

/**
 * More than the free pages that a database may have, so that this write shows whether the file can
 * grow.
 */
const GROWTH = 'x'.repeat(64 * 1024)

interface MetadataWrites extends Pick<Transactional<MetadataStore>, 'compareAndSet'> {
  /**
   * Checks that the database can be written: writes as much as it may need next, and commits a
   * small row.
   */
  readonly check: () => void
}

function metadataWrites(prepareAll: Prepare): MetadataWrites {
  const sql = prepareAll(metadataSql)
  return {
    compareAndSet: (name, from, to) =>
      (from === null ? sql.create.run(name, to) : sql.replace.run(to, name, from)) === 1,
    check() {
      sql.write.run('check', GROWTH)
      sql.write.run('check', '')
    },
  }
}

/** Returns the step of a call. */
export function stepOf(writes: SqliteWrites, { store, method, args }: WriteCall): () => unknown {
  const step: unknown = Reflect.get(writes[store], method)
  if (typeof step !== 'function') throw new TypeError(`${store} has no ${method}`)
  return () => Reflect.apply(step, writes[store], args)
}
