import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type {
  KeyedSession,
  Owner,
  SessionRecord,
  SessionStore,
} from '../../contracts/store-contracts.ts'
import { times } from '../../rules/limits.ts'
import { batchPerTick } from '../../process/batch-per-tick.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { RedisConnection } from './connection.ts'
import { count, flat, instant, parsed, text, textOrNull, texts, valuesOf } from './replies.ts'
import { ownerList, ownerOf, type OwnerList } from './owner-list.ts'
import { recordScripts, sessionScripts, shardScripts } from './scripts.ts'
import {
  destroyOwned,
  retentionOf,
  shardedRecords,
  type ShardedRecords,
} from './sharded-records.ts'

const FIELDS = [
  'owner',
  'stamp',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'pendingSecret',
  'details',
] as const

/**
 * Returns the end of a session's listing. It is later than the session's expiry, so that few
 * touches must extend the listing first.
 */
const listFor = (expiresAt: EpochMs): EpochMs => expiresAt + times.redisKeepSeconds * 1000

export function redisSessions(redis: RedisConnection, prefix: string): SessionStore {
  const records = shardedRecords(redis, prefix, 'session')
  const owners = ownerList(redis, prefix, 'session')

  const keysOf = async (owner: Owner): Promise<readonly string[]> => owners.keys(ownerKey(owner))

  const read = createRead(records)

  return {
    async create(key, record) {
      const listedUntil = listFor(record.expiresAt)
      await owners.add(ownerKey(record), key, record.lastSeenAt, listedUntil)
      const args = createArgs(key, record, listedUntil)
      return count(await redis.run(recordScripts.create, records.at(key), args)) === 1
    },
    read,
    async list(owner, now) {
      const keys = await keysOf(owner)
      const found = await Promise.all(keys.map(async (key) => keyed(key, await read(key, now))))
      // The list also holds keys whose creation was refused, because another owner has them.
      return found.flat().filter((one) => ownerKey(one) === ownerKey(owner))
    },
    touch: createTouch(redis, records, owners),
    async update(key, { from, to }) {
      const [at] = records.at(key)
      const args = [JSON.stringify(from), JSON.stringify(to)]
      return count(await redis.run(sessionScripts.update, [at], args)) === 1
    },
    async restamp(owner, from, to) {
      const fields = [ownerKey(owner), from, to]
      await records.onMany(shardScripts.restampOwned, await keysOf(owner), () => fields)
    },
    destroy: async (key) =>
      count(await redis.run(recordScripts.destroy, records.at(key), [key])) === 1,
    async destroyOthers(owner, except) {
      const others = (await keysOf(owner)).filter((key) => key !== except)
      return destroyOwned(records, ownerKey(owner), others)
    },
    deleteExpired: async (now, limit) => (await records.deleteExpired(now, limit)).map(ownerOf),
  }
}

/** Creates the read, which reads each session of a tick once. */
function createRead(records: ShardedRecords): SessionStore['read'] {
  return batchPerTick(async (all: readonly Parameters<SessionStore['read']>[]) => {
    const keys = [...new Set(all.map(([key]) => key))]
    const replies = await records.readMany(keys, FIELDS)
    const sessions = replies.map(async (reply) => recordOf(await reply))
    const found = new Map(keys.map((key, index) => [key, sessions[index]]))
    return all.map(async ([key, now]) => {
      const record = await found.get(key)
      return record && record.expiresAt > now ? record : null
    })
  })
}

function keyed(key: string, record: SessionRecord | null): readonly KeyedSession[] {
  return record === null ? [] : [{ key, ...record }]
}

/**
 * Creates the touch. It lists the session again, although the entry lasts longer: the node of the
 * list may have lost it in a failover, and whatever ends the sessions of the owner would miss this
 * one.
 */
function createTouch(
  redis: RedisConnection,
  records: ShardedRecords,
  owners: OwnerList,
): SessionStore['touch'] {
  return async (key, { lastSeenAt, expiresAt, details }) => {
    const seen = [key, lastSeenAt, expiresAt, ...retentionOf(lastSeenAt, expiresAt)]
    const touchListed = async (listed: EpochMs | '') =>
      texts(
        await redis.run(sessionScripts.touch, records.at(key), [...seen, listed, details ?? '']),
      )
    const [reply, owner] = await touchListed('')
    if (owner === undefined) return false
    const listed = listFor(expiresAt)
    await owners.add(owner, key, lastSeenAt, listed)
    return reply === 'yes' || (await touchListed(listed))[0] === 'yes'
  }
}

function createArgs(
  key: string,
  record: SessionRecord,
  listedUntil: EpochMs,
): readonly (string | number)[] {
  const { stamp, createdAt, lastSeenAt, expiresAt } = record
  const instants = { createdAt, lastSeenAt, expiresAt, listedUntil }
  const pendingSecret = JSON.stringify(record.pendingSecret)
  const texts = { owner: ownerKey(record), stamp, pendingSecret, details: record.details ?? '' }
  const fields = flat({ ...texts, ...instants })
  return [key, expiresAt, ...retentionOf(lastSeenAt, expiresAt), ...fields]
}

/** Reads a record from the values of `FIELDS`. */
function recordOf(reply: unknown): SessionRecord | null {
  const values = valuesOf(reply)
  if (values === null) return null
  const [owner, stamp, createdAt, lastSeenAt, expiresAt, pendingSecret, details] = values
  const { tenant, userId } = ownerOf(text(owner))
  return {
    tenant,
    userId,
    stamp: text(stamp),
    createdAt: instant(createdAt),
    lastSeenAt: instant(lastSeenAt),
    expiresAt: instant(expiresAt),
    pendingSecret: secretOf(text(pendingSecret)),
    details: textOrNull(details),
  }
}

function secretOf(stored: string): string | null {
  const secret = parsed(stored)
  if (secret === null || typeof secret === 'string') return secret
  throw new StoreError('Redis returned a session with a malformed pending secret')
}
