import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { drizzleUsers } from '@svc/auth/users'

const table = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: text('email').notNull().unique(),
  password: text('password'),
  deletedAt: timestamp('deleted_at', { withTimezone: true }),
})

export const users = drizzleUsers(drizzle('postgres://panel@localhost/panel'), {
  table,
  columns: { id: 'id', email: 'email', passwordHash: 'password', deletedAt: 'deletedAt' },
  operators: { and, eq, inArray, isNull, sql },
})
