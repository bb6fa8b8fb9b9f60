import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores, redisStores } from '@svc/auth/redis'
import { closedAfterTest, endedAfterTest } from '../support/after-test.ts'
import { emptiedMysql } from '../support/mysql.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { freshPrefix, ioRedis, ioRedisCluster, nodeRedis, ofTest } from '../support/redis.ts'

/* A process that computes, or that a busy machine does not run, leaves answers unread. */

/** Longer than the deadline of a call. */
const BUSY_MS = 2000

const keys = ['one', 'two', 'three', 'four']

const storesOf: Readonly<Record<string, () => Promise<Stores>>> = {
  PostgreSQL: async () => postgresStores(await emptyPostgres()),
  MySQL: async () => mysqlStores(await emptiedMysql()),
  'Redis, by its address': async () =>
    openRedisStores(inject('redisUrl'), memoryStores(), { prefix: freshPrefix() }),
  'Redis, through ioredis': async () => redisOf(ioRedis()),
  'Redis, through node-redis': async () => redisOf(await nodeRedis()),
  'a Redis Cluster, through ioredis': async () => redisOf(ioRedisCluster()),
}

describe.each(Object.entries(storesOf))('a process that was busy, on %s', (_name, make) => {
  it('receives an answer that came after the deadline of the call', async () => {
    const stores = await open(make)
    await stores.check()
    const reading = stores.sessions.read('key', 1)
    await beBusy()
    expect(await reading).toBeNull()
  })

  it('receives answers on connections that opened meanwhile', async () => {
    const stores = await open(make)
    // More calls at once than a pool has connections so far.
    const counting = Promise.all(keys.map(async (key) => stores.attempts.count(key, 1)))
    await beBusy()
    expect(await counting).toEqual(keys.map(() => 0))
  })
})

describe('a process that was busy, on the PostgreSQL of a host', () => {
  it('receives rows that came after the deadline of the connection', async () => {
    const database = endedAfterTest(await openPostgres(await emptyPostgres()))
    const connecting = database.connect()
    await beBusy()
    const connection = await connecting
    const selecting = connection.query('SELECT $1 AS answer', ['there'])
    await beBusy()
    expect((await selecting).rows).toEqual([{ answer: 'there' }])
    connection.release()
  })
})

async function redisOf(client: ReturnType<typeof ioRedis>): Promise<Stores> {
  return redisStores(ofTest(client), memoryStores(), { prefix: freshPrefix() })
}

async function open(make: () => Promise<Stores>): Promise<Stores> {
  return closedAfterTest(await make())
}

/** Blocks this process once the calls of this turn have been sent, and before it reads an answer. */
async function beBusy(): Promise<void> {
  await nextTurn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
}
