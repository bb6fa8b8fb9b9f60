import { describe, expect, it } from 'vitest'
import type { Answer } from '../../support/browser.ts'
import { PASSWORD } from '../../support/browser.ts'
import { countHashes } from '../../support/hashing.ts'
import { visitor } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'
import { FAILED, LIMITED, THROTTLED, times, verdict } from '../../support/verdicts.ts'

describe('Login session: the reason of a failed login', () => {
  const reasons = [
    ['a wrong password', 'u1@x.test', 'wrong'],
    ['an unknown email', 'nobody@x.test', PASSWORD],
    ['what is not an email at all', 'nobody', PASSWORD],
    ['a refused user with the right password', 'u6@x.test', PASSWORD],
    ['a refused user with a wrong password', 'u6@x.test', 'wrong'],
    ['a user without a password', 'u7@x.test', PASSWORD],
    ['a broken hash', 'u8@x.test', PASSWORD],
  ] as const

  it.each(reasons)('ENU-01: is not revealed: %s', async (_reason, email, password) => {
    const service = await startService()
    const usual = await (await visitor(service)).post(LOGIN, { email: 'u2@x.test', password: 'x' })
    const una = await visitor(service)
    const checked = countHashes()
    const answer = await una.post(LOGIN, { email, password })
    expect(verdict(answer)).toBe(FAILED)
    expect(shown(answer)).toEqual(shown(usual))
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(checked()).toBe(1)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
  })

  it('THR-16, HDR-11: is not revealed by the throttle: known and unknown emails are counted alike', async () => {
    const service = await startService()
    const sequences = await Promise.all(
      reasons.map(async ([, email, password]) => {
        const una = await visitor(service)
        const answers: Answer[] = []
        for (let made = 0; made < 12; made += 1)
          answers.push(await una.post(LOGIN, { email, password }))
        return answers
      }),
    )
    const [usual = []] = sequences
    const expected = [...times(5, FAILED), ...times(5, THROTTLED), ...times(2, LIMITED)]
    expect(usual.map(verdict)).toEqual(expected)
    for (const answers of sequences) expect(answers.map(shown)).toEqual(usual.map(shown))
  })

  it('is given to the host only', async () => {
    const service = await startService()
    for (const [, email, password] of reasons) {
      await (await visitor(service)).post(LOGIN, { email, password })
    }
    const failed = service.events.filter(({ event }) => event === 'failed')
    const users = failed.map(({ payload }) => 'userId' in payload && payload.userId)
    expect(users).toEqual(['u1', null, null, 'u6', 'u6', 'u7', 'u8'])
  })

  it('ENU-06: logs a broken hash by its user, and nothing of what was sent or stored', async () => {
    const service = await startService()
    const una = await visitor(service)
    await una.post(LOGIN, { email: 'u8@x.test', password: PASSWORD })
    expect(service.log).toEqual([
      {
        level: 'warn',
        fields: { event: 'auth.hash_invalid', userId: 'u8' },
        message: expect.any(String),
      },
    ])
    const written = JSON.stringify(service.log)
    for (const secret of [PASSWORD, 'argon2id', 'u8@x.test']) expect(written).not.toContain(secret)
  })

  it.each(['', '!unusable'])(
    'logs nothing of a text that stands for no password: %j',
    async (none) => {
      const service = await startService()
      service.users.update('u1', { passwordHash: none })
      const answer = await (
        await visitor(service)
      ).post(LOGIN, { email: 'u1@x.test', password: 'x' })
      expect(verdict(answer)).toBe(FAILED)
      expect(service.log).toEqual([])
    },
  )

  it('logs a broken hash once for each user, however often a login is tried', async () => {
    const service = await startService()
    for (let count = 0; count < 3; count += 1)
      await (await visitor(service)).post(LOGIN, { email: 'u8@x.test', password: PASSWORD })
    expect(service.log).toHaveLength(1)
  })

  it('logs nothing of an ordinary failed login', async () => {
    const service = await startService()
    for (const [, email, password] of reasons.filter(([, email]) => email !== 'u8@x.test')) {
      await (await visitor(service)).post(LOGIN, { email, password })
    }
    expect(service.log).toEqual([])
  })

  it.each([
    ['with', FAILED],
    ['without', '419 csrf_mismatch'],
  ])('ENU-07: is not revealed by cookies, %s the CSRF cookie', async (_with, expected) => {
    const service = await startService()
    const seen: (readonly string[] | undefined)[] = []
    for (const email of ['u1@x.test', 'nobody@x.test', 'u6@x.test']) {
      const una = expected === FAILED ? await visitor(service) : service.browser()
      const answer = await una.post(LOGIN, { email, password: 'wrong' })
      expect(verdict(answer)).toBe(expected)
      seen.push(answer.headers['set-cookie'])
    }
    expect(seen).toEqual([undefined, undefined, undefined])
  })

  it('SES-17: leaves an existing session unchanged', async () => {
    const service = await startService()
    const una = service.browser()
    await una.logIn('u1@x.test')
    for (const email of ['u2@x.test', 'nobody@x.test', 'u6@x.test']) {
      const answer = await una.post(LOGIN, { email, password: 'wrong' })
      expect([verdict(answer), answer.headers['set-cookie']]).toEqual([FAILED, undefined])
    }
    expect((await una.get('/svc/api/user')).json).toMatchObject({ id: 'u1' })
  })
})

/** All that somebody outside sees of an answer, but for the time of day. */
function shown({ status, headers: { date: _date, ...headers }, text }: Answer) {
  return { status, headers, text }
}
