import { expect, it } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { openRedisStores, redisStores } from '@svc/auth/redis'
import { startRedisCluster } from '../../scripts/redis.mjs'
import { closedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import { PASSWORD } from '../support/browser.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { ioRedisCluster, ofTest, redisOfTest } from '../support/redis.ts'
import { startService } from '../support/service.ts'
import { UNAVAILABLE } from '../support/verdicts.ts'
import { adminOf, NOW, range } from './redis-stores.ts'

const WARNING = expect.stringMatching(
  /^stores: a full Redis .* set maxmemory-policy to noeviction$/,
)

async function linesOn(policy: string): Promise<readonly string[]> {
  const redis = await redisOfTest({ options: { '--maxmemory-policy': policy } })
  const stores = closedAfterTest(await openRedisStores(redis.url, memoryStores()))
  const service = await startService({ stores })
  for (let times = 0; times < 3; times += 1) await loggedIn(service)
  return service.log.map(({ message }) => message)
}

it('a Redis that removes counts of failed logins when it is full is warned of once', async () => {
  expect(await linesOn('volatile-lru')).toEqual([WARNING])
})

it('a Redis whose memory is limited, and that removes counts, serves no login and is not ready', async () => {
  const redis = await redisOfTest({
    options: { '--maxmemory-policy': 'volatile-lru', '--maxmemory': '100mb' },
  })
  const stores = closedAfterTest(await openRedisStores(redis.url, memoryStores()))
  const service = await startService({ stores })
  const operator = adminOf(redis.url)
  const una = await visitor(service)
  expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(UNAVAILABLE)
  await expect(stores.check()).rejects.toThrow('set maxmemory-policy to noeviction')
  await operator.config('SET', 'maxmemory-policy', 'noeviction')
  expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  await stores.check()
  await operator.config('SET', 'maxmemory-policy', 'allkeys-lru')
  await expect(stores.check()).rejects.toThrow('by its policy allkeys-lru')
  expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe(UNAVAILABLE)
})

it('a node of a Cluster that removes counts counts nothing, and the Cluster is not ready', async () => {
  const cluster = stoppedAfterTest(await startRedisCluster())
  const stores = redisStores(ofTest(ioRedisCluster(cluster.urls)), memoryStores())
  const reserve = async () =>
    Promise.allSettled(
      range(1, 32).map(async (key) => stores.attempts.reserve(`key ${key}`, 1000, NOW)),
    )
  expect((await reserve()).every(({ status }) => status === 'fulfilled')).toBe(true)
  await stores.check()
  const operator = adminOf(cluster.urls.at(-1))
  await operator.config('SET', 'maxmemory', '100mb', 'maxmemory-policy', 'volatile-ttl')
  expect(new Set((await reserve()).map(({ status }) => status)).size).toBe(2)
  await expect(stores.check()).rejects.toThrow('by its policy volatile-ttl')
})

it('a Redis that keeps everything is not warned of', async () => {
  expect(await linesOn('noeviction')).toEqual([])
})
