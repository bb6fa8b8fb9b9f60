import { createConnection, type Pool, type QueryOptions } from 'mysql2/promise'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mysqlStores, type MysqlOptions, type MysqlPool, type MysqlQuery } from '@svc/auth/mysql'
import { emptyMysql, mysqlAdmin, mysqlPool } from '../support/mysql.ts'
import { tcpProxy } from '../support/tcp-proxy.ts'
import { failsSoon } from './every-method.ts'
import { open } from './mysql-stores.ts'
import { describeBus, listen } from './server-bus.ts'
import { mysql } from './sql-servers.ts'

/** Longer than any test: only a node's own calls read the messages. */
const NEVER = { pollSeconds: 29 }
const QUICK = { pollSeconds: 0.05 }

afterEach(() => void vi.useRealTimers())

describeBus(mysql)

describe('the bus in a table of MySQL', () => {
  it('delivers to other nodes within a second, and a moment', async () => {
    const url = await emptyMysql()
    const [one, other] = [await open(url), await open(url)]
    const heard = await listen(one, 'topic')
    await other.bus.publish('topic', 'message')
    await expect.poll(() => heard, { timeout: 1500 }).toEqual(['message'])
  })

  it('delivers to the node that sends at once', async () => {
    const stores = await open(await emptyMysql(), NEVER)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })

  it('delivers a message that commits after a later one, and none twice', async () => {
    const url = await emptyMysql()
    const stores = await open(url, QUICK)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'first')
    const slow = await createConnection(url)
    onTestFinished(() => slow.destroy())
    await slow.beginTransaction()
    const [row] = await mysqlAdmin(url, 'SELECT topic FROM svc_messages')
    await slow.execute(`INSERT INTO svc_messages (topic, message, sent_at) VALUES (?, 'slow', 0)`, [
      String(row?.[0]),
    ])
    await stores.bus.publish('topic', 'quick')
    await expect.poll(() => heard).toEqual(['first', 'quick'])
    await slow.commit()
    await expect.poll(() => heard).toEqual(['first', 'quick', 'slow'])
    await stores.bus.publish('topic', 'last')
    await expect.poll(() => heard).toEqual(['first', 'quick', 'slow', 'last'])
  })

  it('needs no connection of its own', async () => {
    const pool = mysqlPool(await emptyMysql(), { connectionLimit: 1 })
    const stores = await open(pool, QUICK)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })

  it('deletes messages that were kept for a minute when another is sent', async () => {
    const url = await emptyMysql()
    const { bus } = await open(url)
    await bus.publish('topic', 'first')
    await bus.publish('topic', 'second')
    await mysqlAdmin(url, `UPDATE svc_messages SET sent_at = sent_at - 61000 WHERE seq = 1`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    await bus.publish('topic', 'third')
    const left = async () => mysqlAdmin(url, 'SELECT seq FROM svc_messages ORDER BY seq')
    await expect.poll(left).toEqual([[2], [3]])
  })

  it('goes on after the clock of the machine was set back by an hour', async () => {
    const url = await emptyMysql()
    const positions: number[] = []
    const pool = watchedPool(mysqlPool(url), (seq) => positions.push(seq))
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    const stores = await open(pool, QUICK)
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'first')
    await expect.poll(() => heard).toEqual(['first'])
    vi.setSystemTime(Date.now() - 60 * 60_000)
    vi.advanceTimersByTime(6000)
    await stores.bus.publish('topic', 'second')
    await expect.poll(() => heard).toEqual(['first', 'second'])
    const numbers = async () =>
      (await mysqlAdmin(url, 'SELECT seq FROM svc_messages ORDER BY seq')).flat()
    const [first, second] = await numbers()
    await expect.poll(() => positions.at(-1)).toBe(first)

    await mysqlAdmin(url, `UPDATE svc_messages SET sent_at = sent_at - 61000 ORDER BY seq LIMIT 1`)
    vi.advanceTimersByTime(56_000)
    await stores.bus.publish('topic', 'third')
    await expect.poll(numbers).toEqual([second, expect.any(Number)])
  })

  it.each([0, 6000])(
    'calls the listeners without a message when a failover or a backup has lost what they received %i ms ago',
    async (ms) => {
      const url = await emptyMysql()
      vi.useFakeTimers({ toFake: ['performance'] })
      const [stores, elsewhere] = [await open(url, QUICK), await open(url)]
      const [one, other] = [await listen(stores, 'one'), await listen(stores, 'other')]
      for (const message of ['first', 'second']) await elsewhere.bus.publish('one', message)
      await expect.poll(() => one).toEqual(['first', 'second'])
      vi.advanceTimersByTime(ms)
      await stores.bus.publish('one', 'third')
      await expect.poll(() => one).toEqual(['first', 'second', 'third'])
      // As after a failover to a replica that lagged: the next message gets a number that was used before.
      await mysqlAdmin(url, 'DELETE FROM svc_messages; ALTER TABLE svc_messages AUTO_INCREMENT = 1')
      await elsewhere.bus.publish('one', 'lost')
      await expect.poll(() => [one.at(-1), other.at(-1)]).toEqual(['', ''])
      await elsewhere.bus.publish('one', 'again')
      await expect.poll(() => one.at(-1)).toBe('again')
    },
  )

  it.each([0, -1, 30, Number.NaN, '1'])('refuses the interval %j', async (pollSeconds) => {
    const options = { pollSeconds } as MysqlOptions
    await expect(mysqlStores('mysql://localhost/panel', options)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('pollSeconds'),
    })
  })
})

describe('the bus while MySQL cannot be reached', () => {
  it('delivers the messages of a short outage afterwards', async () => {
    const url = await emptyMysql()
    const proxy = await tcpProxy(url)
    const [stores, elsewhere] = [await open(proxy.url, QUICK), await open(url)]
    const heard = await listen(stores, 'topic')
    proxy.refuse()
    proxy.cut()
    await elsewhere.bus.publish('topic', 'meanwhile')
    const subscribing = async () => stores.bus.subscribe('topic', () => undefined)
    await expect(subscribing).rejects.toMatchObject({ name: 'StoreError' })
    proxy.resume()
    await expect.poll(() => heard).toEqual(['meanwhile'])
  })

  it('calls every listener once without a message when messages were deleted meanwhile', async () => {
    const url = await emptyMysql()
    const stores = await open(url, QUICK)
    const [one, other] = [await listen(stores, 'one'), await listen(stores, 'other')]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    await expect.poll(() => [one, other]).toEqual([[''], ['']])
    await stores.bus.publish('one', 'again')
    await expect.poll(() => one).toEqual(['', 'again'])
    expect(other).toEqual([''])
  })

  it('a subscription throws a StoreError within two seconds', async () => {
    const proxy = await tcpProxy(await emptyMysql())
    const stores = await open(proxy.url)
    proxy.hold()
    await failsSoon('subscribe', () => stores.bus.subscribe('topic', () => undefined))
    proxy.resume()
    const heard = await listen(stores, 'topic')
    await stores.bus.publish('topic', 'message')
    await expect.poll(() => heard).toEqual(['message'])
  })
})

/** Reports the number after which each read of the bus begins. */
function watchedPool(pool: Pool, onRead: (seq: number) => void): MysqlPool {
  return {
    async getConnection() {
      const connection = await pool.getConnection()
      const execute = connection.execute.bind(connection)
      return Object.assign(connection, {
        execute: async (query: MysqlQuery) => {
          if (query.sql.includes('WHERE seq >')) onRead(Number(query.values?.[0]))
          return execute(query as QueryOptions)
        },
      })
    },
  }
}
