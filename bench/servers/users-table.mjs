import Database from 'better-sqlite3'
import { join } from 'node:path'

export const USER = {
  id: '4f9ad5e5-8a4f-4c0e-b3ad-2b9f4a1d7c11',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
}

/**
 * Opens a file database with one user, with SQLite's fastest settings that lose nothing when the
 * process is killed.
 */
export function openDatabase(folder) {
  const database = new Database(join(folder, 'bench.sqlite'))
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE people (
      id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, name TEXT, email_verified_at TEXT
    ) STRICT`)
  database
    .prepare('INSERT INTO people (id, email, name) VALUES (?, ?, ?)')
    .run(USER.id, USER.email, USER.name)
  return database
}

export const SELECT_USER = 'SELECT id, name, email, email_verified_at FROM people WHERE id = ?'
