import { ConfigError, StoreError, type PanelAuth } from '@svc/auth'
import { checkPage, pageGuard, type PageCheckOptions } from '@svc/auth/fetch'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'
import { HOST, PANEL, withUserHeaders } from '../support/user-headers.ts'

const PAGE = { login: '/admin/main/login', path: '/reports?sort=a&b=%2F' } as const
const ACTION = { ...PAGE, csrf: 'same-origin' } as const
const SAME_ORIGIN = { origin: PANEL, 'sec-fetch-site': 'same-origin' } as const
const TO_LOGIN = {
  outcome: 'redirect',
  location: '/admin/main/login?next=%2Freports%3Fsort%3Da%26b%3D%252F',
} as const

describe('checkPage', () => {
  it('returns the user, by web headers and by those of node:http', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    for (const headers of [new Headers(lines), lines]) {
      const verdict = await checkPage(auth, headers, PAGE)
      expect(verdict).toMatchObject({ outcome: 'admitted', user: { id: 'u1' } })
    }
  })

  it('redirects a guest where pageGuard redirects, however the page is asked for', async () => {
    const { auth } = await startService({ appUrl: PANEL })
    const navigation = { host: HOST, 'sec-fetch-mode': 'navigate' }
    const { response } = await pageGuard(auth, { login: PAGE.login })(
      new Request(PANEL + PAGE.path, { headers: navigation }),
      { address: null },
    )
    expect(response?.headers.get('location')).toBe(TO_LOGIN.location)
    expect(await checkPage(auth, new Headers(navigation), PAGE)).toEqual(TO_LOGIN)
    const byScript = { host: HOST, 'sec-fetch-mode': 'cors' }
    expect(await checkPage(auth, new Headers(byScript), PAGE)).toEqual(TO_LOGIN)
  })

  it('redirects a user whose session has ended', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    await auth.endSessions('u1')
    expect(await checkPage(auth, new Headers(lines), PAGE)).toEqual(TO_LOGIN)
    const action = new Headers({ ...lines, ...SAME_ORIGIN })
    expect(await checkPage(auth, action, ACTION)).toEqual(TO_LOGIN)
  })

  it('redirects a user whose email is not verified', async () => {
    const { auth, lines } = await withUserHeaders('u3')
    expect(await checkPage(auth, new Headers(lines), PAGE)).toEqual(TO_LOGIN)
  })

  it('redirects a user who must set up a second factor, except where access is lower', async () => {
    const { auth, lines } = await withUserHeaders('u4', {
      twoFactor: fakeTwoFactor({ required: ['u4'] }),
    })
    const headers = new Headers(lines)
    expect(await checkPage(auth, headers, PAGE)).toEqual(TO_LOGIN)
    expect(await checkPage(auth, headers, { ...PAGE, access: 'security' })).toMatchObject({
      outcome: 'admitted',
    })
  })

  it('refuses with 503 during an outage, when nobody is logged out', async () => {
    const { auth, lines, stores } = await withUserHeaders('u1')
    stores.instead('sessions.read', () => {
      throw new StoreError('down')
    })
    for (const options of [PAGE, ACTION]) {
      const headers = new Headers({ ...lines, ...SAME_ORIGIN })
      expect(await checkPage(auth, headers, options)).toEqual({
        outcome: 'refused',
        status: 503,
        message: expect.stringMatching(/\w/) as string,
      })
    }
  })

  it('words the refusal in the language of the browser', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const messages = await Promise.all(
      ['en', 'fr'].map(async (language) => {
        const headers = new Headers({ ...lines, 'accept-language': language })
        const verdict = await checkPage(auth, headers, ACTION)
        return verdict.outcome === 'refused' ? verdict.message : verdict.outcome
      }),
    )
    expect(new Set(messages).size).toBe(2)
    expect(messages).toEqual([
      expect.stringMatching(/^[^{}<>]+$/) as string,
      expect.stringMatching(/^[^{}<>]+$/) as string,
    ])
  })

  it('shares one check with auth.userFrom', async () => {
    const { auth, lines, users } = await withUserHeaders('u1')
    const before = users.calls.findById
    const headers = new Headers(lines)
    await Promise.all([checkPage(auth, headers, PAGE), auth.userFrom(headers)])
    expect(users.calls.findById).toBe(before + 1)
  })
})

describe('checkPage with csrf "same-origin", for actions', () => {
  it('admits an action of a page of the same origin', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const headers = new Headers({ ...lines, ...SAME_ORIGIN })
    expect(await checkPage(auth, headers, ACTION)).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u1' },
    })
  })

  it.each<[string, number, Record<string, string>]>([
    ['without Origin', 419, {}],
    ['of another site', 403, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['of a sibling host', 403, { origin: 'https://x.example.test', 'sec-fetch-site': 'same-site' }],
    ['with Origin: null', 403, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('refuses an action %s with %i, and redirects nobody', async (_name, status, more) => {
    const { auth, lines } = await withUserHeaders('u1')
    const verdict = await checkPage(auth, new Headers({ ...lines, ...more }), ACTION)
    expect(verdict).toMatchObject({ outcome: 'refused', status })
  })
})

describe('The location of checkPage', () => {
  it.each([
    'https://evil.test/x',
    '//evil.test/x',
    '/\\evil.test',
    '/\t/evil.test',
    '/.//evil.test',
    'javascript:alert(1)',
    'reports',
    '',
  ])('has no next for a path that is not of this site: %j', async (path) => {
    const { auth } = await startService({ appUrl: PANEL })
    const headers = new Headers({ host: HOST })
    const verdict = await checkPage(auth, headers, { ...PAGE, path })
    expect(verdict).toEqual({ outcome: 'redirect', location: '/admin/main/login' })
  })
})

describe('checkPage behind a middleware that answers by itself', () => {
  it.each([
    [451, 'as it is', 451],
    [302, 'as 403, because no error redirects', 403],
    [200, 'as 403, because nobody was admitted', 403],
  ])('refuses an answer of %i %s', async (answered, _name, status) => {
    const closed = async () => ({ status: answered, headers: {}, body: 'Not here.' })
    const svc = { prefix: 'admin', panels: ['main'], middleware: [closed] }
    const { auth } = await startService({ appUrl: PANEL, config: { svc } })
    const headers = new Headers({ host: HOST })
    expect(await checkPage(auth, headers, PAGE)).toEqual({
      outcome: 'refused',
      status,
      message: 'Not here.',
    })
  })
})

describe('The options of checkPage', () => {
  it.each([undefined, '', 'login', 'https://panel.example.test/login', '//evil.test', '/\\evil'])(
    'may not name the login page %j',
    async (login) => {
      const { auth } = await startService()
      await rejects(auth, { ...PAGE, login: login as string }, 'checkPage: login is')
    },
  )

  it('may not name an unknown level or proof', async () => {
    const { auth } = await startService()
    await rejects(auth, { ...PAGE, access: 'guest' as 'panel' }, 'access is "guest"')
    await rejects(auth, { ...PAGE, csrf: 'none' as 'token' }, 'csrf is "none"')
  })
})

async function rejects(
  auth: PanelAuth<FakeUser>,
  options: PageCheckOptions,
  message: string,
): Promise<void> {
  const checked = checkPage(auth, new Headers(), options)
  await expect(checked).rejects.toThrow(ConfigError)
  await expect(checked).rejects.toThrow(message)
}
