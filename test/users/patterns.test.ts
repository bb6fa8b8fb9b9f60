import * as operators from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import {
  drizzleUsers,
  kyselyUsers,
  mysqlUsers,
  postgresUsers,
  sqliteUsers,
  type TableUsers,
} from '@svc/auth/users'
import { drizzleTables, modelOptionsFor } from './drizzle-tables.ts'
import { mysqlHost, postgresHost, sqliteHost } from './hosts.ts'
import { hostileTexts, hostileValues } from './hostile-values.ts'
import { createTable, optionsFor, type HostDatabase } from './tables.ts'

/** A statement as the driver received it. */
interface Sent {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Recorded {
  readonly host: HostDatabase
  readonly sent: Sent[]
  /** Makes the provider; its statements are recorded. */
  readonly users: (more: object) => TableUsers
}

const providers: readonly (readonly [string, () => Promise<Recorded>])[] = [
  ['sqliteUsers', recordedSqlite],
  ['postgresUsers', recordedPostgres],
  ['mysqlUsers', recordedMysql],
  ['kyselyUsers', recordedKysely],
  ['drizzleUsers', recordedDrizzle],
]

async function recordedSqlite(): Promise<Recorded> {
  const host = sqliteHost()
  const sent: Sent[] = []
  const { handle } = host
  const prepare = handle.prepare.bind(handle)
  vi.spyOn(handle, 'prepare').mockImplementation((text: string) => {
    const statement = prepare(text)
    for (const method of ['get', 'all'] as const) {
      const run = statement[method].bind(statement)
      Object.assign(statement, {
        [method]: (...values: never[]) => {
          // The stores ask for the file of the handle, too.
          if (text.includes('members')) sent.push({ text, values })
          return run(...values)
        },
      })
    }
    return statement
  })
  return { host, sent, users: (more) => sqliteUsers(handle, { ...optionsFor('text'), ...more }) }
}

async function recordedPostgres(): Promise<Recorded> {
  const host = await postgresHost()
  const sent: Sent[] = []
  const query = async (text: string, values: unknown[]) => {
    sent.push({ text, values })
    return host.pool.query(text, values)
  }
  const users: Recorded['users'] = (more) =>
    postgresUsers({ query }, { ...optionsFor('text'), ...more })
  return { host, sent, users }
}

async function recordedMysql(): Promise<Recorded> {
  const host = await mysqlHost()
  const sent: Sent[] = []
  const execute: Parameters<typeof mysqlUsers>[0]['execute'] = async (text, values) => {
    sent.push({ text, values })
    return host.pool.execute(text, values)
  }
  const users: Recorded['users'] = (more) =>
    mysqlUsers({ execute }, { ...optionsFor('text'), ...more })
  return { host, sent, users }
}

async function recordedKysely(): Promise<Recorded> {
  const host = await postgresHost()
  const sent: Sent[] = []
  const kysely = new Kysely({
    dialect: new PostgresDialect({ pool: host.pool }),
    log: ({ query }) => void sent.push({ text: query.sql, values: query.parameters }),
  })
  const users: Recorded['users'] = (more) => kyselyUsers(kysely, { ...optionsFor('text'), ...more })
  return { host, sent, users }
}

async function recordedDrizzle(): Promise<Recorded> {
  const host = await postgresHost()
  const sent: Sent[] = []
  const logQuery = (text: string, values: unknown[]) => void sent.push({ text, values })
  const database = drizzle({ client: host.pool, logger: { logQuery } })
  const model = { table: drizzleTables.PostgreSQL('text'), operators, ...modelOptionsFor('text') }
  return { host, sent, users: (more) => drizzleUsers(database, { ...model, ...more }) }
}

/** Opens a provider on a table with a hundred ordinary users. */
async function opened(open: () => Promise<Recorded>, more: object = {}) {
  const { host, sent, users } = await open()
  await createTable(host, 'text')
  for (let index = 0; index < 100; index += 1)
    await host.run(
      'insert into members (id, mail, password) values (?, ?, ?)',
      `u${index}`,
      `u${index}@x.test`,
      'hash',
    )
  const opened = users(more)
  sent.length = 0
  return { host, sent, users: opened }
}

describe.each(providers)('the lookups of %s', (_name, open) => {
  it.each([{}, { ignoreEmailCase: true }])(
    'send an email as a parameter of a bounded comparison, with %j',
    async (more) => {
      const { host, sent, users } = await opened(open, more)
      for (const text of hostileTexts) {
        const email = `${text}@x.test`
        sent.length = 0
        expect(await users.findByEmail(email), email).toBeNull()
        expect(sent).toHaveLength(1)
        for (const { text: statement, values } of sent) {
          expect(statement).not.toContain(email)
          expect(statement).not.toMatch(/like/i)
          expect(statement).toMatch(/limit \S+$/)
          expect(values).toContain(email)
        }
        const id = `id of ${text}`
        await host.run('insert into members (id, mail) values (?, ?)', id, email)
        expect(await users.findByEmail(email), email).toMatchObject({ id, email })
        expect(await users.findById(id)).toMatchObject({ id })
      }
    },
  )

  it('compare the lower case of an email where `ignoreEmailCase` asks for it', async () => {
    const { sent, users } = await opened(open, { ignoreEmailCase: true })
    await users.findByEmail('u1@x.test')
    expect(sent.at(-1)?.text).toMatch(/where \(?lower\(\S+\) = /)
  })

  it('send nothing for a value that is not a text', async () => {
    const { sent, users } = await opened(open)
    for (const value of hostileValues) {
      expect(await users.findByEmail(value as string)).toBeNull()
      expect(await users.findById(value as string)).toBeNull()
      expect(await users.findManyById([value as string])).toEqual([null])
      await expect(users.remove({ id: value as string })).rejects.toThrow(TypeError)
      await expect(users.setPassword({ id: value as string }, 'x')).rejects.toThrow(TypeError)
    }
    expect(sent).toEqual([])
  })

  it('return a column of the host by any name', async () => {
    const { host, users } = await opened(open, { otherColumns: { matches: 'role' } })
    await host.run("update members set role = 'player' where id = 'u7'")
    expect(await users.findByEmail('u7@x.test')).toMatchObject({ id: 'u7', matches: 'player' })
    expect(await users.findById('u7')).toMatchObject({ matches: 'player' })
  })

  it('read the columns of one user, and nothing of the others', async () => {
    const { sent, users } = await opened(open)
    expect(await users.findByEmail('u7@x.test')).toMatchObject({ id: 'u7' })
    const [statement] = sent
    const list = statement?.text.slice(0, statement.text.indexOf(' from ')) ?? ''
    expect(list).not.toContain('*')
    expect(list).not.toMatch(/deleted_at/)
    expect(sent).toHaveLength(1)
  })
})

describe.each(providers)('among users whose emails differ in case, %s', (_name, open) => {
  it('reads ids and emails, and no hash, before it refuses them', async () => {
    const lines: string[] = []
    const more = { ignoreEmailCase: true, log: (line: string) => lines.push(line) }
    const { host, sent, users } = await opened(open, more)
    await host.run("insert into members (id, mail, password) values ('x1', 'Ada@x.test', 'h')")
    await host.run("insert into members (id, mail, password) values ('x2', 'ada@X.test', 'h')")
    sent.length = 0
    expect(await users.findByEmail('ada@x.test')).toBeNull()
    expect(lines).toEqual([expect.stringContaining('The users x1 and x2 have the same email')])
    const wide = sent.filter(({ text }) => !/limit \S+$/.test(text))
    expect(wide).toEqual([])
    const many = sent.filter(({ text, values }) => text.endsWith('limit 21') || values.includes(21))
    expect(many).toHaveLength(1)
    expect(many[0]?.text).not.toContain('password')
  })

  it('logs an email for which too many rows are found to tell whose it is', async () => {
    const lines: string[] = []
    const { host, users } = await opened(open, { log: (line: string) => lines.push(line) })
    // Rows of former users, which an application keeps.
    const former = "insert into members (id, mail, is_active) values (?, 'ada@x.test', (1 = 0))"
    for (let number = 0; number < 20; number += 1) await host.run(former, `former ${number}`)
    await host.run("insert into members (id, mail) values ('ada', 'ada@x.test')")
    for (const _time of ['first', 'second'])
      expect(await users.findByEmail('ada@x.test')).toBeNull()
    expect(lines).toEqual([
      expect.stringMatching(/more than 20 rows for one email.* leave former users out by `where`/),
    ])
    await host.run("delete from members where id = 'former 7'")
    expect(await users.findByEmail('ada@x.test')).toMatchObject({ id: 'ada' })
  })
})
