import { ConfigError, StoreError, type RequestHeaders } from '@svc/auth'
import { fakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { HOST, PANEL, withUserHeaders } from '../../support/user-headers.ts'

const ACTION = { csrf: 'same-origin' } as const

describe('auth.userFrom', () => {
  it.each<[string, (lines: Record<string, string>) => RequestHeaders]>([
    ['web headers', (lines) => new Headers(lines)],
    ['headers of node:http', (lines) => lines],
    ['headers of node:http2', ({ host, ...lines }) => ({ ...lines, ':authority': host })],
  ])('returns the user of %s', async (_name, headers) => {
    const { auth, lines } = await withUserHeaders('u1')
    expect(await auth.userFrom(headers(lines))).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u1' },
    })
  })

  it('takes no headers of node:http2 that name two hosts', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const headers = { ...lines, ':authority': 'evil.test' }
    expect((await auth.userFrom(headers)).outcome).toBe('unauthenticated')
  })

  it('takes a header that a platform sets to null for one that is missing', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const headers = { ...lines, referer: null, origin: null } as unknown as RequestHeaders
    expect((await auth.userFrom(headers)).outcome).toBe('admitted')
    const none = { host: HOST, cookie: null } as unknown as RequestHeaders
    expect((await auth.userFrom(none)).outcome).toBe('unauthenticated')
  })

  it('does not take a promise of headers for those of a guest', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const headers = Promise.resolve(new Headers(lines)) as unknown as RequestHeaders
    await expect(auth.userFrom(headers)).rejects.toThrow(ConfigError)
  })

  it('returns the refusal of a guest, and of a user behind a gate', async () => {
    const { auth } = await withUserHeaders('u1')
    const guest = await auth.userFrom(new Headers({ host: HOST }))
    expect(guest.outcome).toBe('unauthenticated')
    const unverified = await withUserHeaders('u3')
    expect((await unverified.auth.userFrom(new Headers(unverified.lines))).outcome).toBe(
      'email-verification-required',
    )
    const unsecured = await withUserHeaders('u4', {
      twoFactor: fakeTwoFactor({ required: ['u4'] }),
    })
    const headers = new Headers(unsecured.lines)
    expect((await unsecured.auth.userFrom(headers)).outcome).toBe('two-factor-setup-required')
    expect((await unsecured.auth.userFrom(headers, { access: 'security' })).outcome).toBe(
      'admitted',
    )
  })

  it('returns an outage as such, so that no page treats the user as logged out', async () => {
    const { auth, lines, stores } = await withUserHeaders('u1')
    stores.instead('sessions.read', () => {
      throw new StoreError('down')
    })
    expect((await auth.userFrom(new Headers(lines))).outcome).toBe('unavailable')
  })

  it('reads the session once for an object of headers, and again for the next', async () => {
    const { auth, lines, users } = await withUserHeaders('u1')
    const before = users.calls.findById
    const headers = new Headers(lines)
    const verdicts = await Promise.all([
      auth.userFrom(headers),
      auth.userFrom(headers),
      auth.userFrom(headers).then(async () => auth.userFrom(headers)),
    ])
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'admitted'])
    expect(users.calls.findById).toBe(before + 1)
    await auth.userFrom(new Headers(lines))
    expect(users.calls.findById).toBe(before + 2)
  })

  it('sees that the session has ended with the next request', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    expect((await auth.userFrom(new Headers(lines))).outcome).toBe('admitted')
    await auth.endSessions('u1')
    expect((await auth.userFrom(new Headers(lines))).outcome).toBe('unauthenticated')
  })

  it('sees it within five seconds for the headers of a connection that stays open', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const started = performance.now()
    const time = vi.spyOn(performance, 'now')
    onTestFinished(() => time.mockRestore())
    const headers = new Headers(lines)
    expect((await auth.userFrom(headers)).outcome).toBe('admitted')
    await auth.endSessions('u1')
    time.mockReturnValue(started + 60_000)
    expect((await auth.userFrom(headers)).outcome).toBe('unauthenticated')
  })

  it('does not extend the session', async () => {
    const { auth, lines, clock } = await withUserHeaders('u1')
    for (let minute = 0; minute < 120; minute += 20) {
      expect((await auth.userFrom(new Headers(lines))).outcome).toBe('admitted')
      clock.advance({ minutes: 20 })
    }
    expect((await auth.userFrom(new Headers(lines))).outcome).toBe('unauthenticated')
  })

  it.each<[string, Record<string, string>]>([
    ['a script of another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    [
      'a form of a sibling host',
      {
        origin: 'https://x.example.test',
        'sec-fetch-site': 'same-site',
        'sec-fetch-mode': 'navigate',
      },
    ],
    [
      'a form that hides its origin',
      { origin: 'null', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ],
    ['a host that is not listed', { host: 'evil.test' }],
  ])('knows no user for %s', async (_name, more) => {
    const { auth, lines } = await withUserHeaders('u1')
    const verdict = await auth.userFrom(new Headers({ ...lines, ...more }))
    expect(verdict.outcome).toBe('unauthenticated')
  })

  it('admits the navigation of a link on another site', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const more = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect((await auth.userFrom(new Headers({ ...lines, ...more }))).outcome).toBe('admitted')
  })
})

describe('auth.userFrom with csrf "same-origin", for actions', () => {
  it('admits an action of a page of the same origin', async () => {
    const { auth, lines } = await withUserHeaders('u1')
    const headers = new Headers({ ...lines, origin: PANEL, 'sec-fetch-site': 'same-origin' })
    expect(await auth.userFrom(headers, ACTION)).toMatchObject({
      outcome: 'admitted',
      user: { id: 'u1' },
    })
  })

  it.each<[string, Record<string, string>]>([
    ['no Origin and no Fetch Metadata', {}],
    ['a navigation without Origin', { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }],
    ['another origin', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { origin: 'https://x.example.test', 'sec-fetch-site': 'same-site' }],
    ['Origin: null', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a host that is not listed', { host: 'evil.test', origin: 'https://evil.test' }],
  ])('refuses an action with %s', async (_name, more) => {
    const { auth, lines } = await withUserHeaders('u1')
    const verdict = await auth.userFrom(new Headers({ ...lines, ...more }), ACTION)
    expect(verdict.outcome).toBe('refused')
  })

  it.each(['same-origin', 'token'] as const)(
    'does not take the verdict of a read of the same headers, with csrf "%s"',
    async (csrf) => {
      const { auth, lines } = await withUserHeaders('u1')
      const headers = new Headers(lines)
      expect((await auth.userFrom(headers)).outcome).toBe('admitted')
      expect((await auth.userFrom(headers, { csrf })).outcome).toBe('refused')
      expect((await auth.userFrom(headers)).outcome).toBe('admitted')
    },
  )
})
