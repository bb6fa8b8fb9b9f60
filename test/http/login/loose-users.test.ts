import type { UserProvider } from '@svc/auth'
import type { FakeUser, FakeUsers } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PASSWORD, type Answer } from '../../support/browser.ts'
import { loggedIn, attempt, visitor } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { passwordHash, somePeople, startService, type TestService } from '../../support/service.ts'
import { FAILED, UNAVAILABLE, verdict } from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const USER = '/svc/api/user'
type Method = Exclude<keyof UserProvider<FakeUser>, 'create'>

/** The people, with one method that answers something else: what plain JavaScript and loose types allow. */
function peopleWith(method: Method, answer: (user: FakeUser, real: () => unknown) => unknown) {
  const people: UserProvider<FakeUser> = somePeople()
  const real = people[method] as (...args: unknown[]) => unknown
  const loose = (...args: unknown[]) =>
    answer(args[0] as FakeUser, () => Reflect.apply(real, people, args))
  return { ...people, [method]: loose } as FakeUsers
}

async function logIn(service: TestService, email = 'u1@x.test'): Promise<Answer> {
  return (await visitor(service)).post(LOGIN, { email, password: PASSWORD })
}

function logged({ log }: TestService): string {
  return log.map(({ fields }) => String((fields as { err?: unknown }).err)).join('\n')
}

describe('Users of the host: nobody found', () => {
  it.each([undefined, null, false, 0, ''])(
    'findByEmail: %j answers as for a wrong password',
    async (none) => {
      const users = peopleWith('findByEmail', async (_, real) => (await real()) ?? none)
      const service = await startService({ users })
      const una = await visitor(service)
      const unknown = await una.post(LOGIN, { email: 'nobody@x.test', password: 'wrong' })
      const known = await una.post(LOGIN, { email: 'u1@x.test', password: 'wrong' })
      expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
      expect(verdict(known)).toBe(FAILED)
      expect(service.log).toEqual([])
      expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    },
  )

  it.each([undefined, null, false])(
    'findById: %j ends the session of a deleted user',
    async (none) => {
      const users = peopleWith('findById', async (_, real) => (await real()) ?? none)
      const service = await startService({ users })
      const una = await loggedIn(service)
      users.remove('u1')
      expect(verdict(await una.get(USER))).toBe('401 unauthenticated')
      expect(service.events.at(-1)).toMatchObject({ payload: { reason: 'user-gone' } })
    },
  )

  it('may be returned without a promise', async () => {
    const people = somePeople()
    const users = {
      ...people,
      findByEmail: (email: string) => people.row(email.slice(0, 2)) ?? undefined,
      findById: (id: string) => people.row(id) ?? undefined,
    } as unknown as FakeUsers
    const service = await startService({ users })
    expect(verdict(await logIn(service))).toBe('ok')
    expect(verdict(await logIn(service, 'nobody@x.test'))).toBe(FAILED)
  })
})

const NO_USERS: readonly unknown[] = [[], [{ id: 'u1' }], true, 7, 'u1', () => null]
const IDENTITIES: readonly (readonly [string, unknown])[] = [
  ['id as a string; got number: use String(user.id)', { id: 7, email: 'u1@x.test', name: null }],
  ['id as a string; got undefined', { email: 'u1@x.test', name: null }],
  ['id as a non-empty string', { id: '', email: 'u1@x.test', name: null }],
  ['id as a non-empty string', { id: 'u\0', email: 'u1@x.test', name: null }],
  [
    'id as a non-empty string',
    { id: '\u0001trusted-device\u0001u2', email: 'u1@x.test', name: null },
  ],
  ['id as a non-empty string', { id: '\ud800', email: 'u1@x.test', name: null }],
  ['email as an address with an @', { id: 'u1', email: 'una', name: null }],
  ['email as an address with an @; got null', { id: 'u1', email: null, name: null }],
  ['name as a string or null; got number', { id: 'u1', email: 'u1@x.test', name: 7 }],
  ['an object with id, email and name; got undefined', undefined],
  ['an object with id, email and name; got a promise', Promise.resolve({ id: 'u1' })],
]

describe('Users of the host: an answer of the wrong type', () => {
  it.each(NO_USERS.map((answer) => [String(answer), answer]))(
    'findByEmail: %s is 503 for everybody, and the log names method and remedy',
    async (_, answer) => {
      const service = await startService({ users: peopleWith('findByEmail', () => answer) })
      expect(verdict(await logIn(service))).toBe(UNAVAILABLE)
      expect(verdict(await logIn(service, 'nobody@x.test'))).toBe(UNAVAILABLE)
      expect(logged(service)).toContain(
        'UserProvider.findByEmail must return one user or null; got',
      )
    },
  )

  it.each(IDENTITIES)('identify: the right password is 503; %s', async (said, answer) => {
    const service = await startService({ users: peopleWith('identify', () => answer) })
    const refused = await logIn(service)
    expect(verdict(refused)).toBe(UNAVAILABLE)
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect(logged(service)).toContain(`UserProvider.identify must return ${said}`)
  })

  it.each<[string, Method, (user: FakeUser) => unknown]>([
    ['identify with a numeric id', 'identify', () => ({ id: 7, email: 'u1@x.test' })],
    [
      'an identify that throws',
      'identify',
      ({ id }) => {
        throw new Error(`no profile of ${id}`)
      },
    ],
    ['a passwordHash that is a promise', 'passwordHash', async (user) => user.passwordHash],
    ['a passwordHash that is a number', 'passwordHash', () => 7],
    ['a passwordHash that is undefined', 'passwordHash', () => undefined],
  ])(
    '%s does not reveal to a wrong password whether the user exists',
    async (_, method, answer) => {
      const stores = watchedStores()
      const service = await startService({ users: peopleWith(method, answer), stores })
      const [one, other] = [await visitor(service), await visitor(service)]
      stores.counts()
      const known = await one.post(LOGIN, { email: 'u1@x.test', password: 'wrong' })
      const asked = stores.counts()
      const unknown = await other.post(LOGIN, { email: 'nobody@x.test', password: 'wrong' })
      expect(stores.counts()).toEqual(asked)
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
      expect(verdict(known)).toBe(FAILED)
    },
  )

  it('identify may leave out the name', async () => {
    const users = peopleWith('identify', ({ id, email }) => ({ id, email }))
    const service = await startService({ users })
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
    expect((await una.get(USER)).json).toMatchObject({ id: 'u1', name: null })
  })

  it('identify may answer with an object whose fields are getters of its class', async () => {
    class Row {
      readonly #user: FakeUser
      constructor(user: FakeUser) {
        this.#user = user
      }
      get id() {
        return this.#user.id
      }
      get email() {
        return this.#user.email
      }
      get name() {
        return this.#user.name
      }
    }
    const service = await startService({ users: peopleWith('identify', (user) => new Row(user)) })
    expect(verdict(await logIn(service))).toBe('ok')
  })

  it.each<[string, () => unknown]>([
    ['got undefined', () => undefined],
    ['got null', () => null],
    ['got an array', () => []],
    // Not `async`, which the start refuses.
    ['got a promise', () => Promise.resolve({ id: 'u1' })],
    ['no BigInt', () => ({ id: 1n })],
    ['an object of JSON', () => ({ toJSON: () => 'u1' })],
    ['must return an object of JSON', () => new Date(0)],
    ['must leave the password hash out', () => ({ id: 'u1', row: { password: passwordHash } })],
  ])('present: %s is 503, and the log names it', async (said, answer) => {
    const people = somePeople()
    const users = { ...people, present: answer } as unknown as FakeUsers
    const service = await startService({ users })
    const una = await loggedIn(service)
    expect(verdict(await una.get(USER))).toBe(UNAVAILABLE)
    expect(logged(service)).toMatch(/UserProvider\.present must/)
    expect(logged(service)).toContain(said)
  })

  // Not repeated: the process has shown the warning then.
  it(
    'refuses where canAccessPanel returns a BigInt, and Node warns once',
    { retry: 0 },
    async () => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      onTestFinished(() => warn.mockRestore())
      const service = await startService({ users: peopleWith('canAccessPanel', () => 1n) })
      for (const email of ['u1@x.test', 'u2@x.test'])
        expect(verdict(await logIn(service, email))).toBe(FAILED)
      expect(warn.mock.calls).toEqual([
        ['UserProvider.canAccessPanel must return a literal true to allow; got bigint'],
      ])
    },
  )

  describe('rehash', () => {
    const STRONGER = { passwords: { memory_kib: 64, passes: 2 } }

    it('refuses no login when it returns undefined, and the log names the remedy', async () => {
      const users = peopleWith('rehash', async () => undefined)
      const service = await startService({ users, config: STRONGER })
      expect(verdict(await logIn(service))).toBe('ok')
      expect(logged(service)).toContain(
        'UserProvider.rehash must return true or false; got undefined',
      )
    })

    it('does not end the other sessions of the user when it replaced nothing', async () => {
      const users = peopleWith('rehash', async () => false)
      const service = await startService({ users, config: STRONGER })
      const una = service.browser()
      expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
      expect(verdict(await logIn(service))).toBe('ok')
      expect((await una.get(USER)).status).toBe(200)
    })
  })

  it('calls a provider that is an instance of a class with its `this`', async () => {
    class People {
      readonly table = somePeople()
      async findById(id: string) {
        return this.table.findById(id, null)
      }
      async findByEmail(email: string) {
        return this.table.findByEmail(email, null)
      }
      identify(user: FakeUser) {
        return this.table.identify(user)
      }
      passwordHash(user: FakeUser) {
        return this.table.passwordHash(user)
      }
      present(user: FakeUser) {
        return { id: this.table.identify(user).id, name: null, email: '', email_verified_at: null }
      }
      canAccessPanel(user: FakeUser) {
        return this.table.canAccessPanel(user)
      }
    }
    const service = await startService({ users: new People() as unknown as FakeUsers })
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
    expect((await una.get(USER)).json.id).toBe('u1')
  })
})
