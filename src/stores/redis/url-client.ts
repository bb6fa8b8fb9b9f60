import { once } from 'node:events'
import type { Cluster, Redis } from 'ioredis'
import { withoutValues } from '../../contracts/driver-errors.ts'
import { reasonOfError, StoreError } from '../../contracts/errors.ts'
import { loadPackage } from '../../contracts/optional-package.ts'
import { unreachableReason } from '../sql/server-error.ts'
import { readRedisAddress, type RedisAddress } from './address.ts'

/** Bounds the first connection. Sentinels and nodes are asked one after the other. */
const CONNECT_MS = { server: 2000, sentinel: 5000, cluster: 5000 } as const
const ANSWER_MS = 1500
/** Shorter, so that a second Sentinel or node can still be tried. */
const ONE_OF_SEVERAL_MS = 500
const LONGEST_PAUSE_MS = 1000

/**
 * Connects to Redis and reconnects after an outage. The stores open connections of their own with
 * these settings; this one checks the URL and reports outages.
 *
 * @param log Receives one line for each outage, one for its end, and one for a restart.
 * @throws {ConfigError} The URL has another form, or ioredis is not installed.
 * @throws {StoreError} Redis cannot be reached in time, or refuses the password.
 */
export async function connectToUrl(
  url: string,
  log: (line: string) => void,
): Promise<Redis | Cluster> {
  const address = readRedisAddress(url)
  const client = await clientFor(address)
  try {
    await once(client, 'ready', { signal: AbortSignal.timeout(CONNECT_MS[address.kind]) })
  } catch (error) {
    client.disconnect()
    throw startError(error, CONNECT_MS[address.kind])
  }
  logOutages(client, log)
  // A Cluster has many servers, and answers for any of them.
  if (!client.isCluster) await logRestarts(client, log)
  return client
}

const REFUSED = /^(?:WRONGPASS|NOAUTH|NOPERM)/
/** The words of ioredis and the system for a server that accepts a connection and is silent. */
const LATE = /timed out|ETIMEDOUT/
/** A server has 16 databases by default, and a node of a Cluster one. */
const NO_DATABASE = /DB index is out of range|SELECT is not allowed in cluster mode/
const NO_CLUSTER = /cluster support disabled/
/**
 * A server that takes no more connections sends its reason and closes at once. ioredis says so
 * of Sentinels and nodes of a Cluster that it cannot connect to, too.
 */
const CLOSED = /EPIPE|ECONNRESET|Connection is closed|max number of clients/

function startError(thrown: unknown, connectMs: number): unknown {
  if (!(thrown instanceof Error)) return thrown
  // A Cluster only says that none of its nodes could be used.
  const { lastNodeError: cause = thrown }: Error & { lastNodeError?: Error } = thrown
  const reason = remedyOf(cause, connectMs) ?? unreachableReason(cause) ?? reasonOfError(cause)
  // The error of ioredis holds the command that was refused, such as AUTH with the password.
  return new StoreError(`stores: openRedisStores: ${reason}`, { cause: withoutValues(cause) })
}

function remedyOf({ name, message }: Error, connectMs: number): string | null {
  if (name === 'AbortError' || LATE.test(message))
    return `Redis does not answer within ${connectMs / 1000} seconds; start it, wait until it has loaded its data, or correct the address (rediss with TLS, redis without)`
  if (REFUSED.test(message)) return `${message}; correct the user or the password of the address`
  if (NO_DATABASE.test(message))
    return 'Redis has no database of this number; correct the path of the address'
  if (NO_CLUSTER.test(message))
    return 'Redis is not a node of a Cluster; write redis or redis+sentinel in the address'
  if (CLOSED.test(message))
    return `Redis closes or refuses the connection (${message}); start it, correct the address (rediss for TLS), or raise maxclients`
  return null
}

async function clientFor(address: RedisAddress): Promise<Redis | Cluster> {
  const { Cluster, Redis } = await driver()
  const options = {
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    retryStrategy: pauseMs,
  }
  if (address.kind === 'server') return new Redis(address.url, options)
  if (address.kind === 'sentinel')
    return new Redis({
      ...options,
      ...address.options,
      connectTimeout: ONE_OF_SEVERAL_MS,
      sentinelCommandTimeout: ONE_OF_SEVERAL_MS,
      sentinelRetryStrategy: pauseMs,
    })
  return new Cluster(address.nodes, {
    clusterRetryStrategy: pauseMs,
    slotsRefreshTimeout: ONE_OF_SEVERAL_MS,
    redisOptions: { ...address.options, connectTimeout: ANSWER_MS },
  })
}

async function driver() {
  return loadPackage({
    name: 'ioredis',
    neededBy: 'stores: openRedisStores',
    load: () => import('ioredis'),
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
    if (!isDown) log(`The connection to Redis broke: ${reasonOfError(error)}`)
    isDown = true
  })
}

/**
 * Logs that a server was restarted or another one took over, by the id of its run. An interruption
 * may be too short to fail anything, and all that shows it may be that everybody is logged out.
 * Resolves once the id of the first run is known.
 */
async function logRestarts(client: Redis | Cluster, log: (line: string) => void): Promise<void> {
  let known: string | null = null
  async function compare(): Promise<void> {
    const run = /^run_id:(\w+)/m.exec(await client.info('server'))?.[1] ?? known
    if (known !== null && run !== known) log(RESTARTED)
    known = run
  }
  // A user of Redis may lack the right to ask, and an outage is logged elsewhere.
  const compareSafely = async (): Promise<void> => compare().catch(() => undefined)
  client.on('ready', () => void compareSafely())
  await compareSafely()
}

const RESTARTED =
  'Redis was restarted, or another server took over: what it did not keep is lost, such as sessions; see "Redis has failed over" in the runbook.'
