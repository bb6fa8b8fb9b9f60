import { setTimeout as pause } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import type { SessionStore } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores, type RedisClient } from '@svc/auth/redis'
import { freePort } from '../../scripts/free-port.mjs'
import { closedAfterTest } from '../support/after-test.ts'
import {
  freshPrefix,
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  nodeRedisPool,
  ofTest,
  redisOfTest,
  type OpenClient,
} from '../support/redis.ts'
import { adminOf, NOW, patience, range, record } from './redis-stores.ts'

/* Sessions that are read in one tick of the event loop; commands as the server sees them. */

const SESSIONS = 20
const keys = range(1, SESSIONS).map((number) => `key ${number}`)

type Clients = Readonly<Record<string, (url?: string) => OpenClient | Promise<OpenClient>>>

const ofOneServer: Clients = {
  ioredis: (url) => ioRedis({}, url),
  'node-redis': async (url) => nodeRedis({}, url),
}
const inTotal: Clients = {
  ...ofOneServer,
  'a pool of node-redis': async () => nodeRedisPool(),
  'a Cluster of ioredis': () => ioRedisCluster(),
  'a cluster of node-redis': async () => nodeRedisCluster(),
}

describe.each(Object.entries(ofOneServer))('reads of a tick, through %s', (_name, make) => {
  it('are one command', async () => {
    const { url } = await redisOfTest()
    const { sessions, prefix } = await open(ofTest(await make(url)))
    const commands = await watchCommands(url, prefix)
    expect(await readAll(sessions)).toEqual(keys.map(() => record))
    expect(await commands()).toHaveLength(1)
  })

  it('are one read when they are of one session', async () => {
    const { url } = await redisOfTest()
    const { sessions, prefix } = await open(ofTest(await make(url)))
    const commands = await watchCommands(url, prefix)
    await Promise.all(keys.map(async () => sessions.read('key 1', NOW)))
    const [command = ''] = await commands()
    expect(command.split(':session:')).toHaveLength(2)
  })

  it('are one command per slot, where a single address leads to a Cluster', async () => {
    const url = await clusterOfOneNode()
    const { sessions, prefix } = await open(ofTest(await make(url)))
    for (let tick = 0; tick < 2; tick += 1) {
      const commands = await watchCommands(url, prefix)
      expect(await readAll(sessions)).toEqual(keys.map(() => record))
      // A command that is refused is not among them.
      const accepted = await commands()
      const slots = new Set(accepted.flatMap(slotsIn))
      expect(slots.size).toBeGreaterThan(5)
      expect(accepted).toHaveLength(slots.size)
    }
    expect(await refusals(url)).toBe(1)
  })
})

describe.each(Object.entries(inTotal))('a read of a tick, through %s', (name, make) => {
  it.each([
    ['is a text', ['SET', 'text']],
    ['is a list', ['RPUSH', 'element']],
    ['is a set', ['SADD', 'member']],
    ['is a sorted set', ['ZADD', '1', 'member']],
    ['is a stream', ['XADD', '*', 'field', 'value']],
  ])('finds all sessions but the one whose key %s', async (_type, [command = '', ...values]) => {
    const { sessions, prefix } = await open(ofTest(await make()))
    const urls = name.includes('luster') ? inject('redisClusterUrls') : [inject('redisUrl')]
    await replaceRecord(urls, `${prefix}*:session:key 7`, async (admin, key) => {
      await admin.call(command, key, ...values)
    })
    expect(await readAll(sessions)).toEqual(keys.map((key) => (key === 'key 7' ? null : record)))
  })

  it('fails alone when its record is broken', async () => {
    const { sessions, prefix } = await open(ofTest(await make()))
    const urls = name.includes('luster') ? inject('redisClusterUrls') : [inject('redisUrl')]
    await breakRecord(urls, `${prefix}*:session:key 7`)
    const outcomes = await Promise.allSettled(keys.map(async (key) => sessions.read(key, NOW)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(outcomes[6]).toMatchObject({ reason: { name: 'StoreError' } })
  })

  it('compares the expiry with its own time', async () => {
    const { sessions } = await open(ofTest(await make()))
    const ends = record.expiresAt
    const read = [ends - 1, ends].map(async (now) => sessions.read('key 1', now))
    expect(await Promise.all(read)).toEqual([record, null])
  })
})

describe('a key of another type among the sessions of a user', () => {
  const broken = async () => {
    const stores = await open(ofTest(ioRedis()))
    await replaceRecord(
      [inject('redisUrl')],
      `${stores.prefix}*:session:key 7`,
      async (redis, key) => {
        await redis.set(key, 'text')
      },
    )
    return stores.sessions
  }

  const alive = async (sessions: SessionStore) => {
    const others = keys.filter((key) => key !== 'key 7')
    const found = await Promise.all(others.map(async (key) => sessions.read(key, NOW)))
    return found.filter((session) => session !== null)
  }

  it('is no session, and hides none of the others', async () => {
    const sessions = await broken()
    expect(await sessions.read('key 7', NOW)).toBeNull()
    expect(await sessions.list(record, NOW)).toHaveLength(SESSIONS - 1)
  })

  it('is removed where a login ends what its cookie stands for', async () => {
    const sessions = await broken()
    await sessions.destroy('key 7')
    expect(await sessions.create('key 7', record)).toBe(true)
  })

  it('does not keep the others from being ended', async () => {
    const sessions = await broken()
    expect(await sessions.destroyOthers(record, null)).toBe(SESSIONS - 1)
    expect(await alive(sessions)).toEqual([])
  })

  it('does not keep the others from continuing after a change of the password hash', async () => {
    const sessions = await broken()
    await sessions.restamp(record, record.stamp, 'new')
    expect((await alive(sessions)).map(({ stamp }) => stamp)).toEqual(
      Array.from({ length: SESSIONS - 1 }, () => 'new'),
    )
  })

  it('does not keep expired ones from being removed, and is not removed', async () => {
    const sessions = await broken()
    const removed = await sessions.deleteExpired(record.expiresAt, 100)
    expect(removed).toHaveLength(SESSIONS - 1)
    expect(await sessions.deleteExpired(record.expiresAt, 100)).toEqual([])
    expect(await sessions.create('key 7', record)).toBe(false)
  })
})

async function open(client: RedisClient) {
  const prefix = freshPrefix()
  const stores = closedAfterTest(redisStores(client, memoryStores(), { prefix }))
  for (const key of keys) await stores.sessions.create(key, record)
  // Once, so that Redis knows the script.
  await stores.sessions.read('key 1', NOW)
  return { sessions: stores.sessions, prefix }
}

async function readAll(sessions: SessionStore) {
  return Promise.all(keys.map(async (key) => sessions.read(key, NOW)))
}

/** Returns a function for the commands with the prefix that a server has received since. */
async function watchCommands(url: string, prefix: string) {
  const admin = adminOf(url)
  const monitor = await admin.monitor()
  onTestFinished(() => monitor.disconnect())
  const commands: string[] = []
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    const text = args.join(' ')
    if (source !== 'lua' && text.includes(prefix)) commands.push(text)
  })
  return async () => {
    await admin.ping()
    await pause(50)
    monitor.disconnect()
    return commands
  }
}

function slotsIn(command: string): readonly string[] {
  return command.match(/\{\d+\}/g) ?? []
}

/** Returns the number of scripts that a server has refused because of their keys. */
async function refusals(url: string): Promise<number> {
  const stats = await adminOf(url).info('commandstats')
  return Number(/cmdstat_evalsha:.*rejected_calls=(\d+)/.exec(stats)?.[1])
}

async function clusterOfOneNode(): Promise<string> {
  const server = await redisOfTest({
    options: { '--cluster-enabled': 'yes', '--cluster-port': await freePort() },
  })
  const admin = adminOf(server.url)
  await admin.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await expect.poll(async () => admin.cluster('INFO'), patience).toContain('cluster_state:ok')
  return server.url
}

async function breakRecord(urls: readonly string[], pattern: string): Promise<void> {
  await changeRecord(urls, pattern, async (admin, key) => void (await admin.hdel(key, 'stamp')))
}

async function replaceRecord(
  urls: readonly string[],
  pattern: string,
  write: (admin: Redis, key: string) => Promise<void>,
): Promise<void> {
  await changeRecord(urls, pattern, async (admin, key) => {
    await admin.del(key)
    await write(admin, key)
  })
}

async function changeRecord(
  urls: readonly string[],
  pattern: string,
  change: (admin: Redis, key: string) => Promise<void>,
): Promise<void> {
  for (const url of urls) {
    const admin = adminOf(url)
    for (const key of await admin.keys(pattern)) await change(admin, key)
  }
}
