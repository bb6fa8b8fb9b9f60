import type { TestProject } from 'vitest/node'
import { startRedis, startRedisCluster } from '../../scripts/redis.mjs'

/** Starts the one Redis and the one Cluster of the run: `inject('redisUrl')`, `inject('redisClusterUrls')`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [redis, cluster] = await Promise.all([startRedis(), startRedisCluster()])
  project.provide('redisUrl', redis.url)
  project.provide('redisClusterUrls', cluster.urls)
  return async () => void (await Promise.all([redis.stop(), cluster.stop()]))
}

declare module 'vitest' {
  interface ProvidedContext {
    redisUrl: string
    redisClusterUrls: readonly string[]
  }
}
