// The svc.config of a host whose users and second factor are tables of another application.
import { createPanelAuth, defineConfig } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { fakeTwoFactor } from '@svc/auth/testing'
import { postgresFactors, totp } from '@svc/auth/totp'
import { postgresUsers, prismaUsers, sqliteUsers } from '@svc/auth/users'
import pg from 'pg'

const urlOf = (tenant) => `http://${tenant}.localhost:3000`

async function openStores(database) {
  const { OWN_FILE, POSTGRES, MYSQL } = process.env
  if (POSTGRES) return postgresStores(POSTGRES)
  if (MYSQL) return mysqlStores(MYSQL)
  return sqliteStores(OWN_FILE ?? database)
}

function brokenIfAsked(stores) {
  const fail = async () => {
    throw new Error('the stores are away')
  }
  // Without tables of their own, which `doctor` would not create.
  const broken = { check: fail, migrated: undefined }
  return process.env.BROKEN_STORES ? Object.assign(stores, broken) : stores
}

const pools = []

function poolOf(connectionString) {
  const pool = new pg.Pool({ connectionString })
  pools.push(pool)
  return pool
}

function usersOf(database, options) {
  const { UNREACHABLE, SECURED, PRISMA, PRISMA_OPTIONS = '{}', BROKEN } = process.env
  if (UNREACHABLE) return postgresUsers(poolOf(UNREACHABLE), options)
  if (SECURED) return postgresUsers(poolOf(SECURED), options)
  if (PRISMA)
    return prismaUsers(emptyModel, {
      columns: options.columns,
      canAccessPanel: options.canAccessPanel,
      ...optionsOfPrisma(PRISMA_OPTIONS),
    })
  const users = sqliteUsers(database, options)
  if (BROKEN === undefined) return users
  const fail = () => {
    throw new Error(`${BROKEN} is broken\n\n  in the line below`)
  }
  return { ...users, [BROKEN]: fail }
}

const emptyModel = {
  fields: { id: {}, email: {}, password: {} },
  findMany: async () => [],
  count: async () => 0,
}

function optionsOfPrisma(text) {
  const { hasStatement = false, ...options } = JSON.parse(text)
  return { ...options, ...(hasStatement && { rowsByLowerEmail: async () => [] }) }
}

export const config = defineConfig(async () => {
  const {
    APP_KEY,
    OLD,
    TABLE = 'users',
    EMAIL_COLUMN = 'email',
    FACTOR,
    SECURED_FACTORS,
  } = process.env
  const database = openSqlite(OLD)
  const options = {
    table: TABLE,
    columns: { id: 'id', email: EMAIL_COLUMN, passwordHash: 'password' },
    canAccessPanel: () => !process.env.REFUSED,
  }
  const users = usersOf(database, options)
  return {
    auth: createPanelAuth({
      config: {
        app: { url: process.env.TENANTS ? urlOf : 'http://localhost:3000', keys: [APP_KEY] },
        session_auth: { stateful: ['localhost:3000'] },
        svc: { prefix: 'admin', panels: ['main'] },
      },
      stores: brokenIfAsked(await openStores(database)),
      users: process.env.NO_LIST ? { ...users, list: undefined } : users,
      ...(SECURED_FACTORS && {
        twoFactor: totp({
          issuer: 'Acme',
          factors: postgresFactors(poolOf(SECURED_FACTORS)),
          keys: [APP_KEY],
        }),
      }),
      ...(FACTOR && {
        twoFactor: {
          ...fakeTwoFactor(),
          isEnabledFor: ({ id }) =>
            database.prepare(`select secret from ${FACTOR} where user_id = ?`).get(id) !==
            undefined,
        },
      }),
      logger: { warn() {}, error() {} },
    }),
    async close() {
      database.close()
      await Promise.all(pools.splice(0).map(async (pool) => pool.end()))
    },
  }
})
