import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { inject, onTestFinished } from 'vitest'
import type { RedisClient } from '@svc/auth/redis'
import { startRedis } from '../../scripts/redis.mjs'
import type { IoRedisClient } from '../../src/stores/redis/ioredis.ts'
import { stoppedAfterTest } from './after-test.ts'
import { barrier } from './time.ts'

/** A client of a host, connected, that the test closes. */
export interface OpenClient {
  readonly client: RedisClient
  readonly close: () => void
}

/** Hosts must listen to errors of their clients; the tests see them as what the stores throw. */
const ignore = (): void => undefined

/** Makes a client of ioredis. */
export function ioRedis(
  options: { readonly protocol?: 2 | 3; readonly stringNumbers?: boolean } = {},
  url = inject('redisUrl'),
): OpenClient {
  const client = new Redis(url, { retryStrategy: () => 50, ...options }).on('error', ignore)
  return { client, close: () => client.disconnect() }
}

/** Makes a client of node-redis. */
export async function nodeRedis(
  options: { readonly RESP?: 2 | 3 } = {},
  url = inject('redisUrl'),
): Promise<OpenClient> {
  const socket = { reconnectStrategy: () => 50 }
  const client = createClient({ url, socket, ...options }).on('error', ignore)
  await client.connect()
  return { client, close: () => client.destroy() }
}

/** Makes a pool of node-redis. */
export async function nodeRedisPool(url = inject('redisUrl')): Promise<OpenClient> {
  const client = createClientPool({ url }, { maximum: 4 }).on('error', ignore)
  await client.connect()
  return { client, close: () => client.destroy() }
}

/** Makes a client of ioredis for the Cluster. */
export function ioRedisCluster(given = inject('redisClusterUrls')): OpenClient {
  const urls = given.map((url) => new URL(url))
  const nodes = urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port) }))
  const password = urls[0]?.password ?? ''
  const client = new Cluster(nodes, { redisOptions: { password } }).on('error', ignore)
  return { client, close: () => client.disconnect() }
}

/** Makes a client of node-redis for the Cluster. */
export async function nodeRedisCluster(urls = inject('redisClusterUrls')): Promise<OpenClient> {
  const password = new URL(urls[0] ?? '').password
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { password },
  }).on('error', ignore)
  await client.connect()
  return { client, close: () => client.destroy() }
}

/** A client of ioredis whose scripts can be counted, held back, and made to fail. */
export interface WatchedClient extends OpenClient {
  /** The number of scripts that were run. */
  calls(): number
  /** Holds back the script that comes as the so-manieth from now, until it is released. */
  holdCall(number: number): { readonly reached: Promise<void>; readonly release: () => void }
  /** Makes the script fail that comes as the so-manieth from now. */
  failCall(number: number): void
}

export function watchedIoRedis(): WatchedClient {
  const client = new Redis(inject('redisUrl'))
  const acts = new Map<number, () => Promise<void>>()
  let calls = 0
  const act = async (): Promise<void> => {
    calls += 1
    await acts.get(calls)?.()
  }
  // The stores run their scripts on clients that are made like this one.
  const duplicate = client.duplicate.bind(client)
  client.duplicate = (options) => {
    const made = duplicate(options)
    for (const name of ['eval', 'evalsha'] as const) {
      const run: IoRedisClient['eval'] = made[name].bind(made)
      const watched: IoRedisClient['eval'] = async (...call) => {
        await act()
        return run(...call)
      }
      Object.assign(made, { [name]: watched })
    }
    return made
  }
  return {
    client,
    close: () => client.disconnect(),
    calls: () => calls,
    holdCall(number) {
      const { passed: held, open: release } = barrier()
      const { passed: reached, open: reach } = barrier()
      acts.set(calls + number, async () => {
        reach()
        await held
      })
      return { reached, release }
    },
    failCall(number) {
      acts.set(calls + number, async () => {
        throw new Error('a failure of the tests')
      })
    },
  }
}

let opened = 0

/** A prefix that nothing is kept under yet. */
export function freshPrefix(): string {
  opened += 1
  return `test-${process.pid}-${performance.timeOrigin}-${opened}:`
}

/** Starts a Redis of its own for a test. */
export async function redisOfTest(options?: Parameters<typeof startRedis>[0]) {
  return stoppedAfterTest(await startRedis(options))
}

/** A client that is closed after the test. */
export function ofTest({ client, close }: OpenClient): RedisClient {
  onTestFinished(close)
  return client
}
