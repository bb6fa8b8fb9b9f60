import type { AttemptStore, Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { sqliteStores } from '@svc/auth/sqlite'
import type { FakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Answer } from '../../support/browser.ts'
import { storesOfTwoNodes, temporaryDatabase } from '../../support/databases.ts'
import { countHashes } from '../../support/hashing.ts'
import { attempt, UNRATIONED, visitor, wrongLogins } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { somePeople, startService } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import { FAILED, THROTTLED, times, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

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

  it('THR-04: opens a session for a right password among wrong ones only if it was one of the 5', async () => {
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
    'THR-33, OPS-02: opens no session when reservation %i fails',
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
  ] as const)('opens no session when %s fails after the password', async (method, call) => {
    const service = await startService({ stores: failing(method, call) })
    const una = await visitor(service)
    const checked = countHashes()
    expectOutage(await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD }))
    expect(checked()).toBe(1)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
    expect(service.events.map(({ event }) => event)).not.toContain('login')
  })
})

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
