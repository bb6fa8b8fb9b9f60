import { StoreError } from '@svc/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { type Answer, type Browser } from '../../support/browser.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { somePeople, startService } from '../../support/service.ts'
import { SESSION } from '../../support/session-cookies.ts'
import { settled } from '../../support/time.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { query } from '../../support/query.ts'

const EVER = () => new Promise<never>(() => {})

afterEach(() => {
  vi.useRealTimers()
})

describe('Outages of stores and hosts', () => {
  it('OPS-01: a session store that is down is 503, and the session is there when it is back', async () => {
    const stores = watchedStores()
    const { browser, log } = await startService({ stores })
    const una = await loggedIn({ browser })
    stores.instead('sessions.read', () => {
      throw new StoreError('connect ECONNREFUSED 10.0.0.5:6379')
    })
    for (const answer of [
      await una.get('/svc/api/user'),
      await una.get('/api/people'),
      await una.post('/svc/api/logout'),
    ]) {
      expectOutage(answer)
    }
    const { headers } = await una.get('/svc/api/csrf-cookie')
    expect(headers).not.toHaveProperty('x-svc-session')
    // The others of the second are counted in the next line.
    expect(log.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'error: a request failed',
    ])
    stores.instead('sessions.read', null)
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it.each(['sessions.touch', 'sessions.create', 'attempts.reserve'] as const)(
    '%s failing is 503 and gives no session',
    async (call) => {
      const stores = watchedStores()
      const { browser, clock } = await startService({ stores })
      const una = await loggedIn({ browser })
      clock.advance({ minutes: 2 })
      stores.instead(call, () => Promise.reject(new StoreError('down')))
      const answer =
        call === 'sessions.touch'
          ? await una.post('/svc/api/notifications/read-all')
          : await browser().logIn('u1@x.test')
      expectOutage(answer)
    },
  )

  it.each<[string, () => unknown]>([
    ['a promise', EVER],
    ['a query of Drizzle', () => query()],
  ])('a provider that never answers %s is 503 after five seconds', async (_name, never) => {
    const fine = somePeople()
    let hanging = false
    const users = {
      ...fine,
      findById: (id: string, tenant: string | null) =>
        (hanging ? never() : fine.findById(id, tenant)) as ReturnType<typeof fine.findById>,
    }
    const { auth, browser, url } = await startService({ users })
    const una = await loggedIn({ browser })
    hanging = true
    expect(await inFiveSeconds(async () => auth.handle(userRequest(una, url)))).toBe(503)
  })

  it('OPS-03: a store that never answers is 503 after five seconds', async () => {
    const stores = watchedStores()
    const { auth, browser, url } = await startService({ stores })
    const una = await loggedIn({ browser })
    stores.instead('sessions.read', EVER)
    expect(await inFiveSeconds(async () => auth.handle(userRequest(una, url)))).toBe(503)
  })
})

function userRequest(browser: Browser, url: string) {
  const headers = { origin: url, cookie: `${SESSION}=${browser.cookie(SESSION)}` }
  return plainRequest({ target: '/svc/api/user', headers })
}

/** 503, the cookie left alone, and nothing of the cause in it. */
function expectOutage(answer: Answer): void {
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(Object.keys(answer.json).toSorted()).toEqual([
    'key',
    'message',
    'request_id',
    'retry_after',
  ])
  expect(answer.json.key).toBe('svc::auth.unavailable')
}

/** The status of what is answered within five seconds, of a clock that is turned; `null`: nothing is. */
async function inFiveSeconds(send: () => Promise<{ status: number }>): Promise<number | null> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let status: number | null = null
  void send().then((reply) => (status = reply.status))
  await settled()
  await vi.advanceTimersByTimeAsync(5001)
  await settled()
  return status
}
