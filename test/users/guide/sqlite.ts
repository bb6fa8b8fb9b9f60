import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { sqliteUsers } from '@svc/auth/users'

const database = openSqlite('panel.db')

export const stores = sqliteStores(database)
export const users = sqliteUsers(database, {
  table: 'users',
  columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },
})
