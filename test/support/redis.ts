import { Cluster, Redis } from 'ioredis'
import { createClient, createClientPool, createCluster } from 'redis'
import { inject, onTestFinished } from 'vitest'
import type { RedisClient } from '@svc/auth/redis'

/** A client of a host, connected, that the test closes. */
export interface OpenClient {
  readonly client: RedisClient
  readonly close: () => void
}

/** Hosts must listen to errors of their clients; the tests see them as what the stores throw. */
const ignore = (): void => undefined

/** Makes a client of ioredis. */
export function ioRedis(url = inject('redisUrl')): OpenClient {
  const client = new Redis(url, { retryStrategy: () => 50 }).on('error', ignore)
  return { client, close: () => client.disconnect() }
}

/** Makes a client of node-redis. */
export async function nodeRedis(url = inject('redisUrl')): Promise<OpenClient> {
  const client = createClient({ url, socket: { reconnectStrategy: () => 50 } }).on('error', ignore)
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
export function ioRedisCluster(): OpenClient {
  const urls = inject('redisClusterUrls').map((url) => new URL(url))
  const nodes = urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port) }))
  const password = urls[0]?.password ?? ''
  const client = new Cluster(nodes, { redisOptions: { password } }).on('error', ignore)
  return { client, close: () => client.disconnect() }
}

/** Makes a client of node-redis for the Cluster. */
export async function nodeRedisCluster(): Promise<OpenClient> {
  const urls = inject('redisClusterUrls')
  const password = new URL(urls[0] ?? '').password
  const client = createCluster({
    rootNodes: urls.map((url) => ({ url })),
    defaults: { password },
  }).on('error', ignore)
  await client.connect()
  return { client, close: () => client.destroy() }
}

let opened = 0

/** A prefix that nothing is kept under yet. */
export function freshPrefix(): string {
  opened += 1
  return `test-${process.pid}-${performance.timeOrigin}-${opened}:`
}

/** A client that is closed when the test is over. */
export function ofTest({ client, close }: OpenClient): RedisClient {
  onTestFinished(close)
  return client
}
