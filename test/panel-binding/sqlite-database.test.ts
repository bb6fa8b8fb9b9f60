import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { migratePeople } from '../../build/panel/schema.js'
import { sqliteDatabase } from '../../build/panel/sqlite-database.js'
import { TotpStore } from '../../build/panel/totp-store.js'
import { temporaryFolder } from '../support/panel.ts'
import { openHandle } from '../support/sqlite.ts'

async function newDatabase() {
  const file = join(temporaryFolder(), 'panel.sqlite')
  const database = sqliteDatabase(file)
  onTestFinished(async () => database.close())
  await migratePeople(database)
  return { file, database }
}

it('a write waits for the lock of another process while reads go on', async () => {
  const { file, database } = await newDatabase()
  const { tables } = database
  const other = openHandle(file)
  onTestFinished(() => other.close())
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
  await expect(work).rejects.toThrow('use `runAll`: the panel has one connection')
})

it('the second factor is written apart from a transaction that awaits on the handle', async () => {
  const { database } = await newDatabase()
  const { tables, handle } = database
  await tables
    .insertInto('people')
    .values({ id: '1', email: 'ada@x.test', name: null, password_hash: '' })
    .execute()
  const store = new TotpStore(database)
  const factor = { sealedSecret: 'sealed', lastStep: 1 }

  const during = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    handle.exec('BEGIN; UPDATE people SET name = NULL')
    const ended = pause(50).then(() => handle.exec('ROLLBACK'))
    const result = await write()
    await ended
    return result
  }
  expect(await during(async () => store.insert('1', factor, ['one', 'two']))).toBe(true)
  expect(await during(async () => store.useStep('1', factor, 2))).toBe(true)
  expect(await during(async () => store.useRecoveryCode('1', 'one'))).toBe(true)
  expect(await store.read('1')).toEqual({ sealedSecret: 'sealed' })
  expect(await store.useStep('1', factor, 2)).toBe(false)
  expect(await store.useRecoveryCode('1', 'one')).toBe(false)
  await during(async () => store.remove('1'))
  expect(await store.read('1')).toBeNull()
})
