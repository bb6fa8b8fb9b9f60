import { describe, expect, it } from 'vitest'
import { ConfigError } from '@svc/auth'
import * as factorEntry from '@svc/auth/totp'
import * as userEntry from '@svc/auth/users'
import { postgresUsers, sqliteUsers, type UserTable } from '@svc/auth/users'
import { openHandle } from '../support/sqlite.ts'

const columns = { id: 'id', email: 'email', passwordHash: 'password' }

describe('the options of a users table', () => {
  it.each<readonly [string, unknown]>([
    ['table: give a name without quotes', { columns }],
    ['table: give a name without quotes', { table: 'users"; drop table users; --', columns }],
    ['table: give a name without quotes', { table: 'auth.', columns }],
    ['table: give a name without quotes', { table: 'us\0ers', columns }],
    ['columns.id: is missing', { table: 'users' }],
    ['columns.passwordHash: is missing', { table: 'users', columns: { id: 'id', email: 'email' } }],
    ['columns.email: give a name', { table: 'users', columns: { ...columns, email: 'e`mail' } }],
    ['columns.email: give a name', { table: 'users', columns: { ...columns, email: '' } }],
    [
      'columns.deletdAt: no such option; did you mean deletedAt?',
      { table: 'users', columns: { ...columns, deletdAt: 'deleted_at' } },
    ],
    [
      'columns.password: no such option; choose one of id, email, passwordHash, name,',
      { table: 'users', columns: { id: 'id', email: 'email', password: 'password' } },
    ],
    ['tabel: no such option; did you mean table?', { tabel: 'users', columns }],
    ['where.role: is undefined', { table: 'users', columns, where: { role: undefined } }],
    ["where.ro'le: give a name", { table: 'users', columns, where: { "ro'le": 'administrator' } }],
    ['otherColumns.role: give a name', { table: 'users', columns, otherColumns: { role: 'r"' } }],
    [
      'otherColumns.hasVerifiedEmail: this property has a meaning',
      { table: 'users', columns, otherColumns: { hasVerifiedEmail: 'verified' } },
    ],
    ['otherColumns: constructor', { table: 'users', columns, otherColumns: { constructor: 'r' } }],
    ['columns.id: is missing', { table: 'users', columns: { ...columns, id: undefined } }],
    [
      'columns.deletedAt: is undefined; give the name of a column, or leave it out',
      { table: 'users', columns: { ...columns, deletedAt: undefined } },
    ],
    ['ignoreEmailCase: give true', { table: 'users', columns, ignoreEmailCase: 'false' }],
    ['canAccessPanel: give a function', { table: 'users', columns, canAccessPanel: true }],
    ['columns.deletdAt: no such option', { table: 'users', columns: { deletdAt: 'deleted_at' } }],
    ['table: give a name', undefined],
  ])('are refused with "%s"', (message, options) => {
    const create = () => sqliteUsers(openHandle(':memory:'), options as UserTable)
    expect(create).toThrow(ConfigError)
    expect(create).toThrow(`sqliteUsers: ${message}`)
  })

  it('name the call that refuses them', () => {
    const pool = { query: async () => ({ rows: [] }) }
    expect(() => postgresUsers(pool, { table: '', columns })).toThrow('postgresUsers: table')
  })

  it('name the columns of a new row without quotes', async () => {
    const handle = openHandle(':memory:')
    handle.exec('create table users (id integer primary key, email text, password text)')
    const newRow = () => ({ 'email") values (1); --': 1 })
    const users = sqliteUsers(handle, { table: 'users', columns, newRow })
    const fields = { email: 'ada@example.com', name: null, passwordHash: '' }
    await expect(users.create(fields, null)).rejects.toThrow('columns without quotes')
  })
})

describe('a wrong database of a table', () => {
  const calls = { ...factorEntry, ...userEntry } as unknown as Readonly<
    Record<string, (database: unknown, options: object) => unknown>
  >

  it.each<readonly [string, unknown, string]>([
    ['sqlite', undefined, 'is missing; give an open handle'],
    ['sqlite', 'panel.db', "is not an object; give an open handle, such as openSqlite('panel.db')"],
    ['postgres', Promise.resolve({}), 'is a promise; await it, and give a pool'],
    ['postgres', 'postgres://a:secret@localhost/b', 'is not an object; give a pool'],
    ['postgres', { host: 'localhost' }, 'is not a pool; give a pool, such as `await openPostgres'],
    ['mysql', { query: () => 0 }, 'is not a pool; give a pool of mysql2/promise'],
    ['mysql', { execute: () => 0, promise: () => 0 }, 'is a pool with callbacks; give pool'],
    ['mysql', { execute: () => 0, _cluster: {} }, 'is a pool of a cluster with callbacks'],
  ])('%s is refused by the users and the second factors at once: %j', (kind, database, said) => {
    for (const [call, options] of [
      [`${kind}Users`, { table: 'users', columns }],
      [`${kind}Factors`, {}],
    ] as const) {
      const create = () => calls[call]?.(database, options)
      expect(create).toThrow(ConfigError)
      expect(create).toThrow(`${call}: its first argument ${said}`)
    }
  })
})
