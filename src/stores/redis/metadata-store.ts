import type { EpochMs } from '../../contracts/host.ts'
import type { MetadataStore } from '../../contracts/store-contracts.ts'
import { count, list, text } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { metadataScripts } from './scripts.ts'

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
