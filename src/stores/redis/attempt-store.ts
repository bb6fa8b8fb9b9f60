import type { EpochMs } from '../../contracts/host.ts'
import type { AttemptStore, MetadataStore } from '../../contracts/store-contracts.ts'
import type { RedisConnection } from './connection.ts'
import { listUnlessEvicted } from './eviction.ts'
import { count, instant, list, text, valuesOf } from './replies.ts'
import { attemptScripts, metadataScripts, recordScripts } from './scripts.ts'
import { retentionOf, shardedRecords } from './sharded-records.ts'

const FIELDS = ['number', 'expiresAt'] as const

export function redisAttempts(redis: RedisConnection, prefix: string): AttemptStore {
  const windows = shardedRecords(redis, prefix, 'attempt')

  return {
    atomic: true,
    async reserve(key, windowMs, now) {
      const end = now + windowMs
      const args = [key, now, end, ...retentionOf(now, end)]
      const reply = await redis.run(attemptScripts.reserve, windows.at(key), args)
      const [number, endsAt] = listUnlessEvicted(reply)
      return { number: count(number), endsAt: instant(endsAt) }
    },
    async release(key, now) {
      const [at] = windows.at(key)
      await redis.run(attemptScripts.release, [at], [now])
    },
    async count(key, now) {
      const [at] = windows.at(key)
      const window = valuesOf(await redis.run(recordScripts.read, [at], FIELDS))
      if (window === null) return 0
      const [number, expiresAt] = window
      return instant(expiresAt) > now ? count(text(number)) : 0
    },
    async clear(key) {
      await redis.run(recordScripts.destroy, windows.at(key), [key])
    },
    deleteExpired: async (now, limit) => (await windows.deleteExpired(now, limit)).length,
  }
}

export function redisMetadata(redis: RedisConnection, prefix: string): MetadataStore {
  const keyOf = (name: string): string => `${prefix}metadata:${name}`
  return {
    async read(name) {
      const stored = await redis.run(metadataScripts.read, [keyOf(name)], [])
      return stored === null ? null : text(stored)
    },
    async compareAndSet(name, from, to) {
      const done = await (from === null
        ? redis.run(metadataScripts.create, [keyOf(name)], [to])
        : redis.run(metadataScripts.replace, [keyOf(name)], [from, to]))
      return count(done) === 1
    },
  }
}

/** Returns the time of Redis; in a Cluster, of the node of one fixed slot. */
export async function redisNow(redis: RedisConnection, prefix: string): Promise<EpochMs> {
  const [seconds, microseconds] = list(
    await redis.run(metadataScripts.now, [`${prefix}metadata:clock`], []),
  )
  return count(seconds) * 1000 + Math.floor(count(microseconds) / 1000)
}
