import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Awaitable } from '@svc/auth'
import { migratePeople } from '../../build/panel/schema.js'
import { sqliteDatabase } from '../../build/panel/sqlite-database.js'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryFolder } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'

async function newDatabase() {
  const file = join(temporaryFolder(), 'panel.sqlite')
  const database = closedAfterTest(sqliteDatabase(file))
  await migratePeople(database)
  return { file, database }
}

it('a write waits for the lock of another process while reads go on', async () => {
  const { file, database } = await newDatabase()
  const { tables } = database
  const other = closedAfterTest(openHandle(file))
  other.exec('BEGIN IMMEDIATE')
  const order: string[] = []
  const person = { id: '1', email: 'ada@x.test', name: null, password_hash: '' }
  const written = tables
    .insertInto('people')
    .values(person)
    .execute()
    .then(() => order.push('written'))
  expect(await tables.selectFrom('people').selectAll().execute()).toEqual([])
  order.push('read')
  other.exec('COMMIT')
  await written
  expect(order).toEqual(['read', 'written'])
  expect(await tables.selectFrom('people').select('id').execute()).toEqual([{ id: '1' }])
})

it('a transaction of Kysely is refused, because statements of other requests would join it', async () => {
  const { tables } = (await newDatabase()).database
  const work = tables.transaction().execute(async () => 'done')
  await expect(work).rejects.toThrow('the panel has one connection: write one statement')
})

it('the second factor is written apart from a transaction that awaits on the handle', async () => {
  const { database } = await newDatabase()
  const { tables, handle } = database
  await tables
    .insertInto('people')
    .values({ id: '1', email: 'ada@x.test', name: null, password_hash: '' })
    .execute()
  const { factors: store } = database
  const [secret, recoveryCodes] = ['sealed', 'hashes']
  const read = { secret, recoveryCodes }

  const during = async <Result>(write: () => Awaitable<Result>): Promise<Result> => {
    handle.exec('BEGIN; UPDATE people SET name = NULL')
    const ended = pause(50).then(() => handle.exec('ROLLBACK'))
    const result = await write()
    await ended
    return result
  }
  const used = { lastStep: 2, secret }
  expect(await during(() => store.enable('1', { ...read, lastStep: 1 }))).toBe(true)
  expect(await during(() => store.useStep('1', read, used))).toBe(true)
  expect(await during(() => store.replaceRecoveryCodes('1', read, 'rest'))).toBe(true)
  expect(await store.read('1')).toMatchObject({ secret, recoveryCodes: 'rest' })
  expect(await store.useStep('1', read, used)).toBe(false)
  expect(await store.replaceRecoveryCodes('1', read, 'rest')).toBe(false)
  await during(() => store.disable('1'))
  expect(await store.read('1')).toBeNull()
})
