import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { SessionStore } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { startRedisCluster } from '../../scripts/redis.mjs'
import { closedAfterTest } from '../support/after-test.ts'
import { freshPrefix, ioRedisCluster, nodeRedisCluster, ofTest } from '../support/redis.ts'
import { MINUTE, NOW, range, record } from './redis-stores.ts'

const keys = range(1, 300).map((number) => `key ${number}`)
const seen = { lastSeenAt: NOW + MINUTE, expiresAt: record.expiresAt + MINUTE }

const clients = {
  ioredis: (urls: string[]) => ioRedisCluster(urls),
  'node-redis': async (urls: string[]) => nodeRedisCluster(urls),
}

let cluster: Awaited<ReturnType<typeof startRedisCluster>>
beforeAll(async () => {
  cluster = await startRedisCluster()
}, 60_000)
afterAll(async () => cluster.stop())

describe.each(Object.entries(clients))(
  'a slot that is half moved to another node, through %s',
  { timeout: 60_000 },
  (_name, make) => {
    it('lets every session be read', async () => {
      const { sessions, prefix } = await openSessions(make)
      const move = await halfMove(cluster.urls, prefix)
      for (let tick = 0; tick < 3; tick += 1) expect(await readAll(sessions)).toBe(keys.length)
      await move.finish()
      expect(await readAll(sessions)).toBe(keys.length)
    })

    it('lets sessions be touched, and ended once it has moved', async () => {
      const { sessions, prefix } = await openSessions(make)
      const move = await halfMove(cluster.urls, prefix)
      const touched = Promise.all(keys.map(async (key) => sessions.touch(key, seen)))
      await pause(100)
      await move.finish()
      expect((await touched).filter(Boolean)).toHaveLength(keys.length)
      const ended = await Promise.all(keys.map(async (key) => sessions.destroy(key)))
      expect(ended.filter(Boolean)).toHaveLength(keys.length)
    })
  },
)

async function openSessions(make: (typeof clients)[keyof typeof clients]) {
  const prefix = freshPrefix()
  const stores = closedAfterTest(
    redisStores(ofTest(await make(cluster.urls)), memoryStores(), { prefix }),
  )
  for (const key of keys) await stores.sessions.create(key, record)
  return { sessions: stores.sessions, prefix }
}

async function readAll(sessions: SessionStore): Promise<number> {
  const found = await Promise.all(keys.map(async (key) => sessions.read(key, NOW)))
  return found.filter((session) => session !== null).length
}

function tagOf(key: string): string {
  return /\{\d+\}/.exec(key)?.[0] ?? ''
}

/** Moves half of the keys of a slot, as `redis-cli --cluster reshard` does. */
async function halfMove(urls: readonly string[], prefix: string) {
  const nodes = urls.map((url) => new Redis(url))
  onTestFinished(() => nodes.forEach((node) => node.disconnect()))
  const [source, target] = nodes
  if (source === undefined || target === undefined) throw new Error('the Cluster has one node')
  const tags = (await source.keys(`${prefix}*:session:key *`)).map(tagOf)
  // Of a slot that holds several records.
  const tag = tags.find((one, index) => tags.indexOf(one) < index) ?? ''
  const slot = Number(await source.call('CLUSTER', 'KEYSLOT', tag))
  const idOf = async (node: Redis) => String(await node.call('CLUSTER', 'MYID'))
  const [from, to] = [await idOf(source), await idOf(target)]
  await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from)
  await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to)
  const { hostname, port, password } = new URL(urls[1] ?? '')
  const migrate = async (moved: readonly string[]) =>
    source.call('MIGRATE', hostname, port, '', 0, 5000, 'AUTH', password, 'KEYS', ...moved)
  // A record of several that are read together, and not the expiries of their shard.
  const records = await source.keys(`${prefix}${tag}:session:*`)
  expect(records.length).toBeGreaterThan(1)
  await migrate(records.slice(1))
  return {
    async finish() {
      // Other tests have records in the slot, too.
      await migrate((await source.call('CLUSTER', 'GETKEYSINSLOT', slot, 1000)) as string[])
      for (const node of [target, source, ...nodes.slice(2)])
        await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', to)
    },
  }
}
