import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresDatabase, type PostgresDatabase } from '../../dist/panel/postgres-database.js'
import { admin, emptyPostgres } from '../support/postgres.ts'

let url: string
let log: string[]
let database: PostgresDatabase

beforeEach(async () => {
  log = []
  url = await emptyPostgres()
  database = postgresDatabase(url, (line) => log.push(line))
})
afterEach(async () => database.close())

const cutAll = async () =>
  admin(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'panel' AND datname = current_database()`,
  )

describe('the database of the panel on PostgreSQL', () => {
  it('answers within two seconds, or not at all, also when all connections are busy', async () => {
    const since = performance.now()
    const sleep = async () => sql`SELECT pg_sleep(3)`.execute(database.tables)
    const answers = await Promise.allSettled(Array.from({ length: 20 }, sleep))
    expect(performance.now() - since).toBeLessThan(2000)
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(20)
    expect(String(Reflect.get(answers[0] ?? {}, 'reason'))).toMatch(/time/)
  })

  it('closes a connection whose statement failed, and opens another', async () => {
    const backend = async () => {
      const { rows } = await sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`.execute(
        database.tables,
      )
      return rows[0]?.pid
    }
    const first = await backend()
    expect(await backend()).toBe(first)
    await expect(sql`SELECT nothing`.execute(database.tables)).rejects.toThrow('nothing')
    expect(await backend()).not.toBe(first)
  })

  it('reconnects when a connection breaks, and logs it', async () => {
    const ask = database.prepare(
      database.tables.selectNoFrom((eb) => eb.val('there').as('answer')).compile(),
    )
    expect(await ask('there')).toEqual({ answer: 'there' })
    await cutAll()
    await expect.poll(() => log).toEqual([expect.stringMatching(/^A connection .* broke: \w/)])
    expect(await ask('there')).toEqual({ answer: 'there' })
  })

  it('changes nothing and ends no process when the connection breaks in a transaction', async () => {
    const cut = database.alter(async (tables) => {
      await sql`CREATE TABLE made (number INTEGER)`.execute(tables)
      await cutAll()
      await sql`CREATE TABLE other (number INTEGER)`.execute(tables)
    })
    await expect(cut).rejects.toThrow()
    await sql`CREATE TABLE made (number INTEGER)`.execute(database.tables)
  })
})
