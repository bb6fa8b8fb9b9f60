import { reasonOfError } from '../../contracts/errors.ts'
import type { RedisNode } from './address.ts'
import { sampleInTurn, shuffled } from './random.ts'
import type { RedisDriver, RedisScripts, RedisSubscriber, SubscriberListeners } from './driver.ts'

/** The parts of ioredis that the stores use. */
export type IoRedisClient = IoRedisScripts & (IoRedisNode | IoRedisCluster)

interface IoRedisScripts {
  eval(script: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
  evalsha(sha: string, keyCount: number, ...keysAndArgs: string[]): Promise<unknown>
}

interface IoRedisNode {
  readonly options?: IoRedisOptions
  duplicate(options: object): IoRedisConnection
}

interface IoRedisOptions {
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly sentinels?: readonly object[] | null | undefined
}

interface IoRedisCluster {
  readonly options?: { readonly redisOptions?: object | undefined }
  nodes(role: 'all' | 'master'): readonly IoRedisNode[]
  duplicate(startupNodes: RedisNode[], options: object): IoRedisClusterConnection
}

interface IoRedisConnection extends IoRedisScripts, Connection {
  subscribe(channel: string): Promise<unknown>
  ping(): Promise<unknown>
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  on(event: 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
}

interface IoRedisClusterConnection extends IoRedisScripts, IoRedisCluster, Connection {
  on(event: 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
}

interface Connection {
  connect(): Promise<unknown>
  disconnect(): void
}

/**
 * Shorter than the deadline of a call, so that time remains for another Sentinel or node. A single
 * server has the deadline alone, which a busy process does not miss.
 */
const ANSWER_MS = 1000

const connectionOptions = {
  // A command in flight may have been executed, so it must not be counted or used up a second time.
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  // The stores apply their own deadline.
  commandTimeout: undefined,
  connectTimeout: ANSWER_MS,
  // A silent peer does not close its side either.
  disconnectTimeout: 0,
  enableOfflineQueue: false,
  keepAlive: 10_000,
  lazyConnect: true,
  retryStrategy: () => null,
}

function sentinelOptions(sentinels: readonly object[]): object {
  return {
    sentinelCommandTimeout: ANSWER_MS,
    sentinelRetryStrategy: () => null,
    // A silent Sentinel must not always come first.
    sentinels: shuffled(sentinels),
  }
}

export function ioRedisDriver(client: IoRedisClient): RedisDriver {
  return 'nodes' in client ? clusterDriver(client) : nodeDriver(client)
}

function nodeDriver(client: IoRedisNode): RedisDriver {
  return {
    isCluster: false,
    async connect(signal, onClose) {
      const { sentinels } = client.options ?? {}
      const own = duplicateOf(client, sentinels ? {} : WITHOUT_READY_CHECK)
      own.on('close', onClose)
      await connected(own, signal, async () => own.eval('return 1', 0))
      return scriptsOf(own)
    },
    subscribe: async (signal, channel, listeners) => subscribe(client, signal, channel, listeners),
  }
}

function clusterDriver(client: IoRedisCluster): RedisDriver {
  let latest = client
  let attempts = 0
  const nextMaster = sampleInTurn(({ options }: IoRedisNode) => `${options?.host}:${options?.port}`)
  return {
    isCluster: true,
    async connect(signal, onClose) {
      attempts += 1
      // Both the nodes that the host named and the last known ones may be gone.
      const startupNodes = attempts % 2 === 0 ? addressesOf(latest) : []
      const own = client.duplicate(startupNodes, {
        clusterRetryStrategy: () => null,
        // Otherwise commands for a node that is still connecting would fail.
        enableOfflineQueue: true,
        lazyConnect: true,
        // A command in flight would be sent again when its connection breaks.
        retryDelayOnFailover: 0,
        // The library repeats a step whose slot moves for longer than a call may last.
        retryDelayOnTryAgain: 1,
        slotsRefreshTimeout: ANSWER_MS / 2,
        redisOptions: { ...client.options?.redisOptions, ...connectionOptions },
      })
      own.on('close', onClose)
      await connected(own, signal)
      latest = own
      return scriptsOf(own)
    },
    subscribe: async (signal, channel, listeners) =>
      subscribe(nextMaster(latest.nodes('master')), signal, channel, listeners),
  }
}

function addressesOf(cluster: IoRedisCluster): RedisNode[] {
  return cluster
    .nodes('all')
    .flatMap(({ options: { host, port } = {} }) =>
      host === undefined || port === undefined ? [] : [{ host, port }],
    )
}

/**
 * The ready check of the library waits silently while a server loads its data. It is needed with
 * Sentinels only, where it also checks that the server is the master.
 */
const WITHOUT_READY_CHECK = { enableReadyCheck: false }

function duplicateOf(node: IoRedisNode, options = {}): IoRedisConnection {
  const { sentinels } = node.options ?? {}
  return node.duplicate({
    ...connectionOptions,
    ...(sentinels ? sentinelOptions(sentinels) : { connectTimeout: 0 }),
    ...options,
  })
}

async function subscribe(
  node: IoRedisNode,
  signal: AbortSignal,
  channel: string,
  { onMessage, onClose }: SubscriberListeners,
): Promise<RedisSubscriber> {
  // The library must not prefix channels; node-redis does not either.
  const own = duplicateOf(node, { keyPrefix: '' })
  own.on('close', onClose)
  own.on('message', (_channel, message) => onMessage(message))
  await connected(own, signal)
  await own.subscribe(channel)
  return { ping: async () => own.ping() }
}

/**
 * Connects a client.
 *
 * @param ensureReady Rejects with the reason for which the server takes no commands.
 */
async function connected(
  own: IoRedisConnection | IoRedisClusterConnection,
  signal: AbortSignal,
  ensureReady: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  let failure: unknown = null
  // After `connect`, the commands' promises and `close` report every failure.
  own.on('error', (error) => (failure ??= error))
  signal.addEventListener('abort', () => own.disconnect(), { once: true })
  try {
    await own.connect()
    await ensureReady()
  } catch (error) {
    // It says only that the connection is closed. The error of an event holds the password.
    throw failure === null ? error : new Error(reasonOfError(failure))
  }
}

function scriptsOf(own: IoRedisScripts): RedisScripts {
  return {
    eval: async (script, keys, args) => own.eval(script, keys.length, ...keys, ...args),
    evalSha: async (sha, keys, args) => own.evalsha(sha, keys.length, ...keys, ...args),
  }
}
