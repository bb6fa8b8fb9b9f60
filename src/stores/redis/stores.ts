import { ConfigError } from '../../contracts/errors.ts'
import type { MetadataStore, Stores } from '../../contracts/store-contracts.ts'
import { warned } from '../../contracts/provider-warning.ts'
import type { PruneTimes, StoreSize } from '../../contracts/store-size.ts'
import { safeLog } from '../../contracts/write-line.ts'
import { ensureArgument, type Expected } from '../../contracts/call-argument.ts'
import { ensureOptions, optionalText, optionsOf } from '../../contracts/call-options.ts'
import { redisAttempts, redisMetadata, redisNow } from './attempt-store.ts'
import { redisBus } from './bus.ts'
import { connect, type RedisClient, type RedisConnection } from './connection.ts'
import { redisPendingLogins } from './pending-login-store.ts'
import { evictionWarning } from './eviction.ts'
import { count, list } from './replies.ts'
import { shardScripts } from './scripts.ts'
import { redisSessions } from './session-store.ts'
import { checkShards, endsOfShards } from './sharded-records.ts'
import { connectToUrl } from './url-client.ts'

export type { Stores } from '../../contracts/store-contracts.ts'
export type { RedisClient } from './connection.ts'

/**
 * Creates stores in Redis 6.2 or newer, or in a Cluster: sessions, pending logins, attempts and the
 * bus. Notifications and the activity of users stay in the SQL stores beside it. Redis must not
 * lose data: set `maxmemory-policy noeviction`, an append-only file, and a password.
 *
 * @param client Connected by the host, with an `error` listener of the host; never closed here. The
 *   bus uses a second connection with the same settings, which `close` closes.
 * @param beside The stores that hold the notifications; `check` and `close` include them.
 * @param options.prefix The prefix of every key. Default: `svc:`.
 * @throws {ConfigError} An argument is wrong, or the prefix contains a brace, by which a Cluster
 *   assigns slots.
 *
 * @example
 * ```ts
 * import { createClient } from 'redis'
 * import { postgresStores } from '@svc/auth/postgres'
 *
 * const redis = createClient({ url: 'redis://localhost' })
 * redis.on('error', console.error)
 * await redis.connect()
 * const stores = redisStores(redis, await postgresStores('postgres://panel@localhost/panel'))
 * ```
 */
export function redisStores(
  client: RedisClient,
  beside: Stores,
  options: { readonly prefix?: string } = {},
): Stores {
  ensureArgument(client, 'stores: redisStores: its first argument', CLIENT)
  ensureBeside(beside, 'redisStores')
  ensureOptions('stores: redisStores', options, OPTIONS)
  const prefix = prefixOf(options)
  const redis = connect(client)
  const bus = redisBus(redis, prefix)
  return {
    sessions: redisSessions(redis, prefix),
    pendingLogins: redisPendingLogins(redis, prefix),
    attempts: redisAttempts(redis, prefix),
    notifications: beside.notifications,
    ...(beside.activity !== undefined && { activity: beside.activity }),
    bus,
    metadata: metadataOf(beside, redisMetadata(redis, prefix)),
    ...(beside.migrated !== undefined && { migrated: beside.migrated }),
    ...(beside.gauges !== undefined && { gauges: beside.gauges }),
    now: async () => redisNow(redis, prefix),
    ...warned(async () => evictionWarning(redis)),
    sizes: async (times) => [
      ...(await redisSizes(redis, prefix, times)),
      ...((await beside.sizes?.(times)) ?? []),
    ],
    // At once: each may take its whole deadline, and the health check has little more than one.
    // First the one that may throw, as then the others are not awaited.
    check: async () => void (await Promise.all([beside.check(), checkShards(redis, prefix)])),
    async close() {
      bus.close()
      await redis.close()
      await beside.close()
    },
  }
}

function prefixOf({ prefix = 'svc:' }: { readonly prefix?: string }): string {
  if (/[{}]/.test(prefix))
    throw new ConfigError('stores: the prefix of redisStores must be without { and }')
  return prefix
}

/** The options of `openRedisStores`, beside its URL. */
export interface OpenRedisOptions {
  /** The prefix of every key. Default: `svc:`. */
  readonly prefix?: string
  /**
   * Receives one line when Redis is lost, one when it is back, and one when it was restarted.
   * Default: standard error.
   */
  readonly log?: (line: string) => void
}

/**
 * Connects to Redis by a URL, with ioredis, and creates stores in it as `redisStores` does. `close`
 * closes all connections.
 *
 * @param url `redis://:password@host:6379/0`, or Sentinels with the name of their master as
 *   `redis+sentinel://:password@host:26379,host:26379/mymaster` (`?sentinel_password=…`), or nodes
 *   of a Cluster as `redis+cluster://:password@host:6379,host:6379`; `rediss` uses TLS.
 * @param beside The stores that hold the notifications; `check` and `close` include them.
 * @throws {ConfigError} The URL has another form, an argument is wrong, ioredis is not installed,
 *   or the prefix contains a brace.
 * @throws {Error} A server does not answer within two seconds, or Sentinels or a Cluster within
 *   five.
 *
 * @example
 * ```ts
 * import { postgresStores } from '@svc/auth/postgres'
 *
 * const beside = await postgresStores('postgres://panel@localhost/panel')
 * const stores = await openRedisStores('redis://:password@localhost:6379', beside)
 * ```
 */
export async function openRedisStores(
  url: string,
  beside: Stores,
  { log, ...options }: OpenRedisOptions = {},
): Promise<Stores> {
  ensureBeside(beside, 'openRedisStores')
  const client = await connectToUrl(url, safeLog(log))
  try {
    const stores = redisStores(client, beside, options)
    return {
      ...stores,
      async close() {
        client.disconnect()
        await stores.close()
      },
    }
  } catch (error) {
    client.disconnect()
    throw error
  }
}

/**
 * Returns the metadata stores of the service. Nodes of one service share the database beside Redis,
 * while several services may share one Redis, each with its own application key. Redis holds the
 * metadata only when the other stores do not survive a restart.
 */
function metadataOf(beside: Stores, ofRedis: MetadataStore): readonly MetadataStore[] {
  return beside.persistent === false ? [ofRedis] : (beside.metadata ?? [])
}

const SIZES = [
  ['session', 'Redis: sessions'],
  ['pending', 'Redis: pending logins'],
  ['attempt', 'Redis: attempts'],
] as const

/** Counts the records of each kind by their expiries. */
async function redisSizes(
  redis: RedisConnection,
  prefix: string,
  { expired }: PruneTimes,
): Promise<readonly StoreSize[]> {
  return Promise.all(
    SIZES.map(async ([kind, name]) => {
      const shards = await Promise.all(
        endsOfShards(prefix, kind).map(async (ends) =>
          list(await redis.run(shardScripts.size, [ends], [expired])).map(count),
        ),
      )
      const sumOf = (at: number): number => shards.reduce((sum, one) => sum + (one[at] ?? 0), 0)
      return { name, records: sumOf(0), bytes: null, oldest: null, due: sumOf(1) }
    }),
  )
}

const REMEDY = 'give a connected client of ioredis or redis'

/** A client of Redis. */
const CLIENT: Expected = {
  remedy: REMEDY,
  textFault: () => `is a text; ${REMEDY}, or give the address to openRedisStores`,
  objectFault(value) {
    if (hasMethod(value, 'evalsha') || hasMethod(value, 'evalSha')) return null
    if ('sessions' in value) return `is the stores, which come second; ${REMEDY}`
    return `is not a client of Redis; ${REMEDY}`
  },
}

const OTHER_STORES = 'give the stores that hold the notifications, like `await postgresStores(…)`'

const BESIDE: Expected = {
  remedy: OTHER_STORES,
  objectFault: (value) =>
    'notifications' in value && hasMethod(value, 'check') && hasMethod(value, 'close')
      ? null
      : `is not an object of stores; ${OTHER_STORES}`,
}

/**
 * Checks the stores beside Redis.
 *
 * @throws {ConfigError} The value is not an object with the methods of stores.
 */
function ensureBeside(beside: unknown, call: string): void {
  ensureArgument(beside, `stores: ${call}: its second argument`, BESIDE)
}

/** The options of `redisStores`. */
const OPTIONS = optionsOf({ prefix: optionalText })

function hasMethod(value: object, name: string): boolean {
  return typeof Reflect.get(value, name) === 'function'
}
