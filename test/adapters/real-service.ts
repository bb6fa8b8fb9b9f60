import { fakeTwoFactor, type AdapterServer, type AdapterSubject } from '@svc/auth/testing'
import { expect, it, onTestFinished } from 'vitest'
import { emptyBodies } from '../../src/testing/adapter-body-cases.ts'
import { PASSWORD } from '../support/browser.ts'
import { startService, type Changes, type TestService } from '../support/service.ts'

export const CREDENTIALS = Buffer.from(JSON.stringify({ email: 'u1@x.test', password: PASSWORD }))
export const JSON_TYPE = [['Content-Type', 'application/json']] as const

/** Sends what a client of the service sends; the cookies are kept. */
export type Send = (
  request: Parameters<AdapterServer['send']>[0],
) => ReturnType<AdapterServer['send']>

/** Shows through an adapter that the routes of the service take requests as platforms and proxies frame them. */
export function itServes(subject: AdapterSubject): void {
  it.each(emptyBodies)('%s is not a body for any route that needs none', async (_shape, empty) => {
    const { send } = await loggedIn(subject)
    const sent = async (method: string, path: string): Promise<number> =>
      (await send({ method, target: `/svc/api${path}`, ...empty })).status
    expect(await sent('POST', '/notifications/read-all')).toBe(200)
    expect(await sent('POST', '/email/verification-notification')).toBe(204)
    expect(await sent('POST', '/two-factor/setup')).toBe(200)
    expect(await sent('DELETE', '/two-factor')).toBe(204)
    expect(await sent('POST', '/logout')).toBe(204)
    expect((await send({ target: '/svc/api/user' })).status).toBe(401)
  })

  it.each(['length', 'chunked'] as const)(
    'a body without a type is 415, and nobody is logged out (%s)',
    async (framing) => {
      const { send } = await loggedIn(subject)
      for (const headers of [[], [['Content-Type', 'text/plain'] as const]]) {
        const body = Buffer.from('{}')
        const request = { method: 'POST', target: '/svc/api/logout', body, framing, headers }
        expect((await send(request)).status).toBe(415)
      }
      expect((await send({ target: '/svc/api/user' })).status).toBe(200)
    },
  )

  it.each(['length', 'chunked'] as const)(
    'a login whose body arrives late in two parts is a login (%s)',
    async (framing) => {
      const { send } = await guest(subject)
      const arrival = 'late'
      const login = { method: 'POST', target: '/svc/api/login', body: CREDENTIALS } as const
      expect((await send({ ...login, framing, arrival, headers: JSON_TYPE })).status).toBe(200)
    },
  )

  it.each(['length', 'chunked'] as const)('a body over 16 KiB is 413 (%s)', async (framing) => {
    const { send } = await guest(subject)
    const body = Buffer.from(JSON.stringify({ more: 'x'.repeat(16 * 1024) }))
    const login = { method: 'POST', target: '/svc/api/login', body, framing } as const
    expect((await send({ ...login, headers: JSON_TYPE })).status).toBe(413)
  })
}

/** A client with its cookies, at a host that mounts the real service. */
export async function guest(
  subject: Pick<AdapterSubject, 'serve'>,
  changes: Changes = {},
): Promise<{ readonly send: Send; readonly log: TestService['log'] }> {
  const { auth, url, log } = await startService({ twoFactor: fakeTwoFactor(), ...changes })
  const host = await subject.serve(auth)
  onTestFinished(host.close)
  const jar = new Map<string, string>()
  async function send({ headers = [], ...request }: Parameters<Send>[0]) {
    const cookies = [...jar].map((pair) => pair.join('=')).join('; ')
    const token = jar.get('XSRF-TOKEN')
    const answer = await host.send({
      ...request,
      headers: [
        ['Origin', url],
        ...(cookies === '' ? [] : [['Cookie', cookies] as const]),
        ...(token === undefined ? [] : [['X-XSRF-TOKEN', token] as const]),
        ...headers,
      ],
    })
    for (const [name, value] of answer.headers) {
      const [, key = '', content = ''] = /^([^=]+)=([^;]*)/.exec(value) ?? []
      if (name === 'set-cookie') jar.set(key, content)
    }
    return answer
  }
  expect((await send({ target: '/svc/api/csrf-cookie' })).status).toBe(204)
  return { send, log }
}

async function loggedIn(subject: AdapterSubject): Promise<{ readonly send: Send }> {
  const { send } = await guest(subject)
  const login = { method: 'POST', target: '/svc/api/login', body: CREDENTIALS }
  expect((await send({ ...login, headers: JSON_TYPE })).status).toBe(200)
  return { send }
}
