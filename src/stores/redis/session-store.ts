import { StoreError } from '../../errors.ts'
import type { EpochMs, SessionRecord, SessionStore } from '../../contracts.ts'
import { times } from '../../rules/limits.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { RedisConnection } from './connection.ts'
import { flat, instant, parsed, text, valuesOf } from './replies.ts'
import { ownerList, ownerOf } from './owner-list.ts'
import { recordScripts, sessionScripts, shardScripts } from './scripts.ts'
import { destroyOwned, evictedBefore, shardedRecords, ttlMs } from './sharded-records.ts'

const FIELDS = ['owner', 'stamp', 'createdAt', 'lastSeenAt', 'expiresAt', 'pendingSecret'] as const

/**
 * Returns the end of a session's listing. It is later than the session's expiry, so that few
 * touches must extend the listing first.
 */
const listFor = (expiresAt: EpochMs): EpochMs => expiresAt + times.redisKeepSeconds * 1000

export function redisSessions(redis: RedisConnection, prefix: string): SessionStore {
  const records = shardedRecords(redis, prefix, 'session')
  const owners = ownerList(redis, prefix, 'session')

  async function touch(
    key: string,
    { lastSeenAt, expiresAt }: Pick<SessionRecord, 'lastSeenAt' | 'expiresAt'>,
    listed: EpochMs | '',
  ): Promise<string> {
    const kept = [ttlMs(lastSeenAt, expiresAt), evictedBefore(lastSeenAt)]
    const args = [key, lastSeenAt, expiresAt, ...kept, listed]
    return text(await redis.run(sessionScripts.touch, records.at(key), args))
  }

  return {
    async create(key, record) {
      const owner = ownerKey(record)
      const { lastSeenAt, expiresAt } = record
      const listedUntil = listFor(expiresAt)
      await owners.add(owner, key, lastSeenAt, listedUntil)
      const kept = [ttlMs(lastSeenAt, expiresAt), evictedBefore(lastSeenAt)]
      const { stamp, createdAt } = record
      const pendingSecret = JSON.stringify(record.pendingSecret)
      const instants = { createdAt, lastSeenAt, expiresAt, listedUntil }
      const fields = flat({ owner, stamp, pendingSecret, ...instants })
      const args = [key, expiresAt, ...kept, ...fields]
      return (await redis.run(recordScripts.create, records.at(key), args)) === 1
    },
    async read(key, now) {
      const [at] = records.at(key)
      const record = recordOf(await redis.run(recordScripts.read, [at], FIELDS))
      return record !== null && record.expiresAt > now ? record : null
    },
    async touch(key, seen) {
      const reply = await touch(key, seen, '')
      if (reply === 'yes' || reply === 'no') return reply === 'yes'
      const listed = listFor(seen.expiresAt)
      await owners.add(reply, key, seen.lastSeenAt, listed)
      return (await touch(key, seen, listed)) === 'yes'
    },
    async update(key, { from, to }) {
      const [at] = records.at(key)
      const args = [JSON.stringify(from), JSON.stringify(to)]
      return (await redis.run(sessionScripts.update, [at], args)) === 1
    },
    async restamp(owner, from, to) {
      const named = ownerKey(owner)
      const keys = await owners.keys(named)
      await records.onMany(shardScripts.restampOwned, keys, () => [named, from, to])
    },
    destroy: async (key) => (await redis.run(recordScripts.destroy, records.at(key), [key])) === 1,
    async destroyOthers(owner, except) {
      const named = ownerKey(owner)
      const keys = (await owners.keys(named)).filter((key) => key !== except)
      return destroyOwned(records, named, keys)
    },
    deleteExpired: async (now, limit) => (await records.deleteExpired(now, limit)).map(ownerOf),
  }
}

function recordOf(answer: unknown): SessionRecord | null {
  const values = valuesOf(answer, FIELDS)
  if (values === null) return null
  return {
    ...ownerOf(values.owner),
    stamp: values.stamp,
    createdAt: instant(values.createdAt),
    lastSeenAt: instant(values.lastSeenAt),
    expiresAt: instant(values.expiresAt),
    pendingSecret: secretOf(values.pendingSecret),
  }
}

function secretOf(stored: string): string | null {
  const secret = parsed(stored)
  if (secret === null || typeof secret === 'string') return secret
  throw new StoreError('Redis returned a session with a malformed pending secret')
}
