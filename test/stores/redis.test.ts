import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import type { StoreSubject } from '@svc/auth/testing'
import {
  freshPrefix,
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  nodeRedisPool,
  ofTest,
  watchedIoRedis,
  type OpenClient,
} from '../support/redis.ts'
import { visitor } from '../support/logins.ts'
import { startService } from '../support/service.ts'
import { storeSuites } from '../support/store-suites.ts'
import {
  patience,
  NOW,
  MINUTE,
  HOUR,
  DAY,
  record,
  login,
  open,
  adminOf,
  range,
} from './redis-stores.ts'

const clients = {
  ioredis: ioRedis,
  'ioredis, RESP2': () => ioRedis({ protocol: 2 }),
  'node-redis': nodeRedis,
  'node-redis, RESP2': async () => nodeRedis({ RESP: 2 }),
  'a pool of node-redis': nodeRedisPool,
  'a Cluster of ioredis': ioRedisCluster,
  'a cluster of node-redis': nodeRedisCluster,
}

// Redis holds no notifications.
const { notifications: _, ...suites } = storeSuites

describe.each(Object.entries(clients))('the stores of Redis, through %s', (_name, make) => {
  // The stores connect by clients of their own that are made like the one of the host.
  let host: OpenClient
  beforeAll(async () => {
    host = await make()
  })
  afterAll(() => host.close())
  const subject: StoreSubject = {
    open: async () => redisStores(host.client, memoryStores(), { prefix: freshPrefix() }),
  }
  for (const [suite, cases] of Object.entries(suites)) {
    for (const { name, run } of cases) it(`${suite}: ${name}`, async () => run(subject))
  }
})

describe('time is what the caller says', () => {
  it('a session expires and revives as the clock moves forward and back', async () => {
    const { sessions } = open()
    await sessions.create('key', record)
    for (const [now, isThere] of [
      [NOW + 59 * MINUTE, true],
      [NOW + HOUR, false],
      [NOW + 9 * DAY, false],
      [NOW + 30 * MINUTE, true],
      [0, true],
    ] as const) {
      expect((await sessions.read('key', now)) !== null, String(now)).toBe(isThere)
    }
  })

  it.each([1, NOW, 4_000_000_000_000])('instants around %i are like any other', async (now) => {
    const { sessions, pendingLogins, attempts } = open()
    const lived = { ...record, createdAt: now, lastSeenAt: now, expiresAt: now + 5 }
    await sessions.create('key', lived)
    await pendingLogins.create('key', { ...login, createdAt: now, expiresAt: now + 5 })
    expect(await sessions.read('key', now + 4)).toEqual(lived)
    expect(await pendingLogins.consume('key', now + 4)).toBe(true)
    expect(await attempts.reserve('key', 5, now)).toEqual({ number: 1, endsAt: now + 5 })
    expect(await attempts.reserve('key', 5, now + 4)).toEqual({ number: 2, endsAt: now + 5 })
  })
})

describe('Redis', () => {
  it('gets one command for each operation of a request and of a guess', async () => {
    const watched = watchedIoRedis()
    const { sessions, pendingLogins, attempts } = redisStores(ofTest(watched), memoryStores(), {
      prefix: freshPrefix(),
    })
    await sessions.create('key', record)
    await pendingLogins.create('key', login)
    const calls = {
      read: () => sessions.read('key', NOW),
      touch: () => sessions.touch('key', { lastSeenAt: NOW + 1, expiresAt: NOW + HOUR + 1 }),
      update: () => sessions.update('key', { from: null, to: 'secret' }),
      destroy: () => sessions.destroy('key'),
      consume: () => pendingLogins.consume('key', NOW),
      reserve: () => attempts.reserve('key', MINUTE, NOW),
      release: () => attempts.release('key', NOW),
      count: () => attempts.count('key', NOW),
    }
    // Once, so that Redis knows the scripts.
    for (const call of Object.values(calls)) await call()
    for (const [name, call] of Object.entries(calls)) {
      const before = watched.calls()
      await call()
      expect(watched.calls() - before, name).toBe(1)
    }
  })

  it('may lose its scripts at any moment', async () => {
    const { sessions, attempts } = open()
    await adminOf().script('FLUSH')
    await sessions.create('key', record)
    await adminOf().script('FLUSH')
    expect(await sessions.read('key', NOW)).toEqual(record)
    await adminOf().script('FLUSH')
    const made = await Promise.all(
      range(1, 20).map(async () => attempts.reserve('key', MINUTE, NOW)),
    )
    expect(made.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(range(1, 20))
  })

  it('gets one command for each message, so that messages keep their order', async () => {
    const watched = watchedIoRedis()
    const { bus } = redisStores(ofTest(watched), memoryStores(), { prefix: freshPrefix() })
    const heard: string[] = []
    await bus.subscribe('topic', (message) => void heard.push(message))
    // Connects.
    await bus.publish('other topic', '')
    const before = watched.calls()
    await adminOf().script('FLUSH')
    await Promise.all(range(1, 20).map(async (it) => bus.publish('topic', String(it))))
    expect(watched.calls() - before).toBe(20)
    await expect.poll(() => heard, patience).toEqual(range(1, 20).map(String))
  })

  it('keeps every key with a TTL of at least a day past its end', async () => {
    const prefix = freshPrefix()
    const stores = open(prefix)
    await useAll(stores)
    const redis = adminOf()
    const keys = await redis.keys(`${prefix}*`)
    for (const key of keys) {
      const left = await redis.pttl(key)
      expect(left, key).toBeGreaterThan(DAY - MINUTE)
      expect(left, key).toBeLessThan(4 * DAY)
    }
    const records = keys.filter((key) => key.endsWith('}:session:key'))
    expect(records).toHaveLength(1)
    expect(await redis.pttl(records[0] ?? '')).toBeGreaterThan(DAY + HOUR - MINUTE)
  })

  it('reports no expiry of sessions that Redis removed by itself', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    await sessions.create('removed', record)
    await sessions.create('over', { ...record, userId: 'eve' })
    const redis = adminOf()
    await redis.del(await redis.keys(`${prefix}*:session:removed`))
    const owners = await sessions.deleteExpired(NOW + HOUR, 1)
    expect(owners).toEqual([{ tenant: 'acme', userId: 'eve' }])
    expect(await redis.keys(`${prefix}*session-ends`)).toEqual([])
  })

  it('keeps nothing of what was destroyed, consumed or cleared', async () => {
    const prefix = freshPrefix()
    const { sessions, pendingLogins, attempts } = open(prefix)
    await sessions.create('one', record)
    await sessions.create('other', record)
    await pendingLogins.create('one', login)
    await pendingLogins.create('other', login)
    await attempts.reserve('key', MINUTE, NOW)
    await sessions.destroy('one')
    await sessions.destroyOthers(record, null)
    await pendingLogins.consume('one', NOW)
    await pendingLogins.destroyOf(login)
    await attempts.clear('key')
    const left = await adminOf().keys(`${prefix}*`)
    // The lists of the owners, who may still be making one.
    expect(new Set(left.map((key) => key.split(':').at(-1)))).toEqual(
      new Set(['pendings', 'sessions']),
    )
  })

  it('removes index entries of expired keys with later writes, without pruning', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    const long = { createdAt: NOW - 2 * DAY, lastSeenAt: NOW - 2 * DAY, expiresAt: NOW - DAY }
    for (const number of range(1, 300)) {
      await sessions.create(`old ${number}`, { ...record, ...long })
      await sessions.create(`new ${number}`, record)
    }
    const redis = adminOf()
    const filed = async (): Promise<readonly string[]> => {
      const ends = await redis.keys(`${prefix}*session-ends`)
      return (await Promise.all(ends.map(async (key) => redis.zrange(key, '0', '-1')))).flat()
    }
    for (const number of range(1, 300)) await sessions.create(`newer ${number}`, record)
    expect((await filed()).filter((key) => key.startsWith('old'))).toEqual([])
    expect(await filed()).toHaveLength(600)
  })

  it('reveals no id to a reader, as ids are hashed, and contains only what was given', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    const more = { password: 'not a field of anything' }
    await sessions.create('key', { ...record, pendingSecret: 'sealed', ...more })
    const redis = adminOf()
    const [key = ''] = await redis.keys(`${prefix}*:session:key`)
    expect(await redis.hgetall(key)).toEqual({
      owner: '["acme","ada"]',
      stamp: 'the stamp',
      createdAt: String(NOW),
      lastSeenAt: String(NOW),
      expiresAt: String(NOW + HOUR),
      listedUntil: String(NOW + HOUR + DAY),
      pendingSecret: '"sealed"',
      details: '',
    })
  })

  it.each([
    ['without a field', { owner: '["acme","ada"]' }],
    ['of nobody', { owner: 'ada' }],
    ['of half an owner', { owner: '["acme"]' }],
    ['without an instant', { expiresAt: 'soon' }],
    ['with another secret', { pendingSecret: '7' }],
  ])('that contains a session %s is reported as broken', async (name, fields) => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    await sessions.create('key', record)
    const redis = adminOf()
    const [key = ''] = await redis.keys(`${prefix}*:session:key`)
    if (name === 'without a field') await redis.hdel(key, 'stamp')
    await redis.hset(key, fields)
    await expect(sessions.read('key', NOW)).rejects.toMatchObject({ name: 'StoreError' })
  })
})

describe.each([
  ['ioredis', ioRedis],
  ['node-redis', nodeRedis],
] as const)('a user of Redis with the documented rights, through %s', (_name, make) => {
  async function storesOfUser(...rights: readonly string[]): Promise<Stores> {
    const redis = adminOf()
    const prefix = freshPrefix()
    const rule = /^ACL SETUSER svc (.*)$/m.exec(readFileSync('docs/redis.md', 'utf8'))?.[1] ?? ''
    const words = rule.replaceAll('svc:', prefix).split(' ')
    await redis.call('ACL', 'SETUSER', 'svc', 'reset', ...words, ...rights)
    onTestFinished(async () => void (await redis.call('ACL', 'DELUSER', 'svc')))
    const url = new URL(inject('redisUrl'))
    url.username = 'svc'
    url.password = 'password'
    return redisStores(ofTest(await make({}, url.href)), memoryStores(), { prefix })
  }

  it('can use the stores', async () => {
    const stores = await storesOfUser()
    await useAll(stores)
    expect(await stores.sessions.destroyOthers(record, null)).toBe(2)
    await stores.sessions.restamp(record, 'the stamp', 'another')
    expect(await stores.pendingLogins.deleteExpired(NOW, 9)).toBe(1)
    const heard: string[] = []
    await stores.bus.subscribe('topic', (message) => void heard.push(message))
    await stores.bus.publish('topic', 'the message')
    await expect.poll(() => heard, patience).toEqual(['the message'])
    await stores.close()
  })

  it.each([
    ['-hset', /The user executing the script can't run this command/],
    ['resetkeys', /keys/],
  ])(
    'logins are answered 503 where a right is missing, and the log says why: %s',
    async (right, said) => {
      const service = await startService({ stores: await storesOfUser(right) })
      expect((await (await visitor(service)).logIn('u1@x.test')).status).toBe(503)
      const line = service.log.find(({ message }) => message === 'a request failed')
      expect(line?.fields).toMatchObject({
        err: { cause: { message: expect.stringMatching(said) } },
      })
    },
  )
})

it('an option of ioredis that makes numbers texts changes no answer', async () => {
  const client = ofTest(ioRedis({ stringNumbers: true }))
  const { sessions } = redisStores(client, memoryStores(), { prefix: freshPrefix() })
  expect(await sessions.create('key', record)).toBe(true)
  expect(await sessions.update('key', { from: record.pendingSecret, to: 'another' })).toBe(true)
  expect(await sessions.destroyOthers(record, null)).toBe(1)
  expect(await sessions.create('key', record)).toBe(true)
  expect(await sessions.destroy('key')).toBe(true)
})

describe('stores with another prefix', () => {
  it('share nothing', async () => {
    const [one, other] = [open(), open()]
    await useAll(one)
    const heard: string[] = []
    await other.bus.subscribe('topic', (message) => void heard.push(message))
    expect(await other.sessions.read('key', NOW)).toBeNull()
    expect(await other.pendingLogins.read('key', NOW)).toBeNull()
    expect(await other.attempts.count('key', NOW)).toBe(0)
    expect(await other.sessions.destroyOthers(record, null)).toBe(0)
    expect(await other.pendingLogins.destroyOf(login)).toBe(0)
    expect(await other.sessions.deleteExpired(NOW + DAY, 9)).toEqual([])
    expect(await other.attempts.deleteExpired(NOW + DAY, 9)).toBe(0)
    await one.bus.publish('topic', 'for the one')
    await other.bus.publish('topic', 'for the other')
    await expect.poll(() => heard, patience).toEqual(['for the other'])
  })

  it.each(['{svc}:', 'svc{', '}'])('that is %s is refused', (prefix) => {
    expect(() => open(prefix)).toThrow(expect.objectContaining({ name: 'ConfigError' }))
  })
})

describe('the bell', () => {
  it('is kept in the other stores, and checked and closed with them', async () => {
    const beside = memoryStores()
    const stores = redisStores(ofTest(ioRedis()), beside, { prefix: freshPrefix() })
    expect(stores.notifications).toBe(beside.notifications)
    await stores.check()
    await beside.close()
    await expect(stores.check()).rejects.toMatchObject({ name: 'StoreError' })
    const others = memoryStores()
    await redisStores(ofTest(ioRedis()), others, { prefix: freshPrefix() }).close()
    expect(() => others.check()).toThrow(expect.objectContaining({ name: 'StoreError' }))
  })
})

it('the check of Redis and of the other stores runs at once, as each may take its whole deadline', async () => {
  let checks = 0
  const beside = { ...memoryStores(), check: () => void (checks += 1) }
  const stores = redisStores(ofTest(ioRedis()), beside, { prefix: freshPrefix() })
  const checked = expect(Promise.resolve(stores.check())).resolves.toBeUndefined()
  // Before Redis can have answered.
  expect(checks).toBe(1)
  await checked
})

describe('the bus', () => {
  it('ignores foreign messages on its channel', async () => {
    const prefix = freshPrefix()
    const { bus } = open(prefix)
    const heard: string[] = []
    await bus.subscribe('topic', (message) => void heard.push(message))
    const redis = adminOf()
    for (const strange of ['', 'no JSON', '7', '[]', '["topic"]', '["topic",7]']) {
      expect(await redis.publish(`${prefix}bus`, strange)).toBe(1)
    }
    await bus.publish('topic', 'the message')
    await expect.poll(() => heard, patience).toEqual(['the message'])
  })
})

async function useAll(stores: Stores): Promise<void> {
  const { sessions, pendingLogins, attempts } = stores
  await sessions.create('key', record)
  await sessions.touch('key', { lastSeenAt: NOW + 1, expiresAt: NOW + HOUR })
  await sessions.create('over', { ...record, expiresAt: NOW })
  await pendingLogins.create('key', login)
  await pendingLogins.create('over', { ...login, expiresAt: NOW })
  await attempts.reserve('key', MINUTE, NOW)
  await attempts.reserve('key', MINUTE, NOW)
  await attempts.release('key', NOW)
  await stores.check()
}
