import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import * as operators from 'drizzle-orm'
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FakeUsers } from '@svc/auth/testing'
import { drizzleUsers, kyselyUsers, mysqlUsers, postgresUsers, sqliteUsers } from '@svc/auth/users'
import { PASSWORD } from '../support/browser.ts'
import { attempt, visitor } from '../support/logins.ts'
import { somePeople, startService } from '../support/service.ts'
import { drizzleTables, modelOptionsFor } from './drizzle-tables.ts'
import { kyselyOnMysql } from './handles.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'
import { createTable, optionsFor, type HostDatabase } from './tables.ts'

/** Triggers that refuse a new hash, and repeat it where the database can. */
const refusals = {
  SQLite: [
    `create trigger refuse before update on members
       begin select raise(abort, 'the hash cannot be changed'); end`,
  ],
  PostgreSQL: [
    `create function refuse() returns trigger language plpgsql as
       $$ begin raise exception 'refused: % %', old.password, new.password; end $$`,
    'create trigger refuse before update on members for each row execute function refuse()',
  ],
  MySQL: [
    `create trigger refuse before update on members for each row
       signal sqlstate '45000' set message_text = 'refused',
         constraint_name = 'refused', mysql_errno = 1048`,
  ],
} as const

const providers: readonly (readonly [string, () => Promise<readonly [HostDatabase, object]>])[] = [
  [
    'SQLite',
    async () => {
      const host = sqliteHost()
      return [host, sqliteUsers(host.handle, optionsFor('text'))]
    },
  ],
  [
    'pg',
    async () => {
      const host = await postgresHost()
      return [host, postgresUsers(host.pool, optionsFor('text'))]
    },
  ],
  [
    'mysql2',
    async () => {
      const host = await mysqlHost()
      return [host, mysqlUsers(host.pool, optionsFor('text'))]
    },
  ],
  [
    'Kysely on PostgreSQL',
    async () => {
      const host = await postgresHost()
      const kysely = new Kysely({ dialect: new PostgresDialect({ pool: host.pool }) })
      return [host, kyselyUsers(kysely, optionsFor('text'))]
    },
  ],
  [
    'Kysely on MySQL',
    async () => {
      const host = await mysqlHost()
      return [host, kyselyUsers(kyselyOnMysql(host), optionsFor('text'))]
    },
  ],
  [
    'Drizzle on PostgreSQL',
    async () => {
      const host = await postgresHost()
      const table = drizzleTables.PostgreSQL('text')
      const model = { table, operators, ...modelOptionsFor('text') }
      return [host, drizzleUsers(drizzlePostgres({ client: host.pool }), model)]
    },
  ],
  [
    'Drizzle on MySQL',
    async () => {
      const host = await mysqlHost()
      const table = drizzleTables.MySQL('text')
      const model = { table, operators, ...modelOptionsFor('text') }
      return [host, drizzleUsers(drizzleMysql({ client: host.pool }), model)]
    },
  ],
]

const STRONGER = { passwords: { memory_kib: 64, passes: 2 } }
const oldHash = somePeople().row('u1')?.passwordHash ?? ''

/** Starts a service on the users of a table, whose hashes are outdated. */
async function startOn(open: () => Promise<readonly [HostDatabase, object]>) {
  const [host, users] = await open()
  await createTable(host, 'text')
  await host.run(
    "insert into members (id, mail, password, verified_at) values ('u1', 'u1@x.test', ?, '2026-01-01')",
    oldHash,
  )
  // The service knows a provider by its methods.
  const service = await startService({ users: users as FakeUsers, config: STRONGER })
  return { host, service }
}

/** Returns all that a logger could write about its lines. */
function everythingOf(log: readonly unknown[]): string {
  const shown = inspect(log, { depth: 20, showHidden: true, maxStringLength: null })
  return shown + JSON.stringify(log)
}

describe.each(providers)('a users table that cannot be written, by %s', (_name, open) => {
  it('refuses no correct password, and what the driver knows of the hashes is not logged', async () => {
    const { host, service } = await startOn(open)
    for (const statement of refusals[host.dialect]) await host.run(statement)
    for (let login = 0; login < 7; login += 1)
      expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(service.log).toHaveLength(1)
    const [line] = service.log
    expect(line).toMatchObject({ fields: { event: 'auth.hash_not_renewed' } })
    const everything = everythingOf(service.log)
    expect(everything).not.toContain('$argon2')
    expect(everything).not.toContain(oldHash)
    expect(everything).not.toMatch(/update ["`]?members/i)
    expect(everything).not.toContain('parameters')
  })

  it('is an outage when it is missing, and the log names the table and no email', async () => {
    const { host, service } = await startOn(open)
    await host.run('alter table members rename to others')
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toMatch(/503/)
    const everything = everythingOf(service.log)
    expect(everything).toContain('members')
    expect(everything).not.toContain('u1@x.test')
    expect(everything).not.toMatch(/select ["`]/i)
  })
})

describe('a role that may only read, by pg', () => {
  it('logs users in, and the log names the missing right', async () => {
    const { service } = await startOn(async () => {
      const host = await postgresHost()
      const role = `reader_${randomUUID().replaceAll('-', '')}`
      const [schema] = await host.run('select current_schema() as name')
      await host.run(`create role ${role}`)
      await host.run(`grant usage on schema "${String(schema?.['name'])}" to ${role}`)
      await host.run(`alter default privileges grant select on tables to ${role}`)
      const client = new pg.Client(host.url)
      await client.connect()
      await client.query(`set role ${role}`)
      onTestFinished(async () => client.end())
      return [host, postgresUsers(client, optionsFor('text'))]
    })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(everythingOf(service.log)).toContain('permission denied for table members')
  })
})
