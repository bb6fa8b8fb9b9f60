// The svc.config of a host whose users and second factor are tables of another application.
import { setTimeout } from 'node:timers/promises'
import { createPanelAuth, defineConfig } from '@svc/auth'
import { mysqlStores } from '@svc/auth/mysql'
import { postgresStores } from '@svc/auth/postgres'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { fakeTwoFactor } from '@svc/auth/testing'
import { drizzleFactors, kyselyFactors, postgresFactors, totp } from '@svc/auth/totp'
import {
  drizzleUsers,
  kyselyUsers,
  mysqlUsers,
  postgresUsers,
  prismaUsers,
  sqliteUsers,
} from '@svc/auth/users'
import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { hostConfig } from './host-config.mjs'

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

const kyselyOf = (pool) =>
  new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
const usersBy = {
  pg: postgresUsers,
  Kysely: (pool, options) => kyselyUsers(kyselyOf(pool), { ...options, table: 'ownMembers' }),
  Drizzle: (pool, options) =>
    drizzleUsers(drizzle({ client: pool }), { ...options, table: members, operators }),
}
const members = pgTable('own_members', { id: text(), email: text(), password: text() })
const factors = pgTable('svc_two_factor', {
  userId: text('user_id'),
  secret: text('secret'),
  recoveryCodes: text('recovery_codes'),
  lastStep: text('last_step'),
})
const factorsBy = {
  pg: postgresFactors,
  Kysely: (pool) => kyselyFactors(new Kysely({ dialect: new PostgresDialect({ pool }) })),
  Drizzle: (pool) => drizzleFactors(drizzle({ client: pool }), { table: factors, operators }),
}

function usersOf(database, options) {
  const { UNREACHABLE, SECURED, PRISMA, PRISMA_OPTIONS = '{}', BROKEN } = process.env
  const { BUILDER = 'pg', MYSQL_USERS, TIMEZONE = 'local', SERVER_ZONE } = process.env
  if (UNREACHABLE) return postgresUsers(poolOf(UNREACHABLE), options)
  if (SECURED) return usersBy[BUILDER](poolOf(SECURED), options)
  if (MYSQL_USERS) {
    const pool = createPool({ uri: MYSQL_USERS, timezone: TIMEZONE })
    if (SERVER_ZONE) pool.on('connection', (one) => one.query('set time_zone = ?', [SERVER_ZONE]))
    pools.push(pool)
    return mysqlUsers(pool, options)
  }
  if (PRISMA)
    return prismaUsers(emptyModel, {
      columns: options.columns,
      canAccessPanel: options.canAccessPanel,
      ...optionsOfPrisma(PRISMA_OPTIONS),
    })
  const users = delayed(sqliteUsers(database, options))
  if (BROKEN === undefined) return users
  const fail = () => {
    throw new Error(`${BROKEN} is broken\n\n  in the line below`)
  }
  return { ...users, [BROKEN]: fail }
}

function delayed(users) {
  const { SLOW = 0, FAR = 0 } = process.env
  const late =
    (name, ms) =>
    async (...named) => {
      await setTimeout(Number(ms))
      return users[name](...named)
    }
  return {
    ...users,
    findByEmail: late('findByEmail', Number(FAR) + Number(SLOW)),
    findById: late('findById', FAR),
  }
}

const emptyModel = {
  fields: { id: {}, email: {}, password: {} },
  findMany: async () => [],
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
    BLOCKED_UNTIL,
    SECURED_FACTORS,
    WHERE = '{}',
    BUILDER = 'pg',
  } = process.env
  const database = openSqlite(OLD)
  const options = {
    table: TABLE,
    columns: {
      id: 'id',
      email: EMAIL_COLUMN,
      passwordHash: 'password',
      ...(BLOCKED_UNTIL && { blockedUntil: BLOCKED_UNTIL }),
    },
    canAccessPanel: () => !process.env.REFUSED,
    where: JSON.parse(WHERE),
  }
  const provider = usersOf(database, options)
  const users = process.env.NO_LIST ? { ...provider, list: undefined } : provider
  return {
    auth: createPanelAuth({
      config: hostConfig(APP_KEY, process.env.TENANTS ? urlOf : undefined),
      stores: brokenIfAsked(await openStores(database)),
      users,
      ...(SECURED_FACTORS && {
        twoFactor: totp({
          issuer: 'Acme',
          factors: factorsBy[BUILDER](poolOf(SECURED_FACTORS)),
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
    users,
    imports: { old: {} },
    async close() {
      database.close()
      await Promise.all(pools.splice(0).map(async (pool) => pool.end()))
    },
  }
})
