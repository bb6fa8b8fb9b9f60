// The svc.config of a host whose users and second factor are tables of another application.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { fakeTwoFactor } from '@svc/auth/testing'
import { postgresUsers, sqliteUsers } from '@svc/auth/users'
import pg from 'pg'

const { APP_KEY, OLD, TABLE = 'users', EMAIL_COLUMN = 'email', FACTOR = 'factors' } = process.env

async function openStores(database) {
  const { OWN_FILE, POSTGRES, MYSQL } = process.env
  if (POSTGRES) return postgresStores(POSTGRES)
  if (MYSQL) return mysqlStores(MYSQL)
  return sqliteStores(OWN_FILE ?? database)
}

export const config = defineConfig(async () => {
  const database = openSqlite(OLD)
  const options = {
    table: TABLE,
    columns: { id: 'id', email: EMAIL_COLUMN, passwordHash: 'password' },
    canAccessPanel: () => true,
  }
  const users = process.env.UNREACHABLE
    ? postgresUsers(new pg.Pool({ connectionString: process.env.UNREACHABLE }), options)
    : sqliteUsers(database, options)
  return {
    auth: createPanelAuth({
      config: {
        app: { url: 'http://localhost:3000', keys: [APP_KEY] },
        session_auth: { stateful: ['localhost:3000'] },
        svc: { prefix: 'admin', panels: ['main'] },
      },
      stores: await openStores(database),
      users: process.env.NO_LIST ? { ...users, list: undefined } : users,
      ...(process.env.FACTOR && {
        twoFactor: {
          ...fakeTwoFactor(),
          isEnabledFor: ({ id }) =>
            database.prepare(`select secret from ${FACTOR} where user_id = ?`).get(id) !==
            undefined,
        },
      }),
      logger: { warn() {}, error() {} },
    }),
    close: () => database.close(),
  }
})
