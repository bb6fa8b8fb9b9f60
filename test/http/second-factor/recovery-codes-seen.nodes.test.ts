import { describe, expect, it } from 'vitest'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { loggedIn } from '../../support/logins.ts'
import { CODES_SEEN as SEEN, FACTOR, USER } from '../../support/paths.ts'
import {
  confirm,
  disable,
  loggedInWithCode,
  setUp,
  startTwoNodes,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import type { Browser } from '../../support/browser.ts'
import { verdict, GUEST } from '../../support/verdicts.ts'

async function codesUnseen(browser: Browser): Promise<unknown> {
  return (await browser.get(FACTOR)).json.codes_unseen
}

/** A browser of U1 whose second factor was just enabled. */
async function enabled(service: FactorService): Promise<Browser> {
  const browser = await loggedIn(service)
  await setUp(browser)
  expect(verdict(await confirm(browser))).toBe('ok')
  return browser
}

describe('Recovery codes: codes_unseen', () => {
  it('is false while the second factor is not enabled', async () => {
    const una = await loggedIn(await startWithFactor())
    expect(await codesUnseen(una)).toBe(false)
    await setUp(una)
    expect(await codesUnseen(una)).toBe(false)
  })

  it('is false for a second factor that the host enabled', async () => {
    expect(await codesUnseen(await loggedInWithCode(await startWithFactor()))).toBe(false)
  })

  it('is true in every session of the user from confirm until the codes are confirmed as seen', async () => {
    const service = await startWithFactor()
    const una = await enabled(service)
    const elsewhere = await loggedInWithCode(service, 'u1@x.test')
    expect([await codesUnseen(una), await codesUnseen(elsewhere)]).toEqual([true, true])
    const answer = await una.post(SEEN)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect([await codesUnseen(una), await codesUnseen(elsewhere)]).toEqual([false, false])
    expect(verdict(await una.post(SEEN))).toBe('ok')
  })

  it('is true after the answer to confirm got lost and the user logged in again', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const sameCookies = una.copy()
    await confirm(sameCookies)
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(await codesUnseen(await loggedInWithCode(service, 'u1@x.test'))).toBe(true)
  })

  it('is true when `enable` stored the secret and its answer got lost', async () => {
    const service = await startWithFactor({
      instead: (factor) => ({
        ...factor,
        enable: async (user, secret) => {
          await factor.enable(user, secret)
          throw new Error('the connection was reset')
        },
      }),
    })
    const una = await loggedIn(service)
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('503 unavailable')
    expect(verdict(await una.get(FACTOR))).toBe(GUEST)
    expect(await codesUnseen(await loggedInWithCode(service, 'u1@x.test'))).toBe(true)
  })

  it('does not call `enable` when the attempt store cannot record it', async () => {
    const service = await startWithFactor()
    const una = await loggedIn(service)
    await setUp(una)
    const reserve = service.stores.attempts.reserve.bind(service.stores.attempts)
    service.stores.attempts.reserve = (key, windowMs, now) => {
      if (windowMs > 24 * 60 * 60 * 1000) throw new Error('read-only')
      return reserve(key, windowMs, now)
    }
    expect(verdict(await confirm(una))).toBe('503 unavailable')
    expect(service.factor.calls.enable).toBe(0)
  })

  it('is true for new codes after earlier ones were seen and the factor was set up again', async () => {
    const una = await enabled(await startWithFactor())
    await una.post(SEEN)
    await disable(una)
    expect(await codesUnseen(una)).toBe(false)
    await setUp(una)
    await confirm(una)
    expect(await codesUnseen(una)).toBe(true)
  })

  it('is false after disabling, also when the host then enables it', async () => {
    const service = await startWithFactor()
    const una = await enabled(service)
    await disable(una)
    service.factor.update('u1', { enabled: true })
    expect(await codesUnseen(una)).toBe(false)
  })

  it('is remembered for 90 days', async () => {
    const service = await startWithFactor()
    await enabled(service)
    service.clock.advance({ minutes: 90 * 24 * 60 - 1 })
    expect(await codesUnseen(await loggedInWithCode(service, 'u1@x.test'))).toBe(true)
    service.clock.advance({ minutes: 1 })
    expect(await codesUnseen(await loggedInWithCode(service, 'u1@x.test'))).toBe(false)
  })

  it('belongs to one user: confirming for another changes nothing', async () => {
    const service = await startWithFactor()
    const una = await enabled(service)
    await (await loggedInWithCode(service, 'u2@x.test')).post(SEEN)
    expect(await codesUnseen(una)).toBe(true)
  })
})

describe('Recovery codes: POST /two-factor/recovery-codes/seen', () => {
  it('is open while the second factor is required and not enabled', async () => {
    const una = await loggedIn(await startWithFactor({ factor: { required: ['u1'] } }))
    expect(verdict(await una.post(SEEN))).toBe('ok')
  })
})

it.each(Object.entries(storesOfTwoNodes))(
  'codes_unseen is shared by two nodes on %s',
  async (_, openStores) => {
    const [first, second] = await startTwoNodes(await openStores())
    await enabled(first)
    const elsewhere = await loggedInWithCode(second, 'u1@x.test')
    expect(await codesUnseen(elsewhere)).toBe(true)
    await elsewhere.post(SEEN)
    expect(await codesUnseen(await loggedInWithCode(first, 'u1@x.test'))).toBe(false)
  },
)
