import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { postgresFactors } from '@svc/auth/totp'
import { postgresUsers } from '@svc/auth/users'

const USERS = { table: 'users', columns: { id: 'id', email: 'email', passwordHash: 'hash' } }

it.each([
  ['users', (pool: pg.Pool) => postgresUsers(pool, USERS)],
  ['second factors', (pool: pg.Pool) => postgresFactors(pool)],
])('an idle connection of a pool of %s that breaks does not end the process', (_, open) => {
  const pool = new pg.Pool()
  onTestFinished(async () => pool.end())
  open(pool)
  open(pool)
  // The event of a connection that a restart of PostgreSQL has ended.
  expect(() => pool.emit('error', new Error('terminating connection'))).not.toThrow()
  expect(pool.listenerCount('error')).toBe(1)
})
