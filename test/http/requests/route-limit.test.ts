import { describe, expect, it } from 'vitest'
import { PASSWORD, type Answer, type Browser } from '../../support/browser.ts'
import { countHashes } from '../../support/hashing.ts'
import { attempt, visitor, wrongLogins } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { sendAs } from '../../support/raw.ts'
import { CHEAP, somePeople, startService, type TestService } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import {
  FAILED,
  INVALID,
  LIMITED,
  THROTTLED,
  times,
  UNAVAILABLE,
  verdict,
} from '../../support/verdicts.ts'

describe('Limits: requests of a route', () => {
  it('LI-3, THR-36: answers the eleventh login of a minute 429, whatever its password', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 10, 'nobody@x.test')
    const checked = countHashes()
    const answer = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(verdict(answer)).toBe(LIMITED)
    expect(answer.json).toEqual({
      message: 'Too many requests. Wait 60 seconds and try again.',
      key: 'svc::auth.too_many_requests',
      retry_after: 60,
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect([checked(), service.events.length]).toEqual([0, 16])
    expect(verdict(await una.get('/svc/api/user'))).toBe('401 unauthenticated')
  })

  it('THR-21: is not refilled by a login that succeeds', async () => {
    const service = await startService()
    const una = await visitor(service)
    for (let made = 0; made < 10; made += 1) {
      expect(verdict(await una.logIn('u1@x.test'))).toBe('ok')
      expect(verdict(await una.post('/svc/api/logout'))).toBe('ok')
    }
    expect(verdict(await una.logIn('u1@x.test'))).toBe(LIMITED)
  })

  it('HDR-11: sends the remaining requests with every answer, and the wait with 429', async () => {
    const service = await startService()
    const una = await visitor(service)
    const answers: Answer[] = []
    for (let made = 0; made < 11; made += 1) {
      answers.push(await una.post(LOGIN, { email: 'u1@x.test', password: 'wrong' }))
    }
    const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0])
    expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(times(11, '10'))
    const resets = answers.map(({ headers }) => headers['x-ratelimit-reset'])
    const reset = String(service.clock.now() / 1000 + 60)
    expect(resets).toEqual([...Array.from({ length: 10 }, () => undefined), reset])
  })

  it('is a fixed window of 60 seconds from the first request, and returns the correct wait', async () => {
    const service = await startService()
    const una = await visitor(service)
    await wrongLogins(una, 1)
    service.clock.advance({ seconds: 59 })
    await wrongLogins(una, 9, 'nobody@x.test')
    const refused = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect([verdict(refused), refused.headers['retry-after']]).toEqual([LIMITED, '1'])
    service.clock.advance({ ms: 999 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(LIMITED)
    service.clock.advance({ ms: 1 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('is counted for each address', async () => {
    const service = await startService()
    expect((await wrongLogins(await visitor(service), 11)).at(-1)).toBe(LIMITED)
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('is checked before content type, fields and the hashing queue', async () => {
    const { users, release } = slowPeople()
    const passwords = { ...CHEAP, concurrency: 1, queue: 1 }
    const service = await startService({ users, config: { passwords } })
    const una = await visitor(service)
    const waiting = [1, 2].map(async () => attempt(una, 'u1@x.test', PASSWORD))
    await expect.poll(() => users.calls.findByEmail).toBe(2)
    const answers = [
      await una.post(LOGIN, { email: 'u2@x.test', password: PASSWORD }),
      await una.post(LOGIN, '{'),
      await una.post(LOGIN, {}),
      await una.post(LOGIN, 'x', { headers: { 'content-type': 'text/plain' } }),
    ]
    expect(answers.map(verdict)).toEqual([
      UNAVAILABLE,
      '400 malformed',
      INVALID,
      '415 unsupported_media_type',
    ])
    const left = answers.map(({ headers }) => headers['x-ratelimit-remaining'])
    expect(left).toEqual(['7', '6', '5', '4'])
    release()
    expect(await Promise.all(waiting)).toEqual(['ok', 'ok'])
    for (let made = 0; made < 4; made += 1) await una.post(LOGIN, '{')
    expect(verdict(await una.post(LOGIN, '{'))).toBe(LIMITED)
  })

  it('does not count requests that are refused for origin, token or size', async () => {
    const service = await startService()
    const una = await visitor(service)
    const answers = [
      await una.post(LOGIN, {}, { headers: { origin: 'https://evil.test' } }),
      await una.post(LOGIN, {}, { headers: { 'x-xsrf-token': null } }),
      await una.post(LOGIN, 'x'.repeat(17 * 1024)),
      await una.get(LOGIN),
    ]
    expect(answers.map(verdict)).toEqual([
      '403 origin_mismatch',
      '419 csrf_mismatch',
      '413 too_large',
      '405 method_not_allowed',
    ])
    for (const { headers } of answers) expect(headers).not.toHaveProperty('x-ratelimit-limit')
    const answer = await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD })
    expect(answer.headers['x-ratelimit-remaining']).toBe('9')
  })

  it('has the numbers that the host configures', async () => {
    const limits = { login: { max: 2, window_seconds: 10 } }
    const service = await startService({ config: { limits } })
    const una = await visitor(service)
    expect(await wrongLogins(una, 3)).toEqual([FAILED, FAILED, LIMITED])
    service.clock.advance({ seconds: 10 })
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
  })

  it('exists on the routes that name one and on no other', async () => {
    const service = await startService()
    const una = await visitor(service)
    for (let made = 0; made < 12; made += 1) {
      const answer = await una.get('/svc/api/user')
      expect(verdict(answer)).toBe('401 unauthenticated')
      expect(answer.headers).not.toHaveProperty('x-ratelimit-limit')
    }
  })

  it('THR-25: is not bypassed by another spelling of the path, which gives no attempts', async () => {
    const service = await startService()
    const una = await visitor(service)
    const checked = countHashes()
    for (const path of [...SPELLINGS, ...SPELLINGS, ...SPELLINGS]) {
      expect([path, await statusAt(service, una, path)]).toEqual([path, 404])
    }
    expect(checked()).toBe(0)
    expect(await wrongLogins(una, 6)).toEqual([...times(5, FAILED), THROTTLED])
  })

  it('is shared by a path with and without a query', async () => {
    const service = await startService()
    const una = await visitor(service)
    const statuses: unknown[] = []
    for (let made = 0; made < 11; made += 1) {
      statuses.push(await statusAt(service, una, `${LOGIN}?${made}`))
    }
    expect(statuses.at(-1)).toBe(429)
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe(LIMITED)
  })
})

const SPELLINGS = [
  '/svc/api/login/',
  '//svc/api/login',
  '/svc//api/login',
  '/SVC/API/LOGIN',
  '/svc/api/%6cogin',
  '/svc/api/login;x=1',
  '/svc/api/./login',
  '/x/../svc/api/login',
  '/svc/api/login%00',
  '/svc\\api\\login',
]

/** Users whose lookup by email waits until it is released. */
function slowPeople() {
  const people = somePeople()
  const { passed, open } = barrier()
  const users: typeof people = {
    ...people,
    findByEmail: async (email, tenant) => {
      const found = people.findByEmail(email, tenant)
      await passed
      return found
    },
  }
  return { users, release: open }
}

/** Returns the status of a wrong login at a target that is sent as it is. */
async function statusAt(service: TestService, browser: Browser, target: string) {
  const headers = [['Content-Type', 'application/json']] as const
  const body = JSON.stringify({ email: 'u1@x.test', password: 'wrong' })
  const [answer] = await sendAs(browser, service, { method: 'POST', target, headers, body })
  return answer?.status
}
