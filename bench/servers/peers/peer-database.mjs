import pg from 'pg'
import { openDatabase, SELECT_USER, USER } from '../users-table.mjs'

/**
 * Opens the table of users that a peer reads on every request: on PostgreSQL if there is a URL,
 * else in a file of SQLite.
 */
export async function openPeerDatabase(folder, url) {
  if (!url) {
    const database = openDatabase(folder)
    const statement = database.prepare(SELECT_USER)
    return { database, pool: null, findUser: (id) => statement.get(id ?? '') }
  }
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(
    'CREATE TABLE people (id text PRIMARY KEY, email text NOT NULL UNIQUE, name text, email_verified_at text)',
  )
  await pool.query('INSERT INTO people (id, email, name) VALUES ($1, $2, $3)', [
    USER.id,
    USER.email,
    USER.name,
  ])
  const text = SELECT_USER.replace('?', '$1')
  return {
    database: null,
    pool,
    findUser: async (id) => (await pool.query({ name: 'user', text, values: [id ?? ''] })).rows[0],
  }
}
