import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import { startRedisCluster } from '../../scripts/redis.mjs'
import { closedAfterTest, stoppedAfterTest } from '../support/after-test.ts'
import {
  ioRedis,
  ioRedisCluster,
  nodeRedis,
  nodeRedisCluster,
  ofTest,
  redisOfTest,
} from '../support/redis.ts'
import type { OpenClient } from '../support/redis.ts'
import { answersWithin } from '../support/time.ts'
import { everyMethodFails, failsSoon, SOON_MS } from './every-method.ts'
import { record } from './records.ts'
import { adminOf } from './redis-stores.ts'

type Server = Awaited<ReturnType<typeof redisOfTest>>

/** A machine may be busy with other tests. */
const patience = { timeout: 30_000 }

const clients: Readonly<Record<string, (url: string) => OpenClient | Promise<OpenClient>>> = {
  ioredis: (url) => ioRedis({}, url),
  'node-redis': async (url) => nodeRedis({}, url),
}

describe.each(Object.entries(clients))('an outage of Redis, seen through %s', (_name, make) => {
  it('makes every method throw a StoreError within two seconds, and recovers by itself', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    await stores.sessions.create('kept', record)
    process.kill(server.pid, 'SIGSTOP')
    await everyMethodFails(stores, ['notifications', 'activity'])
    process.kill(server.pid, 'SIGCONT')
    await untilItAnswers(stores)
    expect(await stores.sessions.read('kept', 1)).toEqual(record)
  })

  it('does not begin when Redis closes connections that were idle for a second', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    await stores.sessions.create('kept', record)
    for (let times = 0; times < 12; times += 1) {
      await pause(1100)
      await adminOf(server.url).call('CLIENT', 'KILL', 'TYPE', 'normal')
      await pause(50)
      expect(await stores.sessions.read('kept', 1)).toEqual(record)
    }
  })

  it('makes attempts to connect rarer when Redis closes each connection at once', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    const admin = adminOf(server.url)
    const read = async () => {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal')
      await pause(50)
      return stores.sessions.read('key', 1)
    }
    const failure = async () => read().catch((error: unknown) => String(error))
    await expect.poll(failure, { timeout: 10_000 }).toMatch(/no connection to Redis/)
  })

  it('loses nothing that was confirmed when Redis is killed and restarted', async () => {
    const folder = folderOfTest()
    const server = await redisOfTest({ folder })
    const stores = await open(server)
    const confirmed: string[] = []
    const write = async () => {
      for (let number = 0; ; number += 1) {
        await stores.sessions.create(`key ${number}`, record)
        await stores.attempts.reserve('key', 1000, 0)
        confirmed.push(`key ${number}`)
      }
    }
    const ended = expect(write()).rejects.toMatchObject({ name: 'StoreError' })
    await expect.poll(() => confirmed.length, patience).toBeGreaterThan(100)
    await server.stop()
    await ended
    await expect(stores.check()).rejects.toMatchObject({ name: 'StoreError' })
    await redisOfTest({ folder, port: server.port })
    await untilItAnswers(stores)
    for (const key of confirmed) expect(await stores.sessions.read(key, 1), key).toEqual(record)
    expect(await stores.attempts.count('key', 0)).toBeGreaterThanOrEqual(confirmed.length)
    expect(await stores.sessions.destroyOthers(record, null)).toBeGreaterThanOrEqual(
      confirmed.length,
    )
  })

  it('notifies every listener of the bus once that messages may be missing', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    const heard: string[] = []
    for (const name of ['one', 'other']) {
      await stores.bus.subscribe('topic', (message) => void heard.push(`${name}: ${message}`))
    }
    const stop = await stores.bus.subscribe('stopped', (message) => void heard.push(message))
    stop()
    await server.stop()
    await expect(stores.bus.publish('topic', 'lost')).rejects.toMatchObject({ name: 'StoreError' })
    await redisOfTest({ port: server.port })
    await expect.poll(() => heard, patience).toEqual(['one: ', 'other: '])
    await untilItAnswers(stores)
    await stores.bus.publish('topic', 'the first')
    await expect
      .poll(() => heard.slice(2), patience)
      .toEqual(['one: the first', 'other: the first'])
  })

  it('affects no other connection than the listening one', async () => {
    const { stores, heard, admin } = await listening()
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    // Sooner than a ping would tell.
    await expect.poll(() => heard, { timeout: 5000 }).toEqual([''])
    await stores.bus.publish('topic', 'the first')
    await expect.poll(() => heard, patience).toEqual(['', 'the first'])
  })

  it('fails a subscription at the start, which can be tried again', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    process.kill(server.pid, 'SIGSTOP')
    await failsSoon('subscribe', () => stores.bus.subscribe('topic', () => undefined))
    process.kill(server.pid, 'SIGCONT')
    await untilItAnswers(stores)
    const heard: string[] = []
    await stores.bus.subscribe('topic', (message) => void heard.push(message))
    await stores.bus.publish('topic', 'the first')
    await expect.poll(() => heard, patience).toEqual(['the first'])
  })

  it('fails `check` when it is of memory: a full Redis refuses writes and evicts nothing', async () => {
    const server = await redisOfTest()
    const stores = await open(server)
    await stores.sessions.create('key', record)
    const admin = adminOf(server.url)
    await admin.config('SET', 'maxmemory', '1')
    await expect(stores.check()).rejects.toMatchObject({ name: 'StoreError' })
    const reserving = async () => stores.attempts.reserve('key', 1000, 0)
    await expect(reserving()).rejects.toMatchObject({ name: 'StoreError' })
    expect(await stores.sessions.read('key', 1)).toEqual(record)
    await admin.config('SET', 'maxmemory', '0')
    await stores.check()
  })

  it.each([
    ['is a replica', ['REPLICAOF', '127.0.0.1', '1']],
    ['lacks its replicas', ['CONFIG', 'SET', 'min-replicas-to-write', '1']],
  ] as const)('keeps its subscription when Redis %s for long', async (_why, [name, ...args]) => {
    const { stores, heard, admin } = await listening()
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1])
    const before = await connections()
    await admin.call(name, ...args)
    const reserving = async () => stores.attempts.reserve('key', 1000, 0)
    await expect
      .poll(async () => {
        await expect(reserving()).rejects.toMatchObject({ name: 'StoreError' })
        return connections()
      }, patience)
      .toBeGreaterThan(before + 2)
    await stores.bus.publish('topic', 'the first')
    await expect.poll(() => heard, patience).toEqual(['the first'])
  })

  it('is not caused by close, which ends its own connection and keeps the client open', async () => {
    const server = await redisOfTest()
    const { client, close } = await make(server.url)
    onTestFinished(close)
    const stores = redisStores(client, memoryStores())
    await stores.bus.subscribe('topic', () => undefined)
    const admin = adminOf(server.url)
    const listeners = async () =>
      String(await admin.call('CLIENT', 'LIST', 'TYPE', 'pubsub')).trim()
    expect(await listeners()).toContain('addr=')
    await stores.close()
    await expect.poll(listeners, patience).toBe('')
    const listening = async () => stores.bus.subscribe('topic', () => undefined)
    await expect(listening()).rejects.toMatchObject({ name: 'StoreError' })
    const others = redisStores(client, memoryStores())
    await others.check()
  })

  /** Opens stores that listen to a topic, and a connection of an operator. */
  async function listening() {
    const server = await redisOfTest()
    const stores = await open(server)
    const heard: string[] = []
    await stores.bus.subscribe('topic', (message) => void heard.push(message))
    const admin = adminOf(server.url)
    return { stores, heard, admin }
  }

  async function open(server: Server): Promise<Stores> {
    return closedAfterTest(redisStores(ofTest(await make(server.url)), memoryStores()))
  }
})

describe.each([
  ['ioredis', ioRedisCluster],
  ['node-redis', nodeRedisCluster],
] as const)('an outage of one node of a Cluster, seen through %s', (_name, make) => {
  it('affects the keys of that node and `check`, and recovers by itself', async () => {
    const cluster = stoppedAfterTest(await startRedisCluster())
    const stores = closedAfterTest(redisStores(ofTest(await make(cluster.urls)), memoryStores()))
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`)
    for (const key of keys) await stores.sessions.create(key, record)
    const heard: string[] = []
    await stores.bus.subscribe('topic', (message) => void heard.push(message))
    const stopped = await hungUpOn(cluster.nodes)
    process.kill(stopped.pid, 'SIGSTOP')
    const reading = async () =>
      Promise.allSettled(keys.map(async (key) => stores.sessions.read(key, 1)))
    const read = await answersWithin(SOON_MS, reading)
    await failsSoon('check', () => stores.check())
    const failed = read.filter(({ status }) => status === 'rejected')
    expect(failed.length).toBeGreaterThan(5)
    expect(failed.length).toBeLessThan(45)
    // Another node is listened to.
    await expect.poll(() => heard, patience).toEqual([''])
    process.kill(stopped.pid, 'SIGCONT')
    await untilItAnswers(stores)
    for (const key of keys) expect(await stores.sessions.read(key, 1), key).toEqual(record)
    expect(await stores.sessions.destroyOthers(record, null)).toBe(keys.length)
  }, 60_000)

  /** Ends the connection that listens, and tells which node it was to. */
  async function hungUpOn<Node extends { readonly url: string }>(
    nodes: readonly Node[],
  ): Promise<Node> {
    for (const node of nodes) {
      const ended = await adminOf(node.url).call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      if (ended === 1) return node
    }
    throw new Error('no node is listened to')
  }
})

async function untilItAnswers(stores: Stores): Promise<void> {
  const answers = async (): Promise<boolean> => {
    try {
      await stores.check()
      return true
    } catch {
      return false
    }
  }
  await expect.poll(answers, patience).toBe(true)
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-redis-kept-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
