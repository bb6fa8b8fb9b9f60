import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fakeClock } from '@svc/auth/testing'
import {
  drizzleFactors,
  mysqlFactors,
  postgresFactors,
  sqliteFactors,
  totp,
  type CreatedFactorTable,
  type FactorStore,
} from '@svc/auth/totp'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { emptyMysql, mysqlPool } from '../support/mysql.ts'
import { admin, emptyPostgres, postgresPool } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { openSome as open } from './factor-kinds.ts'
import { enabled, KEY, openStage, type Stage, type TotpUser } from './factor-stage.ts'

type Open = (options?: CreatedFactorTable) => FactorStore

/** Opens an empty database of each kind that the stores create their table in. */
const databases: Readonly<Record<string, () => Promise<Open>>> = {
  SQLite: async () => {
    const database = closedAfterTest(openHandle(temporaryDatabase()))
    return (options) => sqliteFactors(database, options)
  },
  PostgreSQL: async () => {
    const pool = postgresPool(await emptyPostgres())
    return (options) => postgresFactors(pool, options)
  },
  MySQL: async () => {
    const pool = mysqlPool(await emptyMysql())
    return (options) => mysqlFactors(pool, options)
  },
}

const user: TotpUser = { id: 'u1', email: 'ada@example.com' }
const clock = fakeClock()
const bind = (factors: FactorStore) =>
  totp<TotpUser>({ issuer: 'Acme Panel', factors, keys: [KEY], clock })

/** Adds a device, and waits until the code of its set-up has expired. @returns its secret. */
async function add({ first, codeFor, advance }: Stage, name = 'Pixel'): Promise<string> {
  const secret = await first.newSecret()
  await first.verifySetup(secret, codeFor(secret))
  expect(await first.devices?.add(user, { secret, name })).toBe(true)
  advance(60)
  return secret
}

describe.each(Object.entries(databases))('the column of devices in %s', (_name, openDatabase) => {
  it('is added to the table of the version before, whose users keep their app', async () => {
    const factors = await openDatabase()
    const before = bind(factors())
    const secret = await before.newSecret()
    const [recovery = ''] = await before.enable(user, secret)
    const after = bind(factors({ devices: true }))
    const listed = await after.devices?.list(user)
    expect(listed).toMatchObject([{ name: null, addedAt: null }])
    expect(await after.verify(user, recovery)).toBe(true)
    expect(await after.devices?.add(user, { secret: await after.newSecret(), name: 'Pixel' })).toBe(
      true,
    )
    expect(await after.devices?.remove(user, listed?.[0]?.id ?? '')).toBe(true)
    expect(await after.devices?.list(user)).toMatchObject([{ name: 'Pixel' }])
  })

  it('is added by `svc migrate`, and by nothing else with `migrate: false`', async () => {
    const factors = await openDatabase()
    const tables = 'The table of second factors (svc_two_factor)'
    expect(await factors().migrate?.()).toEqual({ tables, from: 0, to: 1 })
    const store = factors({ devices: true, migrate: false })
    await expect(async () => store.read('u1')).rejects.toThrow(
      'the table svc_two_factor has no column devices: run `svc migrate`',
    )
    expect(await store.migrate?.()).toEqual({ tables, from: 1, to: 2 })
    expect(await store.read('u1')).toBeNull()
    expect(await store.migrate?.()).toEqual({ tables, from: 2, to: 2 })
    expect(await factors().migrate?.()).toEqual({ tables, from: 1, to: 1 })
  })

  it('is added once when two nodes start together', async () => {
    const factors = await openDatabase()
    await factors().migrate?.()
    const nodes = Array.from({ length: 4 }, () => factors({ devices: true }))
    const read = await Promise.all(nodes.map(async (node) => node.read('u1')))
    expect(read).toEqual([null, null, null, null])
  })

  it('keeps the first device of a user for a node of the version before', async () => {
    const factors = await openDatabase()
    const [old, fresh] = [bind(factors()), bind(factors({ devices: true }))]
    const { TOTP } = await import('otpauth')
    const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })
    const [secret, pixel] = [await fresh.newSecret(), await fresh.newSecret()]
    await fresh.enable(user, secret)
    await fresh.devices?.add(user, { secret: pixel, name: 'Pixel' })
    clock.advance({ seconds: 60 })
    expect(await old.verify(user, codeOf(secret))).toBe(true)
    expect(await fresh.verify(user, codeOf(secret))).toBe(false)
    expect(await old.verify(user, codeOf(pixel))).toBe(false)
    const [one] = (await fresh.devices?.list(user)) ?? []
    expect(await fresh.devices?.remove(user, one?.id ?? '')).toBe(true)
    clock.advance({ seconds: 30 })
    expect(await old.verify(user, codeOf(secret))).toBe(false)
    expect(await old.verify(user, codeOf(pixel))).toBe(true)
    expect(await fresh.verify(user, codeOf(pixel))).toBe(false)
  })
})

describe('the devices of a user', () => {
  it('exist only for a store that keeps them', () => {
    const database = openHandle(':memory:')
    expect(bind(sqliteFactors(database)).devices).toBeUndefined()
    expect(bind(sqliteFactors(database, { devices: true })).devices).toBeDefined()
  })

  it('need rows of their own, as another system leaves them in the table of users', () => {
    const options = { table: 'users', inUsersTable: true, devices: true } as const
    expect(() => sqliteFactors(openHandle(':memory:'), options)).toThrow(
      'sqliteFactors: devices: leave out inUsersTable',
    )
    const model = { table: {}, operators: {}, inUsersTable: true, devices: true } as never
    expect(() => drizzleFactors({} as never, model)).toThrow('drizzleFactors: devices')
  })

  it('tell when they were added and last used', async () => {
    const stage = await openStage(open)
    const { first, clock: time, codeFor } = stage
    const start = time.now()
    await enabled(stage)
    const secret = await add(stage)
    time.advance({ seconds: 3600 })
    await first.verify(user, codeFor(secret))
    const listed = (await first.devices?.list(user)) ?? []
    expect(listed.map(({ addedAt }) => addedAt?.getTime())).toEqual([start, start + 60_000])
    const [one, other] = listed.map(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0)
    expect(Math.abs((one ?? 0) - start)).toBeLessThanOrEqual(30_000)
    expect(Math.abs((other ?? 0) - time.now())).toBeLessThanOrEqual(30_000)
    expect(other).toBeLessThanOrEqual(time.now())
  })

  it('are not locked out by one whose key was removed while nobody used it', async () => {
    const stage = await openStage(open)
    const old = stage.bind({ keys: ['the key of the tests before it was replaced by another'] })
    const secret = await old.newSecret()
    await old.verifySetup(secret, stage.codeFor(secret))
    await old.enable(user, secret)
    stage.advance(60)
    const pixel = await add(stage)
    expect(await stage.first.verify(user, stage.codeFor(pixel))).toBe(true)
    await expect(async () => stage.first.verify(user, stage.codeFor(secret))).rejects.toThrow(
      'u1 does not open',
    )
    const [drawer] = (await stage.first.devices?.list(user)) ?? []
    expect(await stage.first.devices?.remove(user, drawer?.id ?? '')).toBe(true)
    stage.advance(30)
    expect(await stage.first.verify(user, stage.codeFor(pixel))).toBe(true)
    expect(await stage.first.verify(user, stage.codeFor(secret))).toBe(false)
  })

  it('are sealed again one by one, each with its next code', async () => {
    const stage = await openStage(open)
    const old = 'the key of the tests before it was replaced by another'
    const halfway = stage.bind({ keys: [KEY, old] })
    const before = stage.bind({ keys: [old] })
    await enabled({ ...stage, first: before })
    const secret = await add({ ...stage, first: before })
    expect(await halfway.verify(user, stage.codeFor(secret))).toBe(true)
    stage.advance(30)
    expect(await stage.first.verify(user, stage.codeFor(secret))).toBe(true)
  })

  it('are an error, and admit nobody, where the stored text was damaged', async () => {
    const stage = await openStage(open)
    const { secret } = await enabled(stage)
    for (const damaged of ['', '[]', '{}', 'null', '[{"id":1}]', '[{"id":"x"}, {}]']) {
      await stage.host.run(`update svc_two_factor set devices = '${damaged}'`)
      await expect(async () => stage.first.verify(user, stage.codeFor(secret))).rejects.toThrow(
        'the stored devices of the user u1 are not a list of devices',
      )
    }
  })
})

describe('the name of a device that the character set lacks', () => {
  it.each<readonly [string, () => Promise<FactorStore>]>([
    [
      'a database of PostgreSQL',
      async () => {
        const url = new URL(await emptyPostgres())
        url.search = ''
        const name = `latin_${randomUUID().slice(0, 8)}`
        await admin(
          url.href,
          `create database ${name} encoding latin1 locale 'C' template template0`,
        )
        url.pathname = name
        const pool = postgresPool(url.href)
        return postgresFactors(pool, { devices: true })
      },
    ],
    [
      'the connections to MySQL',
      async () => {
        const pool = mysqlPool(await emptyMysql(), { charset: 'latin1' })
        return mysqlFactors(pool, { devices: true })
      },
    ],
  ])('is kept as it was given: %s', async (_place, openFactors) => {
    const binding = bind(await openFactors())
    await binding.enable(user, await binding.newSecret())
    for (const name of ['هاتفي', 'Pixel \u{1f4f1}'])
      expect(await binding.devices?.add(user, { secret: await binding.newSecret(), name })).toBe(
        true,
      )
    const names = (await binding.devices?.list(user))?.map(({ name }) => name)
    expect(names).toEqual([null, 'هاتفي', 'Pixel \u{1f4f1}'])
  })
})
