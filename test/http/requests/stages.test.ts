import { fakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { API_PATH } from '../../../src/rules/paths.ts'
import { routes } from '../../../src/rules/routes.ts'
import { loggedIn } from '../../support/logins.ts'
import { everyLayer } from '../../support/every-layer.ts'
import { AUTHENTICATED, MIDDLEWARE, startRecorded } from '../../support/recorded-service.ts'
import { LOGIN, LOGOUT } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

describe('The order of the stages (AU-4)', () => {
  it('ORD-06: a request that is refused for origin or token reaches svc.middleware only', async () => {
    const { browser, met } = await startRecorded('unbound')
    const una = await loggedIn({ browser }, 'full@x.test')
    for (const headers of [{ origin: 'https://evil.test' }, { 'x-xsrf-token': null }]) {
      met.length = 0
      await una.post(LOGOUT, undefined, { headers })
      await una.post('/api/people', undefined, { headers })
      expect(met).toEqual([MIDDLEWARE, MIDDLEWARE])
    }
  })

  it('an unknown path or method reaches no stage', async () => {
    const { browser, met } = await startRecorded('unbound')
    const una = browser()
    expect((await una.get('/svc/api/nothing')).status).toBe(404)
    expect((await una.send('PUT', '/svc/api/user')).status).toBe(405)
    expect(met).toEqual([])
  })

  it('ORD-06: a limited request does not reach authenticated_middleware', async () => {
    const { browser, met } = await startRecorded('unbound')
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    const body = { email: 'full@x.test', password: 'wrong' }
    let status = 0
    for (let count = 0; count < 11; count += 1) ({ status } = await una.post(LOGIN, body))
    expect(status).toBe(429)
    expect(met).not.toContain(AUTHENTICATED)
  })
})

describe('ORD-01: a guest is refused by the session gate', () => {
  it('401 before anything of the request is read, on every route but those of guests', async () => {
    const twoFactor = fakeTwoFactor({ devices: true })
    const { browser, users } = await startService({ twoFactor, ...everyLayer() })
    const [guest, without] = [browser(), browser()]
    await guest.get('/svc/api/csrf-cookie')
    for (const { method, path } of routes.filter(({ access }) => access !== 'guest')) {
      const target = API_PATH + path.replace('{id}', 'x')
      for (const body of [undefined, {}, { email: 1, code: [] }, '{']) {
        const answer = await guest.send(method, target, { body })
        expect([method, path, verdict(answer)]).toEqual([method, path, GUEST])
        expect(answer.json.errors).toBeUndefined()
      }
      if (method === 'GET') expect(verdict(await without.get(target))).toBe(GUEST)
    }
    expect(users.calls).toMatchObject({ findById: 0, findByEmail: 0, canAccessPanel: 0 })
  })
})

describe('ORD-07, SES-26: no kind of request bypasses the gates', () => {
  it.each([
    ['GET', { range: 'bytes=0-0' }],
    ['GET', { 'if-none-match': '*' }],
    ['GET', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['GET', { 'sec-fetch-mode': 'navigate' }],
    ['GET', { upgrade: 'websocket' }],
    ['GET', { 'x-http-method-override': 'OPTIONS' }],
  ])('%s %j', async (method, headers) => {
    const { browser } = await startService()
    const [guest, tria, una] = [browser(), browser(), browser()]
    await tria.logIn('u3@x.test')
    await una.logIn('u1@x.test')
    for (const path of ['/svc/api/user', '/api/people']) {
      expect((await guest.send(method, path, { headers })).status).toBe(401)
      expect((await tria.send(method, path, { headers })).status).toBe(403)
      expect((await una.send(method, path, { headers })).status).toBe(200)
    }
  })

  it('OPTIONS returns no data', async () => {
    const { browser } = await startService()
    const una = await loggedIn({ browser })
    const answer = await una.send('OPTIONS', '/svc/api/user')
    expect(answer.status).toBe(405)
    expect(answer.text).not.toContain('u1@x.test')
    expect((await browser().send('OPTIONS', '/api/people')).status).toBe(401)
  })
})

describe('ORD-09: logging out', () => {
  it('lets a user who lost access log out, and a guest', async () => {
    const { browser, users } = await startService()
    const [una, guest] = [browser(), browser()]
    await una.logIn('u1@x.test')
    users.update('u1', { active: false })
    await guest.get('/svc/api/csrf-cookie')
    expect((await una.post('/svc/api/logout')).status).toBe(204)
    expect((await guest.post('/svc/api/logout')).status).toBe(204)
  })
})
