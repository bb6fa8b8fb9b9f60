import { type Middleware } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/browser.ts'
import { loggedIn } from '../support/logins.ts'
import {
  confirm,
  disable,
  loggedInWithCode,
  setUp,
  startWithFactor,
  UNLIMITED,
} from '../support/second-factor.ts'
import { LOGOUT, FACTOR, SETUP, USER } from '../support/paths.ts'
import { times, verdict, GUEST, SETUP_REQUIRED } from '../support/verdicts.ts'

const VERIFY_FIRST = '403 email_verification_required'

describe('Second factor: required', () => {
  it('refuses everything except its page from the next request on (SF-5, ER-3, AU-6, TC-2, ENR-19, ORD-03, ORD-09)', async () => {
    const service = await startWithFactor({ factor: {}, config: UNLIMITED })
    const una = await loggedIn(service)
    expect((await una.get(USER)).status).toBe(200)
    service.factor.update('u1', { required: true })
    for (const path of [USER, '/api/people', '/svc/api/notifications']) {
      const answer = await una.get(path)
      expect(verdict(answer)).toBe(SETUP_REQUIRED)
      expect(answer.json).toEqual({
        message: answer.json.message,
        key: 'svc::auth.two_factor_setup_required',
        two_factor_setup_required: true,
      })
    }
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: true,
      pending: false,
      codes_unseen: false,
    })
    await setUp(una)
    expect(verdict(await una.post(LOGOUT))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('admits everything once it is enabled (ENR-28)', async () => {
    const service = await startWithFactor({ factor: { required: ['u1'] } })
    const una = await loggedIn(service)
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
    await setUp(una)
    expect(verdict(await disable(una))).toBe('403 required_cannot_disable')
    expect(verdict(await confirm(una))).toBe('ok')
    expect((await una.get(USER)).json.id).toBe('u1')
    service.factor.update('u1', { enabled: false })
    expect(verdict(await una.get(USER))).toBe(SETUP_REQUIRED)
  })

  it('is checked after the email: the contract is not called before it is verified (ENR-29, ORD-02)', async () => {
    const service = await startWithFactor({ factor: { required: ['u3'] } })
    const tria = await loggedIn(service, 'u3@x.test')
    const before = { ...service.factor.calls }
    const answers = [
      await tria.get(USER),
      await tria.get('/api/people'),
      await tria.get(FACTOR),
      await tria.post(SETUP),
      await confirm(tria),
      await disable(tria),
    ]
    expect(answers.map(verdict)).toEqual(times(answers.length, VERIFY_FIRST))
    for (const { json } of answers) expect(json).not.toHaveProperty('two_factor_setup_required')
    expect(service.factor.calls).toEqual(before)
    service.users.update('u3', { emailVerifiedAt: service.clock.now() })
    expect(verdict(await tria.get(USER))).toBe(SETUP_REQUIRED)
    expect(verdict(await tria.post(LOGOUT))).toBe('ok')
  })

  it('is checked between the two lists of middleware (ORD-05, ORD-06)', async () => {
    const stages: string[] = []
    const noting =
      (name: string): Middleware =>
      async ({ user }, next) => {
        stages.push(user === null ? name : `${name} with the user`)
        return next()
      }
    const service = await startWithFactor({
      factor: { enabled: ['u2'], required: ['u1', 'u2'] },
      config: {
        svc: {
          prefix: 'admin',
          panels: ['main'],
          middleware: [noting('first')],
          authenticated_middleware: [noting('last')],
        },
      },
      instead: (factor) => ({
        ...factor,
        isRequiredFor: (user) => {
          stages.push('factor')
          return factor.isRequiredFor(user)
        },
      }),
    })
    const [una, duo] = [await loggedIn(service), await loggedInWithCode(service)]
    const tria = await loggedIn(service, 'u3@x.test')
    const stagesOf = async (act: () => Promise<Answer>) => {
      stages.length = 0
      const answer = verdict(await act())
      return [answer, ...stages]
    }
    expect(await stagesOf(async () => tria.get(USER))).toEqual([VERIFY_FIRST, 'first'])
    expect(await stagesOf(async () => una.get(USER))).toEqual([SETUP_REQUIRED, 'first', 'factor'])
    expect(await stagesOf(async () => duo.get(USER))).toEqual([
      'ok',
      'first',
      'factor',
      'last with the user',
    ])
    expect(await stagesOf(async () => una.post(SETUP))).toEqual([
      'ok',
      'first',
      'last with the user',
    ])
    expect(await stagesOf(async () => attemptWithout(una))).toEqual(['419 csrf_mismatch', 'first'])
  })

  async function attemptWithout(browser: Awaited<ReturnType<typeof loggedIn>>): Promise<Answer> {
    return browser.post(SETUP, {}, { headers: { 'x-xsrf-token': null } })
  }
})
