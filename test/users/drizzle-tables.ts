import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { optionsFor, type IdKind } from './tables.ts'

/** The users table as schemas of Drizzle. */
export const drizzleTables = {
  SQLite: (kind: IdKind) =>
    sqlite.sqliteTable('members', {
      id: (kind === 'number' ? sqlite.integer('id') : sqlite.text('id')).primaryKey(),
      mail: sqlite.text('mail').notNull(),
      fullName: sqlite.text('full_name'),
      password: sqlite.text('password'),
      verifiedAt: sqlite.text('verified_at'),
      deletedAt: sqlite.text('deleted_at'),
      isActive: sqlite.integer('is_active', { mode: 'boolean' }).notNull().default(true),
      role: sqlite.text('role'),
    }),
  PostgreSQL: (kind: IdKind) =>
    pg.pgTable('members', {
      id: {
        number: pg.bigint('id', { mode: 'bigint' }).generatedByDefaultAsIdentity(),
        UUID: pg.uuid('id').primaryKey(),
        text: pg.text('id').primaryKey(),
      }[kind],
      mail: pg.text('mail').notNull(),
      fullName: pg.text('full_name'),
      password: pg.text('password'),
      verifiedAt: pg.timestamp('verified_at', { withTimezone: true }),
      deletedAt: pg.timestamp('deleted_at', { withTimezone: true }),
      isActive: pg.boolean('is_active').notNull().default(true),
      role: pg.text('role'),
    }),
  MySQL: (kind: IdKind) =>
    mysql.mysqlTable('members', {
      id: (kind === 'number'
        ? mysql.bigint('id', { mode: 'bigint' })
        : mysql.varchar('id', { length: 40 })
      ).primaryKey(),
      mail: mysql.varchar('mail', { length: 200 }).notNull(),
      fullName: mysql.varchar('full_name', { length: 200 }),
      password: mysql.varchar('password', { length: 200 }),
      verifiedAt: mysql.datetime('verified_at'),
      deletedAt: mysql.datetime('deleted_at'),
      isActive: mysql.boolean('is_active').notNull().default(true),
      role: mysql.varchar('role', { length: 200 }),
    }),
} as const

/** The options that fit the tables, by the names of their properties. */
export function modelOptionsFor(kind: IdKind) {
  const { table: _, columns: __, ...options } = optionsFor(kind)
  return {
    ...options,
    columns: {
      id: 'id',
      email: 'mail',
      name: 'fullName',
      passwordHash: 'password',
      emailVerifiedAt: 'verifiedAt',
      deletedAt: 'deletedAt',
      active: 'isActive',
    },
  } as const
}
