import type { TestProject } from 'vitest/node'
import { startRedis, startRedisCluster } from '../../scripts/redis.mjs'

/** Starts the one Redis and the one Cluster of the run: `inject('redisUrl')`, `inject('redisClusterUrls')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis()
  const cluster = await startRedisCluster()
  project.provide('redisUrl', redis.url)
  project.provide('redisClusterUrls', cluster.urls)
  return async () => {
    await redis.stop()
    await cluster.stop()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string
    redisClusterUrls: readonly string[]
  }
}
