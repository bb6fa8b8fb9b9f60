import type { Stores } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { attempt, visitor } from '../../support/logins.ts'
import { BELL, LOGOUT, READ_ALL, USER } from '../../support/paths.ts'
import { CODE, sendCode, startWithFactor, UNLIMITED, WRONG } from '../../support/second-factor.ts'
import { svc } from '../../support/service.ts'
import { UNAVAILABLE, verdict } from '../../support/verdicts.ts'

type StoreName = 'sessions' | 'pendingLogins' | 'attempts' | 'notifications' | 'bus'
type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** Makes stores of which one method does its work, and then returns another value. */
function storesWith(name: StoreName, method: string, answer: unknown, onCall = () => {}): Stores {
  const stores = memoryStores()
  const store = stores[name] as unknown as Methods
  const wrong = async (...args: readonly unknown[]) => {
    onCall()
    await store[method]?.(...args)
    return answer
  }
  return { ...stores, [name]: { ...store, [method]: wrong } }
}

/** Sends what a person sends, and what a guesser does. @returns the verdicts by request. */
async function visit(stores: Stores): Promise<Readonly<Record<string, string>>> {
  const service = await startWithFactor({ stores, config: UNLIMITED })
  const [una, duo] = [await visitor(service), await visitor(service)]
  return {
    'a wrong password': await attempt(una, 'u1@x.test'),
    'a password': await attempt(una, 'u1@x.test', PASSWORD),
    'the user': verdict(await una.get(USER)),
    'the bell': verdict(await una.get(BELL)),
    'all read': verdict(await una.post(READ_ALL)),
    'a password before a code': await attempt(duo, 'u2@x.test', PASSWORD),
    'the user before the code': verdict(await duo.get(USER)),
    'a wrong code': verdict(await sendCode(duo, WRONG)),
    'a code': verdict(await sendCode(duo, CODE)),
    'the same code again': verdict(await sendCode(duo, CODE)),
    logout: verdict(await una.post(LOGOUT)),
    'the user after the logout': verdict(await una.get(USER)),
  }
}

/** The requests that are refused although every store works. */
const REFUSED = [
  'a wrong password',
  'the user before the code',
  'a wrong code',
  'the same code again',
  'the user after the logout',
] as const

describe('A store that returns a value of another type', () => {
  it.each<StoreName>(['sessions', 'pendingLogins', 'attempts', 'notifications', 'bus'])(
    'admits nobody who is refused otherwise: %s',
    { timeout: 120_000 },
    async (name) => {
      for (const method of Object.keys(memoryStores()[name]).filter((key) => key !== 'atomic')) {
        let calls = 0
        for (const answer of [undefined, 1, 'true', {}]) {
          const verdicts = await visit(storesWith(name, method, answer, () => (calls += 1)))
          for (const request of REFUSED)
            expect([method, answer, request, verdicts[request]]).not.toContain('ok')
          // Its other answers reach nobody, either.
          if (calls === 0) break
        }
      }
    },
  )

  it.each<[StoreName, string, string]>([
    ['sessions', 'create', 'a password'],
    ['sessions', 'destroy', 'a password'],
    ['pendingLogins', 'create', 'a password before a code'],
    ['pendingLogins', 'consume', 'a code'],
  ])(
    '%s.%s makes the request 503, also where the value is truthy',
    async (name, method, request) => {
      for (const answer of [undefined, null, 1, 'true', {}])
        expect((await visit(storesWith(name, method, answer)))[request]).toBe(UNAVAILABLE)
    },
  )
})

it('A store that counts no attempt makes each 503', async () => {
  const stores = storesWith('attempts', 'reserve', { number: 0, endsAt: 2e12 })
  const verdicts = await visit(stores)
  expect(verdicts['a wrong password']).toBe(UNAVAILABLE)
  expect(verdicts['a password']).toBe(UNAVAILABLE)
})

describe('A logger that fails', () => {
  it.each<[string, () => unknown]>([
    [
      'at once',
      () => {
        throw new Error('the log is full')
      },
    ],
    ['later', () => Promise.reject(new Error('the log is full'))],
  ])('%s, leaves the request an outage and the process running', async (_, fail) => {
    const service = await startWithFactor({ logger: { warn: fail, error: fail } })
    const una = service.browser()
    await una.logIn('u1@x.test')
    service.users.failWith(new Error('the users are down'))
    expect(verdict(await una.get(USER))).toBe(UNAVAILABLE)
    service.users.recover()
    expect(verdict(await una.get(USER))).toBe('ok')
  })
})

describe('A middleware that sets the tenant', () => {
  it.each([undefined, 7, {}])(
    'makes the request 503, and the log says so: to %j',
    async (tenant) => {
      const service = await startWithFactor({
        config: {
          svc: {
            ...svc,
            middleware: [
              async (context, next) => {
                context.tenant = tenant as unknown as string
                return next()
              },
            ],
          },
        },
      })
      const una = service.browser()
      expect(verdict(await una.get(USER))).toBe(UNAVAILABLE)
      expect(String(Object(service.log.at(-1)?.fields).err)).toContain(
        'a middleware must set context.tenant to a string or null',
      )
    },
  )
})
