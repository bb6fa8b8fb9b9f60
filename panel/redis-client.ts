import { once } from 'node:events'
import { Cluster, Redis } from 'ioredis'
import { reasonOf } from './error-text.ts'
import { readRedisAddress } from './redis-address.ts'
import type { RedisAddress } from './redis-address.ts'

/** A server without an answer for so long is down: the service answers 503 within two seconds. */
const SILENCE_MS = 1500
/** Shorter than a store's deadline, so that a second Sentinel or node can still be tried. */
const ONE_OF_SEVERAL_MS = 500
const LONGEST_PAUSE_MS = 1000

const options = {
  connectTimeout: SILENCE_MS,
  commandTimeout: SILENCE_MS,
  enableOfflineQueue: false,
  // A command in flight may have run. A retry would count or consume twice.
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: pauseMs,
}

/**
 * Connects to Redis and reconnects after an outage; meanwhile commands fail at once. The stores
 * open connections of their own with these settings; this one checks the address at the start and
 * logs outages.
 *
 * @param url As `readRedisAddress` takes it.
 * @param log Receives one line for each outage.
 * @throws {Error} Redis cannot be reached.
 */
export async function connectRedis(
  url: string,
  log: (line: string) => void,
): Promise<Redis | Cluster> {
  const address = readRedisAddress(url)
  const client = clientFor(address)
  try {
    const seconds = address.kind === 'server' ? 2 : 5
    await once(client, 'ready', { signal: AbortSignal.timeout(seconds * 1000) })
  } catch (error) {
    client.disconnect()
    throw error
  }
  logOutages(client, log)
  return client
}

function clientFor(address: RedisAddress): Redis | Cluster {
  if (address.kind === 'server') return new Redis(address.url, options)
  if (address.kind === 'sentinel') {
    return new Redis({
      ...options,
      ...address.options,
      connectTimeout: ONE_OF_SEVERAL_MS,
      sentinelCommandTimeout: ONE_OF_SEVERAL_MS,
      sentinelRetryStrategy: pauseMs,
    })
  }
  return new Cluster(address.nodes, {
    clusterRetryStrategy: pauseMs,
    slotsRefreshTimeout: ONE_OF_SEVERAL_MS,
    redisOptions: { ...address.options, connectTimeout: SILENCE_MS },
  })
}

function pauseMs(attempt: number): number {
  return Math.min(attempt * 50, LONGEST_PAUSE_MS)
}

/** Logs the first error of each outage; every reconnection attempt fails with another. */
function logOutages(client: Redis | Cluster, log: (line: string) => void): void {
  let isDown = false
  client.on('ready', () => {
    if (isDown) log('Redis answers again.')
    isDown = false
  })
  client.on('error', (error: unknown) => {
    // Only the message: the error also holds the command, which may contain the password.
    if (!isDown) log(`The connection to Redis broke: ${reasonOf(error)}`)
    isDown = true
  })
}
