import type { GuardOptions } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { cookieHeader, plainRequest } from '../../support/plain-request.ts'
import { startService } from '../../support/service.ts'

const PANEL = 'https://panel.example.test'
const LISTED = 'https://app.example.test'
const SESSION = '__Host-Http-svc_session'
const FORM: GuardOptions = { csrf: 'same-origin' }

type Headers = Readonly<Record<string, string | null>>

describe('guard with csrf "same-origin"', () => {
  it.each<[string, Headers]>([
    ['Sec-Fetch-Site: same-origin', { origin: PANEL, 'sec-fetch-site': 'same-origin' }],
    [
      'the same from a navigation',
      { origin: PANEL, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
    ],
    ['Sec-Fetch-Site: same-origin without Origin', { 'sec-fetch-site': 'same-origin' }],
    ['Origin of the panel, without Fetch Metadata', { origin: PANEL }],
  ])('admits a form without a token: %s', async (_name, headers) => {
    const { submit } = await loggedIn()
    expect((await submit(headers, FORM)).outcome).toBe('admitted')
  })

  it.each<[string, Headers]>([
    ['another origin', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['another origin, without Fetch Metadata', { origin: 'https://evil.test' }],
    ['a sibling host', { origin: 'https://x.example.test', 'sec-fetch-site': 'same-site' }],
    ['another listed origin', { origin: LISTED, 'sec-fetch-site': 'same-site' }],
    ['another listed origin, without Fetch Metadata', { origin: LISTED }],
    ['Origin: null', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['Origin: null, without Fetch Metadata', { origin: 'null' }],
    ['no Origin and no Fetch Metadata', {}],
    ['only a Referer of the panel', { referer: `${PANEL}/form` }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['Sec-Fetch-Site: same-site without Origin', { 'sec-fetch-site': 'same-site' }],
    ['an empty Sec-Fetch-Site', { origin: PANEL, 'sec-fetch-site': '' }],
    ['two values', { origin: PANEL, 'sec-fetch-site': 'same-origin, cross-site' }],
    ['the scheme of a downgraded page', { origin: PANEL.replace('https', 'http') }],
    ['a wrong token', { origin: PANEL, 'sec-fetch-site': 'same-origin', 'x-xsrf-token': 'AAAA' }],
    ['an empty token', { origin: PANEL, 'sec-fetch-site': 'same-origin', 'x-xsrf-token': '' }],
  ])('refuses a form without a token: %s', async (_name, headers) => {
    const { submit } = await loggedIn()
    expect((await submit(headers, FORM)).outcome).not.toBe('admitted')
  })

  it('still needs a session', async () => {
    const { submit } = await loggedIn()
    const headers = { origin: PANEL, 'sec-fetch-site': 'same-origin', cookie: null }
    expect((await submit(headers, FORM)).outcome).toBe('unauthenticated')
  })

  it.each([undefined, {}, { csrf: 'token' } as const])(
    'is not the default: %j',
    async (options) => {
      const { submit } = await loggedIn()
      const headers = { origin: PANEL, 'sec-fetch-site': 'same-origin' }
      expect((await submit(headers, options)).outcome).toBe('refused')
    },
  )

  it('does not apply to the routes of the service', async () => {
    const { auth, cookie } = await loggedIn()
    const headers = { host: 'panel.example.test', origin: PANEL, cookie }
    const request = plainRequest({
      method: 'POST',
      target: '/svc/api/logout',
      headers: { ...headers, 'sec-fetch-site': 'same-origin' },
    })
    expect((await auth.handle(request)).status).toBe(419)
  })

  it.each([['none'], [''], [null], [true], ['Same-Origin']])(
    'rejects the unknown value %j',
    async (value) => {
      const { auth } = await startService()
      const options = { csrf: value as 'token' }
      await expect(auth.guard(plainRequest({ target: '/' }), options)).rejects.toThrow(
        'it must be one of token, same-origin',
      )
    },
  )
})

/** Logs u1 in, whose browser then submits forms to a route of the host. */
async function loggedIn() {
  const service = await startService({
    appUrl: PANEL,
    config: { session_auth: { stateful: ['panel.example.test', 'app.example.test'] } },
  })
  const una = service.browser()
  expect((await una.logIn('u1@x.test')).status).toBe(200)
  const cookie = cookieHeader({ [SESSION]: una.cookie(SESSION) ?? '' })
  const submit = async (headers: Headers, options?: GuardOptions) =>
    service.auth.guard(
      plainRequest({
        method: 'POST',
        target: '/orders',
        headers: {
          host: 'panel.example.test',
          'content-type': 'application/x-www-form-urlencoded',
          cookie,
          ...headers,
        },
      }),
      options,
    )
  return { auth: service.auth, cookie, submit }
}
