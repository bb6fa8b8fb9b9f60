import type { AttemptStore, Middleware, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { sqliteStores } from '@svc/auth/sqlite'
import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Answer } from '../support/browser.ts'
import { storesOfTwoNodes, temporaryDatabase } from '../support/databases.ts'
import {
  attempt,
  barrier,
  countHashes,
  FAILED,
  INVALID,
  LIMITED,
  LOGIN,
  THROTTLED,
  times,
  UNAVAILABLE,
  UNRATIONED,
  verdict,
  visitor,
  wrongLogins,
} from '../support/logins.ts'
import { passwordHash, somePeople, startService, type TestService } from '../support/service.ts'

const DAY = 24 * 60 * 60

describe('Limits: failed logins', () => {
  it('THR-01, THR-24: checks attempts 1 to 5, throttles 6 to 10, and leaves the rest to the route limit', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const expected = [...times(5, FAILED), ...times(5, THROTTLED), ...times(2, LIMITED)]
    expect(await wrongLogins(una, 12)).toEqual(expected)
    expect(checked()).toBe(5)
  })

  it('THR-02: refuses the right password too while the lockout lasts', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 5)
    const checked = countHashes()
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(checked()).toBe(0)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
  })

  it('accepts the right password as the fifth attempt and starts anew after it', async () => {
    const service = await startService()
    const una = await visitor(service)
    expect(await wrongLogins(una, 4)).toEqual(times(4, FAILED))
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(una, 5)).toEqual(times(5, FAILED))
  })

  it('THR-22: says truly how long the lockout lasts: 60 seconds from the first failure', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 1)
    service.clock.advance({ seconds: 49, ms: 1 })
    await wrongLogins(una, 4)
    const refused = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(refused.json).toMatchObject({ key: 'svc::auth.throttle', retry_after: 11 })
    expect(refused.json.errors).toEqual({ email: [refused.json.message] })
    expect(refused.json.message).toContain('11 seconds')
    expect(refused.headers['retry-after']).toBe('11')
    service.clock.advance({ seconds: 10, ms: 998 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    service.clock.advance({ ms: 1 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('THR-23: is not extended by attempts that are refused', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    const una = await visitor(service)
    await wrongLogins(una, 5)
    for (let second = 0; second < 60; second += 5) {
      expect(await attempt(una, 'u1@x.test')).toBe(THROTTLED)
      service.clock.advance({ seconds: 5 })
    }
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('is another number where the host says so', async () => {
    const limits = { 'login.failed': { max: 2, window_seconds: 30 } }
    const service = await startService({ config: { limits } })
    const una = await visitor(service)
    expect(await wrongLogins(una, 3)).toEqual([...times(2, FAILED), THROTTLED])
    service.clock.advance({ seconds: 30 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('tells the host of every failure and once of the lockout, never of a password', async () => {
    const service = await startService()
    await wrongLogins(await visitor(service), 8)
    const told = service.events.map(({ event }) => event)
    expect(told.filter((event) => event === 'failed')).toHaveLength(5)
    expect(told.filter((event) => event === 'lockout')).toHaveLength(1)
    expect(JSON.stringify(service.events)).not.toContain('wrong')
  })

  it('stays counted where the request comes to nothing', async () => {
    const service = await startService()
    const una = await visitor(service)
    service.users.failWith(new Error('the database is away'), 'findByEmail')
    expect(await wrongLogins(una, 5)).toEqual(times(5, UNAVAILABLE))
    service.users.recover()
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
  })
})

describe('Limits: what counts as the same', () => {
  it.each([
    ['cases', ['U1@X.TEST', 'U1@X.TEST', 'U1@X.TEST', 'u1@x.test', 'u1@x.test', 'U1@x.Test']],
    ['white space', [' u1@x.test', 'u1@x.test ', '\u00a0u1@x.test', 'u1@x.test\u2003']],
    ['a trailing dot and wide letters', ['u1@x.test.', 'u1@ｘ.test', 'u1@x。test', 'u1@X.TEST.']],
  ])('THR-05: %s of an email buy no fresh count', async (_what, spellings) => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    for (let made = 0; made < 5; made += 1) {
      expect(await attempt(una, spellings[made % spellings.length] ?? '')).toBe(FAILED)
    }
    expect(await attempt(una, spellings.at(-1) ?? '', PASSWORD)).toBe(THROTTLED)
    expect(checked()).toBe(5)
  })

  it('THR-08: an international email is its composed letters and the ASCII form of its domain', async () => {
    const users = somePeople()
    users.add({ id: 'u', email: 'ü@xn--bcher-kva.test', passwordHash })
    const service = await startService({ users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    for (const email of ['ü@bücher.test', 'Ü@BÜCHER.test', 'ü@xn--bcher-kva.test.']) {
      await wrongLogins(una, 3, email)
      await wrongLogins(una, 3, email.normalize('NFD'))
    }
    expect(checked()).toBe(5)
    const decomposed = 'u\u0308@bu\u0308cher.test'
    expect(await attempt(await visitor(service), decomposed, PASSWORD)).toBe('ok')
  })

  it('THR-09: plus tags, dots and accents make another email', async () => {
    const users = somePeople()
    const emails = ['u1+a@x.test', 'u.1@x.test', 'ú1@x.test']
    for (const email of emails) users.add({ id: email, email, passwordHash })
    const service = await startService({ users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    await wrongLogins(una, 6)
    for (const email of emails) {
      expect(await attempt(una, email, PASSWORD)).toBe('ok')
      expect((await una.get('/svc/api/user')).json).toMatchObject({ id: email })
    }
  })

  it('what only contains an email is another email', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const tails = ['/1', '?1', '#1', '\\1', ':80']
    const others = [...tails.map((tail) => `u1@x.test${tail}`), 'u1@%78.test', '<u1@x.test>']
    for (const email of others) {
      expect([email, await attempt(una, email, PASSWORD)]).toEqual([email, FAILED])
    }
  })

  it('a user is counted also where a careless lookup finds it by other emails', async () => {
    const people = somePeople()
    const users: FakeUsers = {
      ...people,
      findByEmail: async (email, tenant) =>
        people.findByEmail(email.normalize('NFD').replaceAll(/\p{M}/gu, ''), tenant),
    }
    const service = await startService({ users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    for (const local of ['u1', 'ú1', 'ù1', 'û1', 'ü1', 'ũ1', 'ū1']) {
      await wrongLogins(una, 2, `${local}@x.test`)
    }
    expect(checked()).toBe(5)
  })

  it('THR-17, THR-18: locks out the email at this address and neither another email nor another address', async () => {
    const service = await startService()
    const [una, duo] = [await visitor(service), await visitor(service)]
    expect((await wrongLogins(una, 6)).at(-1)).toBe(THROTTLED)
    expect(await attempt(una, 'u2@x.test', PASSWORD)).toBe('ok')
    expect(await attempt(duo, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('locks out in one tenant and in no other', async () => {
    const users = somePeople()
    for (const tenant of ['a', 'b'])
      users.add({ id: 'u1', email: 'u1@x.test', passwordHash, tenant })
    const svc = { prefix: 'admin', panels: ['main'], middleware: [byTenant] }
    const service = await startService({ users, config: { svc } })
    const una = await visitor(service)
    const asking = async (tenant: string) =>
      attempt(una, 'u1@x.test', PASSWORD, { 'x-tenant': tenant })
    for (let made = 0; made < 5; made += 1) {
      await attempt(una, 'u1@x.test', 'wrong', { 'x-tenant': 'a' })
    }
    expect([await asking('a'), await asking('b')]).toEqual([THROTTLED, 'ok'])
  })

  it('THR-20: a success clears its own key and no other', async () => {
    const service = await startService()
    const [una, elsewhere] = [await visitor(service), await visitor(service)]
    await wrongLogins(una, 4)
    await wrongLogins(elsewhere, 4)
    expect(await attempt(una, 'u2@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(una, 1)).toEqual([FAILED])
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(elsewhere, 2)).toEqual([FAILED, THROTTLED])
  })
})

describe.each(Object.entries(storesOfTwoNodes))('Limits: at once, counted in %s', (_kind, open) => {
  it('THR-03: checks at most 5 of 100 wrong passwords', async () => {
    const [stores] = await open()
    const service = await startService({ stores, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    const verdicts = await Promise.all(
      Array.from({ length: 100 }, async () => attempt(una, 'u1@x.test')),
    )
    expect(verdicts.toSorted()).toEqual([...times(5, FAILED), ...times(95, THROTTLED)])
    expect(checked()).toBe(5)
  })

  it('THR-04: checks at most 5 of 99 wrong passwords and a right one', async () => {
    const [stores] = await open()
    const { users, reached, answers } = heldAtTheDoor()
    const service = await startService({ stores, users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    const right = attempt(una.copy(), 'u1@x.test', PASSWORD)
    await reached
    const verdicts = await Promise.all(
      Array.from({ length: 99 }, async () => attempt(una, 'u1@x.test')),
    )
    expect(verdicts.toSorted()).toEqual([...times(4, FAILED), ...times(95, THROTTLED)])
    answers.open()
    expect(await right).toBe('ok')
    expect(checked()).toBe(5)
  })

  it('THR-04: opens a session for a right password in the crowd only if it was one of the 5', async () => {
    const [stores] = await open()
    const { users, answers } = heldAtTheDoor()
    const service = await startService({ stores, users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    const crowd = Array.from({ length: 100 }, (_, at) => ({
      browser: una.copy(),
      password: at === 50 ? PASSWORD : 'wrong',
    }))
    const all = crowd.map(async ({ browser, password }) => attempt(browser, 'u1@x.test', password))
    await Promise.all(all.filter((_, at) => at !== 50))
    answers.open()
    expect(checked()).toBe(5)
    const asked = await Promise.all(crowd.map(async ({ browser }) => browser.get('/svc/api/user')))
    const ok = (await Promise.all(all)).filter((one) => one === 'ok')
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(ok.length)
  })

  it('counts on all nodes together', async () => {
    const [one, other] = await open()
    const nodes = [await startService({ stores: one }), await startService({ stores: other })]
    const address = '127.0.9.9'
    const unas = await Promise.all(nodes.map(async (node) => visitor(node, { address })))
    const checked = countHashes()
    const verdicts: string[] = []
    for (let made = 0; made < 3; made += 1) {
      for (const una of unas) verdicts.push(await attempt(una, 'u1@x.test'))
    }
    expect(verdicts).toEqual([...times(5, FAILED), THROTTLED])
    expect(checked()).toBe(5)
  })
})

describe('Limits: failed logins of one email over all networks', () => {
  it('THR-19: checks at most 100 a day, and then hears only networks that it logged in from', async () => {
    const service = await startService()
    const home = await visitor(service)
    expect(await attempt(home, 'u1@x.test', PASSWORD)).toBe('ok')
    const checked = countHashes()
    const known = await fromManyNetworks(service, 'u1@x.test')
    expect(checked()).toBe(100)
    const unknown = await fromManyNetworks(service, 'nobody@x.test')
    expect(checked()).toBe(200)
    expect(known).toEqual(unknown)

    const abroad = await visitor(service)
    expect(await attempt(abroad, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(await attempt(home, 'u1@x.test', PASSWORD)).toBe('ok')
    service.clock.advance({ seconds: DAY })
    expect(await attempt(abroad, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('counts failures only', async () => {
    const service = await startService({ config: { limits: CEILING_OF_TWO } })
    for (let made = 0; made < 3; made += 1) {
      expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    }
    expect(await onceFromEach(service, 3)).toEqual([FAILED, FAILED, THROTTLED])
  })

  it('reports correctly when it ends', async () => {
    const service = await startService({ config: { limits: CEILING_OF_TWO } })
    await onceFromEach(service, 2)
    service.clock.advance({ hours: 1 })
    const una = await visitor(service)
    const refused = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(verdict(refused)).toBe(THROTTLED)
    expect(refused.json.retry_after).toBe(DAY - 60 * 60)
    service.clock.advance({ seconds: refused.json.retry_after })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it.each([
    ['is known for 90 days after a login from it', [0], 89, 'ok'],
    ['is known for 90 days after the last login from it', [0, 89], 100, 'ok'],
    ['is not known any more after 90 days', [0], 91, THROTTLED],
  ])('a network %s', async (_what, logins, day, expected) => {
    const service = await startService({ config: { limits: CEILING_OF_TWO } })
    const start = service.clock.now()
    const home = service.browser()
    for (const at of logins) {
      service.clock.set(start + at * DAY * 1000)
      expect(verdict(await home.logIn('u1@x.test'))).toBe('ok')
    }
    service.clock.set(start + day * DAY * 1000)
    await onceFromEach(service, 3)
    expect(verdict(await home.logIn('u1@x.test'))).toBe(expected)
  })
})

describe('Limits: what is no failed login', () => {
  it('THR-26: a request that another site makes moves no counter', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    for (let made = 0; made < 20; made += 1) {
      expect(await attempt(una, 'u1@x.test', 'wrong', elsewhere)).toBe('403 origin_mismatch')
    }
    expect(checked()).toBe(0)
    const answer = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(verdict(answer)).toBe('ok')
    expect(answer.headers['x-ratelimit-remaining']).toBe('9')
  })

  it.each(['', 'x'])('a request with the token %j moves no counter', async (token) => {
    const service = await startService()
    const una = await visitor(service)
    for (let made = 0; made < 20; made += 1) {
      const headers = { 'x-xsrf-token': token }
      expect(await attempt(una, 'u1@x.test', 'wrong', headers)).toBe('419 csrf_mismatch')
    }
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('THR-27: a request that cannot be read is no attempt', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const bodies = [
      '{',
      { email: 'u1@x.test' },
      { password: PASSWORD },
      { email: ['u1@x.test'] },
      '[]',
    ]
    const answers: Answer[] = []
    for (const body of bodies) answers.push(await una.post(LOGIN, body))
    expect(answers.map(verdict)).toEqual(['400 malformed', ...times(4, INVALID)])
    expect(checked()).toBe(0)
    expect(await wrongLogins(una, 5)).toEqual(times(5, FAILED))
  })

  it.each<{ readonly email: unknown }>([
    { email: ['u1@x.test'] },
    { email: ['u1@x.test', 'u2@x.test'] },
    { email: { $gt: '' } },
    { email: { toString: 'x' } },
    { email: 1 },
    { email: true },
    { email: null },
    { email: ' ' },
    { email: 'u1@x.test\0' },
    { email: `${'x'.repeat(248)}@x.test` },
  ])('THR-30: $email is no email and nobody is looked up by it', async ({ email }) => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const answer = await una.post(LOGIN, { email, password: PASSWORD })
    expect(verdict(answer)).toBe(INVALID)
    expect(Object.keys(answer.json.errors)).toEqual(['email'])
    expect([checked(), service.users.calls.findByEmail]).toEqual([0, 0])
  })
})

describe('Limits: the store', () => {
  it('THR-32: keeps the counts over a restart', async () => {
    const file = temporaryDatabase()
    const address = '127.0.9.10'
    const before = await startService({ stores: sqliteStores(file) })
    await wrongLogins(await visitor(before, { address }), 5)
    await before.auth.close()
    const { clock } = before
    const after = await startService({ stores: sqliteStores(file), clock })
    const una = await visitor(after, { address })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    clock.advance({ seconds: 60 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it.each([1, 2, 3, 4])(
    'THR-33, OPS-02: lets nobody in when its reservation %i fails',
    async (call) => {
      const stores = failing('reserve', call)
      const service = await startService({ stores })
      const una = await visitor(service)
      const checked = countHashes()
      expectOutage(await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD }))
      expect(checked()).toBe(0)
    },
  )

  it.each([
    ['clear', 1],
    ['release', 1],
    ['reserve', 5],
  ] as const)('lets nobody in when %s fails after the password', async (method, call) => {
    const service = await startService({ stores: failing(method, call) })
    const una = await visitor(service)
    const checked = countHashes()
    expectOutage(await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD }))
    expect(checked()).toBe(1)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
    expect(service.events.map(({ event }) => event)).not.toContain('login')
  })
})

const CEILING_OF_TWO = { 'login.failed.account': { max: 2, window_seconds: DAY } } as const

/** The tenant is what the request says; a host would know better. */
const byTenant: Middleware = async (context, next) => {
  context.tenant = context.request.header('x-tenant')
  return next()
}

/** Five wrong passwords from each of 30 addresses, five of one address at the same time: no more than can be hashed. */
async function fromManyNetworks(service: TestService, email: string): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let address = 0; address < 30; address += 1) {
    const browser = await visitor(service)
    verdicts.push(
      ...(await Promise.all(times(5, email).map(async () => attempt(browser.copy(), email)))),
    )
  }
  return verdicts.toSorted()
}

/** A wrong password from each of so many addresses. */
async function onceFromEach(service: TestService, addresses: number): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let made = 0; made < addresses; made += 1) {
    verdicts.push(await attempt(await visitor(service), 'u1@x.test'))
  }
  return verdicts
}

/** Users whose right password has been checked but who wait for the host's word. */
function heldAtTheDoor() {
  const people = somePeople()
  const [arrival, answers] = [barrier(), barrier()]
  const users: FakeUsers = {
    ...people,
    canAccessPanel: async (user) => {
      arrival.open()
      await answers.passed
      return people.canAccessPanel(user)
    },
  }
  return { users, reached: arrival.passed, answers }
}

/** Stores whose attempts fail from the so-manieth call of a method on. */
function failing(method: 'reserve' | 'clear' | 'release', from: number): Stores {
  const stores = memoryStores()
  const { attempts } = stores
  let calls = 0
  const broken = (...args: never[]): never => {
    calls += 1
    if (calls >= from) throw new Error('the store is away')
    // The arguments are those of the very method that is called.
    return (attempts[method] as (...args: never[]) => never)(...args)
  }
  return { ...stores, attempts: { ...attempts, [method]: broken } satisfies AttemptStore }
}

function expectOutage(answer: Answer): void {
  expect(verdict(answer)).toBe(UNAVAILABLE)
  expect(answer.headers['retry-after']).toBe('5')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.text).not.toContain('away')
}
