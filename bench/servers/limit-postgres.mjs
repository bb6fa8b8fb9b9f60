import pg from 'pg'
import { announce } from './announce.mjs'
import { serveUser } from './serve-user.mjs'
import { SELECT_USER, USER } from './users-table.mjs'

/* The limit of PostgreSQL: the cookie names the user, read by one prepared statement. */

const pool = new pg.Pool({ connectionString: process.argv[3], max: 10 })
await pool.query(
  'CREATE TABLE bench_people (id text PRIMARY KEY, email text, name text, email_verified_at text)',
)
await pool.query('INSERT INTO bench_people (id, email, name) VALUES ($1, $2, $3)', [
  USER.id,
  USER.email,
  USER.name,
])
const text = SELECT_USER.replace('people', 'bench_people').replace('?', '$1')

serveUser(async (id) => (await pool.query({ name: 'user', text, values: [id] })).rows[0], announce)
