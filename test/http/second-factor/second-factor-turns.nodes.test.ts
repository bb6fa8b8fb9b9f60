import type { FakeTwoFactor, FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { loggedIn } from '../../support/logins.ts'
import { USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  meetingIn,
  moveTo,
  owingCode,
  setUp,
  startTwoNodes,
  startWithFactor,
} from '../../support/second-factor.ts'
import { atDeadline, barrier } from '../../support/time.ts'
import {
  times,
  UNAVAILABLE,
  verdict,
  ALREADY_ENABLED,
  GUEST,
  tally,
} from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

describe.each(Object.entries(storesOfTwoNodes))('Concurrent disabling, %s', (_, openStores) => {
  it('calls `disable` once, answers 204 to all, and keeps the session of one', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const duo = await loggedInWithCode(first)
    const browsers = times(5, '').flatMap(() => [duo.copy(), moveTo(second, duo)])
    const sendings = browsers.map((browser) => async () => disable(browser))
    const answers = await meetingIn(first.factor, 'isRequiredFor', sendings)
    expect(answers.map(({ status }) => status)).toEqual(times(10, '').map(() => 204))
    expect(first.factor.calls.disable).toBe(1)
    const cookies = answers.filter(({ headers }) => headers['set-cookie'] !== undefined)
    expect(cookies).toHaveLength(1)
    const going = await Promise.all(browsers.map(async (browser) => browser.get(USER)))
    expect(tally(going.map(verdict))).toEqual({ ok: 1, [GUEST]: 9 })
    expect(
      first.events.concat(second.events).filter(({ event }) => event === 'two-factor.disabled'),
    ).toHaveLength(1)
  })

  it('calls `disable` once for two sessions and keeps one of them', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const browsers = [await loggedInWithCode(first), await loggedInWithCode(second)]
    const sendings = browsers.map((browser) => async () => disable(browser))
    const answers = await meetingIn(first.factor, 'isRequiredFor', sendings)
    expect(answers.map(verdict)).toEqual(['ok', 'ok'])
    expect(first.factor.calls.disable).toBe(1)
    const going = await Promise.all(browsers.map(async (browser) => browser.get(USER)))
    expect(tally(going.map(verdict))).toEqual({ ok: 1, [GUEST]: 1 })
  })
})

/** The fake, that answers a call only when it is let go, although it has done its work. */
function slowAfter(method: 'enable' | 'disable') {
  const [done, answers] = [barrier(), barrier()]
  const instead = (factor: FakeTwoFactor<FakeUser>) => ({
    ...factor,
    enable: async (user: FakeUser, secret: string) => {
      const codes = await factor.enable(user, secret)
      if (method === 'enable') await after()
      return codes
    },
    disable: async (user: FakeUser) => {
      await factor.disable(user)
      if (method === 'disable') await after()
    },
  })
  async function after(): Promise<void> {
    done.open()
    await answers.passed
  }
  return { instead, done: done.passed, letGo: answers.open }
}

describe('Confirming and disabling exclude each other', () => {
  it('disabling waits for a confirmation, and then finds its session ended', async () => {
    const { instead, done, letGo } = slowAfter('enable')
    const service = await startWithFactor({ instead })
    const una = await loggedIn(service)
    await setUp(una)
    const before = una.copy()
    const confirmed = confirm(una)
    await done
    const asked = service.factor.calls.isEnabledFor
    const disabled = disable(before)
    await expect.poll(() => service.factor.calls.isEnabledFor).toBe(asked + 1)
    letGo()
    expect([verdict(await confirmed), verdict(await disabled)]).toEqual(['ok', GUEST])
    expect(service.factor.calls.disable).toBe(0)
    expect((await una.get(USER)).status).toBe(200)
  })

  it('a confirmation waits for disabling, and then finds its session ended', async () => {
    const { instead, done, letGo } = slowAfter('disable')
    const service = await startWithFactor({ instead })
    const duo = await loggedInWithCode(service)
    const before = duo.copy()
    const disabled = disable(duo)
    await done
    await setUp(before)
    const confirmed = confirm(before)
    await expect.poll(() => service.factor.calls.verifySetup).toBe(1)
    letGo()
    expect([verdict(await disabled), verdict(await confirmed)]).toEqual(['ok', GUEST])
    expect(service.factor.calls.enable).toBe(0)
    expect((await duo.get(USER)).status).toBe(200)
  })

  it.each(['enable', 'disable'] as const)(
    'the other sessions of the user end before `%s` is called',
    async (method) => {
      const { instead, done, letGo } = slowAfter(method)
      const service = await startWithFactor({ instead })
      const open = async () => (method === 'enable' ? loggedIn(service) : loggedInWithCode(service))
      const [browser, elsewhere] = [await open(), await open()]
      if (method === 'enable') await setUp(browser)
      const changed = method === 'enable' ? confirm(browser) : disable(browser)
      await done
      expect(verdict(await elsewhere.get(USER))).toBe(GUEST)
      letGo()
      expect(verdict(await changed)).toBe('ok')
    },
  )

  it('a confirmation does not enable what the host enabled while the code was checked', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const goOn = service.factor.hang('verifySetup')
    const confirmed = confirm(una)
    await expect.poll(() => service.factor.calls.verifySetup).toBe(1)
    service.factor.update('u1', { enabled: true, secret: 'STORED' })
    goOn()
    expect(verdict(await confirmed)).toBe(ALREADY_ENABLED)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('passes the current user to the contract, not the user at the start of the request', async () => {
    const service = await startWithFactor({
      instead: (factor) => ({ ...factor, isEnabledFor: ({ name }) => name === 'enabled' }),
    })
    const una = await loggedIn(service)
    await setUp(una)
    const goOn = service.factor.hang('verifySetup')
    const confirmed = confirm(una)
    await expect.poll(() => service.factor.calls.verifySetup).toBe(1)
    service.users.update('u1', { name: 'enabled' })
    goOn()
    expect(verdict(await confirmed)).toBe(ALREADY_ENABLED)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('wait for a minute after an `enable` that did not answer', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const late = async (): Promise<string> => {
      const { verifySetup } = service.factor.calls
      const answer = await atDeadline(
        async () => confirm(una),
        () => service.factor.calls.verifySetup > verifySetup,
      )
      return verdict(answer)
    }
    service.factor.hang('enable')
    expect(await late()).toBe(UNAVAILABLE)
    service.factor.recover()
    await setUp(una)
    service.clock.advance({ seconds: 59 })
    expect(await late()).toBe(UNAVAILABLE)
    expect(service.factor.calls.enable).toBe(1)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await confirm(una, CODE))).toBe('ok')
  })

  it('still exclude each other after one that has outlived its turn', async () => {
    const stores = watchedStores()
    const [first, second] = await startTwoNodes([stores, stores])
    const { factor, clock } = first
    const slow = await loggedInWithCode(first)
    const endSlow = factor.hang('disable')
    const outlived = disable(slow)
    await expect.poll(() => factor.calls.disable).toBe(1)
    clock.advance({ minutes: 1 })
    const again = await loggedInWithCode(second)
    const endNext = factor.hang('disable')
    const disabled = disable(again)
    await expect.poll(() => factor.calls.disable).toBe(2)
    endSlow()
    await outlived
    const late = await loggedIn(first, 'u2@x.test')
    await setUp(late)
    const confirmed = confirm(late)
    const latest = (): unknown[] => stores.calls.slice(-4).map(({ args: [key] }) => key)
    await expect.poll(() => new Set(latest()).size, { timeout: 4000 }).toBe(1)
    expect(factor.calls.enable).toBe(0)
    endNext()
    expect([verdict(await disabled), verdict(await confirmed)]).toEqual([GUEST, GUEST])
  })

  it('continue at once after an `enable` that failed', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    service.factor.failWith('enable', new Error('away'))
    expect(verdict(await confirm(una))).toBe(UNAVAILABLE)
    service.factor.recover()
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
    expect((await owingCode(service, { email: 'u1@x.test' })).cookie('svc_session')).not.toBeNull()
  })
})
