import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { openRedisStores } from '@svc/auth/redis'
import { startRedis } from '../../scripts/redis.mjs'
import { PASSWORD } from '../support/browser.ts'
import { attempt, loggedIn, visitor } from '../support/logins.ts'
import { startService } from '../support/service.ts'
import { UNAVAILABLE } from '../support/verdicts.ts'

const WARNING = expect.stringMatching(
  /^stores: a full Redis .* set maxmemory-policy to noeviction$/,
)

async function linesOn(policy: string): Promise<readonly string[]> {
  const redis = await startRedis({ options: { '--maxmemory-policy': policy } })
  onTestFinished(redis.stop)
  const stores = await openRedisStores(redis.url, memoryStores())
  onTestFinished(async () => stores.close())
  const service = await startService({ stores })
  for (let times = 0; times < 3; times += 1) await loggedIn(service)
  return service.log.map(({ message }) => message)
}

it('a Redis that removes counts of failed logins when it is full is warned of once', async () => {
  expect(await linesOn('volatile-lru')).toEqual([WARNING])
})

it('a Redis whose memory is limited, and that removes counts, serves no login and is not ready', async () => {
  const redis = await startRedis({
    options: { '--maxmemory-policy': 'volatile-lru', '--maxmemory': '100mb' },
  })
  onTestFinished(redis.stop)
  const stores = await openRedisStores(redis.url, memoryStores())
  onTestFinished(async () => stores.close())
  const service = await startService({ stores })
  const operator = new Redis(redis.url)
  onTestFinished(() => operator.disconnect())
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

it('a Redis that keeps everything is not warned of', async () => {
  expect(await linesOn('noeviction')).toEqual([])
})
