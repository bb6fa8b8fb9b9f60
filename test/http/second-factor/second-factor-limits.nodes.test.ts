import { describe, expect, it } from 'vitest'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { USER } from '../../support/paths.ts'
import {
  CODE,
  moveTo,
  owingCode,
  sendCode,
  sendCodes,
  startTwoNodes,
  startWithFactor,
  UNLIMITED,
  WRONG,
} from '../../support/second-factor.ts'
import { times, verdict, EXPIRED, tally, WRONG_CODE } from '../../support/verdicts.ts'

describe('Limits: incorrect codes across pending logins', () => {
  it('are limited to twenty an hour for user and network; the password step does not clear them (2FA-13)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const duo = service.browser()
    for (let login = 0; login < 4; login += 1) {
      await owingCode(service, { opened: duo })
      await sendCodes(duo, 5)
    }
    await owingCode(service, { opened: duo })
    service.clock.advance({ seconds: 100 })
    const refused = await sendCode(duo, CODE)
    expect([refused.status, refused.json]).toEqual([
      422,
      {
        message: refused.json.message,
        key: 'svc::auth.throttle',
        errors: { code: [refused.json.message] },
        retry_after: 3500,
      },
    ])
    expect(refused.headers['retry-after']).toBe('3500')
    expect(service.factor.calls.verify).toBe(20)
    // It was not asked about, so it took nothing from the pending login.
    expect((await duo.get(USER)).json.attempts_left).toBe(5)
    // Another network and another user are not meant.
    expect(verdict(await sendCode(await owingCode(service), CODE))).toBe('ok')
    service.clock.advance({ seconds: 3500 })
    await owingCode(service, { opened: duo })
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('are counted for each user separately', async () => {
    const limits = { 'two-factor.network': { max: 1, window_seconds: 3600 } }
    const service = await startWithFactor({
      factor: { enabled: ['u1', 'u2'] },
      config: { limits },
    })
    const browser = await owingCode(service)
    await sendCode(browser, WRONG)
    expect(verdict(await sendCode(browser, CODE))).toBe('422 throttle')
    await owingCode(service, { email: 'u1@x.test', opened: browser })
    expect(verdict(await sendCode(browser, CODE))).toBe('ok')
  })

  it('are limited to a hundred a day for the user over all networks (2FA-13)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    for (let login = 0; login < 20; login += 1) await sendCodes(await owingCode(service), 5)
    expect(service.factor.calls.verify).toBe(100)
    const fresh = await owingCode(service)
    const refused = await sendCode(fresh, CODE)
    expect(verdict(refused)).toBe('422 throttle')
    expect(refused.json).toMatchObject({
      errors: { code: [expect.any(String)] },
      retry_after: 86_400,
    })
    expect(service.factor.calls.verify).toBe(100)
    service.clock.advance({ hours: 24 })
    expect(verdict(await sendCode(await owingCode(service), CODE))).toBe('ok')
  })

  it.each(['two-factor.network', 'two-factor.place'] as const)(
    'are not increased by correct codes (%s)',
    async (name) => {
      const limits = { [name]: { max: 2, window_seconds: 86_400 } }
      const service = await startWithFactor({ config: { limits } })
      const duo = service.browser()
      for (let login = 0; login < 4; login += 1) {
        await owingCode(service, { opened: duo })
        expect(verdict(await sendCode(duo, CODE))).toBe('ok')
      }
      // Nor do right ones forgive the incorrect ones.
      for (const expected of [WRONG_CODE, WRONG_CODE, '422 throttle']) {
        await owingCode(service, { opened: duo })
        expect(verdict(await sendCode(duo, WRONG))).toBe(expected)
      }
    },
  )

  it('are not increased by concurrent correct codes', async () => {
    const limits = { 'two-factor.user': { max: 5, window_seconds: 86_400 } }
    const service = await startWithFactor({ config: { limits } })
    const duo = await owingCode(service)
    const goOn = service.factor.hang('verify')
    const sent = times(5, CODE).map(async (code) => sendCode(duo.copy(), code))
    await expect.poll(async () => (await duo.get(USER)).json.attempts_left).toBeUndefined()
    service.factor.recover()
    goOn()
    expect(tally((await Promise.all(sent)).map(verdict))).toEqual({ ok: 1, [EXPIRED]: 4 })
    const again = await owingCode(service)
    const wrong = await sendCodes(again, 4)
    expect(wrong.map(verdict)).toEqual(times(4, WRONG_CODE))
  })
})

describe.each(Object.entries(storesOfTwoNodes))('A hundred codes at once, %s', (_, openStores) => {
  async function atOnce(codes: readonly string[]) {
    const nodes = await startTwoNodes(await openStores())
    const [{ factor }] = nodes
    const duo = await owingCode(nodes[0])
    const browsers = codes.map((__, index) => moveTo(nodes[index % 2] ?? nodes[0], duo))
    // While the first is checked others arrive. One that is answered meanwhile proves that five are counted.
    const goOn = factor.hang('verify')
    const sent = browsers.map(async (browser, index) => sendCode(browser, codes[index]))
    await Promise.race(sent)
    factor.recover()
    goOn()
    const answers = await Promise.all(sent)
    const opened = browsers.filter((___, index) => answers[index]?.status === 204)
    const users = await Promise.all(opened.map(async (browser) => browser.get(USER)))
    expect(users.map(({ json }) => json.id)).toEqual(times(opened.length, 'u2'))
    // Whoever was not told so has no session, and nobody can go on.
    for (const browser of browsers.filter((one) => !opened.includes(one)).slice(0, 10)) {
      expect((await browser.get(USER)).json).not.toHaveProperty('two_factor')
      expect(verdict(await sendCode(browser, CODE))).toBe(EXPIRED)
    }
    return { verdicts: tally(answers.map(verdict)), verified: factor.calls.verify }
  }

  it('are checked five times when they are wrong (2FA-07)', async () => {
    const { verdicts, verified } = await atOnce(times(100, WRONG))
    expect(verified).toBe(5)
    expect(verdicts).toEqual({
      [WRONG_CODE]: 4,
      '422 two_factor_exhausted': 1,
      [EXPIRED]: 95,
    })
  })

  it('open at most one session when one is right (2FA-08)', async () => {
    const { verdicts, verified } = await atOnce([...times(50, WRONG), CODE, ...times(49, WRONG)])
    expect(verified).toBeLessThanOrEqual(5)
    expect(verdicts['ok'] ?? 0).toBeLessThanOrEqual(1)
  })

  it('open one session when all are right (2FA-09)', async () => {
    const { verdicts, verified } = await atOnce(times(100, CODE))
    expect(verified).toBeLessThanOrEqual(5)
    expect(verdicts).toEqual({ ok: 1, [EXPIRED]: 99 })
  })

  it('are counted on all nodes together (2FA-33)', async () => {
    const [first, second] = await startTwoNodes(await openStores())
    const duo = await owingCode(first)
    await sendCodes(duo, 3)
    await sendCodes(moveTo(second, duo), 2)
    expect(verdict(await sendCode(duo, CODE))).toBe(EXPIRED)
    expect(first.factor.calls.verify).toBe(5)
  })
})
