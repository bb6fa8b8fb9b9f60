import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { describe, expect, inject, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { redisStores } from '@svc/auth/redis'
import type { RedisClient } from '@svc/auth/redis'
import { closedAfterTest } from '../support/after-test.ts'
import { freshPrefix, ofTest, redisOfTest } from '../support/redis.ts'
import type { OpenClient } from '../support/redis.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import type { TcpProxy } from '../support/tcp-proxy.ts'
import { failsSoon } from './every-method.ts'
import { record } from './records.ts'
import { adminOf } from './redis-stores.ts'

/*
 * A firewall that forgets a connection, or a server that is frozen and replaced behind its address, says nothing: no
 * byte, no FIN, no RST arrives. New connections work.
 */

const patience = { timeout: 10_000 }

type MakeClient = (proxies: readonly TcpProxy[]) => OpenClient | Promise<OpenClient>

/** Their own connections are of no use to the stores, which are told of no outage by the host. */
const ofOneServer: Readonly<Record<string, MakeClient>> = {
  ioredis(proxies) {
    const client = new Redis(urlOf(proxies), { lazyConnect: true })
    return { client, close: () => client.disconnect() }
  },
  'node-redis': (proxies) => {
    const client = createClient({ url: urlOf(proxies) })
    return { client, close: () => undefined }
  },
  async 'a pool of node-redis'(proxies) {
    const client = createClientPool({ url: urlOf(proxies) }, { maximum: 4 }).on('error', ignore)
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}

const ofCluster: Readonly<Record<string, MakeClient>> = {
  'a Cluster of ioredis'(proxies) {
    const { password } = new URL(urlOf(proxies))
    const startupNodes = proxies.map(({ url }) => addressOf(url))
    const natMap = Object.fromEntries(
      inject('redisClusterUrls').map((url, index) => [
        new URL(url).host,
        addressOf(proxies[index]?.url ?? ''),
      ]),
    )
    const options = { lazyConnect: true, natMap, redisOptions: { password } }
    const client = new Cluster(startupNodes, options)
    return { client, close: () => client.disconnect() }
  },
  async 'a cluster of node-redis'(proxies) {
    const { password } = new URL(urlOf(proxies))
    const client = createCluster({
      rootNodes: proxies.map(({ url }) => ({ url })),
      defaults: { password },
      nodeAddressMap: Object.fromEntries(
        inject('redisClusterUrls').map((url, index) => [
          new URL(url).host,
          addressOf(proxies[index]?.url ?? ''),
        ]),
      ),
    }).on('error', ignore)
    await client.connect()
    return { client, close: () => client.destroy() }
  },
}

const clients = Object.entries({ ...ofOneServer, ...ofCluster })

describe.each(clients)('the connections of the stores, made by %s', (name, makeClient) => {
  it('are replaced when a firewall drops them, and calls succeed again within seconds', async () => {
    const { stores, proxies } = await open()
    await stores.sessions.create('key', record)
    for (const proxy of proxies) proxy.forget()
    await failsSoon('read', () => stores.sessions.read('key', 1))
    await untilItAnswers(stores)
    expect(await stores.sessions.read('key', 1)).toEqual(record)
  }, 30_000)

  it('are replaced each time, and the dropped ones are closed', async () => {
    const { stores, proxies } = await open()
    const openConnections = (): number => sum(proxies.map((proxy) => proxy.open()))
    await stores.check()
    const before = openConnections()
    for (let times = 0; times < 3; times += 1) {
      for (const proxy of proxies) proxy.forget()
      await untilItAnswers(stores)
    }
    // Not those of the host's client, which the stores leave alone.
    await expect.poll(openConnections, patience).toBeLessThanOrEqual(before)
  }, 60_000)

  it('are replaced for the bus too, whose listeners reload and miss no later message', async () => {
    const { stores, proxies } = await open()
    const messages: string[] = []
    await stores.bus.subscribe('topic', (message) => void messages.push(message))
    for (const proxy of proxies) proxy.forget()
    await expect.poll(() => messages, { timeout: 20_000 }).toEqual([''])
    await untilItAnswers(stores)
    await untilItIsHeard(stores, messages)
  }, 60_000)

  it('are closed when connecting was given up', async () => {
    const { stores, proxies, hostConnections } = await open()
    for (const proxy of proxies) proxy.hold()
    await expect(stores.check()).rejects.toMatchObject({ name: 'StoreError' })
    const subscribing = async () => stores.bus.subscribe('topic', ignore)
    await expect(subscribing()).rejects.toMatchObject({ name: 'StoreError' })
    await expect
      .poll(() => sum(proxies.map((proxy) => proxy.open())), patience)
      .toBeLessThanOrEqual(hostConnections)
  }, 30_000)

  async function open(): Promise<{
    readonly stores: Stores
    readonly proxies: readonly TcpProxy[]
    readonly hostConnections: number
  }> {
    const urls = name in ofCluster ? inject('redisClusterUrls') : [inject('redisUrl')]
    const proxies = await Promise.all(urls.map(async (url) => tcpProxy(url)))
    const client = ofTest(await makeClient(proxies))
    const hostConnections = sum(proxies.map((proxy) => proxy.open()))
    return { stores: storesOf(client), proxies, hostConnections }
  }
})

describe.each(Object.entries(ofOneServer))('one Redis, by %s', (_name, makeClient) => {
  it('executes a call once whose answer is lost', async () => {
    const proxy = await tcpProxy(inject('redisUrl'))
    const stores = storesOf(ofTest(await makeClient([proxy])))
    await stores.attempts.reserve('key', 1000, 0)
    proxy.hold()
    const reserving = async () => stores.attempts.reserve('key', 1000, 0)
    await expect(reserving()).rejects.toMatchObject({ name: 'StoreError' })
    proxy.resume()
    await untilItAnswers(stores)
    expect(await stores.attempts.count('key', 0)).toBe(2)
  }, 30_000)

  it('gets one connection for concurrent calls, also while it refuses', async () => {
    const proxy = await tcpProxy(inject('redisUrl'))
    const stores = storesOf(ofTest(await makeClient([proxy])))
    const before = proxy.made()
    proxy.refuse()
    const reads = Array.from({ length: 1000 }, async () => stores.sessions.read('key', 1))
    const outcomes = await Promise.allSettled(reads)
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(proxy.made() - before).toBe(1)
    proxy.resume()
    await untilItAnswers(stores)
    expect(proxy.made() - before).toBeLessThan(10)
  }, 30_000)

  it('is replaced by the promoted server at its address when it reports that it is a replica', async () => {
    const [old, promoted] = [await redisOfTest(), await redisOfTest()]
    const proxy = await tcpProxy(old.url)
    const stores = storesOf(ofTest(await makeClient([proxy])))
    await stores.check()
    const messages: string[] = []
    await stores.bus.subscribe('topic', (message) => void messages.push(message))
    await adminOf(old.url).replicaof('127.0.0.1', promoted.port)
    proxy.leadTo(promoted.url)
    await untilItAnswers(stores)
    await stores.sessions.create('key', record)
    expect(await stores.sessions.read('key', 1)).toEqual(record)
    // The one that listens has moved, too.
    await expect.poll(() => messages, patience).toEqual([''])
    await untilItIsHeard(stores, messages)
  }, 30_000)
})

describe('the client of the host', () => {
  it('may be silent, closed or configured to retry: the stores have connections of their own', async () => {
    const client = new Redis(inject('redisUrl'), { autoResendUnfulfilledCommands: true })
    const stores = storesOf(client)
    await stores.check()
    client.disconnect()
    await stores.check()
  })
})

function storesOf(client: RedisClient): Stores {
  return closedAfterTest(redisStores(client, memoryStores(), { prefix: freshPrefix() }))
}

async function untilItAnswers(stores: Stores): Promise<void> {
  const answers = async (): Promise<boolean> =>
    Promise.resolve(stores.check()).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, patience).toBe(true)
}

function urlOf([first]: readonly TcpProxy[]): string {
  return first?.url ?? ''
}

function addressOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function ignore(): void {}

/** Publishes until the listener whose messages these are receives one. */
async function untilItIsHeard(stores: Stores, messages: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      await stores.bus.publish('topic', 'later')
      return messages.at(-1)
    }, patience)
    .toBe('later')
}
