import * as v from 'valibot'
import {
  activityStore,
  attemptStore,
  bus,
  notificationStore,
  pendingLoginStore,
  sessionStore,
  storeSet,
} from '../core/boundary/checked-stores.ts'
import { messageOfMissing } from '../rules/validation.ts'
import { describeGiven } from './describe.ts'
import { isThenable } from '../core/timeouts.ts'
import { implementing, isPart } from './host-parts.ts'

const SQLITE = 'give sqliteStores(…) of @svc/auth/sqlite'
const POSTGRES = 'give `await postgresStores(…)` of @svc/auth/postgres'
const MYSQL = 'give `await mysqlStores(…)` of @svc/auth/mysql'

/** Describes an object that holds the stores. */
const storesObject = () =>
  v.custom<object>(
    (value) => isPart(value) && ('sessions' in value || 'attempts' in value),
    ({ input }) => `${describeGiven(input)}; ${storesRemedy(input)}`,
  )

/** Returns what to give in place of a value that is often taken for the stores. */
function storesRemedy(value: unknown): string {
  if (isThenable(value)) return 'await it, as in `stores: await postgresStores(…)`'
  if (typeof value === 'function') return 'call it, as in `stores: memoryStores()`'
  if (typeof value === 'string') {
    if (/^(?:mysql|mariadb):/.test(value)) return MYSQL
    return /^postgres(?:ql)?:/.test(value) ? POSTGRES : `${SQLITE}, or ${POSTGRES}`
  }
  if (isPart(value)) {
    if ('prepare' in value && 'exec' in value) return `a SQLite handle: ${SQLITE}`
    if ('evalsha' in value || 'evalSha' in value)
      return 'a Redis client: give redisStores(client, beside) of @svc/auth/redis'
    if ('getConnection' in value) return `a pool of MySQL: ${MYSQL}`
    if ('connect' in value && 'query' in value) return `a pool of PostgreSQL: ${POSTGRES}`
  }
  return `${SQLITE}, or ${POSTGRES}`
}

const storeEntries = {
  sessions: implementing(sessionStore),
  pendingLogins: implementing(pendingLoginStore),
  notifications: implementing(notificationStore),
  bus: implementing(bus),
  activity: v.optional(implementing(activityStore)),
  attempts: v.pipe(
    implementing(attemptStore),
    v.check(
      (store) => 'atomic' in store && store.atomic === true,
      'must say `atomic: true`: a store that cannot reserve in one atomic step must not guard logins',
    ),
  ),
}

/** The key `stores` of the options. */
export const storesSchema = v.pipe(
  storesObject(),
  implementing(storeSet),
  v.looseObject(storeEntries, messageOfMissing(storeEntries)),
)
