import crypto from 'node:crypto'
import { StoreError } from '../../contracts/errors.ts'
import type { EpochMs } from '../../contracts/host.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import { list, parsed, texts } from './replies.ts'
import type { RedisConnection } from './connection.ts'
import { ownerScripts } from './scripts.ts'
import { retentionOf } from './sharded-records.ts'

/** Lists the records of an owner. The list and the records are in different slots. */
export type OwnerList = ReturnType<typeof ownerList>

export function ownerList(redis: RedisConnection, prefix: string, kind: string) {
  const at = (owner: string): string =>
    `${prefix}{${crypto.hash('sha256', owner, 'base64url')}}:${kind}s`
  return {
    /**
     * Adds a record, before it is created or extended, so that ending all records of the owner
     * cannot miss it.
     */
    async add(owner: string, key: string, now: EpochMs, until: EpochMs) {
      const args = [key, until, ...retentionOf(now, until)]
      await redis.run(ownerScripts.list, [at(owner)], args)
    },
    /** Returns the keys of all current records of the owner, and of some former ones. */
    keys: async (owner: string) => texts(await redis.run(ownerScripts.listed, [at(owner)], [])),
  }
}

/** Parses the text that `ownerKey` made. */
export function ownerOf(text: string): Owner {
  const [tenant, userId] = list(parsed(text))
  if ((tenant === null || typeof tenant === 'string') && typeof userId === 'string')
    return { tenant, userId }
  throw new StoreError('Redis returned a record without an owner')
}
