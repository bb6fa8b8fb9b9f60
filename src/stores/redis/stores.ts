import { ConfigError } from '../../contracts.ts'
import type { MetadataStore, Stores } from '../../contracts.ts'
import { redisAttempts } from './attempt-store.ts'
import { redisBus } from './bus.ts'
import type { RedisClient } from './host-client.ts'
import { connect } from './connection.ts'
import { redisMetadata, redisNow } from './metadata-store.ts'
import { redisPendingLogins } from './pending-login-store.ts'
import { redisSessions } from './session-store.ts'
import { checkShards } from './sharded-records.ts'

export type { IoRedisClient, NodeRedisClient, RedisClient } from './host-client.ts'

/**
 * Makes stores in Redis 6.2 or newer, or in a Cluster of it: sessions, pending logins, attempts and the bus. The
 * bell stays beside, in SQL. Redis must keep what it is given: `maxmemory-policy noeviction`, an append-only file,
 * and a password.
 *
 * @param client Connected by the host, with an `error` listener of the host's; never closed here. What listens to
 *   the bus is a second connection with the same settings, which `close` closes.
 * @param beside Where the notifications are; `check` and `close` mean these stores too.
 * @param options.prefix What every key begins with. Default: `svc:`.
 * @throws {ConfigError} The prefix has a brace, by which a Cluster deals out keys.
 */
export function redisStores(
  client: RedisClient,
  beside: Stores,
  options: { readonly prefix?: string } = {},
): Stores {
  const { prefix = 'svc:' } = options
  if (/[{}]/.test(prefix)) {
    throw new ConfigError('stores: the prefix of redisStores must be without { and }')
  }
  const redis = connect(client)
  const bus = redisBus(redis, prefix)
  return {
    sessions: redisSessions(redis, prefix),
    pendingLogins: redisPendingLogins(redis, prefix),
    attempts: redisAttempts(redis, prefix),
    notifications: beside.notifications,
    bus,
    metadata: metadataOf(beside, redisMetadata(redis, prefix)),
    now: async () => redisNow(redis, prefix),
    async check() {
      await checkShards(redis, prefix)
      await beside.check()
    },
    async close() {
      bus.close()
      await redis.close()
      await beside.close()
    },
  }
}

/**
 * Picks where the facts of one service are kept: nodes of one service share the database beside Redis, while one Redis may
 * serve several services, each with a key of its own. Only stores that a restart empties leave it to Redis.
 */
function metadataOf(beside: Stores, ofRedis: MetadataStore): readonly MetadataStore[] {
  return beside.persistent === false ? [ofRedis] : (beside.metadata ?? [])
}
