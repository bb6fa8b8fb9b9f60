// The service of the application, on PostgreSQL and Redis. A variable NAME can be in a file that NAME_FILE names.
// Run by test/deploy/files.long.test.ts: two nodes behind HAProxy, and every command of the files beside it.
import { readFileSync } from 'node:fs'
import { createPanelAuth, logSecurityEvents } from '@svc/auth'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { postgresUsers } from '@svc/auth/users'

function optional(name) {
  const file = process.env[`${name}_FILE`]
  return file === undefined ? (process.env[name] ?? '') : readFileSync(file, 'utf8').trim()
}

function setting(name) {
  const text = optional(name)
  if (text !== '') return text
  throw new Error(`${name} is not set: set it, or ${name}_FILE to the name of a file that has it`)
}

/** Only the job that migrates may create tables; the nodes find them. Only a node is measured. */
export async function openPanel({ migrate, telemetry }) {
  const database = await openPostgres(setting('DATABASE_URL'))
  if (migrate) await createUsers(database)
  const stores = await postgresStores(database.pool, { migrate })
  const users = postgresUsers(database, {
    table: 'users',
    columns: { id: 'id', email: 'email', name: 'name', passwordHash: 'password_hash' },
  })
  const url = setting('APP_URL')
  const redis = optional('REDIS_URL')
  const auth = createPanelAuth({
    config: {
      app: { url, keys: setting('APP_KEY').split(',') },
      session_auth: { stateful: [url] },
      svc: { prefix: 'admin', panels: ['main'] },
      trusted_proxies: setting('TRUSTED_PROXIES').split(','),
      retention: { notification_days: 365 },
    },
    stores: redis === '' ? stores : await openRedisStores(redis, stores),
    users,
    activity: true,
    telemetry,
  })
  logSecurityEvents(auth, users, console.log)
  return { auth, users, close: async () => database.end() }
}

/** Your own table; the service never changes it. */
async function createUsers(database) {
  const connection = await database.connect()
  const statement = `CREATE TABLE IF NOT EXISTS users (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL UNIQUE, name text NOT NULL, password_hash text NOT NULL)`
  await connection.query(statement, [])
  connection.release()
}
