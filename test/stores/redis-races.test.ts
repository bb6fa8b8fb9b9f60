import { Redis } from 'ioredis'
import { describe, expect, inject, it, vi } from 'vitest'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import {
  freshPrefix,
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  ofTest,
  watchedIoRedis,
} from '../support/redis.ts'
import { barrier } from '../support/time.ts'
import { NOW, MINUTE, HOUR, DAY, record, login, open, adminOf, range } from './redis-stores.ts'

describe.each([
  ['one Redis', ioRedis, nodeRedis],
  ['a Cluster', ioRedisCluster, nodeRedisCluster],
] as const)('two nodes on %s, of a hundred at once', (_name, makeOne, makeOther) => {
  it('reserve distinct numbers', async () => {
    const { attempts } = await twoNodes()
    const made = await Promise.all(attempts.map(async (it) => it.reserve('key', MINUTE, NOW)))
    expect(made.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(range(1, 100))
  })

  it('consume the pending login once', async () => {
    const { pendingLogins } = await twoNodes()
    await pendingLogins[0]?.create('key', login)
    const taken = await Promise.all(pendingLogins.map(async (it) => it.consume('key', NOW)))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('set the pending secret once', async () => {
    const { sessions } = await twoNodes()
    await sessions[0]?.create('key', record)
    const set = await Promise.all(
      sessions.map(async (it, index) => it.update('key', { from: null, to: `secret ${index}` })),
    )
    expect(set.filter(Boolean)).toHaveLength(1)
    const kept = await sessions[1]?.read('key', NOW)
    expect(kept?.pendingSecret).toBe(`secret ${set.indexOf(true)}`)
  })

  it('create one session for a key', async () => {
    const { sessions } = await twoNodes()
    const made = await Promise.all(
      sessions.map(async (it, index) => it.create('key', { ...record, userId: String(index) })),
    )
    expect(made.filter(Boolean)).toHaveLength(1)
    expect((await sessions[0]?.read('key', NOW))?.userId).toBe(String(made.indexOf(true)))
  })

  it('end every existing session, whatever is created meanwhile', async () => {
    const { sessions } = await twoNodes()
    for (const [index, it] of sessions.entries()) {
      await it.create(`before ${index}`, record)
    }
    const meanwhile = sessions.map(async (it, index) => it.create(`meanwhile ${index}`, record))
    const ended = await Promise.all(
      sessions.slice(0, 4).map(async (it) => it.destroyOthers(record, null)),
    )
    await Promise.all(meanwhile)
    expect(ended.reduce((sum, one) => sum + one)).toBeGreaterThanOrEqual(100)
    for (const [index, it] of sessions.entries()) {
      expect(await it.read(`before ${index}`, NOW)).toBeNull()
    }
    // Those that were made meanwhile are ended by the next.
    await sessions[0]?.destroyOthers(record, null)
    for (const [index, it] of sessions.entries()) {
      expect(await it.read(`meanwhile ${index}`, NOW)).toBeNull()
    }
  })

  /** The stores of both, a hundred times in turn. */
  async function twoNodes() {
    const prefix = freshPrefix()
    const nodes = [makeOne(), await makeOther()].map((it) =>
      redisStores(ofTest(it), memoryStores(), { prefix }),
    )
    const inTurn = Array.from({ length: 50 }, () => nodes).flat()
    return {
      sessions: inTurn.map(({ sessions }) => sessions),
      pendingLogins: inTurn.map(({ pendingLogins }) => pendingLogins),
      attempts: inTurn.map(({ attempts }) => attempts),
    }
  }
})

describe('the sessions of an owner', () => {
  it('are found however long touches have extended them', async () => {
    const { sessions } = open()
    await sessions.create('kept alive', record)
    for (let day = 0; day < 9; day += 1) {
      const now = NOW + HOUR - 1 + day * DAY
      const seen = { lastSeenAt: now, expiresAt: now + DAY + 1 }
      expect(await sessions.touch('kept alive', seen)).toBe(true)
    }
    // It forgets what has been over for long, and no more than that.
    const later = NOW + 9 * DAY
    const fresh = { ...record, createdAt: later, lastSeenAt: later, expiresAt: later + HOUR }
    await sessions.create('fresh', fresh)
    expect(await sessions.destroyOthers(record, null)).toBe(2)
    expect(await sessions.read('kept alive', later)).toBeNull()
  })

  it('are ended by the next call when one was still being created', async () => {
    const watched = watchedIoRedis()
    const { sessions } = redisStores(ofTest(watched), memoryStores(), { prefix: freshPrefix() })
    await sessions.create('warm', record)
    const { reached, release } = watched.holdCall(2)
    const making = sessions.create('key', record)
    await reached
    expect((await sessions.list(record, NOW)).map(({ key }) => key)).toEqual(['warm'])
    const ending = sessions.destroyOthers(record, null)
    expect(await ending).toBe(1)
    release()
    expect(await making).toBe(true)
    expect((await sessions.list(record, NOW)).map(({ key }) => key)).toEqual(['key'])
    expect(await sessions.destroyOthers(record, null)).toBe(1)
    expect(await sessions.read('key', NOW)).toBeNull()
  })

  it('exclude a session whose key was refused', async () => {
    const { sessions } = open()
    const eve = { ...record, userId: 'eve' }
    await sessions.create('key', record)
    expect(await sessions.create('key', eve)).toBe(false)
    await sessions.restamp(eve, 'the stamp', 'another')
    expect(await sessions.list(eve, NOW)).toEqual([])
    expect(await sessions.destroyOthers(eve, null)).toBe(0)
    expect(await sessions.read('key', NOW)).toEqual(record)
  })

  it('are found as long as the longest of them lives', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    await sessions.create('long', { ...record, expiresAt: NOW + 9 * DAY })
    await sessions.create('short', record)
    const redis = adminOf()
    const lists = await redis.keys(`${prefix}*:sessions`)
    expect(lists).toHaveLength(1)
    expect(await redis.pttl(lists[0] ?? '')).toBeGreaterThan(9 * DAY)
  })

  it('are listed again by a touch where a failover has lost their list', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    await sessions.create('key', record)
    const redis = adminOf()
    expect(await redis.del(await redis.keys(`${prefix}*:sessions`))).toBe(1)
    await sessions.touch('key', { lastSeenAt: NOW + MINUTE, expiresAt: NOW + HOUR + MINUTE })
    expect((await sessions.list(record, NOW + MINUTE)).map(({ key }) => key)).toEqual(['key'])
    expect(await sessions.destroyOthers(record, null)).toBe(1)
  })

  it('are kept by Redis as long as touches have extended them', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    await sessions.create('key', record)
    await sessions.touch('key', { lastSeenAt: NOW, expiresAt: NOW + 9 * DAY })
    const redis = adminOf()
    const [key = ''] = await redis.keys(`${prefix}*:session:key`)
    expect(await redis.pttl(key)).toBeGreaterThan(9 * DAY)
  })

  it('are found after a shorter one was refused their key', async () => {
    const { sessions } = open()
    await sessions.create('key', { ...record, expiresAt: NOW + 9 * DAY })
    expect(await sessions.create('key', record)).toBe(false)
    const later = NOW + 8 * DAY
    await sessions.create('fresh', { ...record, lastSeenAt: later, expiresAt: later + HOUR })
    expect(await sessions.destroyOthers(record, null)).toBe(2)
  })

  it('are removed long after they have expired, however often the owner logs in', async () => {
    const prefix = freshPrefix()
    const { sessions } = open(prefix)
    for (const day of range(1, 30)) {
      const now = NOW + day * DAY
      const lived = { createdAt: now, lastSeenAt: now, expiresAt: now + HOUR }
      await sessions.create(`day ${day}`, { ...record, ...lived })
    }
    const redis = adminOf()
    const [list = ''] = await redis.keys(`${prefix}*:sessions`)
    expect(await redis.zcard(list)).toBeLessThan(5)
  })

  it('stay valid when they are extended while expired ones are removed', async () => {
    const watched = watchedIoRedis()
    const prefix = freshPrefix()
    const pruning = redisStores(ofTest(watched), memoryStores(), { prefix }).sessions
    const { sessions } = open(prefix)
    await sessions.create('key', record)
    // Expired keys are read from 64 shards, then removed.
    const { reached, release } = watched.holdCall(65)
    const removing = pruning.deleteExpired(NOW + HOUR, 9)
    await reached
    const seen = { lastSeenAt: NOW + HOUR - 1, expiresAt: NOW + 2 * HOUR }
    expect(await sessions.touch('key', seen)).toBe(true)
    release()
    expect(await removing).toEqual([])
    expect(await sessions.read('key', NOW + HOUR)).toEqual({ ...record, ...seen })
  })

  it('are ended or still listed after a failure in between', async () => {
    const watched = watchedIoRedis()
    const { sessions } = redisStores(ofTest(watched), memoryStores(), { prefix: freshPrefix() })
    await sessions.create('one', record)
    await sessions.create('other', record)
    watched.failCall(2)
    await expect(sessions.destroyOthers(record, null)).rejects.toMatchObject({ name: 'StoreError' })
    await sessions.destroyOthers(record, null)
    expect(await sessions.read('one', NOW)).toBeNull()
    expect(await sessions.read('other', NOW)).toBeNull()
  })
})

it('a subscription that opens while the commands get another connection is opened again', async () => {
  const client = new Redis(inject('redisUrl'))
  const close = (): void => client.disconnect()
  const [{ passed, open: release }, opened, subscribed] = [barrier(), new Array<Redis>(), vi.fn()]
  const duplicate = client.duplicate.bind(client)
  client.duplicate = (options) => {
    const own = duplicate(options)
    const subscribe = own.subscribe.bind(own)
    opened.push(own)
    return Object.assign(own, {
      async subscribe(channel: string) {
        subscribed()
        await passed
        return subscribe(channel)
      },
    })
  }
  const stores = redisStores(ofTest({ client, close }), memoryStores(), { prefix: freshPrefix() })
  await stores.check()
  const onMessage = vi.fn()
  const subscribing = stores.bus.subscribe('topic', onMessage)
  await expect.poll(() => subscribed).toHaveBeenCalledOnce()
  opened[0]?.disconnect()
  await expect.poll(async () => stores.check()).toBeUndefined()
  release()
  await subscribing
  await expect.poll(() => onMessage).toHaveBeenCalledWith('')
  expect(subscribed).toHaveBeenCalledTimes(2)
})
