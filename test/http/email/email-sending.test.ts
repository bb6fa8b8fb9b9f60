import { inspect } from 'node:util'
import { StoreError } from '@svc/auth'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import {
  askForLink,
  leadsTo,
  openLink,
  startMailService,
  UNRATIONED_MAIL,
} from '../../support/mail.ts'
import { SEND_LINK } from '../../support/paths.ts'
import { bytesOf, sendRaw } from '../../support/raw.ts'
import {
  passwordHash,
  payloadsOf,
  somePeople,
  startService,
  type Changes,
} from '../../support/service.ts'
import { owingCode } from '../../support/second-factor.ts'
import { settled, stopTime } from '../../support/time.ts'
import { verdict } from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

stopTime()

const API = '/svc/api'
const UNVERIFIED = '403 email_verification_required'

describe('Email verification: asking for the link', () => {
  it('LI-4, EMV-15 sends three mails a minute and returns the wait for the next', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    const sent = [await tria.post(SEND_LINK), await tria.post(SEND_LINK)]
    service.clock.advance({ seconds: 18 })
    sent.push(await tria.post(SEND_LINK))
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(sent.map(({ json }) => json)).toEqual([0, 0, 42].map((wait) => ({ retry_after: wait })))
    const fourth = await tria.post(SEND_LINK)
    expect(fourth.json).toMatchObject({ key: 'svc::auth.too_many_requests', retry_after: 42 })
    expect(fourth.headers['retry-after']).toBe('42')
    expect(service.mailer.sent.map(({ to }) => to)).toEqual(Array(3).fill('u3@x.test'))
    service.clock.advance({ seconds: 42 })
    expect((await tria.post(SEND_LINK)).json).toEqual({ retry_after: 0 })
  })

  it('EMV-16 counts the mails of each user over all browsers and addresses', async () => {
    const service = await startMailService()
    service.users.add({ id: 'tara', email: 'tara@x.test', passwordHash, mustVerify: true })
    const here = await loggedIn(service, 'u3@x.test')
    for (let mail = 0; mail < 3; mail += 1) await here.post(SEND_LINK)
    const elsewhere = await loggedIn(service, 'u3@x.test')
    expect(elsewhere.address).not.toBe(here.address)
    expect(verdict(await elsewhere.post(SEND_LINK))).toBe('429 too_many_requests')
    expect(service.mailer.sent).toHaveLength(3)
    const another = await loggedIn(service, 'tara@x.test', { address: here.address })
    expect((await another.post(SEND_LINK)).status).toBe(202)
  })

  it('OPS-02 sends nothing while attempts cannot be reserved', async () => {
    const stores = watchedStores()
    const service = await startMailService({ stores })
    const tria = await loggedIn(service, 'u3@x.test')
    stores.instead('attempts.reserve', () => Promise.reject(new StoreError('down')))
    expect(verdict(await tria.post(SEND_LINK))).toBe('503 unavailable')
    expect(service.mailer.calls).toBe(0)
  })

  it('AU-5, EMV-17, EMV-21 answers 204 and sends nothing to a user who has nothing to verify', async () => {
    const service = await startMailService()
    service.users.update('u3', { emailVerifiedAt: 0 })
    for (const email of ['u3@x.test', 'u1@x.test']) {
      const browser = await loggedIn(service, email)
      expect((await browser.get(`${API}/user`)).status).toBe(200)
      const answer = await browser.post(SEND_LINK)
      expect([answer.status, answer.text]).toEqual([204, ''])
    }
    expect(service.mailer.calls).toBe(0)
  })

  it('EMV-18 requires a session, a token and a listed origin', async () => {
    const twoFactor = fakeTwoFactor<FakeUser>({ enabled: ['tara'] })
    const service = await startMailService({ twoFactor })
    service.users.add({ id: 'tara', email: 'tara@x.test', passwordHash, mustVerify: true })
    const guest = service.browser()
    await guest.get(`${API}/csrf-cookie`)
    expect(verdict(await guest.post(SEND_LINK))).toBe('401 unauthenticated')
    const pending = await owingCode(service, { email: 'tara@x.test' })
    expect(verdict(await pending.post(SEND_LINK))).toBe('401 unauthenticated')
    const tria = await loggedIn(service, 'u3@x.test')
    const without = await tria.post(SEND_LINK, undefined, { headers: { 'x-xsrf-token': null } })
    expect(verdict(without)).toBe('419 csrf_mismatch')
    const foreign = { origin: 'https://evil.test', referer: 'https://evil.test/' }
    const crossSite = await tria.post(SEND_LINK, undefined, { headers: foreign })
    expect(verdict(crossSite)).toBe('403 origin_mismatch')
    expect(service.mailer.calls).toBe(0)
    // None of them was counted.
    expect((await tria.post(SEND_LINK)).headers['x-ratelimit-remaining']).toBe('2')
  })

  it('redirects to the named panel, to the first without one, and to no unknown panel', async () => {
    const svc = { prefix: 'admin', panels: ['main', 'shop'] }
    const service = await startMailService({ config: { svc, limits: UNRATIONED_MAIL } })
    const tria = await loggedIn(service, 'u3@x.test')
    const leads: (string | null)[] = []
    for (const body of [{ panel: 'shop' }, { panel: 'main' }, {}, undefined]) {
      const link = await askForLink(service, tria, { body })
      leads.push(leadsTo(await openLink(service.browser(), link)))
      service.users.update('u3', { emailVerifiedAt: null })
    }
    const main = '/admin/main?verified=1'
    expect(leads).toEqual(['/admin/shop?verified=1', main, main, main])
    const { calls } = service.mailer
    for (const panel of ['none', '', 'Main', '../main', '//evil.test', 7, null, ['main']]) {
      const { status, json } = await tria.post(SEND_LINK, { panel })
      expect([panel, status, Object.keys(json.errors ?? {})]).toEqual([panel, 422, ['panel']])
    }
    expect(service.mailer.calls).toBe(calls)
  })

  it('emits `verification.sent` for each mail without the link, and logs nothing of it', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    const link = await askForLink(service, tria)
    await openLink(service.browser(), `${link.slice(0, -1)}!`)
    const sent = service.events.filter(({ event }) => event === 'verification.sent')
    expect(sent).toEqual([{ event: 'verification.sent', payload: { userId: 'u3', tenant: null } }])
    expect(service.log).toEqual([])
  })
})

describe('Email verification: the mail', () => {
  const spa = { off: true, name: 'R&D <b>"Panel"</b>' }

  it.each([
    {
      language: 'en-GB,en;q=0.9',
      lang: 'en',
      subject: `Verify your email for ${spa.name}`,
      lifetime: 'The link works for 60 minutes.',
    },
    {
      language: 'fr-CH, fr;q=0.9, en;q=0.8',
      lang: 'fr',
      subject: `Vérifiez votre adresse e-mail pour ${spa.name}`,
      lifetime: 'Le lien est valable 60 minutes.',
    },
  ])('states in both parts what to do and the lifetime: $lang', async (expected) => {
    const service = await startMailService({ config: { spa } })
    const tria = await loggedIn(service, 'u3@x.test')
    await tria.post(SEND_LINK, undefined, { headers: { 'accept-language': expected.language } })
    const { to, subject, text, html } = service.mailer.sent[0] ?? {
      to: '',
      subject: '',
      text: '',
      html: '',
    }
    const link = service.mailer.link('u3@x.test')
    expect([to, subject]).toEqual(['u3@x.test', expected.subject])
    expect(text).toContain(expected.lifetime)
    expect(html).toContain(expected.lifetime)
    expect(html).toContain(`<html lang="${expected.lang}" dir="ltr">`)
    // The link once in each part, and no other address to load or to follow.
    expect(text.match(/https?:/g)).toHaveLength(1)
    expect(html.match(/https?:/g)).toHaveLength(1)
    expect(html).toContain(`<a href="${link.replaceAll('&', '&amp;')}">`)
    expect(html).not.toMatch(/<(?:img|link|script|iframe|object|form)|src=|url\(|@import|\bon\w+=/i)
    // What the host is called is text.
    expect(html).toContain('R&amp;D &lt;b&gt;&quot;Panel&quot;&lt;/b&gt;')
    expect(html).not.toContain('<b>')
  })

  it.each([
    [1, '1 minute.'],
    [90, '90 minutes.'],
  ])('states the lifetime that is configured: %d', async (expire, said) => {
    const service = await startMailService({ config: { auth: { verification: { expire } } } })
    const tria = await loggedIn(service, 'u3@x.test')
    const link = await askForLink(service, tria)
    expect(service.mailer.sent[0]?.text).toContain(said)
    const expires = Number(new URL(link, service.url).searchParams.get('expires'))
    expect(expires).toBe(service.clock.now() / 1000 + expire * 60)
  })

  it('EMV-12 contains a link of app.url, whatever Host the request had', async () => {
    const appUrl = 'http://panel.test'
    const service = await startMailService({ appUrl, config: { limits: UNRATIONED_MAIL } })
    const tria = await loggedIn(service, 'u3@x.test')
    for (const headers of [
      { host: 'evil.test' },
      { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'javascript' },
      { forwarded: 'host=evil.test;proto=https' },
      { 'x-forwarded-server': 'evil.test', 'x-original-host': 'evil.test', 'x-host': 'evil.test' },
      { 'x-original-url': 'http://evil.test/', 'x-rewrite-url': '//evil.test/' },
    ]) {
      expect((await tria.post(SEND_LINK, undefined, { headers })).status).toBe(202)
    }
    expect(service.mailer.sent).toHaveLength(5)
    for (const { text, html } of service.mailer.sent) {
      expect(text).toMatch(/^http:\/\/panel\.test\/svc\/api\/email\/verify\//m)
      expect(text + html).not.toContain('evil')
    }
    const cookie = `svc_session=${tria.cookie('svc_session')}`
    const token = tria.cookie('XSRF-TOKEN') ?? ''
    const absolute = bytesOf({
      method: 'POST',
      target: `http://evil.test${SEND_LINK}`,
      headers: [
        ['Host', 'panel.test'],
        ['Origin', appUrl],
        ['Cookie', cookie],
        ['X-XSRF-TOKEN', token],
        ['Connection', 'close'],
      ],
    })
    expect((await sendRaw(service.url, absolute)).map(({ status }) => status)).toEqual([404])
    expect(service.mailer.calls).toBe(5)
  })

  it.each([
    'a@x.test\r\nBcc: eve@evil.test',
    'a@x.test\nBcc: eve@evil.test',
    'a@x.test\rBcc: eve@evil.test',
    'a@x.test\n',
    'a@x.test,eve@evil.test',
    'a@x.test;eve@evil.test',
    '',
  ])('EMV-24 is never sent to %j', async (email) => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    service.users.update('u3', { email })
    const answer = await tria.post(SEND_LINK)
    expect(verdict(answer)).toBe('503 unavailable')
    expect(answer.text).not.toContain('evil')
    expect(service.mailer.calls).toBe(0)
  })
})

describe('Email verification: the mailer is down', () => {
  it('answers 503 when no mailer is bound, and logs the remedy', async () => {
    const service = await startService()
    const tria = await loggedIn(service, 'u3@x.test')
    expect(verdict(await tria.post(SEND_LINK))).toBe('503 unavailable')
    expect(String(Object.values(service.log[0]?.fields ?? {})[0])).toContain('give `mailer`')
  })

  it('EMV-26 answers 503 when it fails, counts the attempt, and the user can try again', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    service.mailer.failWith(new Error('connect ECONNREFUSED 10.0.0.25:25 user:hunter2'))
    const failed = await tria.post(SEND_LINK)
    expect(verdict(failed)).toBe('503 unavailable')
    expect(failed.text).not.toMatch(/ECONNREFUSED|10\.0\.0|hunter2/)
    expect(failed.headers['set-cookie']).toBeUndefined()
    service.mailer.recover()
    const again = await tria.post(SEND_LINK)
    expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([202, '1'])
    expect(service.mailer.sent).toHaveLength(1)
    const sent = service.events.filter(({ event }) => event === 'verification.sent')
    expect(sent).toHaveLength(1)
  })

  it.each<[string, object]>([
    ['an error', { data: null, error: { name: 'validation_error', statusCode: 403 } }],
    ['a response that is not ok', new Response('no such key', { status: 401 })],
  ])('EMV-26 answers 503 when it resolves with %s, and logs the remedy', async (_, result) => {
    const service = await startMailService({ mailer: { send: async () => result as never } })
    const tria = await loggedIn(service, 'u3@x.test')
    expect(verdict(await tria.post(SEND_LINK))).toBe('503 unavailable')
    expect(payloadsOf(service, 'verification.sent')).toEqual([])
    expect(inspect(service.log)).toContain('Mailer.send must return no object with a failure')
  })

  it('EMV-26 answers 503 after five seconds when it hangs, and the user can try again', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    service.mailer.hang()
    let status: number | null = null
    const answered = tria.post(SEND_LINK).then((answer) => (status = answer.status))
    await vi.waitFor(() => expect(service.mailer.calls).toBe(1))
    await vi.advanceTimersByTimeAsync(4000)
    await settled()
    expect(status).toBeNull()
    await vi.advanceTimersByTimeAsync(1500)
    expect(await answered).toBe(503)
    service.mailer.recover()
    expect((await tria.post(SEND_LINK)).status).toBe(202)
  })
})

describe('Email verification: what an unverified user meets', () => {
  it('EMV-22 closes the gate on the next request after the host has removed the flag', async () => {
    const service = await startMailService()
    service.users.update('u3', { emailVerifiedAt: 0 })
    const tria = await loggedIn(service, 'u3@x.test')
    expect((await tria.get(`${API}/user`)).status).toBe(200)
    service.users.update('u3', { emailVerifiedAt: null })
    expect(verdict(await tria.get(`${API}/user`))).toBe(UNVERIFIED)
  })

  it('stays closed when the host implements only one of the two methods', async () => {
    const only = (method: keyof FakeUser): Changes => {
      const users = somePeople()
      async function findById(...whose: Parameters<typeof users.findById>) {
        const found = await users.findById(...whose)
        if (found === null) return null
        const { hasVerifiedEmail: _, markEmailAsVerified: __, ...row } = found
        return { ...row, [method]: found[method] }
      }
      return { users: { ...users, findById } }
    }
    const toAsk = await startMailService(only('hasVerifiedEmail'))
    const asked = await loggedIn(toAsk, 'u3@x.test')
    expect(verdict(await asked.get(`${API}/user`))).toBe(UNVERIFIED)
    const link = await askForLink(toAsk, asked)
    expect(verdict(await openLink(toAsk.browser(), link))).toBe('503 unavailable')
    expect(verdict(await asked.get(`${API}/user`))).toBe(UNVERIFIED)
  })
})
