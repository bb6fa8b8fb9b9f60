import { TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { fakeClock, type FakeUser } from '@svc/auth/testing'
import {
  postgresFactors,
  sqliteFactors,
  totp,
  type FactorUser,
  type TotpOptions,
} from '@svc/auth/totp'
import { sqliteUsers } from '@svc/auth/users'
import { complaint } from '../config/start.ts'
import { PASSWORD, type Sending } from '../support/browser.ts'
import { CONFIRM, LOGIN, SETUP } from '../support/paths.ts'
import { admin, postgresPool, postgresWithRole } from '../support/postgres.ts'
import { startService, twoTenants, type TestService } from '../support/service.ts'
import { openHandle } from '../support/sqlite.ts'
import { KEY } from './factor-stage.ts'

type Options<User> = Partial<TotpOptions<User>>

function bind<User extends object>(options: Options<User> = {}) {
  const factors = sqliteFactors(openHandle(':memory:'))
  return totp<User>({ issuer: 'Acme', factors, keys: [KEY], ...options })
}

const byTenant = ({ id, tenant, email }: FakeUser) => ({ id: `${tenant}/${id}`, email })

/** Starts a service with two tenants, each with a user u1, and logs in. */
async function startTenants(options: Options<FakeUser>) {
  const { changes, at } = twoTenants()
  const clock = fakeClock()
  const twoFactor = bind<FakeUser>({ clock, ...options })
  const service = await startService({ ...changes, twoFactor, clock })
  return { ...service, at, logIn: async (tenant: 'acme' | 'zeta') => logInTo(service, at(tenant)) }
}

async function logInTo({ browser: open }: TestService, sending: Sending = {}) {
  const browser = open()
  await browser.get('/svc/api/csrf-cookie', sending)
  const credentials = { email: 'u1@x.test', password: PASSWORD }
  return { browser, answer: await browser.post(LOGIN, credentials, sending) }
}

/** Returns the errors in the log. */
function errorsIn({ log }: Pick<TestService, 'log'>): readonly string[] {
  return log.map(({ fields }) => String(Reflect.get(fields, 'err')))
}

describe('totp, for users of tenants whose ids may be the same', () => {
  it('shares no second factor between two of them', async () => {
    const { logIn, at, clock } = await startTenants({ identify: byTenant })
    const { browser } = await logIn('acme')
    const { secret } = (await browser.post(SETUP, undefined, at('acme'))).json
    const code = codeAt(clock, secret)
    expect((await browser.post(CONFIRM, { code }, at('acme'))).status).toBe(200)
    expect((await logIn('acme')).answer.json).toMatchObject({ two_factor: true })
    expect((await logIn('zeta')).answer.json).toEqual({ two_factor: false })
  })

  it('lets nobody in without `identify`, and the log says so', async () => {
    const service = await startTenants({})
    for (const tenant of ['acme', 'zeta'] as const)
      expect((await service.logIn(tenant)).answer.status).toBe(503)
    expect(errorsIn(service)).toContainEqual(expect.stringContaining('give `identify`'))
  })

  it('does not start without `identify` where the users are those of a table', () => {
    const columns = { id: 'id', email: 'email', passwordHash: 'password' } as const
    const usersWith = (more: object) =>
      sqliteUsers(openHandle(':memory:'), { table: 'users', columns: { ...columns, ...more } })
    const users = usersWith({ tenant: 'tenant' })
    expect(complaint({ users, twoFactor: bind() })).toMatch(/^twoFactor: .*give `identify`/)
    expect(complaint({ users: { ...users }, twoFactor: { ...bind() } })).toMatch(/^twoFactor: /)
    expect(complaint({ users, twoFactor: bind({ identify: byTenant }) })).toBe('started')
    expect(complaint({ users: usersWith({}), twoFactor: bind() })).toBe('started')
  })
})

describe('the columns of second factors, which are undefined', () => {
  const columns = { userId: 'id', secret: 's', recoveryCodes: 'codes', lastStep: 'step' } as const

  it('are refused together', () => {
    const options: object = { columns: undefined }
    expect(() => sqliteFactors(openHandle(':memory:'), options)).toThrow(
      'sqliteFactors: columns.userId: is missing',
    )
  })

  it('are refused one by one', () => {
    const confirmed = { columns: { ...columns, confirmedAt: undefined } } as object
    expect(() => sqliteFactors(openHandle(':memory:'), confirmed)).toThrow(
      'sqliteFactors: columns.confirmedAt: is undefined',
    )
  })
})

const una = { id: 'u1', tenant: 'acme', email: 'u1@x.test' } as FakeUser

describe('totp, for a user who was removed', () => {
  const other = { ...una, tenant: 'zeta' }

  it('erases the second factor of the tenant, and no other', async () => {
    const twoFactor = bind<FakeUser>({ identify: byTenant })
    for (const user of [una, other]) await twoFactor.enable(user, await twoFactor.newSecret())
    await twoFactor.erase?.('u1', 'acme')
    expect(await twoFactor.isEnabledFor(una)).toBe(false)
    expect(await twoFactor.isEnabledFor(other)).toBe(true)
  })

  it.each<[string, (user: FakeUser) => FactorUser]>([
    ['reads what is not known', (user) => ({ id: Reflect.get(user, 'uuid'), email: '' })],
    ['throws', ({ name }) => ({ id: name?.length ?? fail(), email: '' })],
  ])('takes the id where `identify` %s', async (_what, identify) => {
    const factors = sqliteFactors(openHandle(':memory:'))
    const [plain, twoFactor] = [bind<FakeUser>({ factors }), bind<FakeUser>({ factors, identify })]
    const user = { ...una, tenant: null }
    await plain.enable(user, await plain.newSecret())
    await twoFactor.erase?.('u1', null)
    expect(await plain.isEnabledFor(user)).toBe(false)
  })
})

function fail(): never {
  throw new Error('the user has no name')
}

describe('totp, with a store that returns undefined', () => {
  it('is an outage for each login, and the log says why', async () => {
    const factors = { ...sqliteFactors(openHandle(':memory:')), read: () => undefined as never }
    const service = await startService({ twoFactor: bind<FakeUser>({ factors }) })
    const { answer } = await logInTo(service)
    expect(answer.status).toBe(503)
    expect(errorsIn(service)).toContainEqual(expect.stringContaining('got undefined'))
  })
})

it('totp adds no device for a user with recovery codes only', async () => {
  const read = () => ({ secret: null, recoveryCodes: '[]', devices: null })
  const factors = { ...sqliteFactors(openHandle(':memory:')), read, replaceDevices: () => true }
  const added = await bind<FakeUser>({ factors }).devices?.add(
    { ...una, tenant: null },
    { secret: SECRET, name: 'A' },
  )
  expect(added).toBe(false)
})

describe('totp, with a store whose writes return another value than true', () => {
  it('accepts no code, and enables nothing', async () => {
    const [clock, store] = [fakeClock(), sqliteFactors(openHandle(':memory:'), { devices: true })]
    const counting =
      (name: 'useStep' | 'replaceRecoveryCodes' | 'replaceDevices' | 'enable') =>
      async (...values: unknown[]) =>
        Number(await Reflect.apply(store[name] as () => unknown, store, values)) as never
    const strict = bind<FakeUser>({ factors: store, clock })
    const [user, secret, other] = [{ ...una, tenant: null }, await strict.newSecret(), SECRET]
    const [recoveryCode = ''] = await strict.enable(user, secret)
    await strict.devices?.add(user, { secret: other, name: 'Tablet' })
    clock.advance({ minutes: 5 })
    const factors = {
      ...store,
      useStep: counting('useStep'),
      replaceRecoveryCodes: counting('replaceRecoveryCodes'),
      replaceDevices: counting('replaceDevices'),
      enable: counting('enable'),
    }
    const loose = bind<FakeUser>({ factors, clock })
    const codes = [secret, other].map((of) => codeAt(clock, of))
    for (const code of [...codes, recoveryCode]) expect(await loose.verify(user, code)).toBe(false)
    expect(await loose.devices?.add(user, { secret: other, name: 'Phone' })).toBe(false)
    await expect(loose.enable({ ...user, id: 'u2' }, secret)).rejects.toThrow('enabled already')
  })
})

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

function codeAt(clock: ReturnType<typeof fakeClock>, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: clock.now() })
}

it('a hidden second factor lets nobody in, and the log says why', async () => {
  const { owner, url } = await postgresWithRole()
  const pool = postgresPool(url)
  await admin(
    owner,
    `CREATE TABLE svc_two_factor (
       user_id text PRIMARY KEY, secret text NOT NULL, recovery_codes text NOT NULL, last_step bigint);
     GRANT ALL ON svc_two_factor TO PUBLIC; ALTER TABLE svc_two_factor ENABLE ROW LEVEL SECURITY;
     CREATE POLICY everything ON svc_two_factor USING (TRUE)`,
  )
  const twoFactor = bind<FakeUser>({ factors: postgresFactors(pool, { migrate: false }) })
  const service = await startService({ twoFactor })
  await twoFactor.enable({ ...una, tenant: null }, await twoFactor.newSecret())
  expect((await logInTo(service)).answer.json).toMatchObject({ two_factor: true })
  await admin(owner, 'DROP POLICY everything ON svc_two_factor')
  expect((await logInTo(service)).answer.status).toBe(503)
  expect(errorsIn(service)).toContainEqual(expect.stringContaining('row level security'))
})
