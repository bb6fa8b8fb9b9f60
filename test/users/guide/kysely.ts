import { Kysely, PostgresDialect } from 'kysely'
import { Pool } from 'pg'
import { kyselyUsers } from '@svc/auth/users'

const database = new Kysely({ dialect: new PostgresDialect({ pool: new Pool() }) })

export const users = kyselyUsers(database, {
  table: 'users',
  columns: { id: 'id', email: 'email', passwordHash: 'password' },
})
