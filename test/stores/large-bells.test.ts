import pg from 'pg'
import { describe, expect, it, onTestFinished, vi, type MockInstance } from 'vitest'
import type { NewNotification, Stores } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { closedAfterTest } from '../support/after-test.ts'
import { emptyMysql, mysqlAdmin, mysqlPool } from '../support/mysql.ts'
import { admin, emptyPostgres, postgresPool } from '../support/postgres.ts'
import { ada, fillingWith, largeBells, READ_AT } from './large-bells.ts'

const COUNT = 2500
const bea = { tenant: null, userId: 'bea' }

function sent(id: string): NewNotification {
  return { id, type: 'type', title: 'title', body: null, url: null, createdAt: 1 }
}

describe.each(largeBells)('a bell of 2,500 entries on %s', (_name, open) => {
  it.each([999, 1000, 1001, 2000, 2499, COUNT, COUNT + 1])(
    'is read whole, newest first, up to %d entries',
    async (limit) => {
      const { notifications } = await open(COUNT)
      const found = await notifications.latest(ada, limit)
      const length = Math.min(limit, COUNT)
      expect(found.map(({ id }) => Number(id))).toEqual(
        Array.from({ length }, (_, index) => COUNT - index),
      )
      expect({ ...found[0] }).toEqual({ ...sent('2500'), createdAt: COUNT, readAt: null })
      const read = found.filter(({ readAt }) => readAt === READ_AT)
      expect(read).toHaveLength(Math.max(0, length - COUNT / 2))
    },
  )

  it('is removed whole, and nothing of another bell', async () => {
    const { notifications } = await open(COUNT)
    await notifications.add(bea, sent('1'))
    expect(await notifications.deleteOf?.(ada)).toBe(COUNT)
    expect(await notifications.latest(ada, COUNT)).toEqual([])
    expect(await notifications.unreadCount(ada)).toBe(0)
    expect(await notifications.unreadCount(bea)).toBe(1)
    expect(await notifications.deleteOf?.(ada)).toBe(0)
    expect(await notifications.add(ada, sent('1'))).toBe(1)
  })

  it('counts what is unread in it at any moment of its removal', async () => {
    const { notifications } = await open(COUNT)
    const removal = notifications.deleteOf?.(ada)
    for (let number = 0; number < 20; number += 1) {
      await notifications.add(ada, sent(`new ${number}`))
      // The list first: what is sent or removed between the two is not counted.
      const found = await notifications.latest(ada, COUNT + 20)
      const unread = found.filter(({ readAt }) => readAt === null).length
      expect(await notifications.unreadCount(ada)).toBeLessThanOrEqual(unread)
    }
    await removal
    const left = await notifications.latest(ada, COUNT)
    expect(await notifications.unreadCount(ada)).toBe(left.length)
  })
})

/** Stores with a large bell, and the numbers of rows that each of their statements found or changed. */
interface Counted {
  readonly stores: Stores
  readonly sizes: () => Promise<readonly number[]>
}

async function onPostgres(): Promise<Counted> {
  const url = await emptyPostgres()
  const pool = postgresPool(url)
  const stores = closedAfterTest(await postgresStores(pool))
  for (const statement of fillingWith(COUNT)) await admin(url, statement)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const sizes = async () => {
    const answers: readonly unknown[] = await Promise.all(
      query.mock.results.map(({ value }) => value),
    )
    return answers.map((answer) => Number(Object(answer).rowCount ?? 0))
  }
  return { stores, sizes }
}

async function onMysql(): Promise<Counted> {
  const url = await emptyMysql()
  const pool = mysqlPool(url)
  const calls: MockInstance[] = []
  const stores = await mysqlStores({
    async getConnection() {
      const connection = await pool.getConnection()
      calls.push(vi.spyOn(connection, 'execute'))
      return connection
    },
  })
  onTestFinished(async () => stores.close())
  for (const statement of fillingWith(COUNT)) await mysqlAdmin(url, statement)
  const sizes = async () => {
    const answers = calls.flatMap(({ mock }) => mock.results.map(({ value }) => value))
    const settled: readonly unknown[][] = await Promise.all(answers)
    return settled.map(([answer]) =>
      Array.isArray(answer) ? answer.length : Number(Object(answer).affectedRows),
    )
  }
  return { stores, sizes }
}

it.each([
  ['PostgreSQL', onPostgres],
  ['MySQL', onMysql],
])(
  'a bell of 2,500 entries is read and removed on %s by statements of at most 1,000',
  async (_name, open) => {
    const { stores, sizes } = await open()
    expect(await stores.notifications.latest(ada, 10 * COUNT)).toHaveLength(COUNT)
    expect(await stores.notifications.deleteOf?.(ada)).toBe(COUNT)
    expect(Math.max(...(await sizes()))).toBe(1000)
  },
)
