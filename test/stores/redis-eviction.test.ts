import { expect, it, onTestFinished } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { openRedisStores } from '@svc/auth/redis'
import { startRedis } from '../../scripts/redis.mjs'
import { loggedIn } from '../support/logins.ts'
import { startService } from '../support/service.ts'

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

it('a Redis that keeps everything is not warned of', async () => {
  expect(await linesOn('noeviction')).toEqual([])
})
