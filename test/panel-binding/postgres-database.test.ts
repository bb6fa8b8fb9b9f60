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
    const sleep = database.change('SELECT pg_sleep(1)')
    const answers = await Promise.allSettled(Array.from({ length: 20 }, async () => sleep()))
    expect(performance.now() - since).toBeLessThan(2000)
    const silent = answers.filter(({ status }) => status === 'rejected')
    expect(silent.length).toBeGreaterThanOrEqual(10)
    expect(String(Reflect.get(silent[0] ?? {}, 'reason'))).toMatch(/silent for 1500 ms|time/)
  })

  it('connects anew when a connection broke, and says that one did', async () => {
    const ask = database.one('SELECT 1 AS "number"', ({ number }: { number: number }) => number)
    expect(await ask()).toBe(1)
    await cutAll()
    await expect.poll(() => log).toEqual([expect.stringMatching(/^A connection .* broke: \w/)])
    expect(await ask()).toBe(1)
  })

  it('changes nothing when the connection breaks in between, and ends no process', async () => {
    const cut = database.alter(async ({ exec }) => {
      await exec('CREATE TABLE made (number INTEGER)')
      await cutAll()
      await exec('CREATE TABLE other (number INTEGER)')
    })
    await expect(cut).rejects.toThrow()
    await database.alter(async ({ exec }) => exec('CREATE TABLE made (number INTEGER)'))
  })
})
