import type { PendingLogin, PendingLoginStore } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import { count, flat, instant, text, textOrNull, valuesOf } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { ownerList, ownerOf } from './owner-list.ts'
import { recordScripts } from './scripts.ts'
import { destroyOwned, retentionOf, shardedRecords } from './sharded-records.ts'

const FIELDS = ['owner', 'stamp', 'createdAt', 'expiresAt', 'details'] as const

export function redisPendingLogins(redis: RedisConnection, prefix: string): PendingLoginStore {
  const records = shardedRecords(redis, prefix, 'pending')
  const owners = ownerList(redis, prefix, 'pending')
  return {
    async create(key, { stamp, createdAt, expiresAt, details, ...whose }) {
      const owner = ownerKey(whose)
      await owners.add(owner, key, createdAt, expiresAt)
      const fields = flat({ owner, stamp, createdAt, expiresAt, details: details ?? '' })
      const args = [key, expiresAt, ...retentionOf(createdAt, expiresAt), ...fields]
      return count(await redis.run(recordScripts.create, records.at(key), args)) === 1
    },
    async read(key, now) {
      const [at] = records.at(key)
      const login = loginOf(await redis.run(recordScripts.read, [at], FIELDS))
      return login !== null && login.expiresAt > now ? login : null
    },
    consume: async (key, now) =>
      count(await redis.run(recordScripts.consume, records.at(key), [key, now])) === 1,
    async destroy(key) {
      await redis.run(recordScripts.destroy, records.at(key), [key])
    },
    async destroyOf(owner) {
      const named = ownerKey(owner)
      return destroyOwned(records, named, await owners.keys(named))
    },
    deleteExpired: async (now, limit) => (await records.deleteExpired(now, limit)).length,
  }
}

/** Reads a record from the values of `FIELDS`. */
function loginOf(reply: unknown): PendingLogin | null {
  const values = valuesOf(reply)
  if (values === null) return null
  const [owner, stamp, createdAt, expiresAt, details] = values
  const { tenant, userId } = ownerOf(text(owner))
  return {
    tenant,
    userId,
    stamp: text(stamp),
    createdAt: instant(createdAt),
    expiresAt: instant(expiresAt),
    details: textOrNull(details),
  }
}
