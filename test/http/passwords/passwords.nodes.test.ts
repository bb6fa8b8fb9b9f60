import timers from 'node:timers'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { hashPassword } from '@svc/auth'
import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { countHashes, stopHashing } from '../../support/hashing.ts'
import { attempt, visitor, wrongLogins } from '../../support/logins.ts'
import { formHeaders } from '../../support/open-session.ts'
import { LOGIN } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import {
  CHEAP,
  passwordHash,
  peopleWithHash,
  somePeople,
  startService,
} from '../../support/service.ts'
import { barrier, replaceTimer, stopDeadlines } from '../../support/time.ts'
import { FAILED, INVALID, THROTTLED, times, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const TODAY = '$argon2id$v=19$m=64,t=1,p=1$'
const cheaply = async (password: string) => hashPassword(password, { memoryKiB: 64, passes: 1 })
const bcryptHash = await bcrypt(PASSWORD, 4)

const outdated = {
  bcrypt: bcryptHash,
  'argon2id with less memory': await hashPassword(PASSWORD, { memoryKiB: 32, passes: 1 }),
  'argon2id with more passes': await hashPassword(PASSWORD, { memoryKiB: 64, passes: 2 }),
} as const

describe('Login session: an outdated hash', () => {
  it.each(Object.entries(outdated))('is renewed by a login: %s', async (_kind, hash) => {
    const users = peopleWithHash(hash)
    const service = await startService({ users })
    const una = await visitor(service)
    expect(await attempt(una, 'u1@x.test')).toBe(FAILED)
    expect(users.row('u1')?.passwordHash).toBe(hash)
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    const renewed = users.row('u1')?.passwordHash
    expect(renewed).toContain(TODAY)
    expect((await una.get('/svc/api/user')).json).toMatchObject({ id: 'u1' })

    const again = await visitor(service)
    expect(await attempt(again, 'u1@x.test')).toBe(FAILED)
    expect(await attempt(again, 'u1@x.test', PASSWORD)).toBe('ok')
    expect([users.calls.rehash, users.row('u1')?.passwordHash]).toEqual([1, renewed])
  })

  it('is kept when it is current', async () => {
    const service = await startService()
    expect(verdict(await service.browser().logIn('u1@x.test'))).toBe('ok')
    expect(service.users.calls.rehash).toBe(0)
    expect(service.users.row('u1')?.passwordHash).toBe(passwordHash)
  })

  it('is kept when the host cannot renew it, and the user logs in', async () => {
    const { rehash: _rehash, ...users } = peopleWithHash(bcryptHash)
    // What a host leaves out is what this is about.
    const service = await startService({ users: users as FakeUsers })
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
    expect(verdict(await una.get('/svc/api/user'))).toBe('ok')
    expect(users.row('u1')?.passwordHash).toBe(bcryptHash)
  })

  it('is renewed once by two concurrent logins, and both succeed', async () => {
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    const both = barrier()
    users.rehash = async (user, from, to) => {
      const answer = rehash(user, from, to)
      if (users.calls.rehash === 2) both.open()
      await both.passed
      return answer
    }
    const service = await startService({ users })
    const browsers = [service.browser(), service.browser()]
    const logins = await Promise.all(browsers.map(async (one) => one.logIn('u1@x.test')))
    expect(logins.map(verdict)).toEqual(['ok', 'ok'])
    const asked = await Promise.all(browsers.map(async (one) => one.get('/svc/api/user')))
    expect(asked.map(verdict)).toEqual(['ok', 'ok'])
  })

  it.each<[string, (users: FakeUsers) => Promise<void>]>([
    [
      'its password is changed',
      async (users) => users.update('u1', { passwordHash: await cheaply('another') }),
    ],
    ['its password is taken away', async (users) => users.update('u1', { passwordHash: null })],
    ['the user is removed', async (users) => users.remove('u1')],
  ])('refuses the login when %s meanwhile', async (_what, change) => {
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    users.rehash = async (user, from, to) => {
      await change(users)
      return rehash(user, from, to)
    }
    const service = await startService({ users })
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe(FAILED)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
    expect(await wrongLogins(una, 5)).toEqual([...times(4, FAILED), THROTTLED])
  })

  it('refuses the login when the password is changed once the hash is renewed', async () => {
    const users = peopleWithHash(bcryptHash)
    const { rehash } = users
    users.rehash = async (user, from, to) => {
      const isRenewed = await rehash(user, from, to)
      users.update('u1', { passwordHash: await cheaply('another') })
      return isRenewed
    }
    const service = await startService({ users })
    const una = service.browser()
    expect(verdict(await una.logIn('u1@x.test'))).toBe(FAILED)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
  })
})

describe.each(Object.entries(storesOfTwoNodes))(
  'Login session: renewing a hash, with sessions in %s',
  (_kind, open) => {
    /** A node as it was before the parameters were raised, with somebody logged in, and one of today. */
    async function twoNodes(users: FakeUsers) {
      const [former, today] = await open()
      const passwords = { memory_kib: 32, passes: 1 }
      const before = await startService({ stores: former, users, config: { passwords } })
      const una = before.browser()
      expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
      return { una, before, after: await startService({ stores: today, users }) }
    }

    it('does not end other sessions', async () => {
      const users = peopleWithHash(outdated['argon2id with less memory'])
      const { una, before, after } = await twoNodes(users)
      expect(verdict(await after.browser().logIn('u1@x.test'))).toBe('ok')
      expect(users.row('u1')?.passwordHash).toContain(TODAY)
      expect(verdict(await una.get('/svc/api/user'))).toBe('ok')
      expect(before.events.map(({ event }) => event)).not.toContain('session.expired')
    })

    it('does not end a session whose user is being read at that moment', async () => {
      const users = peopleWithHash(outdated['argon2id with less memory'])
      const { findById } = users
      const { una, after } = await twoNodes(users)
      const [asking, renewed] = [barrier(), barrier()]
      users.findById = async (id, tenant) => {
        users.findById = findById
        asking.open()
        await renewed.passed
        return findById(id, tenant)
      }
      const asked = una.get('/svc/api/user')
      await asking.passed
      expect(verdict(await after.browser().logIn('u1@x.test'))).toBe('ok')
      renewed.open()
      expect(verdict(await asked)).toBe('ok')
      expect(verdict(await una.get('/svc/api/user'))).toBe('ok')
    })

    it('does not keep sessions alive when the password is changed afterwards', async () => {
      const users = peopleWithHash(outdated['argon2id with less memory'])
      const { una, after } = await twoNodes(users)
      await after.browser().logIn('u1@x.test')
      users.update('u1', { passwordHash: await cheaply('another') })
      expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
    })
  },
)

describe('Credentials: a password is used unchanged', () => {
  const bytes72 = 'p'.repeat(72)
  const wide72 = 'é'.repeat(36)

  it.each<[string, string, readonly string[]]>([
    ['white space', ' pw ', ['pw', ' pw', 'pw ', ' pw \n']],
    ['composed letters', 'é', ['e\u0301', 'e', 'É']],
    ['decomposed letters', 'e\u0301', ['é']],
    ['a NUL', 'right', ['right\0', 'right\0x', '\0right']],
    ['a NUL inside', 'ri\0ght', ['ri', 'right', 'ri\0']],
    ['compatible letters', 'ﬁ', ['fi']],
    ['a byte order mark', 'pw', ['\uFEFFpw', 'pw\u200B']],
  ])('INP-10, INP-11: %s: %j matches only itself', async (_what, password, others) => {
    await expectOnly(password, others, await cheaply(password))
  })

  it.each([
    ['with a NUL', 'right', ['right\0', 'right\0x']],
    ['of 72 bytes', bytes72, ['p'.repeat(71), `${'p'.repeat(71)}q`]],
    ['of 72 bytes in 36 letters', wide72, ['é'.repeat(35), `${'é'.repeat(35)}è`]],
  ])('matches only itself by bcrypt: a password %s', async (_what, password, others) => {
    await expectOnly(password, others, await bcrypt(password, 4))
  })

  it.each([
    ['one-byte letters', bytes72],
    ['two-byte letters', wide72],
  ])(
    'INP-09: counts up to 72 bytes while the hash is of bcrypt, which no longer one renews: %s',
    async (_letters, first72) => {
      const users = peopleWithHash(await bcrypt(`${first72} and more`, 4))
      const una = await visitor(await startService({ users }))
      expect(await attempt(una, 'u1@x.test', `${first72.slice(1)} and more`)).toBe(FAILED)
      // bcrypt cannot see that the end is mistyped. It must not become the password.
      for (const password of [`${first72} and mroe`, first72, `${first72} and more`])
        expect(await attempt(una, 'u1@x.test', password)).toBe('ok')
    },
  )

  it('INP-09: is renewed below 72 bytes, which bcrypt reads as a whole', async () => {
    const password = bytes72.slice(1)
    const users = peopleWithHash(await bcrypt(password, 4))
    const una = await visitor(await startService({ users }))
    expect(await attempt(una, 'u1@x.test', password)).toBe('ok')
    expect(users.row('u1')?.passwordHash).toMatch(/^\$argon2id\$/)
  })

  it.each(['x', 'é', '€', '😀'])('INP-08: may have 1024 characters of %s', async (character) => {
    const longest = character.repeat(1024)
    await expectOnly(longest, [longest.slice(2)], await cheaply(longest))
  })

  it.each<[string, unknown, string]>([
    ['1025 characters', 'x'.repeat(1025), INVALID],
    ['1025 characters beyond the first plane', '😀'.repeat(1025), INVALID],
    ['100,000 characters', 'x'.repeat(100_000), '413 too_large'],
    ['none', '', INVALID],
    ['a number', 12_345, INVALID],
    ['a list', [PASSWORD], INVALID],
    ['null', null, INVALID],
  ])(
    'INP-08: is refused before anything is counted or hashed: %s',
    async (_what, password, expected) => {
      const service = await startService()
      const una = await visitor(service)
      const checked = countHashes()
      const answer = await una.post(LOGIN, { email: 'u1@x.test', password })
      expect(verdict(answer)).toBe(expected)
      if (expected === INVALID) expect(Object.keys(answer.json.errors)).toEqual(['password'])
      expect([checked(), service.users.calls.findByEmail, service.events]).toEqual([0, 0, []])
    },
  )

  it('is refused when it is not well-formed Unicode', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const answer = await una.post(LOGIN, '{"email":"u1@x.test","password":"\\ud800"}')
    expect([verdict(answer), checked()]).toEqual([INVALID, 0])
  })
})

describe('Limits: the hashing queue', () => {
  it('answers 503 when it is full, and counts nothing', async () => {
    const { users, reached, release } = heldPeople(2)
    const passwords = { ...CHEAP, concurrency: 1, queue: 1 }
    const service = await startService({ users, config: { passwords } })
    const waiting = [service.browser(), service.browser()].map(async (one) =>
      one.logIn('u2@x.test'),
    )
    await reached
    const una = await visitor(service)
    const checked = countHashes()
    const answers = [await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })]
    for (let made = 0; made < 3; made += 1) {
      answers.push(await una.post(LOGIN, { email: 'u1@x.test', password: 'wrong' }))
    }
    expect(answers.map(verdict)).toEqual(times(4, UNAVAILABLE))
    expect(answers.map(({ headers }) => headers['retry-after'])).toEqual(times(4, '5'))
    expect(checked()).toBe(0)
    expect(service.events.filter(({ event }) => event === 'attempting')).toHaveLength(2)
    release()
    expect((await Promise.all(waiting)).map(verdict)).toEqual(['ok', 'ok'])
    expect(await wrongLogins(una, 6)).toEqual([...times(5, FAILED), THROTTLED])
  })

  it('answers 503 in time when the hashing process is stopped, and serves the next login', async () => {
    const service = await startService()
    const [una, duo] = [await visitor(service), await visitor(service)]
    expect(await attempt(una, 'u1@x.test')).toBe(FAILED)
    stopHashing()
    stopDeadlines()
    const { findByEmail } = service.users.calls
    const lost = attempt(una, 'u1@x.test')
    await vi.waitFor(() => expect(service.users.calls.findByEmail).toBe(findByEmail + 1))
    await vi.advanceTimersByTimeAsync(6_000)
    expect(await lost).toBe(UNAVAILABLE)
    vi.useRealTimers()
    expect(await attempt(duo, 'u2@x.test', PASSWORD)).toBe('ok')
    // What was under way when the process was lost may have been compared: it stays counted.
    expect(await wrongLogins(una, 4)).toEqual([...times(3, FAILED), THROTTLED])
  })

  it('neither computes nor counts a login whose client disconnects while it waits', async () => {
    const service = await startService({ config: { passwords: { ...CHEAP, concurrency: 1 } } })
    const [una, duo] = [await visitor(service), await visitor(service)]
    await attempt(duo, 'u2@x.test')
    const resume = stopHashing()
    const checked = countHashes()
    const held = attempt(duo, 'u2@x.test')
    await expect.poll(() => service.users.calls.findByEmail).toBe(2)
    const client = new AbortController()
    const request = plainRequest({
      method: 'POST',
      target: LOGIN,
      body: { email: 'u1@x.test', password: 'wrong' },
      address: una.address,
      headers: formHeaders(service, una),
    })
    const waits = service.auth.handle({ ...request, signal: client.signal })
    await expect.poll(() => service.users.calls.findByEmail).toBe(3)
    client.abort()
    expect((await waits).status).toBe(503)
    resume()
    expect([await held, checked()]).toEqual([FAILED, 1])
    expect(await wrongLogins(una, 6)).toEqual([...times(5, FAILED), THROTTLED])
  })

  it('neither computes nor counts a login that waits too long in the queue', async () => {
    onTestFinished(
      replaceTimer(timers, (wait) => (run: () => void, ms: number) => wait(run, ms / 20)),
    )
    // A hash of this cost takes nearly a second, so that it has to be started within about three.
    const users = peopleWithHash(bcryptHash.replace('$04$', '$14$'))
    const service = await startService({
      users,
      config: { passwords: { ...CHEAP, concurrency: 1 } },
    })
    const [una, duo] = [await visitor(service), await visitor(service)]
    await attempt(duo, 'u2@x.test')
    const resume = stopHashing()
    const held = attempt(duo, 'u2@x.test')
    await expect.poll(() => users.calls.findByEmail).toBe(2)
    expect(await attempt(una, 'u1@x.test')).toBe(UNAVAILABLE)
    resume()
    expect(await held).toBe(FAILED)
    users.update('u1', { passwordHash })
    expect(await wrongLogins(una, 6)).toEqual([...times(5, FAILED), THROTTLED])
  })

  it('releases its slot, however a login ends', async () => {
    const passwords = { ...CHEAP, concurrency: 1, queue: 1 }
    const service = await startService({ config: { passwords } })
    const una = await visitor(service)
    expect(await wrongLogins(una, 7)).toEqual([...times(5, FAILED), ...times(2, THROTTLED)])
    for (const call of ['findByEmail', 'canAccessPanel'] as const) {
      service.users.failWith(new Error('the database is away'), call)
      expect(await attempt(una, 'u2@x.test', PASSWORD)).toBe(UNAVAILABLE)
      service.users.recover()
    }
    const others = [await visitor(service), await visitor(service)]
    const logins = others.map(async (one) => attempt(one, 'u2@x.test', PASSWORD))
    expect(await Promise.all(logins)).toEqual(['ok', 'ok'])
  })
})

/** One user's hash takes one password and no other. */
async function expectOnly(
  password: string,
  others: readonly string[],
  hash: string,
): Promise<void> {
  const service = await startService({ users: peopleWithHash(hash) })
  const una = await visitor(service)
  for (const other of others)
    expect([other, await attempt(una, 'u1@x.test', other)]).toEqual([other, FAILED])
  expect(await attempt(una, 'u1@x.test', password)).toBe('ok')
}

/** Users whose lookup by email waits until it is released; `reached` when so many wait. */
function heldPeople(count: number) {
  const people = somePeople()
  const [arrival, answers] = [barrier(), barrier()]
  const users: FakeUsers = {
    ...people,
    findByEmail: async (email, tenant) => {
      if (people.calls.findByEmail + 1 === count) arrival.open()
      const found = people.findByEmail(email, tenant)
      await answers.passed
      return found
    },
  }
  return { users, reached: arrival.passed, release: answers.open }
}
