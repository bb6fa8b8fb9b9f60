// users.ts: your existing table, by its columns
import Database from 'better-sqlite3'
import { hashPassword } from '@svc/auth'
import { sqliteUsers } from '@svc/auth/users'

export const db = new Database('panel.db')
db.exec(`create table if not exists users (
  id integer primary key, email text not null unique, name text not null, password_hash text not null)`)

export const users = sqliteUsers(db, {
  table: 'users',
  columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },
})

export async function addUser(email: string, name: string, password: string): Promise<void> {
  await users.create({ email, name, passwordHash: await hashPassword(password) })
}
