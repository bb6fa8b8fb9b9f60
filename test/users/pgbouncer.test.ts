import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import * as pgCore from 'drizzle-orm/pg-core'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { UserProvider } from '@svc/auth'
import { openPostgres } from '@svc/auth/postgres'
import { drizzleFactors, kyselyFactors, postgresFactors, type FactorStore } from '@svc/auth/totp'
import { drizzleUsers, kyselyUsers, postgresUsers } from '@svc/auth/users'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { admin, emptyPostgres, postgresPool } from '../support/postgres.ts'

/* PgBouncer lends a connection for each transaction: the next statement may run on another one. */

const IGNORED = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'

const columns = { id: 'id', email: 'email', name: 'name', passwordHash: 'hash' } as const
const people = Array.from({ length: 20 }, (_, at) => `person${at}@x.test`)

interface Parts {
  readonly users: UserProvider<object>
  readonly factors: FactorStore
}

const usersTable = pgCore.pgTable('users', {
  id: pgCore.text('id').primaryKey(),
  email: pgCore.text('email').notNull(),
  name: pgCore.text('name'),
  hash: pgCore.text('hash'),
})

const factorsTable = pgCore.pgTable('svc_two_factor', {
  userId: pgCore.text('user_id').primaryKey(),
  secret: pgCore.text('secret').notNull(),
  recoveryCodes: pgCore.text('recovery_codes').notNull(),
  lastStep: pgCore.bigint('last_step', { mode: 'bigint' }).notNull(),
})

const poolOf = (url: string): pg.Pool => postgresPool(url, { max: 8 })

const kinds: Readonly<Record<string, (url: string) => Promise<Parts>>> = {
  async 'a pg.Pool'(url) {
    const pool = poolOf(url)
    return {
      users: postgresUsers(pool, { table: 'users', columns }),
      factors: postgresFactors(pool),
    }
  },
  async openPostgres(url) {
    const database = await openPostgres(url)
    onTestFinished(async () => database.end())
    return {
      users: postgresUsers(database, { table: 'users', columns }),
      factors: postgresFactors(database),
    }
  },
  async Kysely(url) {
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool: poolOf(url) }) })
    return {
      users: kyselyUsers(kysely, { table: 'users', columns }),
      factors: kyselyFactors(kysely),
    }
  },
  async Drizzle(url) {
    const database = drizzle({ client: poolOf(url) })
    return {
      users: drizzleUsers(database, { table: usersTable, operators, columns }),
      factors: drizzleFactors(database, { table: factorsTable, operators }),
    }
  },
}

/** Creates the tables of a host, without options in the address, which PgBouncer refuses. */
async function prepared(): Promise<string> {
  const url = new URL(await emptyPostgres())
  url.search = ''
  const rows = people.map((email, at) => `('u${at}', '${email}', 'Name', 'hash')`).join(', ')
  await admin(
    url.href,
    `DROP TABLE IF EXISTS users, svc_two_factor;
     CREATE TABLE users (id text PRIMARY KEY, email text UNIQUE, name text, hash text);
     CREATE TABLE svc_two_factor (user_id text PRIMARY KEY, secret text NOT NULL,
       recovery_codes text NOT NULL, last_step bigint NOT NULL);
     INSERT INTO users VALUES ${rows}`,
  )
  return url.href
}

describe.each(Object.entries(kinds))(
  'PgBouncer in transaction mode, before %s',
  { timeout: 30_000 },
  (_name, open) => {
    it('serves users and second factors of many requests at once', async () => {
      const { users, factors } = await open(await startPgBouncer(await prepared(), IGNORED))
      for (const round of [1, 2, 3]) {
        const found = await Promise.all(
          people.map(async (email, at) => {
            const id = `u${at}`
            const user = await users.findByEmail(email, null)
            if (user === null) return null
            expect(await users.rehash?.(user, 'hash', 'other')).toBe(round === 1)
            const enabled = { secret: `secret ${id}`, recoveryCodes: '[]', lastStep: round }
            expect(await factors.enable(id, enabled)).toBe(round === 1)
            const stored = await factors.read(id)
            expect(stored?.secret).toBe(enabled.secret)
            return users.identify((await users.findById(id, null)) ?? {}).email
          }),
        )
        expect(found).toEqual(people)
      }
    })
  },
)
