import { hash } from 'node:crypto'
import { StoreError } from '../../contracts.ts'
import type { EpochMs, Owner } from '../../contracts.ts'
import { list, parsed, texts } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { ownerScripts } from './scripts.ts'
import { evictedBefore, ttlMs } from './sharded-records.ts'

/** Which records an owner has. It is kept in another slot than they are. */
export interface OwnerList {
  /** Before the record is made, or lives longer: who ends all of the owner's must not miss one. */
  add(owner: string, key: string, now: EpochMs, until: EpochMs): Promise<void>
  /** Keys of all records that the owner has, and of some that it had. */
  keys(owner: string): Promise<readonly string[]>
}

export function ownerList(redis: RedisConnection, prefix: string, kind: string): OwnerList {
  const at = (owner: string): string => `${prefix}{${hash('sha256', owner, 'base64url')}}:${kind}s`
  return {
    async add(owner, key, now, until) {
      const args = [key, until, ttlMs(now, until), evictedBefore(now)]
      await redis.run(ownerScripts.list, [at(owner)], args)
    },
    keys: async (owner) => texts(await redis.run(ownerScripts.listed, [at(owner)], [])),
  }
}

/** Reads back what `ownerKey` made. */
export function ownerOf(text: string): Owner {
  const [tenant, userId] = list(parsed(text))
  if ((tenant === null || typeof tenant === 'string') && typeof userId === 'string') {
    return { tenant, userId }
  }
  throw new StoreError('Redis keeps a record that nobody owns')
}
