import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import {
  askForLink,
  leadsTo,
  openLink,
  startMailService,
  UNRATIONED_MAIL,
  VERIFIED,
  twoPanels,
  withLink,
  isVerified,
  swapped,
} from '../../support/mail.ts'
import { bytesOf, sendRaw } from '../../support/raw.ts'
import { passwordHash, somePeople, payloadsOf } from '../../support/service.ts'
import { barrier, settled, stopTime } from '../../support/time.ts'
import { verdict, LINK_INVALID } from '../../support/verdicts.ts'

stopTime()

describe('Email verification: the lifetime of a link', () => {
  it('LI-6, EMV-02 is valid for 60 minutes, and then answers with a page that says that it has expired', async () => {
    const service = await withLink({ config: { svc: twoPanels } })
    service.users.add({ id: 'tara', email: 'tara@x.test', passwordHash, mustVerify: true })
    const late = await askForLink(service, await loggedIn(service, 'tara@x.test'), {
      email: 'tara@x.test',
      body: { panel: 'shop' },
    })
    service.clock.advance({ seconds: 3599 })
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await service.browser().get(late))).toBe(LINK_INVALID)
    const page = await openLink(service.browser(), late)
    expect([page.status, leadsTo(page)]).toEqual([302, '/admin/shop?verified=expired'])
    expect(isVerified(service, 'tara')).toBe(false)
  })

  it('EMV-08 becomes invalid when the email changes, but not with another spelling of it', async () => {
    const service = await withLink()
    service.users.update('u3', { email: 'new@x.test' })
    expect(verdict(await service.browser().get(service.link))).toBe(LINK_INVALID)
    expect(isVerified(service)).toBe(false)
    service.users.update('u3', { email: 'U3@X.test' })
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
  })

  it('EMV-28 stays valid beside a later link; a change of email invalidates both', async () => {
    const service = await withLink()
    service.clock.advance({ seconds: 1 })
    const second = await askForLink(service, await loggedIn(service, 'u3@x.test'))
    expect(second).not.toBe(service.link)
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    expect(leadsTo(await openLink(service.browser(), second))).toBe(VERIFIED)
    service.users.update('u3', { email: 'new@x.test', emailVerifiedAt: null })
    for (const link of [service.link, second])
      expect(verdict(await service.browser().get(link))).toBe(LINK_INVALID)
    expect(isVerified(service)).toBe(false)
  })

  it('EMV-20 answers for a deleted or exempt user as for a wrong signature', async () => {
    const service = await withLink()
    const headers = { 'accept-language': 'fr' }
    const wrong = await service.browser().get(`${service.link.slice(0, -1)}-`, { headers })
    expect(wrong.status).toBe(403)
    service.users.update('u3', { mustVerify: false })
    const exempt = await service.browser().get(service.link, { headers })
    service.users.remove('u3')
    const gone = await service.browser().get(service.link, { headers })
    for (const answer of [exempt, gone]) {
      expect([answer.status, answer.text]).toEqual([wrong.status, wrong.text])
      expect({ ...answer.headers, date: '' }).toEqual({ ...wrong.headers, date: '' })
    }
  })
})

describe('Email verification: opening the link', () => {
  it('EV-2, EN-10, EMV-07, EMV-14 verifies without a session and opens none', async () => {
    const service = await withLink()
    const visitor = service.browser()
    const { status, headers, text } = await openLink(visitor, service.link)
    expect([status, text]).toEqual([302, ''])
    expect(headers).toMatchObject({
      location: `${service.url}${VERIFIED}`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['set-cookie']).toBeUndefined()
    expect(isVerified(service)).toBe(true)
    expect(verdict(await visitor.get('/svc/api/user'))).toBe('401 unauthenticated')
    expect(payloadsOf(service, 'verified')).toEqual([{ userId: 'u3', tenant: null }])
  })

  it('EMV-06 leaves the session of another user as it was', async () => {
    const service = await withLink()
    const una = await loggedIn(service, 'u1@x.test')
    const before = una.cookie('svc_session')
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const opened = await una.get(service.link, { headers: navigation })
    expect(leadsTo(opened)).toBe(VERIFIED)
    expect(opened.headers['set-cookie']).toBeUndefined()
    expect(una.cookie('svc_session')).toBe(before)
    expect((await una.get('/svc/api/user')).json).toMatchObject({ id: 'u1' })
    expect([isVerified(service), isVerified(service, 'u1')]).toEqual([true, false])
  })

  it('opens the panel for the session that waited for it', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service, 'u3@x.test')
    const link = await askForLink(service, tria)
    expect((await tria.get('/svc/api/user')).status).toBe(403)
    await openLink(service.browser(), link)
    const { status, json } = await tria.get('/svc/api/user')
    expect([status, json.email_verified_at]).toEqual([200, '2027-01-15T08:00:00.000Z'])
  })

  it('EMV-09 changes nothing for HEAD, prefetch and image requests', async () => {
    const service = await withLink()
    const browser = service.browser()
    for (let time = 0; time < 3; time += 1) {
      const { status, text } = await browser.send('HEAD', service.link)
      expect([status, text]).toEqual([302, ''])
    }
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'sec-purpose': 'prefetch;anonymous-client-ip' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'sec-purpose': 'Prefetch' },
      { 'sec-fetch-dest': 'image' },
      { 'sec-fetch-dest': 'iframe' },
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', accept: 'text/html' },
      { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors', accept: 'text/html' },
      { 'sec-fetch-dest': 'script' },
    ])
      await browser.get(service.link, { headers })
    expect(isVerified(service)).toBe(false)
    expect(service.users.calls.markEmailAsVerified).toBe(0)
    expect(payloadsOf(service, 'verified')).toEqual([])
    await openLink(browser, service.link)
    expect(isVerified(service)).toBe(true)
  })

  it.each(['navigate', 'same-origin'])(
    'verifies by a navigation that a service worker forwards as %s',
    async (mode) => {
      const service = await withLink()
      const headers = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': mode, accept: 'text/html' }
      const opened = await service.browser().get(service.link, { headers })
      expect(leadsTo(opened)).toBe(VERIFIED)
      expect(isVerified(service)).toBe(true)
    },
  )

  it('EMV-11 answers 405 to every other method', async () => {
    const service = await withLink()
    const tria = await loggedIn(service, 'u3@x.test')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
      const answer = await tria.send(method, service.link, {
        headers: { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
      })
      expect([method, verdict(answer), answer.headers.allow]).toEqual([
        method,
        '405 method_not_allowed',
        'GET, HEAD',
      ])
    }
    expect(isVerified(service)).toBe(false)
  })

  it('EV-2, EMV-19 redirects every time, but marks the user and emits `verified` once', async () => {
    const users = somePeople()
    const all = barrier()
    let missing = Infinity
    // All have read the user before the first is marked.
    async function findById(...whose: Parameters<typeof users.findById>) {
      const found = await users.findById(...whose)
      missing -= 1
      if (missing === 0) all.open()
      if (missing < 20) await all.passed
      return found
    }
    const service = await withLink({ users: { ...users, findById } })
    missing = 20
    const many = Array.from({ length: 20 }, async () => openLink(service.browser(), service.link))
    expect((await Promise.all(many)).map(leadsTo)).toEqual(Array(20).fill(VERIFIED))
    const { markEmailAsVerified } = service.users.calls
    const verifiedAt = service.users.row('u3')?.emailVerifiedAt
    service.clock.advance({ minutes: 5 })
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(service.users.calls.markEmailAsVerified).toBe(markEmailAsVerified)
    expect(service.users.row('u3')?.emailVerifiedAt).toBe(verifiedAt)
    expect(payloadsOf(service, 'verified')).toEqual([{ userId: 'u3', tenant: null }])
  })

  it('emits `verified` again when the flag was removed and another link is opened', async () => {
    const service = await withLink()
    await openLink(service.browser(), service.link)
    service.users.update('u3', { emailVerifiedAt: null })
    service.clock.advance({ minutes: 5 })
    const second = await askForLink(service, await loggedIn(service, 'u3@x.test'))
    await openLink(service.browser(), second)
    expect(isVerified(service)).toBe(true)
    expect(payloadsOf(service, 'verified')).toHaveLength(2)
  })

  it('chooses by Accept between a page and JSON', async () => {
    const service = await withLink({ config: { svc: twoPanels, limits: UNRATIONED_MAIL } })
    const shop = await askForLink(service, await loggedIn(service, 'u3@x.test'), {
      body: { panel: 'shop' },
    })
    const ask = async (path: string, accept: string | null): Promise<string> => {
      const answer = await service.browser().get(path, { headers: { accept } })
      return leadsTo(answer) ?? verdict(answer)
    }
    const wrong = swapped(shop, /signature=./, 'signature=-')
    expect(await ask(wrong, 'text/html')).toBe('/admin/main?verified=invalid')
    expect(await ask(wrong, 'application/json')).toBe(LINK_INVALID)
    expect(await ask(wrong, null)).toBe(LINK_INVALID)
    service.clock.advance({ minutes: 61 })
    expect(await ask(shop, 'text/html,*/*;q=0.8')).toBe('/admin/shop?verified=expired')
    expect(await ask(shop, 'application/json')).toBe(LINK_INVALID)
    service.clock.advance({ minutes: -61 })
    expect(await ask(shop, 'application/json')).toBe('/admin/shop?verified=1')
  })

  it.each(['.', '..', 'a b/c', 'é🙂', '~u3', 'x?y=1&z#', 'user:7@example'])(
    'works for the id %j of a host',
    async (id) => {
      const service = await startMailService()
      service.users.add({ id, email: 'odd@x.test', passwordHash, mustVerify: true })
      const odd = await loggedIn(service, 'odd@x.test')
      const link = await askForLink(service, odd, { email: 'odd@x.test' })
      expect(leadsTo(await openLink(service.browser(), link))).toBe(VERIFIED)
      expect(isVerified(service, id)).toBe(true)
    },
  )

  it('contains no email in the link', async () => {
    const { link } = await withLink()
    expect(link).not.toMatch(/@|x\.test/)
    expect(link).toContain(createHash('sha256').update('u3@x.test').digest('hex'))
  })
})

describe('Email verification: the host fails', () => {
  it('answers 503 when the user cannot be marked, and the link stays valid', async () => {
    const service = await withLink()
    service.users.failWith(new Error('UPDATE people: disk full'), 'markEmailAsVerified')
    for (let time = 0; time < 2; time += 1) {
      const answer = await openLink(service.browser(), service.link)
      expect(verdict(answer)).toBe('503 unavailable')
      expect(answer.text).not.toContain('disk full')
    }
    expect(payloadsOf(service, 'verified')).toEqual([])
    service.users.recover()
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    expect(payloadsOf(service, 'verified')).toHaveLength(1)
  })

  it.each(['markEmailAsVerified', 'findById'] as const)(
    'answers 503 when %s does not answer within five seconds',
    async (call) => {
      const service = await withLink()
      const before = service.users.calls[call]
      service.users.hang(call)
      let status: number | null = null
      const opened = openLink(service.browser(), service.link).then(
        (answer) => (status = answer.status),
      )
      await vi.waitFor(() => expect(service.users.calls[call]).toBe(before + 1))
      await vi.advanceTimersByTimeAsync(4000)
      await settled()
      expect(status).toBeNull()
      await vi.advanceTimersByTimeAsync(1500)
      expect(await opened).toBe(503)
      expect(payloadsOf(service, 'verified')).toEqual([])
    },
  )

  it('EMV-27 logs no signature, whatever fails', async () => {
    const service = await withLink()
    const [, signature = ''] = service.link.split('signature=')
    service.users.failWith(new Error('down'))
    await openLink(service.browser(), service.link)
    const absolute = bytesOf({
      target: `http://evil.test${service.link}`,
      headers: [
        ['Host', 'panel.test'],
        ['Connection', 'close'],
      ],
    })
    await sendRaw(service.url, absolute)
    service.users.recover()
    await service.browser().get(`${service.link}x`)
    await openLink(service.browser(), service.link)
    expect(service.log).toHaveLength(1)
    const logged = service.log.flatMap(({ fields, message }) => [
      message,
      ...Object.values(fields).map((value) => (value instanceof Error ? value.stack : value)),
    ])
    const told = JSON.stringify([logged, service.events])
    expect(told).toContain('down')
    expect(told).not.toContain(signature)
    expect(told).not.toContain('signature=')
  })
})
