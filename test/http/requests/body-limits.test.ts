import { describe, expect, it } from 'vitest'
import { fakeTwoFactor } from '@svc/auth/testing'
import { routes } from '../../../src/rules/routes.ts'
import { loggedIn } from '../../support/logins.ts'
import { everyLayer } from '../../support/every-layer.ts'
import { LOGOUT, USER } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService } from '../../support/service.ts'

describe('The body of a request', () => {
  it.each(routes.map(({ name, method, path, bodyBytes }) => ({ name, method, path, bodyBytes })))(
    'is 413 and unread when it is announced with more than the route takes: $name',
    async ({ method, path, bodyBytes }) => {
      const { auth } = await startService({
        twoFactor: fakeTwoFactor({ devices: true }),
        ...everyLayer(),
      })
      const target = `/svc/api${path.replaceAll(/\{\w+\}/g, 'x')}`
      let reads = 0
      const send = async (bytes: number) => {
        const headers = { 'content-type': 'application/json', 'content-length': String(bytes) }
        const request = plainRequest({ method, target, headers })
        const body = async (): Promise<null> => {
          reads += 1
          return null
        }
        return auth.handle({ ...request, body })
      }
      const reply = await send(bodyBytes + 1)
      expect([reply.status, reads]).toEqual([413, 0])
      expect(reply.body).toContain(` ${bodyBytes} bytes`)
      expect(bodyBytes).toBeLessThanOrEqual(16 * 1024)
    },
  )

  it('is small where it is not used, and logs nobody out when it is larger', async () => {
    const una = await loggedIn(await startService())
    const padded = (bytes: number): string => '{}'.padEnd(bytes, ' ')
    expect((await una.post(LOGOUT, padded(1025))).status).toBe(413)
    expect((await una.get(USER)).status).toBe(200)
    expect((await una.post(LOGOUT, padded(1024))).status).toBe(204)
  })

  it('is small where it is not used, although its length is not announced', async () => {
    const una = await loggedIn(await startService())
    const headers = { 'content-length': null, 'transfer-encoding': 'chunked' }
    const answer = await una.post(LOGOUT, '{}'.padEnd(1025, ' '), { headers })
    expect(answer.status).toBe(413)
  })
})
