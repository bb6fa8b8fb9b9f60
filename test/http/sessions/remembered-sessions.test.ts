import { outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import type { Answer, Browser } from '../../support/browser.ts'
import { change, startPasswords } from '../../support/passwords.ts'
import { BELL, CODE_STEP, LOGIN, LOGOUT, USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  setUp,
  startWithFactor,
} from '../../support/second-factor.ts'
import { startService, type TestService } from '../../support/service.ts'
import { credentials, linesOf, SESSION } from '../../support/session-cookies.ts'
import { logInFrom, sessionsOf } from '../../support/session-list.ts'
import { BOUND, logInRemembered, startTrusting } from '../../support/trusted-devices.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const REMEMBER = {
  mailer: outbox(),
  sessions: { devices: true, remember: { days: 30 } },
} as const
const DAYS_30 = 30 * 24 * 60 * 60

/** Returns the lifetime that an answer gives the session cookie; `null`: until the browser closes. */
function lifetimeOf(answer: Answer): number | null {
  const line = linesOf(answer).find(({ name }) => name === SESSION)
  expect(line).toBeDefined()
  const [, seconds = null] = /Max-Age=(\d+)/.exec(line?.attributes ?? '') ?? []
  return seconds === null ? null : Number(seconds)
}

async function remembered(service: TestService): Promise<Browser> {
  const browser = service.browser()
  expect((await logInRemembered(browser)).status).toBe(200)
  return browser
}

describe('A remembered session', () => {
  it('has a cookie that the browser keeps for so many days', async () => {
    const service = await startService(REMEMBER)
    expect(lifetimeOf(await logInRemembered(service.browser()))).toBe(DAYS_30)
  })

  it('lives without a request until its end', async () => {
    const service = await startService(REMEMBER)
    const una = await remembered(service)
    service.clock.advance({ hours: 30 * 24, seconds: -1 })
    expect((await una.get(USER)).status).toBe(200)
  })

  it('has its end in the list of sessions, which no use moves; others have none', async () => {
    const service = await startService(REMEMBER)
    const una = await remembered(service)
    const end = new Date(service.clock.now() + DAYS_30 * 1000).toISOString()
    service.clock.advance({ hours: 50 })
    await logInFrom(service)
    expect((await sessionsOf(una)).map((one) => one.remembered_until)).toEqual([end, null])
  })

  it('REM-01: ends after so many days, however often it is used', async () => {
    const service = await startService(REMEMBER)
    const una = await remembered(service)
    for (let day = 1; day < 30; day += 1) {
      service.clock.advance({ hours: 24 })
      expect((await una.get(USER)).status).toBe(200)
    }
    service.clock.advance({ hours: 24 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('REM-02: keeps its end when it receives a new id', async () => {
    const service = await startTrusting({ factor: {} })
    const una = await remembered(service)
    service.clock.advance({ hours: 10 * 24 })
    await setUp(una)
    expect(lifetimeOf(await confirm(una))).toBe(20 * 24 * 60 * 60)
    service.clock.advance({ hours: 10 * 24 })
    expect(lifetimeOf(await disable(una))).toBe(10 * 24 * 60 * 60)
    service.clock.advance({ hours: 10 * 24, seconds: -1 })
    expect((await una.get(USER)).status).toBe(200)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('REM-03: ends with a change of the password elsewhere, and keeps its end in its own', async () => {
    const service = await startPasswords({ sessions: REMEMBER.sessions })
    const [una, elsewhere] = [await remembered(service), await remembered(service)]
    service.clock.advance({ hours: 24 })
    const changed = await change(una)
    expect({ status: changed.status, kept: lifetimeOf(changed) }).toEqual({
      status: 204,
      kept: 29 * 24 * 60 * 60,
    })
    expect(verdict(await elsewhere.get(USER))).toBe(GUEST)
    service.clock.advance({ hours: 28 * 24 })
    expect((await una.get(USER)).status).toBe(200)
  })

  it('REM-04: ends for good when its user logs out', async () => {
    const service = await startService(REMEMBER)
    const una = await remembered(service)
    const copied = una.copy()
    await una.post(LOGOUT)
    expect(verdict(await copied.get(USER))).toBe(GUEST)
  })

  it('REM-04: ends when the host ends the sessions of the user', async () => {
    const service = await startService(REMEMBER)
    const una = await remembered(service)
    expect(await service.auth.endSessions('u1')).toBe(1)
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it.each([
    ['no longer binds the layer', undefined],
    ['gives fewer days', { devices: true, remember: { days: 1 } } as const],
  ])('ends as the others once the host %s, also for requests that extend none', async (_, to) => {
    const before = await startService(REMEMBER)
    const una = await remembered(before)
    const { stores, users, clock, url: appUrl } = before
    const bound = to === undefined ? {} : { sessions: to, mailer: outbox() }
    const after = await startService({ stores, users, clock, appUrl, ...bound })
    clock.advance({ hours: 25 })
    const moved = after.browser()
    moved.setCookie(SESSION, una.cookie(SESSION))
    expect(verdict(await moved.get(BELL))).toBe(GUEST)
    expect(verdict(await moved.get(USER))).toBe(GUEST)
  })
})

describe('A login with a second factor', () => {
  it('keeps the choice of the first step for the session that the code opens', async () => {
    const service = await startTrusting()
    const duo = service.browser()
    const first = await logInRemembered(duo, { email: 'u2@x.test' })
    expect({ asked: first.json.two_factor, kept: lifetimeOf(first) }).toEqual({
      asked: true,
      kept: null,
    })
    expect(lifetimeOf(await duo.post(CODE_STEP, { code: CODE }))).toBe(DAYS_30)
    service.clock.advance({ hours: 29 * 24 })
    expect((await duo.get(USER)).status).toBe(200)
  })

  it('REM-05: cannot be made a remembered one by the request with the code', async () => {
    const service = await startTrusting()
    const duo = service.browser()
    await logInRemembered(duo, { email: 'u2@x.test', remember: false })
    expect(lifetimeOf(await duo.post(CODE_STEP, { code: CODE, remember: true }))).toBeNull()
    service.clock.advance({ minutes: 121 })
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })
})

describe('A login that does not ask to be remembered', () => {
  it.each([
    ['without the field', {}],
    ['with false', { remember: false }],
  ])('has the usual cookie and lifetimes %s', async (_, more) => {
    const service = await startService(REMEMBER)
    const una = service.browser()
    await una.get('/svc/api/csrf-cookie')
    expect(lifetimeOf(await una.post(LOGIN, { ...credentials('u1'), ...more }))).toBeNull()
    service.clock.advance({ minutes: 121 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('is refused if the field is not a boolean', async () => {
    const service = await startService(REMEMBER)
    const refused = await logInRemembered(service.browser(), { remember: 'yes' })
    expect(verdict(refused)).toBe('422 invalid')
    expect(Object.keys(refused.json.errors)).toEqual(['remember'])
  })
})

describe('A host that does not remember sessions', () => {
  it.each([true, 'yes', { days: 90 }])(
    'ignores the field, as any unknown one (%j)',
    async (remember) => {
      const service = await startService()
      const answer = await logInRemembered(service.browser(), { remember })
      expect({ status: answer.status, kept: lifetimeOf(answer) }).toEqual({
        status: 200,
        kept: null,
      })
    },
  )

  it('stores no details of a session', async () => {
    const service = await startWithFactor()
    await loggedInWithCode(service)
    const [session] = await service.stores.sessions.list(
      { tenant: null, userId: 'u2' },
      service.clock.now(),
    )
    expect(session?.details).toBeNull()
  })

  it('does not name the field in its description', async () => {
    const service = await startService()
    const { text } = await service.browser().get('/svc/api/openapi.json')
    expect(text).not.toContain('"remember"')
    const bound = await startTrusting({ sessions: BOUND })
    expect((await bound.browser().get('/svc/api/openapi.json')).text).toContain('"remember"')
  })
})
