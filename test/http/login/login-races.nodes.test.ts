import { memoryStores } from '@svc/auth/memory'
import type { Stores } from '@svc/auth'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { visitor, loggedIn } from '../../support/logins.ts'
import { LOGIN, USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  moveTo,
  owingCode,
  sendCode,
  setUp,
  startTwoNodes,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { passwordHash } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import {
  FAILED,
  times,
  UNAVAILABLE,
  verdict,
  EXPIRED,
  GUEST,
  tally,
} from '../../support/verdicts.ts'
import { watchedStores, type StoreCall } from '../../support/watched-stores.ts'

/** Holds the next call of a store until it is let go. */
function holding(stores: Stores) {
  const watched = watchedStores(stores)
  return {
    stores: watched,
    hold: (call: StoreCall) => {
      const [arrival, release] = [barrier(), barrier()]
      watched.instead(call, async (proceed) => {
        watched.instead(call, null)
        arrival.open()
        await release.passed
        return proceed()
      })
      return { reached: arrival.passed, letGo: release.open }
    },
  }
}

async function enableSecondFactor(browser: Browser): Promise<void> {
  await setUp(browser)
  expect(verdict(await confirm(browser))).toBe('ok')
}

async function post(browser: Browser) {
  return browser.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
}

describe.each(Object.entries(storesOfTwoNodes))('A login under way, %s', (_, openStores) => {
  it('requires the code when the second factor is enabled before the session exists', async () => {
    const [one, other] = await openStores()
    const { stores, hold } = holding(other)
    const [first, second] = await startTwoNodes([one, stores])
    const una = await loggedIn(first)
    const thief = await visitor(second)
    const { reached, letGo } = hold('sessions.create')
    const answer = post(thief)
    await reached
    await enableSecondFactor(una)
    letGo()
    expect((await answer).json).toEqual({ two_factor: true, expires_in: 300, attempts_left: 5 })
    expect(verdict(await thief.get(USER))).toBe(GUEST)
    expect(verdict(await sendCode(thief, CODE))).toBe('ok')
    expect(second.events.map(({ event }) => event)).toEqual([
      'attempting',
      'two-factor.challenged',
      'login',
    ])
  })

  it('opens no session by a code after the second factor was disabled and enabled again', async () => {
    const [one, other] = await openStores()
    const { stores, hold } = holding(other)
    const [first, second] = await startTwoNodes([one, stores])
    const duo = await loggedInWithCode(first)
    const thief = await owingCode(second)
    const { reached, letGo } = hold('sessions.create')
    const answer = sendCode(thief, CODE)
    await reached
    expect(verdict(await disable(duo))).toBe('ok')
    await enableSecondFactor(duo)
    letGo()
    expect(verdict(await answer)).toBe(EXPIRED)
    expect((await answer).headers['set-cookie']).toBeUndefined()
  })

  it('opens no session without a code for an attacker in a loop, once the second factor is enabled', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    for (let round = 0; round < 5; round += 1) {
      const una = await loggedIn(first)
      const end = new AbortController()
      const caught: Browser[] = []
      const thieves = [first, second].map(async (node) => {
        while (!end.signal.aborted) {
          const thief = await visitor(node)
          if ((await post(thief)).json.two_factor === false) caught.push(thief)
        }
      })
      await enableSecondFactor(una)
      end.abort()
      await Promise.all(thieves)
      const left = await Promise.all(caught.map(async (thief) => thief.get(USER)))
      expect(tally(left.map(verdict))).toEqual(
        caught.length === 0 ? {} : { [GUEST]: caught.length },
      )
      expect(verdict(await disable(una))).toBe('ok')
    }
  })
})

describe('A login under way', () => {
  /** Changes something just before the session of a login is stored. */
  async function changing(
    change: (service: FactorService) => unknown,
    service: FactorService,
    browser?: Browser,
  ) {
    const { create } = bound(service.stores)
    service.stores.sessions.create = async (key, record) => {
      await change(service)
      return create(key, record)
    }
    return post(browser ?? (await visitor(service)))
  }

  function bound({ sessions }: Stores) {
    return { create: sessions.create.bind(sessions) }
  }

  it('sees a second factor that the host keeps with the user', async () => {
    const service = await startWithFactor({
      instead: (factor) => ({ ...factor, isEnabledFor: ({ name }) => name === 'enabled' }),
    })
    const answer = await changing(({ users }) => users.update('u1', { name: 'enabled' }), service)
    expect(answer.json.two_factor).toBe(true)
  })

  it.each<[string, (service: FactorService) => void]>([
    ['its user is deleted', ({ users }) => users.remove('u1')],
    [
      'its password is changed',
      ({ users }) =>
        users.update('u1', {
          passwordHash: passwordHash.replace(/.$/, (end) => (end === 'A' ? 'E' : 'A')),
        }),
    ],
  ])('fails when %s', async (_, change) => {
    const service = await startWithFactor()
    const answer = await changing(change, service)
    expect(verdict(answer)).toBe(FAILED)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(service.events.map(({ event }) => event)).toEqual(['attempting', 'failed'])
  })

  it('SES-17: leaves the session of before when it fails', async () => {
    const service = await startWithFactor()
    const quarta = await loggedIn(service, 'u4@x.test')
    const answer = await changing(({ users }) => users.remove('u1'), service, quarta)
    expect(verdict(answer)).toBe(FAILED)
    expect((await quarta.get(USER)).json).toMatchObject({ id: 'u4' })
  })

  it('SES-17: leaves the login that waits for its code when it fails', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const forget = ({ users }: FactorService) => users.update('u1', { passwordHash: null })
    const answer = await changing(forget, service, duo)
    expect(verdict(answer)).toBe(FAILED)
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('is 503 and opens no session when the contract fails at the second call', async () => {
    const stores = watchedStores(memoryStores())
    let asked = 0
    const service = await startWithFactor({
      stores,
      instead: (factor) => ({
        ...factor,
        isEnabledFor: (user: FakeUser) => {
          asked += 1
          if (asked > 1) throw new Error('the database is away')
          return factor.isEnabledFor(user)
        },
      }),
    })
    const answer = await post(await visitor(service))
    expect(verdict(answer)).toBe(UNAVAILABLE)
    expect(answer.headers['set-cookie']).toBeUndefined()
    const created = stores.calls.find(({ call }) => call === 'sessions.create')
    expect(stores.sessions.read(String(created?.args[0]), service.clock.now())).toBeNull()
  })

  it('ends the earlier session when the code turns out to be required', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    const before = una.copy()
    const enable = ({ factor }: FactorService) => factor.update('u1', { enabled: true })
    expect((await changing(enable, service, una)).json.two_factor).toBe(true)
    expect(verdict(await before.get(USER))).toBe(GUEST)
  })
})

describe.each(Object.entries(storesOfTwoNodes))(
  'Codes at once on one login, %s',
  (_, openStores) => {
    const RECOVERY = ['rcv-one', 'rcv-two', 'rcv-three', 'rcv-four', 'rcv-five']

    async function sendAtOnce(codes: readonly string[]) {
      const nodes = await startTwoNodes(await openStores(), {
        factor: { enabled: ['u2'], recovery: RECOVERY },
      })
      const duo = await owingCode(nodes[0])
      const answers = await Promise.all(
        codes.map(async (code, at) => sendCode(moveTo(nodes[at % 2] ?? nodes[0], duo), code)),
      )
      return { factor: nodes[0].factor, duo, nodes, verdicts: answers.map(verdict) }
    }

    it('use up one of five different recovery codes', async () => {
      const { verdicts, factor } = await sendAtOnce(RECOVERY)
      expect(tally(verdicts)).toEqual({ ok: 1, [EXPIRED]: 4 })
      expect(factor.row('u2').recovery).toHaveLength(4)
      expect(factor.calls.verify).toBe(1)
    })

    it('open the session by the right one of five, in any position', async () => {
      for (let at = 0; at < 5; at += 1) {
        const { verdicts } = await sendAtOnce(times(5, '000000').with(at, CODE))
        expect(verdicts[at]).toBe('ok')
      }
    })
  },
)

describe('Codes at once on one login', () => {
  it('open no session when the host ends the login meanwhile, and those that wait are not checked', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    const goOn = service.factor.hang('verify')
    const [right, late] = [sendCode(duo.copy(), CODE), sendCode(duo.copy(), CODE)]
    await expect.poll(() => service.factor.calls.verify).toBe(1)
    await service.auth.endSessions('u2')
    goOn()
    expect([verdict(await right), verdict(await late)]).toEqual([EXPIRED, EXPIRED])
    expect(service.factor.calls.verify).toBe(1)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })
})
