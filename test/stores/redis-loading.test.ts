import { Redis } from 'ioredis'
import { expect, it, onTestFinished } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { closedAfterTest } from '../support/after-test.ts'
import { ioRedis, nodeRedis, ofTest, redisOfTest, type OpenClient } from '../support/redis.ts'

const KEYS = 20_000
const DELAY_MICROSECONDS = 500

/** Starts a server whose data are loaded for some seconds, as after a restart. */
async function loadingServer(): Promise<{ readonly url: string }> {
  const [master, replica] = [await serverOfTest(), await serverOfTest()]
  await master.admin.call('CONFIG', 'SET', 'repl-diskless-sync-delay', 0)
  await master.admin.eval(`for i = 1, ${KEYS} do redis.call('SET', i, i) end`, 0)
  const set = async (name: string, value: number | string) =>
    replica.admin.call('CONFIG', 'SET', name, value)
  await set('masterauth', new URL(master.url).password)
  await set('loading-process-events-interval-bytes', 1024)
  await set('key-load-delay', DELAY_MICROSECONDS)
  await replica.admin.call('REPLICAOF', '127.0.0.1', new URL(master.url).port)
  const info = async () => replica.admin.info('persistence')
  await expect.poll(info, { timeout: 10_000 }).toContain('loading:1')
  return { url: replica.url }
}

async function serverOfTest() {
  const { url } = await redisOfTest()
  const admin = new Redis(url, { enableReadyCheck: false })
  onTestFinished(() => admin.disconnect())
  return { url, admin }
}

const clients: Readonly<Record<string, (url: string) => OpenClient | Promise<OpenClient>>> = {
  ioredis: (url) => ioRedis({}, url),
  'node-redis': async (url) => nodeRedis({}, url),
}

it.each(Object.entries(clients))(
  'Redis that loads its data is named as the reason of the failure at once, through %s',
  async (_name, make) => {
    const { url } = await loadingServer()
    const stores = closedAfterTest(redisStores(ofTest(await make(url)), memoryStores()))
    await expect(stores.check()).rejects.toMatchObject({
      message: 'Redis failed',
      cause: { message: expect.stringMatching(/^LOADING /) },
    })
  },
  30_000,
)
