import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeClock, type FakeUser } from '@svc/auth/testing'
import { openSqlite } from '@svc/auth/sqlite'
import { postgresFactors, sqliteFactors, totp, type FactorStore } from '@svc/auth/totp'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryFolder } from '../support/panel.ts'
import { emptyPostgres, postgresPool } from '../support/postgres.ts'
import { confirm, owingCode, sendCode, setUp } from '../support/second-factor.ts'
import { loggedIn } from '../support/logins.ts'
import { startService } from '../support/service.ts'
import { factorKinds, type OpenHost } from './factor-kinds.ts'
import { enabled, KEY, openStage } from './factor-stage.ts'

const NEW_KEY = 'the key of the tests that takes the place of the other'

const postgres = hostOf('pg')
const drizzle = hostOf('Drizzle and pg')

describe('codes that two processes use at once', () => {
  it.each([
    ['SQLite', openFile],
    ['PostgreSQL', openServer],
  ])('are accepted once between them, on %s', async (_kind, open) => {
    const { address, factors } = await open()
    const clock = fakeClock()
    const binding = totp<Person>({ issuer: 'Acme Panel', factors, keys: [KEY], clock })
    const secret = await binding.newSecret()
    const codeFor = () => new TOTP({ secret }).generate({ timestamp: clock.now() })
    await binding.verifySetup(secret, codeFor())
    const recovery = await binding.enable(person, secret)
    clock.advance({ seconds: 60 })
    const codes = [codeFor(), ...recovery]
    const verifiers = await Promise.all([1, 2].map(async () => start(address, clock.now())))
    const accepted = await Promise.all(
      verifiers.map(async (child) => {
        child.send({ person, codes, times: 20 })
        const [list] = await once(child, 'message')
        return list as readonly string[]
      }),
    )
    expect(accepted.flat()).toHaveLength(codes.length)
    expect(new Set(accepted.flat())).toEqual(new Set(codes))
  })
})

describe('a table that was restored from a backup', () => {
  it('brings no used time code back, and only recovery codes that were used since', async () => {
    const stage = await openStage(postgres)
    const { host, first, user, codeFor, advance } = stage
    const { secret, recovery } = await enabled(stage)
    await host.run('create table backup as select * from svc_two_factor')
    const used = codeFor(secret)
    expect(await first.verify(user, used)).toBe(true)
    expect(await first.verify(user, recovery[0] ?? '')).toBe(true)
    advance(90)
    await host.run('delete from svc_two_factor')
    await host.run('insert into svc_two_factor select * from backup')
    expect(await first.verify(user, used)).toBe(false)
    expect(await first.recoveryCodesLeft?.(user)).toBe(10)
    expect(await first.verify(user, codeFor(secret))).toBe(true)
  })

  it.each([
    ['accepts a time code that was used since once more while it is valid', 30, true],
    ['accepts no time code that was used since once it has expired', 60, false],
  ])('%s: %i seconds later', async (_name, seconds, isAccepted) => {
    const stage = await openStage(postgres)
    const { host, first, second, user, codeFor, advance } = stage
    const { secret } = await enabled(stage)
    await host.run('create table backup as select * from svc_two_factor')
    const used = codeFor(secret)
    expect(await first.verify(user, used)).toBe(true)
    await host.run('delete from svc_two_factor')
    await host.run('insert into svc_two_factor select * from backup')
    advance(seconds)
    expect(await second.verify(user, used)).toBe(isAccepted)
    expect(await first.verify(user, used)).toBe(false)
  })
})

describe('keys that are rotated half-way', () => {
  it('leave a node that lacks the new key without its secrets: it admits nobody, and uses up no code', async () => {
    const stage = await openStage(postgres)
    const { first, second, user, codeFor, advance, bind } = stage
    const { secret, recovery } = await enabled(stage)
    const rotated = bind({ keys: [NEW_KEY, KEY] })
    expect(await rotated.verify(user, codeFor(secret))).toBe(true)
    advance(30)
    const code = codeFor(secret)
    for (const behind of [first, second])
      await expect(async () => behind.verify(user, code)).rejects.toThrow('u1 does not open')
    expect(await rotated.verify(user, code)).toBe(true)
    // Recovery codes need no key.
    expect(await first.verify(user, recovery[0] ?? '')).toBe(true)
  })

  it('open on every node where all nodes have the new key before one seals by it', async () => {
    const stage = await openStage(postgres)
    const { user, codeFor, advance, bind } = stage
    const { secret } = await enabled(stage)
    const [before, after] = [bind({ keys: [KEY, NEW_KEY] }), bind({ keys: [NEW_KEY, KEY] })]
    const finished = bind({ keys: [NEW_KEY] })
    for (const node of [before, after, before, after, finished]) {
      expect(await node.verify(user, codeFor(secret))).toBe(true)
      advance(30)
    }
  })
})

describe('a service with totp', () => {
  it('accepts the code of the set-up once, and no more than ten guesses a minute', async () => {
    const { host, clock } = await openStage(postgres)
    const twoFactor = totp<FakeUser>({ issuer: 'X', factors: host.first, keys: [KEY], clock })
    const service = await startService({ twoFactor, clock })
    const browser = await loggedIn(service, 'u1@x.test')
    const secret = await setUp(browser)
    const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
    const wrong = code === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 9; guess += 1)
      expect((await confirm(browser, wrong)).status).toBe(422)
    expect((await confirm(browser, code)).status).toBe(200)
    expect((await confirm(browser, wrong)).status).toBe(429)
    const other = await owingCode(service, { email: 'u1@x.test' })
    expect((await sendCode(other, code)).status).toBe(422)
    clock.advance({ seconds: 30 })
    const next = new TOTP({ secret }).generate({ timestamp: clock.now() })
    expect((await sendCode(other, next)).status).toBe(204)
  })

  it.each([
    ['pg', postgres],
    ['Drizzle and pg', drizzle],
  ])('logs no secret and no code when a statement fails: %s', async (_kind, open) => {
    const { host, clock } = await openStage(open)
    // Another system stores its secrets in plain text, and the driver repeats them in its errors.
    const plain = { read: (stored: string) => stored, write: (secret: string) => secret }
    const factors: FactorStore = { ...host.first, secrets: plain }
    const twoFactor = totp<FakeUser>({ issuer: 'X', factors, keys: [KEY], clock })
    const secret = await twoFactor.newSecret()
    const [recovery = ''] = await twoFactor.enable({ ...person, name: null } as FakeUser, secret)
    await host.run(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused: % %', old.secret, new.recovery_codes; end $$`)
    await host.run(`create trigger refuse before update on svc_two_factor
      for each row execute function refuse()`)
    const service = await startService({ twoFactor, clock })
    clock.advance({ seconds: 60 })
    const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
    const browser = await owingCode(service, { email: 'u1@x.test' })
    for (const typed of [code, recovery]) expect((await sendCode(browser, typed)).status).toBe(503)
    const [row] = await host.run('select recovery_codes as codes from svc_two_factor')
    const hashes = JSON.parse(Object(row).codes) as readonly string[]
    expect(hashes).toHaveLength(10)
    const log = inspect(service.log, { depth: 20, showHidden: true })
    expect(log).toContain('P0001')
    for (const value of [secret, code, recovery, ...hashes]) expect(log).not.toContain(value)
  })
})

function hostOf(wanted: string): OpenHost {
  const [, open] = factorKinds.find(([name]) => name === wanted) ?? []
  if (open === undefined) throw new Error(`there is no kind ${wanted}`)
  return open
}

interface Person {
  readonly id: string
  readonly email: string
}
const person: Person = { id: 'u1', email: 'ada@example.com' }

async function openFile(): Promise<{ address: string; factors: FactorStore }> {
  const address = join(temporaryFolder(), 'panel.db')
  const database = closedAfterTest(openSqlite(address))
  return { address, factors: sqliteFactors(database) }
}

async function openServer(): Promise<{ address: string; factors: FactorStore }> {
  const address = await emptyPostgres()
  const pool = postgresPool(address)
  return { address, factors: postgresFactors(pool) }
}

async function start(address: string, now: number) {
  const script = fileURLToPath(new URL('verifier.mjs', import.meta.url))
  const child = fork(script, [address, KEY, String(now)])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}
