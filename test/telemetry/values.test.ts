import { setTimeout as pause } from 'node:timers/promises'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { prometheus } from '@svc/auth/prometheus'
import { sqliteStores } from '@svc/auth/sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openStream } from '../support/bell-stream.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { stopHashing } from '../support/hashing.ts'
import { loggedIn, visitor, wrongLogins } from '../support/logins.ts'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { LOGIN, USER } from '../support/paths.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { CHEAP, startService, type Changes } from '../support/service.ts'
import { valueOf } from '../support/telemetry.ts'
import { verdict } from '../support/verdicts.ts'
import { watchedBus, watchedStores } from '../support/watched-stores.ts'
import { startThread } from '../stores/on-thread.mjs'

async function measured(changes: Changes = {}) {
  const telemetry = prometheus()
  const service = await startService({ ...changes, telemetry })
  const value = async (labelled: string): Promise<number | null> => valueOf(telemetry, labelled)
  return { service, value }
}

/** Each reading waits for the lag of a bus that has no connection. */
const SLOW = { timeout: 5000 }

describe('The metric', () => {
  it('`pool.waiting` counts the calls that wait for the only connection of a pool of the host', async () => {
    const pool = postgresPool(await emptyPostgres(), { max: 1 })
    const { service, value } = await measured({ stores: await postgresStores(pool) })
    const waiting = 'svc_auth_pool_waiting{pool="postgres"}'
    const una = await loggedIn(service)
    expect(await value(waiting)).toBe(0)
    const held = await pool.connect()
    const asked = una.get(USER)
    await vi.waitFor(async () => expect(await value(waiting)).toBeGreaterThan(0), SLOW)
    held.release()
    expect((await asked).status).toBe(200)
    await vi.waitFor(async () => expect(await value(waiting)).toBe(0), SLOW)
  })

  it('`pool.waiting` counts those that wait for the only connection to MySQL', async () => {
    const pool = mysqlPool(await emptyMysql(), { connectionLimit: 1 })
    const { service, value } = await measured({ stores: await mysqlStores(pool) })
    const waiting = 'svc_auth_pool_waiting{pool="mysql"}'
    const una = await loggedIn(service)
    expect(await value(waiting)).toBe(0)
    const held = await pool.getConnection()
    const asked = una.get(USER)
    await vi.waitFor(async () => expect(await value(waiting)).toBeGreaterThan(0), SLOW)
    held.release()
    expect((await asked).status).toBe(200)
    await vi.waitFor(async () => expect(await value(waiting)).toBe(0), SLOW)
  })

  it('`pool.waiting` ends with the deadline of the call, which the pool of the host does not end', async () => {
    const pool = postgresPool(await emptyPostgres(), { max: 1 })
    const { service, value } = await measured({ stores: await postgresStores(pool) })
    const una = await loggedIn(service)
    const held = await pool.connect()
    expect(verdict(await una.get(USER))).toBe('503 unavailable')
    await vi.waitFor(async () => expect(await value('svc_auth_pool_waiting')).toBe(0), SLOW)
    held.release()
  })

  it('`writer.thread` is 1 once a thread writes the SQLite file', async () => {
    const stores = sqliteStores(temporaryDatabase())
    const { value } = await measured({ stores })
    expect(await value('svc_auth_writer_thread')).toBe(0)
    await startThread(stores)
    expect(await value('svc_auth_writer_thread')).toBe(1)
  })

  it('`writer.thread` and `pool.waiting` are absent on other stores', async () => {
    const { value } = await measured()
    expect(await value('svc_auth_writer_thread')).toBeNull()
    expect(await value('svc_auth_pool_waiting')).toBeNull()
  })

  it('`throttled` counts each refusal by its limit, those that are repeated without the store too', async () => {
    const { service, value } = await measured()
    const guesser = await visitor(service)
    await wrongLogins(guesser, 8)
    expect(await value('svc_auth_throttled_total{limit="login.failed"}')).toBe(3)
    await wrongLogins(guesser, 5)
    expect(await value('svc_auth_throttled_total{limit="login"}')).toBe(3)
    expect(await value('svc_auth_request_duration_seconds_count{route="login",status="429"}')).toBe(
      3,
    )
  })

  it('`hash.refused` counts logins that found the queue full, and `hash.waiting` those in it', async () => {
    const { service, value } = await measured({
      config: { passwords: { ...CHEAP, concurrency: 1, queue: 1 } },
    })
    await loggedIn(service)
    const resume = stopHashing()
    onTestFinished(resume)
    const guests = await Promise.all(Array.from({ length: 3 }, async () => visitor(service)))
    const logins = guests.map(async (guest, i) =>
      guest.post(LOGIN, { email: `u${i}@other.test`, password: 'a wrong password' }),
    )
    await vi.waitFor(async () => expect(await value('svc_auth_hash_refused_total')).toBe(1))
    expect(await value('svc_auth_hash_running')).toBe(1)
    expect(await value('svc_auth_hash_waiting')).toBe(1)
    resume()
    const statuses = (await Promise.all(logins)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([422, 422, 503])
    expect(await value('svc_auth_hash_running')).toBe(0)
  })

  it('`streams` falls when a client leaves', async () => {
    const { service, value } = await measured()
    const una = await loggedIn(service)
    const streams = [await openStream(service.url, una), await openStream(service.url, una)]
    for (const stream of streams) await stream.next()
    expect(await value('svc_auth_streams')).toBe(2)
    streams[0]?.leave()
    await vi.waitFor(async () => expect(await value('svc_auth_streams')).toBe(1))
  })

  it('`pruned` counts the expired records, and `prune.age` grows while pruning fails', async () => {
    const stores = watchedStores(sqliteStores(temporaryDatabase()))
    const { service, value } = await measured({ stores })
    await loggedIn(service)
    await loggedIn(service)
    service.clock.advance({ hours: 25 })
    const removed = await service.auth.prune()
    expect(removed).toBeGreaterThanOrEqual(2)
    expect(await value('svc_auth_pruned_total')).toBe(removed)
    const before = await value('svc_auth_prune_age_seconds')
    stores.instead('sessions.deleteExpired', () => {
      throw new Error('the store is down')
    })
    await pause(20)
    await expect(service.auth.prune()).rejects.toThrow('the store is down')
    expect(await value('svc_auth_prune_age_seconds')).toBeGreaterThan(before ?? Infinity)
    expect(await value('svc_auth_pruned_total')).toBe(removed)
  })

  it.each([90, -90])('`clock.offset` shows a machine that is %i seconds off', async (seconds) => {
    const stores = { ...memoryStores(), now: () => Date.now() + seconds * 1000 }
    const { service, value } = await measured({ stores })
    expect(await value('svc_auth_clock_offset_seconds')).toBeNull()
    await service.auth.ready()
    expect(await value('svc_auth_clock_offset_seconds')).toBeCloseTo(seconds, 0)
  })

  it('`bus.lag` is the time through the bus', async () => {
    const stores = memoryStores()
    const publish = async (...message: readonly [string, string]): Promise<void> => {
      void pause(200).then(async () => stores.bus.publish(...message))
    }
    const { value } = await measured({ stores: { ...stores, bus: { ...stores.bus, publish } } })
    const lag = await value('svc_auth_bus_lag_seconds')
    expect(lag).toBeGreaterThan(0.15)
    expect(lag).toBeLessThan(0.5)
  })

  it('`bus.lag` grows while the bus delivers nothing, and keeps no reader waiting', async () => {
    const stores = watchedBus()
    stores.deafen(true)
    const { value } = await measured({ stores })
    const since = performance.now()
    const first = await value('svc_auth_bus_lag_seconds')
    expect(performance.now() - since).toBeLessThan(2000)
    expect(first).toBeGreaterThan(0.4)
    expect(await value('svc_auth_bus_lag_seconds')).toBeGreaterThan((first ?? 9) + 0.4)
    expect(stores.listeners()).toBe(1)
  })
})
