import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD, type Answer, type Browser } from '../support/browser.ts'
import { panelOfTest, startPanelHere, type TestPanel } from '../support/panel.ts'
import { writtenPage } from '../support/written-page.ts'

const NOTIFICATIONS = '/api/notifications'
const PAGES = '/panel/pages/pages.js'

let panel: TestPanel
beforeAll(async () => {
  panel = await startPanelHere()
})
afterAll(async () => panel.stop())
afterEach(() => void vi.restoreAllMocks())

const browsers = new Map<string, Browser>()

/** Logs a person in, always in the same browser: a login at a new place would be in the bell. */
async function loggedIn(name: string): Promise<Browser> {
  const browser = browsers.get(name) ?? panel.browser()
  browsers.set(name, browser)
  await browser.logIn(`${name}@example.com`)
  return browser
}

async function idOf(browser: Browser, name: string): Promise<string> {
  const { json } = await browser.get('/api/people')
  const people: { id: string; email: string }[] = json.data
  return people.find(({ email }) => email === `${name}@example.com`)?.id ?? ''
}

async function unreadOf(name: string): Promise<number> {
  const { json } = await (await loggedIn(name)).get('/svc/api/notifications')
  return json.unread_count
}

const verdict = ({ status, json }: Answer) => [status, json.errors]

describe('GET /api/people', () => {
  it('returns id, name and email of every user, and nothing else', async () => {
    const { json, headers } = await (await loggedIn('ada')).get('/api/people')
    expect(json.data.length).toBeGreaterThanOrEqual(4)
    for (const person of json.data) {
      expect(Object.keys(person).toSorted()).toEqual(['email', 'id', 'name'])
    }
    expect(headers['cache-control']).toBe('no-store')
  })

  it('answers 503 without details while users cannot be read', async () => {
    const ada = await loggedIn('ada')
    const reason = new Error('no connection to 10.0.0.7')
    const down = vi.spyOn(panel.users, 'list').mockRejectedValueOnce(reason)
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce()
    const { status, text } = await ada.get('/api/people')
    expect(logged.mock.lastCall?.join(' ')).toContain('no connection to 10.0.0.7')
    down.mockRestore()
    logged.mockRestore()
    expect([status, text]).toEqual([503, expect.not.stringContaining('10.0.0.7')])
  })
})

describe('POST /api/people/{id}/impersonation', () => {
  it('is refused to people who are not administrators', async () => {
    const ada = await loggedIn('ada')
    const bea = await idOf(ada, 'bea')
    expect((await ada.post(`/api/people/${bea}/impersonation`)).status).toBe(403)
    expect((await ada.post('/api/people/none/impersonation')).status).toBe(404)
    expect((await ada.get('/svc/api/user')).json.email).toBe('ada@example.com')
  })
})

describe('POST /api/people', () => {
  const PEOPLE = '/api/people'

  it('creates the person, who chooses a password by the mailed link', async () => {
    const ada = await loggedIn('ada')
    const { status } = await ada.post(PEOPLE, { name: ' Gil ', email: ' Gil@Example.com ' })
    expect(status).toBe(201)
    const { token } = await linkTo('gil@example.com')
    const guest = panel.browser()
    await guest.get('/svc/api/csrf-cookie')
    const password = 'seven green boats sail home'
    expect((await guest.post('/svc/api/password/reset', { token, password })).status).toBe(204)
    const login = await guest.post('/svc/api/login', { email: 'gil@example.com', password })
    expect([login.status, (await guest.get('/svc/api/user')).json.name]).toEqual([200, 'Gil'])
  })

  it('refuses an email that is missing, not an address, or there already', async () => {
    const ada = await loggedIn('ada')
    const refused = async (person: object) => verdict(await ada.post(PEOPLE, person))
    expect(await refused({})).toEqual([
      422,
      { name: ['Enter a name.'], email: [expect.stringContaining('Enter an email address')] },
    ])
    for (const name of ['Gil\0', 'Gil\ud83d'])
      expect(await refused({ name, email: 'gil@example.com' })).toEqual([
        422,
        { name: ['Enter a name.'] },
      ])
    for (const email of ['gil', 'a b@example.com', 'gil@example.com\nbcc: eve@example.com'])
      expect(await refused({ name: 'Gil', email })).toEqual([422, { email: [expect.any(String)] }])
    expect(await refused({ name: 'Bea', email: 'BEA@example.com' })).toEqual([
      422,
      { email: ['A person with this email address is here already.'] },
    ])
  })

  it('leaves nobody behind whose invitation was not sent', async () => {
    const ada = await loggedIn('ada')
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce()
    const failing = vi
      .spyOn(panel.auth, 'invite')
      .mockRejectedValueOnce(new Error('no mail server'))
    const hal = { name: 'Hal', email: 'hal@example.com' }
    expect((await ada.post(PEOPLE, hal)).status).toBe(503)
    expect(logged.mock.lastCall?.join(' ')).toContain('no mail server')
    failing.mockRestore()
    logged.mockRestore()
    expect((await ada.post(PEOPLE, hal)).status).toBe(201)
  })

  it('logs a failure as one line without control characters', async () => {
    const ada = await loggedIn('ada')
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce()
    const refused = new Error('554 blocked\n{"event":"login"} \u001B[31m')
    const failing = vi.spyOn(panel.auth, 'invite').mockRejectedValueOnce(refused)
    await ada.post(PEOPLE, { name: 'Kim', email: 'kim@example.com' })
    const line = logged.mock.lastCall?.join(' ') ?? ''
    failing.mockRestore()
    logged.mockRestore()
    expect(line).toContain('554')
    expect(line).not.toMatch(/\p{Cc}/u)
  })

  it('leaves nobody behind whom the service would not find by the email', async () => {
    const ada = await loggedIn('ada')
    const emails = async () => (await panel.users.list()).map(({ email }) => email)
    const before = await emails()
    for (const email of ['ian@127.1', 'ian@1', 'ian@0x7f.0.0.1'])
      expect((await ada.post(PEOPLE, { name: 'Ian', email })).status).toBe(422)
    expect(await emails()).toEqual(before)
  })

  it('requires a user who passes every gate, and the token', async () => {
    const gil = { name: 'Ivo', email: 'ivo@example.com' }
    expect((await (await loggedIn('eve')).post(PEOPLE, gil)).status).toBe(403)
    const headers = { 'x-xsrf-token': null }
    expect((await (await loggedIn('ada')).post(PEOPLE, gil, { headers })).status).toBe(419)
    expect(await panel.users.findByEmail('ivo@example.com')).toBeNull()
  })
})

/** Returns the token of the latest mail to an address. */
async function linkTo(email: string): Promise<{ readonly token: string }> {
  const folder = join(panel.environment.SVC_DATA, 'mail')
  const mails = await Promise.all(
    readdirSync(folder).map(async (name) => readFile(join(folder, name), 'utf8')),
  )
  const mail = mails.find((one) => one.includes(`To: ${email}`)) ?? ''
  const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const token = /[#&]token=([\w.%-]+)/.exec(text)?.[1] ?? ''
  return { token: decodeURIComponent(token) }
}

describe('POST /api/notifications', () => {
  it('sends the notification to the bell of that user only', async () => {
    const ada = await loggedIn('ada')
    const before = { ada: await unreadOf('ada'), bea: await unreadOf('bea') }
    const sent = { title: ' Lunch ', body: 'At noon.', url: '/admin/main/people' }
    const { status } = await ada.post(NOTIFICATIONS, { to: await idOf(ada, 'bea'), ...sent })
    expect(status).toBe(202)
    expect(await unreadOf('bea')).toBe(before.bea + 1)
    expect(await unreadOf('ada')).toBe(before.ada)
    const { json } = await (await loggedIn('bea')).get('/svc/api/notifications')
    expect(json.data[0].data).toEqual({ ...sent, title: 'Lunch' })
  })

  it('requires only a title, and leaves out empty fields', async () => {
    const ada = await loggedIn('ada')
    const to = await idOf(ada, 'ada')
    expect((await ada.post(NOTIFICATIONS, { to, title: 'A', body: ' ', url: '' })).status).toBe(202)
    const { json } = await ada.get('/svc/api/notifications')
    expect(json.data[0].data).toEqual({ title: 'A', body: null, url: null })
  })

  it('requires a user who passes every gate', async () => {
    const guest = panel.browser()
    await guest.get('/svc/api/csrf-cookie')
    expect((await guest.post(NOTIFICATIONS, {})).json.key).toBe('svc::auth.unauthenticated')
    const eve = await loggedIn('eve')
    const unverified = await eve.post(NOTIFICATIONS, {})
    expect([unverified.status, unverified.json.email_verification_required]).toEqual([403, true])
  })

  it('is refused to an administrator who acts as a user', async () => {
    const other = await panelOfTest()
    const rex = other.browser()
    await rex.logIn('rex@example.com')
    const { secret } = (await rex.post('/svc/api/two-factor/setup')).json
    await rex.post('/svc/api/two-factor/confirm', { code: new TOTP({ secret }).generate() })
    await rex.post('/svc/api/confirm', { password: PASSWORD })
    const to = await idOf(rex, 'bea')
    expect((await rex.post(`/api/people/${to}/impersonation`)).status).toBe(200)
    const { status, json } = await rex.post(NOTIFICATIONS, { to, title: 'A' })
    expect([status, json.key]).toEqual([403, 'svc::auth.impersonated'])
    expect((await rex.get('/api/people')).status).toBe(200)
  })

  it('is refused without the token, and sends nothing', async () => {
    const ada = await loggedIn('ada')
    const to = await idOf(ada, 'bea')
    const before = await unreadOf('bea')
    const headers = { 'x-xsrf-token': null }
    const { status, json } = await ada.post(NOTIFICATIONS, { to, title: 'A' }, { headers })
    expect([status, json.key]).toEqual([419, 'svc::auth.csrf_mismatch'])
    expect(await unreadOf('bea')).toBe(before)
  })

  it('returns a message for each field at fault', async () => {
    const ada = await loggedIn('ada')
    const empty = { to: '', title: ' ', body: '', url: '' }
    expect(verdict(await ada.post(NOTIFICATIONS, empty))).toEqual([
      422,
      { to: ['Choose a person.'], title: ['Enter a title.'] },
    ])
    for (const wrong of [
      { to: 1, title: null, body: 2, url: {} },
      { to: '\0', title: 'A\ud83d', body: 'B\0', url: '/\ud83d' },
    ]) {
      const { status, json } = await ada.post(NOTIFICATIONS, wrong)
      expect([status, Object.keys(json.errors)]).toEqual([422, ['to', 'title', 'body', 'url']])
      expect(json.message).toBe('Choose a person.')
    }
  })

  it.each([
    ['fr', 'Choisissez une personne.'],
    ['ar-EG, en;q=0.5', 'اختر شخصًا.'],
    ['de-AT', 'Wählen Sie eine Person aus.'],
    ['tlh', 'Choose a person.'],
    ['*', 'Choose a person.'],
    // Read to the same length as by the service: parsing takes time with it.
    [`${'tlh,'.repeat(64)}fr`, 'Choose a person.'],
  ])('answers in the language that the request wants: %s', async (language, message) => {
    const headers = { 'accept-language': language }
    const { json } = await (await loggedIn('ada')).post(NOTIFICATIONS, {}, { headers })
    expect(json.message).toBe(message)
  })

  it.each(['javascript:alert(1)', '//evil.test', 'ftp://a.test', 'orders', '/a b'])(
    'refuses the address %j',
    async (url) => {
      const ada = await loggedIn('ada')
      const to = await idOf(ada, 'bea')
      const answer = await ada.post(NOTIFICATIONS, { to, title: 'A', url })
      expect(verdict(answer)).toEqual([422, { url: [expect.stringMatching(/^Give a link/)] }])
    },
  )

  it('refuses an unknown id', async () => {
    const answer = await (await loggedIn('ada')).post(NOTIFICATIONS, { to: 'x', title: 'A' })
    expect(verdict(answer)).toEqual([404, { to: [expect.stringContaining('no longer here')] }])
  })

  it.each([
    ['{', 'Send a JSON object.'],
    ['null', 'Send a JSON object.'],
    ['"text"', 'Send a JSON object.'],
    ['', 'Choose a person.'],
    ['[]', 'Choose a person.'],
  ])('refuses %j, which is not an object', async (body, message) => {
    const { status, json } = await (await loggedIn('ada')).post(NOTIFICATIONS, body)
    expect([status, json.message]).toEqual([422, message])
  })

  it('refuses more than 16 KiB', async () => {
    const ada = await loggedIn('ada')
    const body = JSON.stringify({ title: 'A'.repeat(16 * 1024) })
    const { status, headers } = await ada.post(NOTIFICATIONS, body)
    expect([status, headers.connection]).toEqual([413, 'close'])
  })

  it.each([
    [{ 'content-encoding': 'x' }, 415],
    [{ 'content-encoding': 'gzip' }, 400],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
  ])('refuses a body with %j, and logs no failure', async (headers, refused) => {
    const ada = await loggedIn('ada')
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const { status, json } = await ada.post(NOTIFICATIONS, { title: 'A' }, { headers })
    expect([status, json.message]).toEqual([refused, 'Send a JSON object.'])
    expect(logged).not.toHaveBeenCalled()
  })
})

describe('an address that cannot be decoded', () => {
  it.each([
    ['GET', '/panel/pages/%zz.js'],
    ['POST', '/panel/pages/%ff.js'],
    ['POST', '/api/people/%zz/impersonation'],
  ])('%s %s is not found, without a word about the files of the panel', async (method, path) => {
    const ada = await loggedIn('ada')
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const { status, json } = await ada.send(method, path)
    expect([status, json?.key]).toEqual([404, 'svc::auth.not_found'])
    expect(logged).not.toHaveBeenCalled()
  })
})

describe('the files of the pages', () => {
  it.each([
    [PAGES, 'text/javascript; charset=utf-8'],
    ['/panel/pages/send.js', 'text/javascript; charset=utf-8'],
    ['/panel/pages/pages.css', 'text/css; charset=utf-8'],
  ])('%s is served with its type and revalidated', async (path, type) => {
    const { status, headers, text } = await panel.browser().get(path)
    expect([status, headers['content-type']]).toEqual([200, type])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('no-cache')
    expect(text).not.toBe('')
    const known = { 'if-none-match': headers.etag ?? '' }
    const again = await panel.browser().get(path, { headers: known })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each([
    '/panel/pages/',
    '/panel/pages/pages.ts',
    '/panel/pages/pages.d.ts',
    '/panel/pages/pages.js.map',
    '/panel/pages/../panel.js',
    '/panel/pages/..%2fpanel.js',
  ])('%s is not served', async (path) => {
    expect((await panel.browser().get(path)).status).toBe(404)
  })

  it('are referred to by the page of the panel', async () => {
    const { text } = await panel.browser().get('/admin/main')
    expect(writtenPage(text)).toMatchObject({ pagesModule: PAGES })
  })
})
