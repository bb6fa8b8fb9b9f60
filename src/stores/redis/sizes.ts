import type { PruneTimes, StoreSize } from '../../contracts/store-size.ts'
import type { RedisConnection } from './connection.ts'
import { shardScripts } from './scripts.ts'
import { count, list } from './replies.ts'
import { endsOfShards } from './sharded-records.ts'

const KINDS = {
  session: 'Redis: sessions',
  pending: 'Redis: pending logins',
  attempt: 'Redis: attempts',
}

/** Counts the records of each kind by their expiries. */
export async function redisSizes(
  redis: RedisConnection,
  prefix: string,
  { expired }: PruneTimes,
): Promise<readonly StoreSize[]> {
  return Promise.all(
    Object.entries(KINDS).map(async ([kind, name]) => {
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
