import type { RedisDriver } from './driver.ts'
import { ioRedisDriver, type IoRedisClient } from './ioredis.ts'
import { nodeRedisDriver, type NodeRedisClient } from './node-redis.ts'

export type { IoRedisClient, NodeRedisClient }

/**
 * A Redis client of the host: of ioredis (`Redis`, also with Sentinels, or `Cluster`) or of
 * node-redis (client, cluster, pool). The stores open their own connections with its settings, and
 * send nothing over it.
 */
export type RedisClient = IoRedisClient | NodeRedisClient

/** Returns the driver for the library of the host's client. */
export function driverOf(client: RedisClient): RedisDriver {
  return 'evalsha' in client ? ioRedisDriver(client) : nodeRedisDriver(client)
}
