import { expect, it } from 'vitest'
import { sqliteHost } from './hosts.ts'

/** Creates the table with one user. */
async function openTable(type: string, id: string) {
  const host = sqliteHost()
  await host.run(`create table users (id ${type} primary key, email text, password text)`)
  await host.run(`insert into users values (${id}, 'ada@x.test', 'h')`)
  return host.usersWith
}

it.each([
  ['a number without a type', '', '7'],
  ['a number in a BLOB', 'blob', '7'],
  ['a UUID as bytes', 'blob', "x'00ff'"],
  ['a UUID as bytes in a column of texts', 'text', "x'00ff'"],
])('an id that no text is equal to is refused at the start: %s', async (_id, type, id) => {
  const open = await openTable(type, id)
  expect(open).toThrow(/^sqliteUsers: ids are not found.* declare it as INTEGER or TEXT/)
})

it.each([
  ['a number', 'integer', '7', '7'],
  ['a large number', 'bigint', '9007199254740993', '9007199254740993'],
  ['a number as text', 'text', '7', '7'],
  ['a number of the type char', 'char(36)', '7', '7'],
  ['a text without a type', '', "'u7'", 'u7'],
  ['a text in a BLOB', 'blob', "'u7'", 'u7'],
  ['a text in a column of numbers', 'bigint', "'u7'", 'u7'],
])('a user is found by email and by id: %s', async (_id, type, stored, id) => {
  const users = (await openTable(type, stored))()
  expect(await users.findByEmail('ada@x.test')).toMatchObject({ id })
  expect(await users.findById(id)).toMatchObject({ id })
})

it('a new user to whom SQLite gives no id is an error that names newRow', async () => {
  const users = (await openTable('text', "'u7'"))()
  const added = users.create({ email: 'bob@x.test', name: 'Bob', passwordHash: 'h' })
  await expect(added).rejects.toThrow(
    /column of `id` holds .* nothing: .* give new rows an id by `newRow`/,
  )
})
