import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { TOTP } from 'otpauth'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { attempt, UNRATIONED, wrongLogins } from '../support/logins.ts'
import { startPanelHere, type TestPanel } from '../support/panel.ts'
import { FAILED, THROTTLED, times } from '../support/verdicts.ts'

let panel: TestPanel
const lines: string[] = []

beforeEach(async () => {
  lines.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  panel = await startPanelHere({ limits: UNRATIONED })
})
afterEach(async () => {
  await panel.stop()
  vi.restoreAllMocks()
})

async function loggedIn(name: string): Promise<Browser> {
  const browser = panel.browser()
  await browser.logIn(`${name}@example.com`)
  return browser
}

async function titlesOf(browser: Browser): Promise<readonly string[]> {
  const { json } = await browser.get('/svc/api/notifications')
  const entries: readonly { readonly data: { readonly title: string } }[] = json.data
  return entries.map(({ data }) => data.title)
}

const mails = (): number => lines.filter((line) => line.startsWith('Mail: ')).length

/** Turns the second factor on. @returns its recovery codes. */
async function enable(browser: Browser): Promise<readonly string[]> {
  const { secret } = (await browser.post('/svc/api/two-factor/setup')).json
  const code = new TOTP({ secret }).generate()
  return (await browser.post('/svc/api/two-factor/confirm', { code })).json.recovery_codes
}

describe('users of the reference panel', { timeout: 60_000 }, () => {
  it('are notified by bell and mail when the second factor is turned on and off', async () => {
    const ada = await loggedIn('ada')
    expect(await enable(ada)).toHaveLength(10)
    await expect.poll(mails).toBe(1)
    expect(await titlesOf(ada)).toEqual(['Two-factor authentication was turned on'])
    await ada.send('DELETE', '/svc/api/two-factor')
    await expect.poll(mails).toBe(2)
    expect(await titlesOf(ada)).toContain('Two-factor authentication was turned off')
  })

  it.each([
    ['fr', 'L’authentification à deux facteurs a été activée'],
    ['de-CH', 'Die Zwei-Faktor-Authentisierung wurde eingeschaltet'],
    ['ar', 'تم تفعيل المصادقة الثنائية'],
    ['tlh', 'Two-factor authentication was turned on'],
  ])('are notified in the language of their last login: %s', async (language, title) => {
    const ada = panel.browser()
    await ada.get('/svc/api/csrf-cookie')
    const body = { email: 'ada@example.com', password: PASSWORD }
    await ada.post('/svc/api/login', body, { headers: { 'accept-language': language } })
    // Somebody with another browser has taken the session over.
    const headers = { 'accept-language': language === 'ar' ? 'fr' : 'ar' }
    const { secret } = (await ada.post('/svc/api/two-factor/setup')).json
    const code = new TOTP({ secret }).generate()
    await ada.post('/svc/api/two-factor/confirm', { code }, { headers })
    await expect.poll(mails).toBe(1)
    expect(await titlesOf(ada)).toEqual([title])
  })

  it('are notified by bell and mail when an app is added and removed', async () => {
    const ada = await loggedIn('ada')
    const [proof = '', other = ''] = await enable(ada)
    await expect.poll(mails).toBe(1)
    const { secret } = (await ada.post('/svc/api/two-factor/devices', { code: proof })).json
    const added = { code: new TOTP({ secret }).generate(), name: 'Tablet' }
    expect((await ada.post('/svc/api/two-factor/devices/confirm', added)).status).toBe(204)
    await expect
      .poll(async () => titlesOf(ada))
      .toContain('An authenticator app was added to your account')
    const remove = '/svc/api/two-factor/devices/first/remove'
    expect((await ada.post(remove, { code: other })).status).toBe(204)
    await expect
      .poll(async () => titlesOf(ada))
      .toContain('An authenticator app was removed from your account')
  })

  it('are notified by bell and mail when a recovery code is used', async () => {
    const ada = await loggedIn('ada')
    const [recovery = ''] = await enable(ada)
    await expect.poll(mails).toBe(1)
    await ada.logIn('ada@example.com')
    await ada.post('/svc/api/login/two-factor', { code: recovery })
    await expect.poll(mails).toBe(2)
    expect(await titlesOf(ada)).toContain('A recovery code was used to log in')
  })

  it('are notified once an hour about failed logins, over all addresses', async () => {
    for (const browser of [panel.browser(), panel.browser()]) {
      await browser.get('/svc/api/csrf-cookie')
      expect(await wrongLogins(browser, 6, 'ada@example.com')).toEqual([
        ...times(5, FAILED),
        THROTTLED,
      ])
    }
    await expect.poll(mails).toBe(1)
    const ada = await loggedIn('ada')
    expect(await titlesOf(ada)).toEqual(['Too many failed logins to your account'])
    expect(mails()).toBe(1)
  })

  it('are notified of failed logins at a random time', async () => {
    const browser = panel.browser()
    await browser.get('/svc/api/csrf-cookie')
    vi.spyOn(Math, 'random').mockReturnValue(4)
    await wrongLogins(browser, 6, 'ada@example.com')
    await pause(500)
    expect(mails()).toBe(0)
    await expect.poll(mails).toBe(1)
  })

  it('are notified in the language of their last login of what others cause', async () => {
    const ada = panel.browser()
    await ada.get('/svc/api/csrf-cookie')
    const body = { email: 'ada@example.com', password: PASSWORD }
    await ada.post('/svc/api/login', body, { headers: { 'accept-language': 'de' } })
    const stranger = panel.browser()
    await stranger.get('/svc/api/csrf-cookie')
    await wrongLogins(stranger, 6, 'ada@example.com')
    await expect.poll(mails).toBe(1)
    expect(await titlesOf(ada)).toEqual(['Zu viele fehlgeschlagene Anmeldungen bei Ihrem Konto'])
  })

  it('are notified in the language of no login that waits for its code', async () => {
    const ada = await loggedIn('ada')
    await enable(ada)
    await expect.poll(mails).toBe(1)
    const thief = panel.browser()
    await thief.get('/svc/api/csrf-cookie')
    const body = { email: 'ada@example.com', password: PASSWORD }
    const headers = { 'accept-language': 'ar' }
    expect((await thief.post('/svc/api/login', body, { headers })).json.two_factor).toBe(true)
    await wrongLogins(thief, 6, 'ada@example.com')
    await expect.poll(mails).toBe(2)
    expect(await titlesOf(ada)).toContain('Too many failed logins to your account')
  })

  it('are not notified of an unknown email', async () => {
    const browser = panel.browser()
    await browser.get('/svc/api/csrf-cookie')
    await wrongLogins(browser, 6, 'nobody@example.com')
    await expect.poll(() => lines.some((line) => line.includes('"lockout"'))).toBe(true)
    expect(mails()).toBe(0)
  })
})

describe('security events of the reference panel', { timeout: 60_000 }, () => {
  it('OPS-11: are one line of JSON each, without typed emails', async () => {
    const browser = panel.browser()
    await browser.get('/svc/api/csrf-cookie')
    await wrongLogins(browser, 6, 'ada@example.com')
    await attempt(browser, 'MARKER of a password@example.com')
    const ada = await loggedIn('ada')
    await ada.post('/svc/api/logout')
    const events = (): readonly { readonly event: string }[] =>
      lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
    await expect
      .poll(() => new Set(events().map(({ event }) => event)))
      .toEqual(new Set(['failed', 'lockout', 'login', 'logout']))
    const { id } = (await panel.users.findByEmail('ada@example.com')) ?? expect.fail('no ada')
    const lockout = events().find(({ event }) => event === 'lockout')
    expect(lockout).toMatchObject({ userId: id, network: expect.any(String) })
    expect(lines.join('\n')).not.toMatch(/MARKER|ada@example\.com/)
  })
})

describe('notifications to others', { timeout: 60_000 }, () => {
  const ROUTE = '/api/notifications'

  async function sendingFrom(name: string) {
    const browser = await loggedIn(name)
    const { id: to } = (await panel.users.findByEmail('bea@example.com')) ?? expect.fail('no bea')
    return async (entry: object) => browser.post(ROUTE, { to, title: 'Lunch', ...entry })
  }

  it('are limited to 20 a minute for each user over all sessions', async () => {
    const [one, other] = [await sendingFrom('ada'), await sendingFrom('ada')]
    const statuses: number[] = []
    for (let sent = 0; sent < 11; sent += 1) {
      statuses.push((await one({})).status, (await other({})).status)
    }
    // A minute may end in between; the next one begins with a new count.
    expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(2)
    const all = await Promise.all(Array.from({ length: 45 }, async () => one({})))
    const refused = all.find(({ status }) => status === 429) ?? expect.fail('none was refused')
    expect(refused.headers['retry-after']).toBe('60')
    expect((await (await sendingFrom('eve'))({})).status).not.toBe(429)
  })

  it.each([
    ['title', 120],
    ['body', 1000],
  ])('have a %s of at most %i characters', async (field, most) => {
    const send = await sendingFrom('ada')
    expect((await send({ [field]: 'x'.repeat(most) })).status).toBe(202)
    const refused = await send({ [field]: 'x'.repeat(most + 1) })
    expect(refused.status).toBe(422)
    expect(refused.json.errors[field]).toEqual([expect.stringContaining(`at most ${most}`)])
  })

  it('have an address of at most 2048 characters', async () => {
    const send = await sendingFrom('ada')
    const refused = await send({ url: `/${'x'.repeat(2048)}` })
    expect(refused.status).toBe(422)
    expect(refused.json.errors.url).toEqual([expect.stringContaining('at most 2048')])
  })
})
