import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migratePeople } from '../../dist/panel/schema.js'
import { sqliteDatabase } from '../../dist/panel/sqlite-database.js'
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

it('a transaction of Kysely is refused, because statements of the service would join it', async () => {
  const { tables } = (await newDatabase()).database
  const work = tables.transaction().execute(async () => 'done')
  await expect(work).rejects.toThrow('use `runAll`: the service shares this connection')
})
