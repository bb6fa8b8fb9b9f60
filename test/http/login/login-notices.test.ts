import { inspect } from 'node:util'
import { fakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { freshAddress, PASSWORD } from '../../support/browser.ts'
import { visitor } from '../../support/logins.ts'
import { closed } from '../../support/passwords.ts'
import { BELL, LOGIN } from '../../support/paths.ts'
import { loggedInWithCode, owingCode } from '../../support/second-factor.ts'
import { cookieHeader, cookiesOf, plainRequest } from '../../support/plain-request.ts'
import { payloadsOf, type TestService } from '../../support/service.ts'
import { TOKEN } from '../../support/session-cookies.ts'
import { logInFrom, noticedLogin, startSessions } from '../../support/session-list.ts'
import { settled } from '../../support/time.ts'

/** Logs in where the platform tells no address. @returns the cookie of the device. */
async function logInWithoutAddress({ auth, origin }: TestService, device = ''): Promise<string> {
  const headers = { host: new URL(origin).host, origin }
  const request = { address: null, headers }
  const csrf = await auth.handle(plainRequest({ ...request, target: '/svc/api/csrf-cookie' }))
  const cookies = cookiesOf(csrf)
  const cookie = cookieHeader({ ...cookies, ...(device !== '' && { svc_device: device }) })
  const reply = await auth.handle(
    plainRequest({
      method: 'POST',
      target: LOGIN,
      address: null,
      headers: { ...headers, cookie, 'x-xsrf-token': cookies[TOKEN] ?? '' },
      body: { email: 'u1@x.test', password: PASSWORD },
    }),
  )
  expect(reply.status).toBe(200)
  return cookiesOf(reply)['svc_device'] ?? ''
}

describe('A login at a place that is not known', () => {
  it('is reported by mail, with browser, shortened network and time', async () => {
    const service = await startSessions()
    await noticedLogin(service, { address: '127.7.8.9' })
    const [mail] = service.mailer.sent
    expect(mail?.to).toBe('u1@x.test')
    expect(mail?.subject).toBe('New login to Panel')
    const time = new Intl.DateTimeFormat('en', {
      dateStyle: 'long',
      timeStyle: 'long',
      timeZone: 'UTC',
    }).format(service.clock.now())
    expect(mail?.text).toContain(`Firefox on Linux, network 127.7.8.x, ${time}`)
    expect(mail?.text).not.toContain('127.7.8.9')
  })

  it('is reported in the bell, which leads to the Security page', async () => {
    const service = await startSessions()
    const { known } = await noticedLogin(service, { address: '127.7.8.9' })
    await expect
      .poll(async () => (await known.get(BELL)).json.data)
      .toMatchObject([
        {
          type: 'svc.login.unknown-place',
          data: {
            title: 'Login from a new place: Firefox on Linux',
            body: expect.stringContaining('127.7.8.x'),
            url: `${service.url}/admin/main/security`,
          },
        },
      ])
  })

  it('is an event, with its network', async () => {
    const service = await startSessions()
    await noticedLogin(service, { address: '127.7.8.9' })
    await settled()
    expect(payloadsOf(service, 'login.unknown-place')).toEqual([
      { userId: 'u1', tenant: null, network: '127.7.8.9' },
    ])
  })

  it('is every one whose address the platform does not tell, but in a known browser', async () => {
    const service = await startSessions()
    const device = await logInWithoutAddress(service)
    await logInWithoutAddress(service)
    await logInWithoutAddress(service, device)
    await closed(service)
    const network = 'unknown'
    expect(payloadsOf(service, 'login.unknown-place')).toEqual([
      { userId: 'u1', tenant: null, network },
    ])
    expect(service.mailer.sent).toHaveLength(1)
  })

  it('is reported in the language of the browser that logged in', async () => {
    const service = await startSessions()
    await noticedLogin(service, { headers: { 'accept-language': 'ar', 'user-agent': 'curl/8' } })
    const [mail] = service.mailer.sent
    expect(mail?.subject).toBe('تسجيل دخول جديد إلى Panel')
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">')
    expect(mail?.text).toContain('متصفح غير معروف')
  })

  it('is reported after the code, where one is due', async () => {
    const service = await startSessions({ twoFactor: fakeTwoFactor({ enabled: ['u2'] }) })
    await loggedInWithCode(service)
    await owingCode(service)
    await loggedInWithCode(service)
    expect((await closed(service)).mailer.sent.map(({ to }) => to)).toEqual(['u2@x.test'])
    expect(payloadsOf(service, 'login.unknown-place')).toHaveLength(1)
  })

  it('is not reported for the first login of a user', async () => {
    const service = await startSessions()
    await logInFrom(service)
    await logInFrom(service, { email: 'u4@x.test' })
    expect((await closed(service)).mailer.sent).toEqual([])
  })

  it('is reported to a user who was away for longer than a place stays known', async () => {
    const service = await startSessions()
    const address = freshAddress()
    await logInFrom(service, { address })
    service.clock.advance({ minutes: 400 * 24 * 60 })
    await logInFrom(service, { address })
    expect((await closed(service)).mailer.sent).toHaveLength(1)
  })

  it('does not fail, nor wait, when neither mail nor bell works', async () => {
    const service = await startSessions()
    await logInFrom(service)
    service.mailer.failWith(new Error('no connection'))
    await logInFrom(service)
    await closed(service)
    expect(service.log.map(({ message }) => message)).toEqual(['a mail about a login was not sent'])
  })
})

describe('A login at a known place', () => {
  it.each([
    ['the network of an earlier login', 'network'],
    ['a browser of an earlier login, in another network', 'browser'],
  ])('is not reported: %s', async (_what, known) => {
    const service = await startSessions()
    const address = freshAddress()
    const first = await logInFrom(service, { address })
    if (known === 'network') {
      await logInFrom(service, { address })
    } else {
      const moved = await visitor(service)
      moved.setCookie('svc_device', first.cookie('svc_device'))
      await logInFrom(service, { from: moved })
    }
    expect((await closed(service)).mailer.sent).toEqual([])
  })

  it('DEV-13: is not made by a device cookie of another user or a forged one', async () => {
    const service = await startSessions()
    await logInFrom(service)
    const quarta = await logInFrom(service, { email: 'u4@x.test' })
    const foreign = quarta.cookie('svc_device') ?? ''
    for (const cookie of [
      foreign,
      foreign.replace(/.$/, 'A'),
      `${'A'.repeat(43)}.1.${'A'.repeat(43)}`,
    ]) {
      const thief = await visitor(service)
      thief.setCookie('svc_device', cookie)
      await logInFrom(service, { from: thief })
    }
    expect((await closed(service)).mailer.sent).toHaveLength(3)
  })
})

describe('The notices about logins', () => {
  it('DEV-08: are five an hour for each user, from however many networks', async () => {
    const service = await startSessions()
    for (let made = 0; made < 9; made += 1) await logInFrom(service)
    expect((await closed(service)).mailer.sent).toHaveLength(5)
    expect(payloadsOf(service, 'notification.sent')).toHaveLength(5)
    expect(payloadsOf(service, 'login.unknown-place')).toHaveLength(8)
  })

  it('DEV-12: send no mail to an address that could name another recipient', async () => {
    const service = await startSessions()
    service.users.update('u1', { email: 'u1@x.test,evil@x.test' })
    for (let made = 0; made < 2; made += 1)
      await logInFrom(service, { email: 'u1@x.test,evil@x.test' })
    expect((await closed(service)).mailer.sent).toEqual([])
    expect(payloadsOf(service, 'notification.sent')).toHaveLength(1)
  })

  it.each(['host', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-original-url'])(
    'DEV-07: lead to the configured address, whatever the header %s says',
    async (name) => {
      const service = await startSessions()
      await logInFrom(service)
      const thief = await visitor(service)
      const headers = { [name]: 'evil.test' }
      const body = { email: 'u1@x.test', password: PASSWORD }
      await thief.post(LOGIN, body, { headers })
      const [mail] = (await closed(service)).mailer.sent
      for (const text of [mail?.text, mail?.html]) {
        expect(text).toContain(`${service.url}/admin/main/not-me#token=`)
        expect(text).not.toContain('evil')
      }
    },
  )

  it('DEV-03: contain no text that a client has chosen', async () => {
    const service = await startSessions()
    await noticedLogin(service, { headers: { 'user-agent': '<b>Firefox/1</b> http://evil.test' } })
    const [mail] = service.mailer.sent
    expect(`${mail?.text} ${mail?.html}`).not.toMatch(/<b>|evil/)
  })

  it('DEV-15: leave the token in no log and no event', async () => {
    const service = await startSessions()
    const { token } = await noticedLogin(service)
    const written = inspect([service.log, service.events], { depth: null })
    for (const secret of [token, 'token=']) expect(written).not.toContain(secret)
  })
})
