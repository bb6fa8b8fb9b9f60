// users.ts: your existing table, behind four methods
import Database from 'better-sqlite3'
import { hashPassword, type UserProvider } from '@svc/auth'

interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly password_hash: string
}

export const db = new Database('panel.db')
db.exec(`create table if not exists users (
  id integer primary key, email text not null unique, name text not null, password_hash text not null)`)

const byId = db.prepare<[string], User>('select * from users where id = ?')
const byEmail = db.prepare<[string], User>('select * from users where email = ?')
const insert = db.prepare('insert into users (email, name, password_hash) values (?, ?, ?)')

export const users: UserProvider<User> = {
  findById: async (id) => byId.get(id) ?? null,
  findByEmail: async (email) => byEmail.get(email) ?? null, // lower case and trimmed
  identify: ({ id, email, name }) => ({ id: String(id), email, name }),
  passwordHash: (user) => user.password_hash,
}

export async function addUser(email: string, name: string, password: string): Promise<void> {
  insert.run(email, name, await hashPassword(password))
}
