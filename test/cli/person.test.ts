import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { TOTP } from 'otpauth'
import { describe, expect, inject, it } from 'vitest'
import { mysqlStores } from '@svc/auth/mysql'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores } from '@svc/auth/redis'
import { openSqlite, sqliteStores } from '@svc/auth/sqlite'
import { fakeClock, fakeUsers, outbox, type FakeUser } from '@svc/auth/testing'
import { mysqlFactors, postgresFactors, sqliteFactors, totp } from '@svc/auth/totp'
import type { FactorStore } from '@svc/auth/totp'
import type { Stores } from '@svc/auth'
import { FIREFOX, logInAs } from '../support/activity.ts'
import { closedAfterTest, endedAfterTest } from '../support/after-test.ts'
import { PASSWORD } from '../support/browser.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { UNRATIONED } from '../support/logins.ts'
import { actAs, startImpersonation } from '../support/open-session.ts'
import { emptyMysql, mysqlAdmin, mysqlPool } from '../support/mysql.ts'
import { closed, forget, startPasswords } from '../support/passwords.ts'
import { CODE_STEP, LOGIN, USER } from '../support/paths.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { passwordHash, startService, type TestService } from '../support/service.ts'
import { openHandle } from '../support/sqlite.ts'
import { svcHere } from '../support/svc-here.ts'
import type { Ran } from '../support/svc.ts'
import { BOUND } from '../support/trusted-devices.ts'
import { configOf } from './command.ts'

const HOST = configOf('person-host.mjs')
const KEY = 'test-key-test-key-test-key-0123456789'

/** Texts by which rows about the person would be found. */
const ID = 'person-7f3a61'
const EMAIL = 'marked.person@x.test'
const MARKER = 'marker-of-an-entry'
const NAMES = [ID, EMAIL, MARKER] as const

const person = { id: ID, email: EMAIL, name: 'Mara Keller', passwordHash }
const other = { id: 'other-1', email: 'other@x.test', name: 'Other', passwordHash }

interface Place {
  readonly stores: Stores
  readonly factors: FactorStore
  /** Returns everything that is stored, as text. */
  readonly dump: () => Promise<string>
  readonly env: Readonly<Record<string, string>>
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  SQLite: openSqlitePlace,
  async PostgreSQL() {
    const url = await emptyPostgres()
    const database = endedAfterTest(await openPostgres(url))
    const stores = await postgresStores(database.pool)
    const factors = postgresFactors(database)
    const env = { KIND: 'postgres', PLACE: url }
    return { stores, factors, dump: async () => dumpPostgres(url), env }
  },
  async MySQL() {
    const url = await emptyMysql()
    const pool = mysqlPool(url)
    async function dump(): Promise<string> {
      const tables = (await mysqlAdmin(url, 'SHOW TABLES')).flat()
      const all = tables.map(async (table) => mysqlAdmin(url, `SELECT * FROM ${String(table)}`))
      const rows = (await Promise.all(all)).flat(2)
      return rows.map((value) => (value instanceof Buffer ? value.toString() : value)).join('\n')
    }
    const env = { KIND: 'mysql', PLACE: url }
    return { stores: await mysqlStores(pool), factors: mysqlFactors(pool), dump, env }
  },
  async 'PostgreSQL and Redis'() {
    const url = await emptyPostgres()
    const database = endedAfterTest(await openPostgres(url))
    const [redis, prefix] = [inject('redisUrl'), `person-${randomUUID()}:`]
    return {
      stores: await openRedisStores(redis, await postgresStores(database.pool), { prefix }),
      factors: postgresFactors(database),
      dump: async () => `${await dumpPostgres(url)}${await dumpRedis(redis, prefix)}`,
      env: { KIND: 'postgres', PLACE: url, REDIS: redis, PREFIX: prefix },
    }
  },
}

async function openSqlitePlace(): Promise<Place> {
  const file = temporaryDatabase()
  const database = closedAfterTest(openSqlite(file))
  async function dump(): Promise<string> {
    const handle = openHandle(file)
    const tables = handle.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
    const rows = tables.map((table) =>
      handle.prepare(`SELECT * FROM "${String(Object(table).name)}"`).all(),
    )
    handle.close()
    return JSON.stringify(rows)
  }
  const stores = sqliteStores(database)
  const factors = sqliteFactors(database)
  return { stores, factors, dump, env: { KIND: 'sqlite', PLACE: file } }
}

async function dumpPostgres(url: string): Promise<string> {
  const tables = await admin(
    url,
    `SELECT tablename FROM pg_tables WHERE schemaname = current_schema`,
  )
  const all = tables.flat().map(async (table) => admin(url, `SELECT * FROM "${String(table)}"`))
  return JSON.stringify(await Promise.all(all))
}

async function dumpRedis(url: string, prefix: string): Promise<string> {
  const client = new Redis(url)
  const found: string[] = []
  for (const key of await client.keys(`${prefix}*`)) {
    const kind = await client.type(key)
    const value = {
      hash: async () => client.hgetall(key),
      zset: async () => client.zrange(key, '0', '-1'),
      string: async () => client.get(key),
    }[kind]
    found.push(key, JSON.stringify(await value?.()))
  }
  client.disconnect()
  return found.join('\n')
}

/** Starts a service of which the person and another one have used every part. */
async function used(place: Place) {
  // The commands have the time of the machine.
  const clock = fakeClock(Date.now() - 300_000)
  const { stores, factors } = place
  const users = fakeUsers([person, other])
  const twoFactor = totp<FakeUser>({ issuer: 'Acme', factors, keys: [KEY], clock })
  const service = await startService({
    stores,
    users,
    clock,
    twoFactor,
    activity: true,
    sessions: BOUND,
    passwords: {},
    mailer: outbox(),
    config: { limits: UNRATIONED },
  })
  for (const { id } of [person, other]) {
    const user = await users.findById(id, null)
    if (user === null) throw new Error(`there is no ${id}`)
    const mistaken = service.browser()
    await mistaken.get('/svc/api/csrf-cookie')
    await logInAs(mistaken, FIREFOX.header, { email: user.email, password: 'wrong' })
    await logIn(service, user)
    const secret = await twoFactor.newSecret()
    await twoFactor.enable(user, secret)
    clock.advance({ seconds: 90 })
    await trust(service, user, new TOTP({ secret }).generate({ timestamp: clock.now() }))
    // A login that waits for its code.
    await service.browser().logIn(user.email)
    await service.auth.notify(user, {
      type: 'export',
      via: () => ['database'],
      toDatabase: () => ({ title: MARKER, url: `/people/${user.id}` }),
    })
  }
  const browser = await logInTrusted(service, person)
  // The notices of logins at new places are stored after the answers.
  for (const [userId, sent] of [
    [ID, 3],
    [other.id, 2],
  ] as const)
    await expect
      .poll(async () => stores.notifications.unreadCount({ tenant: null, userId }))
      .toBe(sent)
  await service.auth.activityOf(ID)
  return { service, browser }
}

async function logIn(service: TestService, { email }: { readonly email: string }): Promise<void> {
  const browser = service.browser()
  await browser.get('/svc/api/csrf-cookie')
  expect((await browser.post(LOGIN, { email, password: PASSWORD, remember: true })).status).toBe(
    200,
  )
}

const trusted = new Map<string, string | null>()

async function trust(
  service: TestService,
  { email }: { readonly email: string },
  code: string,
): Promise<void> {
  const browser = service.browser()
  await browser.logIn(email)
  const { status } = await browser.post(CODE_STEP, { code, trust_device: true })
  expect(status).toBe(204)
  trusted.set(email, browser.cookie('svc_trusted'))
}

async function logInTrusted(service: TestService, { email }: { readonly email: string }) {
  const browser = service.browser()
  browser.setCookie('svc_trusted', trusted.get(email) ?? null)
  expect((await browser.logIn(email)).json.two_factor).not.toBe(true)
  return browser
}

async function run({ env }: Place, args: readonly string[], users = [person, other]): Promise<Ran> {
  return svcHere(['--config', HOST, '--json', 'user', ...args], {
    env: { APP_KEY: KEY, USERS: JSON.stringify(users), ...env },
  })
}

describe.each(Object.entries(places))('a person on %s', { timeout: 60_000 }, (_name, open) => {
  it('is exported as one document that has no secret, and erased on every node', async () => {
    const place = await open()
    const { service, browser } = await used(place)
    expect((await browser.get(USER)).status).toBe(200)

    const exported = await run(place, ['export', '--email', EMAIL])
    expect(exported).toMatchObject({ code: 0 })
    const json = JSON.parse(exported.stdout)
    expect(json).toMatchObject({
      user: { id: ID, email: EMAIL, name: 'Mara Keller', found: true },
      two_factor: { enabled: true, recovery_codes_left: 10 },
      notifications: {
        entries: expect.arrayContaining([expect.objectContaining({ title: MARKER })]),
      },
      activity: expect.arrayContaining([
        expect.objectContaining({ event: 'failed', browser: 'Firefox' }),
        expect.objectContaining({ event: 'login' }),
      ]),
    })
    expect(json.sessions.length).toBeGreaterThanOrEqual(2)
    expect(json.trusted_devices).toHaveLength(1)
    const stored = await place.dump()
    expectNoSecret(exported.stdout, [
      passwordHash,
      String(browser.cookie('svc_session')),
      String(trusted.get(EMAIL)),
      // The stores keep these as keys and sealed texts.
      ...(stored.match(/[\w-]{43}/g) ?? []),
    ])

    const unconfirmed = await run(place, ['erase', '--email', EMAIL])
    expect(unconfirmed).toMatchObject({ code: 2 })
    expect((await browser.get(USER)).status).toBe(200)

    const erased = await run(place, ['erase', '--email', EMAIL, '--with-user', '--yes'])
    expect(erased).toMatchObject({ code: 0 })
    expect(JSON.parse(erased.stdout)).toMatchObject({ id: ID, userRemoved: true })
    expect(erased.stderr).toContain(`removed ${ID}`)
    expect((await browser.get(USER)).status).toBe(401)
    await service.auth.activityOf(ID)
    const left = await place.dump()
    for (const name of [ID, EMAIL]) expect(left).not.toContain(name)
    // Nothing of anybody else.
    expect(left.split(MARKER)).toHaveLength(2)
    expect(left).toContain('other-1')
  })

  it('leaves its numbers in the sizes of the tables', async () => {
    const place = await open()
    await place.stores.activity?.add(
      { tenant: null, userId: ID },
      { event: 'login', at: 1, network: null, browser: null, system: null },
      5,
    )
    const { stdout, code } = await svcHere(['--config', HOST, '--json', 'store', 'size'], {
      env: { APP_KEY: KEY, USERS: '[]', ...place.env },
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).sizes).toContainEqual({
      name: 'svc_activity',
      records: 1,
      bytes: expect.any(Number),
      oldest: '1970-01-01T00:00:00Z',
      due: 1,
    })
  })
})

describe('a person', { timeout: 60_000 }, () => {
  it('is erased again without a fault, and by the id of a user whose row is gone', async () => {
    const place = await openSqlitePlace()
    const { browser } = await used(place)
    const gone = [other]
    expect(await run(place, ['erase', '--email', EMAIL, '--yes'], gone)).toMatchObject({ code: 1 })
    const exported = await run(place, ['export', '--id', ID], gone)
    expect(JSON.parse(exported.stdout)).toMatchObject({ user: { found: false }, two_factor: null })
    for (const time of ['first', 'second']) {
      const { stdout, code } = await run(place, ['erase', '--id', ID, '--yes'], gone)
      expect(code, time).toBe(0)
      const { notifications } = JSON.parse(stdout)
      expect(notifications > 0).toBe(time === 'first')
    }
    expect((await browser.get(USER)).status).toBe(401)
    for (const name of NAMES.slice(0, 2)) expect(await place.dump()).not.toContain(name)
  })

  it('keeps the second factor when the command lacks the tenant', async () => {
    const place = await openSqlitePlace()
    const twoFactor = totp<FakeUser>({ issuer: 'Acme', factors: place.factors, keys: [KEY] })
    const [named, user] = [{ ...person, tenant: 'acme' }, person as FakeUser]
    await twoFactor.enable(user, await twoFactor.newSecret())
    for (const wrong of [[], ['--tenant', 'ACME']]) {
      const refused = await run(place, ['erase', '--id', ID, '--yes', ...wrong], [named])
      expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('--tenant') })
      expect(await twoFactor.isEnabledFor(user)).toBe(true)
    }
    const args = ['erase', '--id', ID, '--yes', '--tenant', 'acme']
    expect((await run(place, args, [named])).code).toBe(0)
    expect(await twoFactor.isEnabledFor(user)).toBe(false)
  })

  it('has no second factor left that the host keeps by another id', async () => {
    const place = await openSqlitePlace()
    const twoFactor = totp<FakeUser>({ issuer: 'Acme', factors: place.factors, keys: [KEY] })
    const named = { ...person, id: `acme/${ID}` } as FakeUser
    await twoFactor.enable(named, await twoFactor.newSecret())
    const env = { ...place.env, FACTOR_OF: 'acme/' }
    expect((await run({ ...place, env }, ['erase', '--id', ID, '--yes'])).code).toBe(0)
    expect(await twoFactor.isEnabledFor(named)).toBe(false)
  })

  it('is erased while somebody acts as them, and nothing is stored about its end', async () => {
    const place = await openSqlitePlace()
    const [users, clock] = [fakeUsers([person, other]), fakeClock(Date.now())]
    const service = await startImpersonation({ stores: place.stores, users, clock, activity: true })
    const browser = service.browser()
    await browser.logIn(other.email)
    expect(await actAs(service, browser, ID, other.id)).toMatchObject({ outcome: 'opened' })
    await service.auth.activityOf(ID)
    expect((await run(place, ['erase', '--id', ID, '--yes'])).code).toBe(0)
    expect((await browser.get(USER)).status).toBe(401)
    expect(await place.dump()).not.toContain(ID)
  })

  it('keeps the row of the host without --with-user', async () => {
    const place = await openSqlitePlace()
    const erased = await run(place, ['erase', '--id', ID, '--yes'])
    expect(JSON.parse(erased.stdout)).toMatchObject({ userRemoved: false })
    expect(erased.stderr).not.toContain('removed')
  })

  it('has no count left that was made by another spelling of the email', async () => {
    const place = await openSqlitePlace()
    const zoe = { ...person, email: 'Zoë@Bücher.test' }
    const users = fakeUsers([zoe])
    const byEmail = { ...users, findByEmail: async () => users.findById(ID, null) }
    const service = await startPasswords({ stores: place.stores, users: byEmail })
    // As many as there are mails: a further one could still run while the counts are erased.
    for (let made = 0; made < 5; made += 1) await forget(service, 'zoë@bücher.test')
    await expect.poll(() => service.mailer.sent.length).toBe(5)
    expect((await run(place, ['erase', '--id', ID, '--yes'], [zoe])).code).toBe(0)
    await forget(service, 'ZOË@bücher.test')
    expect((await closed(service)).mailer.sent).toHaveLength(6)
  })
})

function expectNoSecret(text: string, secrets: readonly string[]): void {
  expect(secrets.length).toBeGreaterThan(5)
  for (const secret of secrets) expect(text).not.toContain(secret)
}
