import { describe, expect, it } from 'vitest'
import { PASSWORD, type Answer } from '../../support/browser.ts'
import { countHashes } from '../../support/hashing.ts'
import { attempt, UNRATIONED, visitor, wrongLogins } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import {
  identifyTenant,
  passwordHash,
  payloadsOf,
  somePeople,
  startService,
  svc,
} from '../../support/service.ts'
import {
  FAILED,
  INVALID,
  LIMITED,
  THROTTLED,
  times,
  UNAVAILABLE,
  verdict,
} from '../../support/verdicts.ts'

describe('Limits: failed logins', () => {
  it('ER-1, LI-1, THR-01, THR-24: checks attempts 1 to 5, throttles 6 to 10, and leaves the rest to the route limit', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const expected = [...times(5, FAILED), ...times(5, THROTTLED), ...times(2, LIMITED)]
    expect(await wrongLogins(una, 12)).toEqual(expected)
    expect(checked()).toBe(5)
  })

  it('THR-02: refuses the right password too while the lockout lasts', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 5)
    const checked = countHashes()
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(checked()).toBe(0)
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
  })

  it('accepts the right password as the fifth attempt and starts anew after it', async () => {
    const service = await startService()
    const una = await visitor(service)
    expect(await wrongLogins(una, 4)).toEqual(times(4, FAILED))
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(una, 5)).toEqual(times(5, FAILED))
  })

  it('THR-22: returns the time until the end of the lockout: 60 seconds from the first failure', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 1)
    service.clock.advance({ seconds: 49, ms: 1 })
    await wrongLogins(una, 4)
    const refused = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(refused.json).toMatchObject({ key: 'svc::auth.throttle', retry_after: 11 })
    expect(refused.json.errors).toEqual({ email: [refused.json.message] })
    expect(refused.json.message).toContain('11 seconds')
    expect(refused.headers['retry-after']).toBe('11')
    service.clock.advance({ seconds: 10, ms: 998 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    service.clock.advance({ ms: 1 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('THR-23: is not extended by attempts that are refused', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    const una = await visitor(service)
    await wrongLogins(una, 5)
    for (let second = 0; second < 60; second += 5) {
      expect(await attempt(una, 'u1@x.test')).toBe(THROTTLED)
      service.clock.advance({ seconds: 5 })
    }
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('has the numbers that the host configures', async () => {
    const limits = { 'login.failed': { max: 2, window_seconds: 30 } }
    const service = await startService({ config: { limits } })
    const una = await visitor(service)
    expect(await wrongLogins(una, 3)).toEqual([...times(2, FAILED), THROTTLED])
    service.clock.advance({ seconds: 30 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('emits every failure, the lockout once, and never a password', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 8)
    expect(payloadsOf(service, 'failed')).toHaveLength(5)
    const lockout = { email: 'u1@x.test', tenant: null, network: una.address }
    expect(payloadsOf(service, 'lockout')).toEqual([lockout])
    expect(JSON.stringify(service.events)).not.toContain('wrong')
  })

  it('counts a login whose request is aborted', async () => {
    const service = await startService()
    const una = await visitor(service)
    service.users.failWith(new Error('the database is away'), 'findByEmail')
    expect(await wrongLogins(una, 5)).toEqual(times(5, UNAVAILABLE))
    service.users.recover()
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
  })
})

describe('Limits: what counts as the same', () => {
  it.each([
    ['cases', ['U1@X.TEST', 'U1@X.TEST', 'U1@X.TEST', 'u1@x.test', 'u1@x.test', 'U1@x.Test']],
    ['white space', [' u1@x.test', 'u1@x.test ', '\u00a0u1@x.test', 'u1@x.test\u2003']],
    ['a trailing dot and wide letters', ['u1@x.test.', 'u1@ｘ.test', 'u1@x。test', 'u1@X.TEST.']],
  ])('THR-05: %s of an email share its count', async (_what, spellings) => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    for (let made = 0; made < 5; made += 1) {
      expect(await attempt(una, spellings[made % spellings.length] ?? '')).toBe(FAILED)
    }
    expect(await attempt(una, spellings.at(-1) ?? '', PASSWORD)).toBe(THROTTLED)
    expect(checked()).toBe(5)
  })

  it('THR-08: counts an international email by its composed letters and the ASCII form of its domain', async () => {
    const users = somePeople()
    users.add({ id: 'u', email: 'ü@xn--bcher-kva.test', passwordHash })
    const service = await startService({ users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    for (const email of ['ü@bücher.test', 'Ü@BÜCHER.test', 'ü@xn--bcher-kva.test.']) {
      await wrongLogins(una, 3, email)
      await wrongLogins(una, 3, email.normalize('NFD'))
    }
    expect(checked()).toBe(5)
    const decomposed = 'u\u0308@bu\u0308cher.test'
    expect(await attempt(await visitor(service), decomposed, PASSWORD)).toBe('ok')
  })

  it('THR-09: counts plus tags, dots and accents as another email', async () => {
    const users = somePeople()
    const emails = ['u1+a@x.test', 'u.1@x.test', 'ú1@x.test']
    for (const email of emails) users.add({ id: email, email, passwordHash })
    const service = await startService({ users, config: { limits: UNRATIONED } })
    const una = await visitor(service)
    await wrongLogins(una, 6)
    for (const email of emails) {
      expect(await attempt(una, email, PASSWORD)).toBe('ok')
      expect((await una.get('/svc/api/user')).json).toMatchObject({ id: email })
    }
  })

  it('counts a text that only contains an email as another email', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const tails = ['/1', '?1', '#1', '\\1', ':80']
    const others = [...tails.map((tail) => `u1@x.test${tail}`), 'u1@%78.test', '<u1@x.test>']
    for (const email of others) {
      expect([email, await attempt(una, email, PASSWORD)]).toEqual([email, FAILED])
    }
  })

  it('THR-17, THR-18: locks out one email at one address, no other email and no other address', async () => {
    const service = await startService()
    const [una, duo] = [await visitor(service), await visitor(service)]
    expect((await wrongLogins(una, 6)).at(-1)).toBe(THROTTLED)
    expect(await attempt(una, 'u2@x.test', PASSWORD)).toBe('ok')
    expect(await attempt(duo, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('locks out in one tenant only', async () => {
    const users = somePeople()
    for (const tenant of ['a', 'b'])
      users.add({ id: 'u1', email: 'u1@x.test', passwordHash, tenant })
    const config = { svc: { ...svc, middleware: [identifyTenant] } }
    const service = await startService({ users, config })
    const una = await visitor(service)
    const asking = async (tenant: string) =>
      attempt(una, 'u1@x.test', PASSWORD, { 'x-tenant': tenant })
    for (let made = 0; made < 5; made += 1) {
      await attempt(una, 'u1@x.test', 'wrong', { 'x-tenant': 'a' })
    }
    expect([await asking('a'), await asking('b')]).toEqual([THROTTLED, 'ok'])
  })

  it('THR-20: a success clears only its own key', async () => {
    const service = await startService()
    const [una, elsewhere] = [await visitor(service), await visitor(service)]
    await wrongLogins(una, 4)
    await wrongLogins(elsewhere, 4)
    expect(await attempt(una, 'u2@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(una, 1)).toEqual([FAILED])
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(THROTTLED)
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(await wrongLogins(elsewhere, 2)).toEqual([FAILED, THROTTLED])
  })
})

describe('Limits: what is not a failed login', () => {
  it('THR-26: does not count a request of another site', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }
    for (let made = 0; made < 20; made += 1) {
      expect(await attempt(una, 'u1@x.test', 'wrong', elsewhere)).toBe('403 origin_mismatch')
    }
    expect(checked()).toBe(0)
    const answer = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(verdict(answer)).toBe('ok')
    expect(answer.headers['x-ratelimit-remaining']).toBe('9')
  })

  it.each(['', 'x'])('does not count a request with the token %j', async (token) => {
    const service = await startService()
    const una = await visitor(service)
    for (let made = 0; made < 20; made += 1) {
      const headers = { 'x-xsrf-token': token }
      expect(await attempt(una, 'u1@x.test', 'wrong', headers)).toBe('419 csrf_mismatch')
    }
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('THR-27: does not count an unreadable request', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const bodies = [
      '{',
      { email: 'u1@x.test' },
      { password: PASSWORD },
      { email: ['u1@x.test'] },
      '[]',
    ]
    const answers: Answer[] = []
    for (const body of bodies) answers.push(await una.post(LOGIN, body))
    expect(answers.map(verdict)).toEqual(['400 malformed', ...times(4, INVALID)])
    expect(checked()).toBe(0)
    expect(await wrongLogins(una, 5)).toEqual(times(5, FAILED))
  })

  it.each<{ readonly email: unknown }>([
    { email: ['u1@x.test'] },
    { email: ['u1@x.test', 'u2@x.test'] },
    { email: { $gt: '' } },
    { email: { toString: 'x' } },
    { email: 1 },
    { email: true },
    { email: null },
    { email: ' ' },
    { email: 'u1@x.test\0' },
    { email: `${'x'.repeat(248)}@x.test` },
  ])('THR-30: does not look up a user by $email, which is not an email', async ({ email }) => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    const answer = await una.post(LOGIN, { email, password: PASSWORD })
    expect(verdict(answer)).toBe(INVALID)
    expect(Object.keys(answer.json.errors)).toEqual(['email'])
    expect([checked(), service.users.calls.findByEmail]).toEqual([0, 0])
  })
})
