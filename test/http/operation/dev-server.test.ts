import { describe, expect, it } from 'vitest'
import { HOST, DEV, EVIL, visitorFrom } from '../../support/origins.ts'
import { TLS } from '../../support/session-cookies.ts'

describe('A dev server on another port', () => {
  it('CSRF-35: logs in and reads the answer', async () => {
    const { browser } = await visitorFrom({ stateful: [HOST, 'localhost:5173'] })
    const una = browser({ origin: DEV })
    const answer = await una.logIn('u1@x.test')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': DEV,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    })
    const user = await una.get('/svc/api/user', { headers: { 'sec-fetch-site': 'same-site' } })
    expect(user.json.id).toBe('u1')
    expect(user.headers['access-control-allow-origin']).toBe(DEV)
  })

  it('accepts the origin that a request was sent to, though app.url names another', async () => {
    const second = 'https://second.example.test'
    const { una } = await visitorFrom({ stateful: [HOST, 'second.example.test'] })
    const from = async (origin: string, host: string) =>
      (await una.get('/svc/api/user', { headers: { origin, referer: null, host } })).headers
    const cors = 'access-control-allow-origin'
    expect(await from(second, 'second.example.test')).not.toHaveProperty(cors)
    expect(await from(TLS, HOST)).not.toHaveProperty(cors)
    expect(await from(TLS, 'second.example.test')).not.toHaveProperty(cors)
    expect(await from(second, HOST)).toHaveProperty(cors, second)
  })

  it('can read refusals too', async () => {
    const { browser } = await visitorFrom({ stateful: [HOST, 'localhost:5173'] })
    const guest = browser({ origin: DEV })
    for (const [answer, status] of [
      [await guest.get('/svc/api/user'), 401],
      [await guest.post('/svc/api/logout'), 419],
    ] as const) {
      expect(answer.status).toBe(status)
      expect(answer.headers['access-control-allow-origin']).toBe(DEV)
    }
  })

  it('CSRF-28: gets exact methods and headers in answer to a preflight', async () => {
    const { una } = await visitorFrom({ stateful: [HOST, 'localhost:5173'] })
    const answer = await una.send('OPTIONS', '/svc/api/login', { headers: preflight(DEV) })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': DEV,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    })
    const headers = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ')
    expect(headers).toEqual(expect.arrayContaining(['content-type', 'x-xsrf-token']))
    expect(headers).not.toContain('x-evil')
    expect(answer.text).toBe('')
  })

  it.each([EVIL, 'null', 'http://localhost:5174', TLS, null])(
    'CSRF-28, CSRF-29: allows nothing to %s, in a preflight or a read',
    async (origin) => {
      const { una } = await visitorFrom({ stateful: [HOST, 'localhost:5173'] })
      for (const path of ['/svc/api/login', '/svc/api/user', '/api/people']) {
        const preflighted = await una.send('OPTIONS', path, { headers: preflight(origin) })
        const read = await una.get(path, { headers: { origin } })
        for (const { headers } of [preflighted, read]) {
          expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual(
            [],
          )
        }
      }
    },
  )
})

function preflight(origin: string | null) {
  return {
    origin,
    referer: null,
    cookie: null,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, x-xsrf-token, x-evil',
  }
}
