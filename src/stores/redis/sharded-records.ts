import crypto from 'node:crypto'
import { StoreError } from '../../contracts/errors.ts'
import type { Awaitable, EpochMs } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'
import { isMoving } from './moving-slot.ts'
import { listUnlessEvicted } from './eviction.ts'
import { list, sum, texts } from './replies.ts'
import type { RedisConnection, Script } from './connection.ts'
import { readManyScript, rightsScript, shardScripts } from './scripts.ts'

/** Enough shards to spread over the nodes of a Cluster, few enough to query them all. */
const SHARDS = 64

const tags = Array.from({ length: SHARDS }, (_, number) => `{${number}}`)

const KEEP_MS = times.redisKeepSeconds * 1000

/**
 * Returns the arguments of the scripts that determine how long Redis keeps a record: its time to
 * live, which leaves time for `deleteExpired` when that runs once a day, and the time before which
 * Redis has evicted expired records on its own.
 */
export function retentionOf(now: EpochMs, end: EpochMs): readonly number[] {
  return [Math.max(0, Math.ceil(end - now)) + KEEP_MS, now - KEEP_MS]
}

/** The kinds of records. */
const KINDS = ['session', 'pending', 'attempt'] as const
export type RecordKind = (typeof KINDS)[number]

/** Records of one kind, in shards. */
export type ShardedRecords = ReturnType<typeof shardedRecords>

/**
 * Distributes records of one kind to shards by key, so that a step on a record changes one slot
 * only.
 */
export function shardedRecords(redis: RedisConnection, prefix: string, kind: RecordKind) {
  const shards = shardsOf(prefix, kind)
  const shardOf = (key: string): string =>
    shards[Number.parseInt(crypto.hash('sha256', key).slice(0, 8), 16) % SHARDS] ?? prefix
  const recordOf = (shard: string, key: string): string => `${shard}:${key}`

  /** Runs a script per shard on many records. @returns the answers of the shards. */
  const onMany = async (
    step: Script,
    keys: readonly string[],
    args: (keys: readonly string[]) => readonly (string | number)[],
  ) =>
    Promise.all(
      Array.from(grouped(keys, shardOf), async ([shard, own]) =>
        redis.run(step, [endsOf(shard), ...own.map((key) => recordOf(shard, key))], args(own)),
      ),
    )

  return {
    /** Returns the Redis keys of a record and of its shard's expiries. */
    at(key: string) {
      const shard = shardOf(key)
      return [recordOf(shard, key), endsOf(shard)] as const
    },
    readMany: readerOfMany(redis, shardOf, recordOf),
    onMany,
    /** Removes at most `limit` expired records. @returns the `owner` of each. */
    async deleteExpired(now: EpochMs, limit: number) {
      const owners: string[] = []
      while (owners.length < limit) {
        const keys = await expiredKeys(redis, shards.map(endsOf), now, limit - owners.length)
        if (keys.length === 0) break
        const deleted = await onMany(shardScripts.deleteExpired, keys, (own) => [now, ...own])
        owners.push(...deleted.flatMap(texts))
      }
      return owners
    },
  }
}

/** Returns the keys of the expiries of all records of a kind. */
export function endsOfShards(prefix: string, kind: RecordKind): readonly string[] {
  return shardsOf(prefix, kind).map(endsOf)
}

function shardsOf(prefix: string, kind: RecordKind): readonly string[] {
  return tags.map((tag) => shardOfTag(prefix, tag, kind))
}

function shardOfTag(prefix: string, tag: string, kind: RecordKind): string {
  return `${prefix}${tag}:${kind}`
}

function endsOf(shard: string): string {
  return `${shard}-ends`
}

/**
 * Creates the read of fields of many records, with as few commands as the server allows. It returns
 * a reply for each key, in order. One may reject alone, when its node fails.
 */
function readerOfMany(
  redis: RedisConnection,
  shardOf: (key: string) => string,
  recordOf: (shard: string, key: string) => string,
) {
  let refusesSlots = false
  return async (
    keys: readonly string[],
    fields: readonly string[],
  ): Promise<readonly Awaitable<unknown>[]> => {
    const read = async (own: readonly string[]): Promise<readonly unknown[]> => {
      const records = own.map((key) => recordOf(shardOf(key), key))
      return list(await redis.runOnce(readManyScript, records, fields))
    }
    if (!redis.isCluster && !refusesSlots) {
      try {
        return await read(keys)
      } catch (error) {
        if (!isOfSlots(error)) throw error
        // A node of a Cluster, or a proxy before one, that the host reaches as a single server.
        refusesSlots = true
      }
    }
    const replies = new Map<string, Promise<unknown>>()
    for (const own of grouped(keys, shardOf).values()) {
      const reply = read(own)
      for (const [index, key] of own.entries()) {
        // Alone, a record is found on either node while its slot moves.
        const alone = async (error: unknown): Promise<unknown> => {
          if (!isMoving(error)) throw error
          return (await read([key]))[0]
        }
        replies.set(
          key,
          reply.then((records) => records[index], alone),
        )
      }
    }
    return keys.map((key) => replies.get(key))
  }
}

/** Returns whether a server refused a script because its keys are of several slots. */
function isOfSlots(error: unknown): boolean {
  const cause = error instanceof StoreError ? error.cause : error
  return cause instanceof Error && /CROSSSLOT|same slot/i.test(cause.message)
}

/** Finds keys of expired records. Each shard contributes a few, so that hardly more are found. */
async function expiredKeys(
  redis: RedisConnection,
  ends: readonly string[],
  now: EpochMs,
  limit: number,
): Promise<readonly string[]> {
  const few = Math.ceil(limit / SHARDS)
  const found = await Promise.all(
    ends.map(async (one) => redis.run(shardScripts.expired, [one], [now, few])),
  )
  return found.flatMap(texts).slice(0, limit)
}

/**
 * Removes those of the records that belong to the owner.
 *
 * @returns their number.
 */
export async function destroyOwned(
  records: ShardedRecords,
  owner: string,
  keys: readonly string[],
): Promise<number> {
  return sum(await records.onMany(shardScripts.destroyOwned, keys, (own) => [owner, ...own]))
}

/**
 * Writes to every shard, reads the expiries of every kind, and runs every command once. A read
 * alone would succeed on a Redis that is full or has become a replica.
 *
 * @throws {StoreError} A node does not answer, refuses to write or removes records when it is full,
 *   the user lacks a right, or another program has written a key that records of many users need.
 */
export async function checkShards(redis: RedisConnection, prefix: string): Promise<void> {
  await Promise.all([
    ...tags.map(async (tag) => {
      const ends = KINDS.map((kind) => endsOf(shardOfTag(prefix, tag, kind)))
      const keys = [`${prefix}${tag}:check`, ...ends]
      listUnlessEvicted(await redis.run(shardScripts.check, keys, [KEEP_MS]))
    }),
    redis.run(rightsScript, [`${prefix}${tags[0]}:rights`], []),
  ])
}

function grouped(
  keys: readonly string[],
  groupOf: (key: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const key of keys) {
    const group = groups.get(groupOf(key)) ?? []
    groups.set(groupOf(key), group)
    group.push(key)
  }
  return groups
}
