import { openPostgres, postgresStores, type PostgresDatabase } from '@svc/auth/postgres'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { standIn } from '../support/stand-in.ts'
import { answersWithin } from '../support/time.ts'

let url: string
let log: string[]
let database: PostgresDatabase

beforeEach(async () => {
  log = []
  url = await emptyPostgres()
  database = await openPostgres(url, { name: 'host', log: (line) => log.push(line) })
})
afterEach(async () => database.end())

async function query(text: string, ...values: readonly string[]): Promise<readonly unknown[]> {
  const connection = await database.connect()
  return connection
    .query(text, values)
    .then(({ rows }) => rows)
    .finally(() => connection.release())
}

const backend = async () => query('SELECT pg_backend_pid() AS pid')

const cutAll = async () =>
  admin(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'host' AND datname = current_database()`,
  )

describe('the database of a host on PostgreSQL', () => {
  it('answers within two seconds, or not at all, also when all connections are busy', async () => {
    const sleep = async () => query('SELECT pg_sleep(3)')
    const sleeps = async () => Promise.allSettled(Array.from({ length: 20 }, sleep))
    const answers = await answersWithin(2000, sleeps)
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(20)
    expect(String(Reflect.get(answers[0] ?? {}, 'reason'))).toMatch(
      /statement timeout|did not answer/,
    )
  })

  it('gives up within two seconds on a server that falls silent', async () => {
    const between = await standIn(url)
    const own = await openPostgres(between.url)
    onTestFinished(async () => own.end())
    const connection = await own.connect()
    between.hang()
    await answersWithin(2000, async () =>
      expect(connection.query('SELECT 1', [])).rejects.toThrow('did not answer'),
    )
    connection.release()
  })

  it('closes a connection whose statement failed, and opens another', async () => {
    const first = await backend()
    expect(await backend()).toEqual(first)
    await expect(query('SELECT nothing')).rejects.toThrow('nothing')
    expect(await backend()).not.toEqual(first)
  })

  it('runs no statement on a connection after one has failed', async () => {
    const connection = await database.connect()
    await expect(connection.query('SELECT nothing', [])).rejects.toThrow('nothing')
    await expect(connection.query('SELECT 1', [])).rejects.toThrow('nothing')
    connection.release()
  })

  it('reads over no connection that was open when the server refused a write', async () => {
    const lent = await Promise.all([database.connect(), database.connect()])
    for (const connection of lent) {
      await connection.query('SET default_transaction_read_only = on', [])
      connection.release()
    }
    await expect(query('CREATE TABLE notes (id int)')).rejects.toThrow('read-only')
    const rows = await query('SHOW default_transaction_read_only')
    expect(rows).toEqual([{ default_transaction_read_only: 'off' }])
  })

  it('prepares a statement with values once for each connection', async () => {
    const prepared = 'SELECT name FROM pg_prepared_statements'
    await query('SELECT $1 AS answer', 'one')
    await query('SELECT $1 AS answer', 'two')
    expect(await query(prepared)).toEqual([{ name: expect.stringMatching(/^host_/) }])
  })

  it('answers on every connection after a column has got another type', async () => {
    await query('CREATE TABLE users (password varchar(60))')
    const read = async () => query('SELECT password FROM users WHERE password > $1', '')
    const lent = await Promise.all([database.connect(), database.connect()])
    for (const one of lent) {
      await one.query('SELECT password FROM users WHERE password > $1', [''])
      one.release()
    }
    await query('ALTER TABLE users ALTER COLUMN password TYPE varchar(255)')
    expect([await read(), await read()]).toEqual([[], []])
  })

  it('reconnects when a connection breaks, and logs it', async () => {
    expect(await query('SELECT $1 AS answer', 'there')).toEqual([{ answer: 'there' }])
    await cutAll()
    await expect.poll(() => log).toEqual([expect.stringMatching(/^A connection .* broke: \w/)])
    expect(await query('SELECT $1 AS answer', 'there')).toEqual([{ answer: 'there' }])
  })

  it('logs one line when all of its connections break at once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    await Promise.all([1, 2, 3].map(backend))
    expect(database.pool).toMatchObject({ totalCount: 3 })
    await cutAll()
    await expect.poll(() => database.pool).toMatchObject({ totalCount: 0 })
    expect(log).toHaveLength(1)
  })

  it('ends no process when a connection breaks while it is lent', async () => {
    const connection = await database.connect()
    await connection.query('BEGIN', [])
    await cutAll()
    await expect(connection.query('SELECT 1', [])).rejects.toThrow()
    connection.release()
  })

  it('is shared with the stores', async () => {
    const stores = await postgresStores(database.pool)
    await stores.check()
    await stores.close()
    expect(await query('SELECT name FROM svc_metadata')).toEqual([{ name: 'check' }])
  })
})
