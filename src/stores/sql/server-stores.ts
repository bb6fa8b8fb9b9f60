import { StoreError } from '../../contracts/errors.ts'
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
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { activitySql } from './activity-queries.ts'

/*
 * The part that the SQL stores have in common. Each passes its own statements, which take the same
 * values in the same order, and the steps that are one statement in one database and several in
 * another.
 */

/** The result of a statement. */
export interface QueryResult<Row> {
  readonly rows: readonly Row[]
  /** The number of changed or found rows. */
  readonly count: number
}

/**
 * Returns the row of a statement that always returns one.
 *
 * @throws {StoreError} The server returned none.
 */
export function onlyRow<Row>({ rows: [row] }: Pick<QueryResult<Row>, 'rows'>): Row {
  if (row === undefined) throw new StoreError('the database returned no row')
  return row
}

/** Runs one statement. The type of its rows is the caller's claim about what it selects. */
export type Query<Statement> = <Row>(
  statement: Statement,
  ...values: (string | number | null)[]
) => Promise<QueryResult<Row>>

/** Runs all of a step or nothing of it. */
export type Transaction<Statement> = <Result>(
  step: (query: Query<Statement>) => Promise<Result>,
) => Promise<Result>

export type Statements<Name extends string, Statement> = Readonly<Record<Name, Statement>>

/** Removes expired records. @returns those, or what the store must report of them. */
type RemoveExpired<Row = unknown> = (now: number, limit: number) => Promise<readonly Row[]>

/** The statements of the stores that take the same steps in every database. */
interface ServerSql<Statement> {
  readonly sessions: Statements<
    'create' | 'list' | 'touch' | 'update' | 'restamp' | 'destroy' | 'destroyOthers',
    Statement
  >
  readonly pendingLogins: Statements<
    'create' | 'read' | 'consume' | 'destroy' | 'destroyOf',
    Statement
  >
  readonly attempts: Statements<'release' | 'count' | 'clear', Statement>
  readonly activity: Statements<keyof typeof activitySql, Statement>
  readonly metadata: Statements<'read' | 'create' | 'replace', Statement>
}

/** The steps that are one statement in one database and several in another. */
interface ServerSteps {
  /** Returns the sessions of the keys, in any order. */
  readonly readAll: (keys: readonly string[]) => Promise<readonly KeyedSession[]>
  readonly reserve: (key: string, endsAt: number, now: number) => Promise<Reservation>
  readonly removeSessions: RemoveExpired<Owner>
  readonly removePendingLogins: RemoveExpired
  readonly removeAttempts: RemoveExpired
}

/** Creates the stores of a database, but that of notifications. */
export function serverStores<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>,
  steps: ServerSteps,
): Required<Pick<Stores, 'sessions' | 'pendingLogins' | 'attempts' | 'activity' | 'metadata'>> {
  return {
    sessions: serverSessions(query, sql.sessions, steps),
    pendingLogins: serverPendingLogins(query, sql.pendingLogins, steps),
    attempts: serverAttempts(query, sql.attempts, steps),
    activity: serverActivity(query, sql.activity),
    metadata: [serverMetadata(query, sql.metadata)],
  }
}

function serverSessions<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>['sessions'],
  { readAll, removeSessions }: ServerSteps,
): SessionStore {
  return {
    create: async (key, record) =>
      (await query(sql.create, key, ...sessionRow(record))).count === 1,
    read: batchPerTick(async (all: readonly Parameters<SessionStore['read']>[]) => {
      const rows = await readAll([...new Set(all.map(([key]) => key))])
      const found = new Map(rows.map(({ key, ...record }) => [key, record]))
      return all.map(([key, now]) => aliveAt(now, found.get(key)))
    }),
    list: async ({ tenant, userId }, now) =>
      (await query<KeyedSession>(sql.list, userId, tenant, now)).rows,
    touch: async (key, { lastSeenAt, expiresAt, details = null }) =>
      (await query(sql.touch, lastSeenAt, expiresAt, details, key, lastSeenAt)).count === 1,
    update: async (key, { from, to }) => (await query(sql.update, to, key, from)).count === 1,
    async restamp({ tenant, userId }, from, to) {
      await query(sql.restamp, to, userId, tenant, from)
    },
    destroy: async (key) => (await query(sql.destroy, key)).count === 1,
    destroyOthers: async ({ tenant, userId }, except) =>
      (await query(sql.destroyOthers, userId, tenant, except)).count,
    deleteExpired: async (now, limit) =>
      (await removeSessions(now, limit)).map(({ tenant, userId }) => ({ tenant, userId })),
  }
}

function aliveAt(now: number, record: SessionRecord | undefined): SessionRecord | null {
  return record !== undefined && record.expiresAt > now ? record : null
}

function serverPendingLogins<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>['pendingLogins'],
  { removePendingLogins }: ServerSteps,
): PendingLoginStore {
  return {
    create: async (key, login) => (await query(sql.create, key, ...loginRow(login))).count === 1,
    read: async (key, now) => (await query<PendingLogin>(sql.read, key, now)).rows[0] ?? null,
    consume: async (key, now) => (await query(sql.consume, key, now)).count === 1,
    async destroy(key) {
      await query(sql.destroy, key)
    },
    destroyOf: async ({ tenant, userId }) => (await query(sql.destroyOf, userId, tenant)).count,
    deleteExpired: async (now, limit) => (await removePendingLogins(now, limit)).length,
  }
}

function serverAttempts<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>['attempts'],
  { reserve, removeAttempts }: ServerSteps,
): AttemptStore {
  return {
    atomic: true,
    reserve: async (key, windowMs, now) => reserve(key, now + windowMs, now),
    async release(key, now) {
      await query(sql.release, key, now)
    },
    async count(key, now) {
      const [window] = (await query<Pick<Reservation, 'number'>>(sql.count, key, now)).rows
      return window?.number ?? 0
    },
    async clear(key) {
      await query(sql.clear, key)
    },
    deleteExpired: async (now, limit) => (await removeAttempts(now, limit)).length,
  }
}

function serverActivity<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>['activity'],
): ActivityStore {
  return {
    async add(owner, { event, at, network, browser, system }, keep) {
      const key = ownerKey(owner)
      await query(sql.add, key, event, at, network, browser, system)
      await query(sql.trim, key, event, key, event, keep)
    },
    latest: async (owner, limit) =>
      (await query<ActivityEntry>(sql.latest, ownerKey(owner), limit)).rows,
    deleteOlder: async (before, limit) => (await query(sql.deleteOlder, before, limit)).count,
    deleteOf: async (owner) => (await query(sql.deleteOf, ownerKey(owner))).count,
  }
}

function serverMetadata<Statement>(
  query: Query<Statement>,
  sql: ServerSql<Statement>['metadata'],
): MetadataStore {
  return {
    async read(name) {
      const [entry] = (await query<{ readonly value: string }>(sql.read, name)).rows
      return entry?.value ?? null
    },
    async compareAndSet(name, from, to) {
      const { count } = await (from === null
        ? query(sql.create, name, to)
        : query(sql.replace, to, name, from))
      return count === 1
    },
  }
}

/** Returns the values of a session in the order of its `create`, after the key. */
function sessionRow(record: SessionRecord) {
  const { tenant, userId, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret, details } = record
  const times = [createdAt, lastSeenAt, expiresAt] as const
  return [tenant, userId, stamp, ...times, pendingSecret, details] as const
}

/** Returns the values of a pending login in the order of its `create`, after the key. */
function loginRow({ tenant, userId, stamp, createdAt, expiresAt, details }: PendingLogin) {
  return [tenant, userId, stamp, createdAt, expiresAt, details] as const
}
