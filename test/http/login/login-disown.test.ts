import { describe, expect, it } from 'vitest'
import { loggedInAt, visitor } from '../../support/logins.ts'
import { closed, reset } from '../../support/passwords.ts'
import { DISOWN, USER } from '../../support/paths.ts'
import { CODE, owingCode, sendCode } from '../../support/second-factor.ts'
import { passwordHash, payloadsOf, twoTenants } from '../../support/service.ts'
import { disown, logInFrom, noticedLogin, startSessions } from '../../support/session-list.ts'
import { barrier } from '../../support/time.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { EXPIRED, GUEST, verdict } from '../../support/verdicts.ts'
import { fakeTwoFactor } from '@svc/auth/testing'

const LINK_INVALID = '422 session_link_invalid'

describe('The link of a mail about a login', () => {
  it('ends every session of the user, and of nobody else', async () => {
    const service = await startSessions()
    const quarta = await logInFrom(service, { email: 'u4@x.test' })
    const { known, unknown, token } = await noticedLogin(service)
    expect((await disown(service, token)).status).toBe(204)
    const verdicts = await Promise.all(
      [known, unknown, quarta].map(async (browser) => verdict(await browser.get(USER))),
    )
    expect(verdicts).toEqual([GUEST, GUEST, 'ok'])
    expect(payloadsOf(service, 'login.disowned')).toHaveLength(1)
    expect(payloadsOf(service, 'session.revoked')).toEqual([
      { userId: 'u1', tenant: null, ended: 2 },
    ])
  })

  it('ends a login that waits for its code', async () => {
    const service = await startSessions({ twoFactor: fakeTwoFactor({ enabled: ['u2'] }) })
    for (let made = 0; made < 2; made += 1) {
      const duo = await owingCode(service)
      expect((await sendCode(duo, CODE)).status).toBe(204)
    }
    await expect.poll(() => service.mailer.sent.length).toBe(1)
    const waiting = await owingCode(service)
    const token = new URL(service.mailer.link('u2@x.test')).hash.replace('#token=', '')
    expect((await disown(service, token)).status).toBe(204)
    expect(verdict(await sendCode(waiting, CODE))).toBe(EXPIRED)
  })

  it('sends a link to a new password where passwords are bound', async () => {
    const service = await startSessions({ passwords: {} })
    const { token } = await noticedLogin(service)
    await disown(service, token)
    await expect.poll(() => service.mailer.sent.length).toBe(2)
    const link = new URL(service.mailer.link('u1@x.test'))
    expect(link.pathname).toBe('/admin/main/reset-password')
    const resetToken = new URLSearchParams(link.hash.slice(1)).get('token')
    expect((await reset(service, resetToken)).status).toBe(204)
  })

  it('DEV-16: has the place of the thief reported again, once', async () => {
    const service = await startSessions()
    const { unknown: thief, token } = await noticedLogin(service)
    await logInFrom(service, { from: thief })
    await disown(service, token)
    await logInFrom(service, { from: thief })
    await logInFrom(service, { from: thief })
    await logInFrom(service, { address: thief.address })
    expect((await closed(service)).mailer.sent).toHaveLength(2)
  })

  it('sends no mail where they are not', async () => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    await disown(service, token)
    expect((await closed(service)).mailer.sent).toHaveLength(1)
  })

  it('leaves the account to its user, who can log in again', async () => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    await disown(service, token)
    expect(verdict(await (await logInFrom(service)).get(USER))).toBe('ok')
  })
})

describe('The token of a mail about a login', () => {
  it('DEV-06: works once', async () => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    expect(verdict(await disown(service, token))).toBe('ok')
    const again = await logInFrom(service)
    expect(verdict(await disown(service, token))).toBe(LINK_INVALID)
    expect(verdict(await again.get(USER))).toBe('ok')
  })

  it('is not used up by an outage', async () => {
    const stores = watchedStores()
    const service = await startSessions({ stores })
    const { known, token } = await noticedLogin(service)
    stores.instead('sessions.destroyOthers', () => {
      throw new Error('the disk is full')
    })
    expect(verdict(await disown(service, token))).toBe('503 unavailable')
    stores.instead('sessions.destroyOthers', null)
    expect(verdict(await disown(service, token))).toBe('ok')
    expect(verdict(await known.get(USER))).toBe(GUEST)
  })

  it('is not used up by a second use while the first one fails', async () => {
    const stores = watchedStores()
    const service = await startSessions({ stores })
    const { known, token } = await noticedLogin(service)
    const disk = barrier()
    stores.instead('sessions.destroyOthers', async () => {
      await disk.passed
      throw new Error('the disk is full')
    })
    const first = disown(service, token)
    await expect
      .poll(() => stores.calls.some(({ call }) => call === 'sessions.destroyOthers'))
      .toBe(true)
    expect(verdict(await disown(service, token))).toBe(LINK_INVALID)
    disk.open()
    expect(verdict(await first)).toBe('503 unavailable')
    stores.instead('sessions.destroyOthers', null)
    expect(verdict(await disown(service, token))).toBe('ok')
    expect(verdict(await known.get(USER))).toBe(GUEST)
  })

  it.each([
    ['a week', { days: 7 }],
    ['a change of the password', { passwordHash: passwordHash.replace(/.$/, 'x') }],
    ['a change of the email', { email: 'una@x.test' }],
  ])('DEV-11: dies with %s', async (_what, change) => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    if ('days' in change) service.clock.advance({ minutes: change.days * 24 * 60 })
    else service.users.update('u1', change)
    expect(verdict(await disown(service, token))).toBe(LINK_INVALID)
    expect(payloadsOf(service, 'login.disowned')).toEqual([])
  })

  it('DEV-11: lives no longer with a later expiry in it', async () => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    service.clock.advance({ minutes: 8 * 24 * 60 })
    const [purpose, id, expires, ...rest] = token.split('.')
    const later = [purpose, id, Number(expires) + 2 * 24 * 60 * 60, ...rest].join('.')
    expect(verdict(await disown(service, later))).toBe(LINK_INVALID)
  })

  it('DEV-11: is refused when it is altered, cut, relabelled or another text', async () => {
    const service = await startSessions({ passwords: {} })
    const { known, token } = await noticedLogin(service)
    const parts = token.split('.')
    const wrong = [
      token.slice(0, -1),
      `${token}A`,
      token.replace('disown', 'reset'),
      token.replace('disown', 'constructor'),
      [parts[0], Buffer.from('u4').toString('base64url'), ...parts.slice(2)].join('.'),
      [parts[0], parts[1], '99999999999', ...parts.slice(3)].join('.'),
      'none',
    ]
    for (const one of wrong) expect(verdict(await disown(service, one))).toBe(LINK_INVALID)
    expect(verdict(await known.get(USER))).toBe('ok')
    expect(verdict(await reset(service, token))).toBe('422 password_link_invalid')
    expect(verdict(await disown(service, token))).toBe('ok')
  })

  it('DEV-11: is refused at another tenant, where the user has the same id', async () => {
    const { changes, at } = twoTenants()
    const service = await startSessions(changes)
    for (let made = 0; made < 2; made += 1) await loggedInAt(service, 'acme')
    await expect.poll(() => service.mailer.sent.length).toBe(1)
    const token = new URL(service.mailer.link('u1@x.test')).hash.replace('#token=', '')
    const una = await visitor(service)
    expect(verdict(await una.post(DISOWN, { token }, at('zeta')))).toBe(LINK_INVALID)
    expect(verdict(await una.post(DISOWN, { token }, at('acme')))).toBe('ok')
  })

  it.each(['GET', 'HEAD', 'OPTIONS'])(
    'DEV-09: is not used by a program that opens links: %s changes nothing',
    async (method) => {
      const service = await startSessions({ config: { spa: {} } })
      const { known, link, token } = await noticedLogin(service)
      const scanner = service.browser()
      const { pathname } = new URL(link)
      for (const path of [pathname, `${pathname}?token=${token}`, `${DISOWN}?token=${token}`])
        await scanner.send(method, path)
      expect(verdict(await known.get(USER))).toBe('ok')
      expect(verdict(await disown(service, token))).toBe('ok')
    },
  )

  it('is not accepted from a page of another site', async () => {
    const service = await startSessions()
    const { known, token } = await noticedLogin(service)
    const evil = await visitor(service, { origin: 'https://evil.test' })
    expect(verdict(await evil.post(DISOWN, { token }))).toMatch(/^(?:403|419)/)
    expect(verdict(await known.get(USER))).toBe('ok')
  })
})
