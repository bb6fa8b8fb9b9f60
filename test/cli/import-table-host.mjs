// The svc.config of a host whose users table has rows that are not users.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { sqliteUsers } from '@svc/auth/users'
import { countTurns } from './count-turns.mjs'
import { hostConfig } from './host-config.mjs'

const BCRYPT = '$2y$10$Z3zA417q2gkHa75zLPLuNOXH0wPS8D6kYJfAhWxV.OiAWHT3KKdMe'
countTurns()

export const config = defineConfig(() => {
  const { LAST, LAST_ROLE = 'broken', MORE = '0', OUTAGE, TENANTS, VIEW } = process.env

  const database = openSqlite(':memory:')
  database.exec(`create table users (id integer primary key, email text unique, password text,
    role text, deleted_at text, is_active integer default 1, banned_at text,
    firm text)`)
  database.exec(`insert into users (email, role, deleted_at, is_active, banned_at) values
    ('ada@example.com', 'customer', null, 1, null),
    ('bea@example.com', 'broken', null, 1, null),
    ('d1@example.com', 'admin', '2026-01-01', 1, null),
    ('d2@example.com', 'admin', '2026-01-01', 0, null),
    ('d3@example.com', 'admin', '2026-01-01', 1, '2026-01-01'),
    ('i1@example.com', 'admin', null, 0, null),
    ('i2@example.com', 'admin', null, null, null),
    ('b1@example.com', 'admin', null, 1, '2026-01-01'),
    ('nobody', 'admin', null, 1, null)`)
  const insert = database.prepare('insert into users (email, role) values (?, ?)')
  for (let number = 0; number < Number(MORE); number += 1)
    insert.run(`more${number}@example.com`, 'customer')
  if (LAST !== undefined) insert.run(LAST, LAST_ROLE)
  database.prepare('update users set password = ?').run(BCRYPT)
  // An expression has no type by which SQLite would convert a text that it is compared with. The
  // first row, which is looked at when the users are created, has a text.
  if (VIEW !== undefined)
    database.exec(
      `create view panel_users as select *, case id when 2 then 2 else cast(id as text) end as number
        from users where role = 'admin' order by id desc`,
    )
  if (TENANTS !== undefined)
    database.exec("update users set firm = 'acme', role = 'admin', password = '' where id > 1")

  const users = sqliteUsers(database, {
    table: VIEW === undefined ? 'users' : 'panel_users',
    columns: {
      id: VIEW === undefined ? 'id' : 'number',
      email: 'email',
      passwordHash: 'password',
      deletedAt: 'deleted_at',
      active: 'is_active',
      blocked: 'banned_at',
      ...(TENANTS !== undefined && { tenant: 'firm' }),
    },
    otherColumns: { role: 'role' },
    canAccessPanel({ role }) {
      if (OUTAGE !== undefined) throw new Error('the database is away')
      if (role === 'broken') throw new Error('the role is unknown')
      return role === 'admin'
    },
  })

  return {
    auth: createPanelAuth({
      config: hostConfig(),
      stores: sqliteStores(database),
      users,
      logger: { warn() {}, error() {} },
    }),
    users,
    imports: { old: {} },
  }
})
