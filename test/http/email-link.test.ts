import { createHash } from 'node:crypto'
import type { Middleware } from '@svc/auth'
import { describe, expect, it, vi } from 'vitest'
import { barrier, verdict } from '../support/logins.ts'
import {
  askForLink,
  leadsTo,
  loggedIn,
  openLink,
  pathOfLink,
  SEND,
  settled,
  startMailService,
  stopTime,
  UNRATIONED_MAIL,
  type MailService,
} from '../support/mail.ts'
import { bytesOf, sendRaw } from '../support/raw.ts'
import { passwordHash, somePeople } from '../support/service.ts'

stopTime()

const INVALID = '403 verification_invalid'
const VERIFIED = '/admin/main?verified=1'
const svc = { prefix: 'admin', panels: ['main', 'shop'] }

/** A service where U3 has a link in its mail. */
async function withLink(
  changes: Parameters<typeof startMailService>[0] = {},
): Promise<MailService & { readonly link: string }> {
  const service = await startMailService(changes)
  return { ...service, link: await askForLink(service, await loggedIn(service)) }
}

const isVerified = ({ users }: MailService, id = 'u3'): boolean =>
  users.row(id)?.emailVerifiedAt !== null

const eventsNamed = ({ events }: MailService, name: string): readonly object[] =>
  events.filter(({ event }) => event === name).map(({ payload }) => payload)

/** The link with another text in place of the first that fits. */
const swapped = (link: string, from: RegExp, to: string): string => {
  const other = link.replace(from, to)
  if (other === link) throw new Error(`nothing in ${link} is ${from}`)
  return other
}

describe('Email verification: a link that was tampered with', () => {
  it('EMV-01 is worth nothing with another signature', async () => {
    const service = await withLink()
    const { link } = service
    const [front = '', signature = ''] = link.split('signature=')
    const flipped = [0, 1, 20, 41, 42].map(
      (at) =>
        signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1),
    )
    const others = [
      ...flipped,
      signature.toUpperCase(),
      signature.slice(0, -1),
      `${signature}A`,
      `${signature}=`,
      '',
      `%${signature.charCodeAt(0).toString(16)}${signature.slice(1)}`,
    ].map((other) => `${front}signature=${other}`)
    await refusesAll(service, [
      ...others,
      front.slice(0, -1),
      link.split('?')[0] ?? '',
      `${link}&signature=${signature}`,
      swapped(link, /(expires=\d+)&(signature=.+)/, '$2&$1'),
    ])
  })

  it('EMV-03 is worth nothing with the id, the hash or the signature of another', async () => {
    const service = await withLink()
    service.users.add({ id: 'tara', email: 'tara@x.test', passwordHash, mustVerify: true })
    const theirs = await askForLink(service, await loggedIn(service, 'tara@x.test'), {
      email: 'tara@x.test',
    })
    const parts = [service.link, theirs].map((link) => {
      const [, id, hash, expires, signature] =
        /verify\/([^/]+)\/([^?]+)\?expires=(\d+)&signature=(.+)/.exec(link) ?? []
      return [id, hash, expires, signature] as const
    })
    // Every mixture of the two but the two themselves.
    const mixtures = Array.from({ length: 16 }, (_, number) => {
      const [id, hash, expires, signature] = [0, 1, 2, 3].map(
        (at) => parts[(number >> at) & 1]?.[at],
      )
      return `/svc/api/email/verify/${id}/${hash}?expires=${expires}&signature=${signature}`
    }).filter((link) => link !== service.link && link !== theirs)
    // They were sent in the same second, so that the expiry is not what tells them apart.
    expect(new Set(mixtures).size).toBe(6)
    // Nor with the id of another who has the same address, or the hash of an address that came later.
    service.users.add({ id: 'twin', email: 'u3@x.test', mustVerify: true })
    service.users.update('tara', { email: 'new@x.test' })
    const ofNew = createHash('sha256').update('new@x.test').digest('hex')
    mixtures.push(
      swapped(service.link, /u3/, 'twin'),
      swapped(theirs, /tara\/[\da-f]+/, `tara/${ofNew}`),
    )
    await refusesAll(service, mixtures)
    expect([isVerified(service, 'tara'), isVerified(service, 'twin')]).toEqual([false, false])
  })

  it('is worth nothing with another spelling of the same id', async () => {
    const service = await withLink()
    const encoded = Buffer.from('u3').toString('base64url')
    await refusesAll(service, [swapped(service.link, /u3/, `~${encoded}`)])
  })

  it('is worth nothing with another base64 of the same odd id', async () => {
    const service = await startMailService()
    service.users.add({ id: 'a b', email: 'odd@x.test', passwordHash, mustVerify: true })
    const odd = await loggedIn(service, 'odd@x.test')
    const link = await askForLink(service, odd, { email: 'odd@x.test' })
    const [, segment = ''] = /verify\/(~[\w-]+)/.exec(link) ?? []
    expect(Buffer.from(segment.slice(1), 'base64url').toString()).toBe('a b')
    for (const other of [`${segment}A`, `${segment}_`, `${segment}-A`, `~${segment}`]) {
      const opened = await openLink(service.browser(), link.replace(segment, other))
      expect(leadsTo(opened), other).not.toBe(VERIFIED)
    }
    expect(isVerified(service, 'a b')).toBe(false)
    expect(leadsTo(await openLink(service.browser(), link))).toBe(VERIFIED)
  })

  it('EMV-05 is worth nothing with another expiry, or none', async () => {
    const service = await withLink()
    const { link } = service
    const [, sent = ''] = /expires=(\d+)/.exec(link) ?? []
    const odd = ['', '0', '-1', '1e99', '99999999999999999999', '1.5', '+1', '0x7fffffff', 'NaN']
    const near = [String(Number(sent) + 1), `0${sent}`, `${sent}.0`, `+${sent}`, ` ${sent}`]
    await refusesAll(service, [
      ...[...odd, ...near].map((expires) =>
        swapped(link, /expires=\d+/, `expires=${encodeURI(expires)}`),
      ),
      swapped(link, /expires=\d+&/, ''),
      swapped(link, /expires=\d+/, `expires=${sent}&expires=${Number(sent) * 2}`),
      swapped(link, /expires=\d+/, `expires[]=${sent}`),
    ])
  })

  it('EMV-13 leads nowhere else, and has no place for another address', async () => {
    const service = await withLink({ config: { svc } })
    const { link } = service
    const evil = encodeURIComponent('https://evil.test')
    await refusesAll(
      service,
      ['redirect', 'next', 'return_to', 'url', 'panel'].flatMap((name) => [
        `${link}&${name}=${evil}`,
        swapped(link, /\?/, `?${name}=${evil}&`),
      ]),
    )
    for (const suffix of ['//evil.test', '/%2f%2fevil.test', '/', '/..', ';x', '%2f..']) {
      const path = swapped(link, /\?/, `${suffix}?`)
      expect(verdict(await service.browser().get(path))).toBe('404 not_found')
    }
    const evilPlace = { origin: 'https://evil.test', referer: 'https://evil.test/', host: 'evil' }
    const opened = await service.browser().get(link, { headers: evilPlace })
    expect(opened.headers.location).toBe(`${service.url}${VERIFIED}`)
  })

  /** Each is refused, nobody is verified by it, and the link itself is as good as before. */
  async function refusesAll(
    service: MailService & { readonly link: string },
    links: readonly string[],
  ): Promise<void> {
    const browser = service.browser()
    for (const link of links) {
      expect([link, verdict(await browser.get(link))]).toEqual([link, INVALID])
      expect(leadsTo(await openLink(browser, link))).toBe('/admin/main?verified=invalid')
    }
    expect(isVerified(service)).toBe(false)
    expect(eventsNamed(service, 'verified')).toEqual([])
    expect((await browser.get(service.link)).status).toBe(302)
    expect(isVerified(service)).toBe(true)
  }
})

describe('Email verification: how long a link is good', () => {
  it('EMV-02 is good for 60 minutes and then over, for browsers with a page that says so', async () => {
    const service = await withLink({ config: { svc } })
    service.users.add({ id: 'tara', email: 'tara@x.test', passwordHash, mustVerify: true })
    const late = await askForLink(service, await loggedIn(service, 'tara@x.test'), {
      email: 'tara@x.test',
      body: { panel: 'shop' },
    })
    service.clock.advance({ seconds: 3599 })
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    service.clock.advance({ seconds: 1 })
    expect(verdict(await service.browser().get(late))).toBe(INVALID)
    const page = await openLink(service.browser(), late)
    expect([page.status, leadsTo(page)]).toEqual([302, '/admin/shop?verified=expired'])
    expect(isVerified(service, 'tara')).toBe(false)
  })

  it('EMV-08 dies when the address changes, and with another spelling of it does not', async () => {
    const service = await withLink()
    service.users.update('u3', { email: 'new@x.test' })
    expect(verdict(await service.browser().get(service.link))).toBe(INVALID)
    expect(isVerified(service)).toBe(false)
    service.users.update('u3', { email: 'U3@X.test' })
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
  })

  it('EMV-28 is as good as a second one that was sent later; after a change of address none is', async () => {
    const service = await withLink()
    service.clock.advance({ seconds: 1 })
    const second = await askForLink(service, await loggedIn(service))
    expect(second).not.toBe(service.link)
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    expect(leadsTo(await openLink(service.browser(), second))).toBe(VERIFIED)
    service.users.update('u3', { email: 'new@x.test', emailVerifiedAt: null })
    for (const link of [service.link, second])
      expect(verdict(await service.browser().get(link))).toBe(INVALID)
    expect(isVerified(service)).toBe(false)
  })

  it('EMV-20 answers for a user who is gone, or need not verify any more, as for a wrong signature', async () => {
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
  it('EMV-07, EMV-14 verifies without a session and opens none', async () => {
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
    expect(eventsNamed(service, 'verified')).toEqual([{ userId: 'u3', tenant: null }])
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

  it('lets the user in whose session waited for it', async () => {
    const service = await startMailService()
    const tria = await loggedIn(service)
    const link = await askForLink(service, tria)
    expect((await tria.get('/svc/api/user')).status).toBe(403)
    await openLink(service.browser(), link)
    const { status, json } = await tria.get('/svc/api/user')
    expect([status, json.email_verified_at]).toEqual([200, '2027-01-15T08:00:00.000Z'])
  })

  it('EMV-09 changes nothing for HEAD, for a browser that fetches ahead, or for an image', async () => {
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
      { 'sec-fetch-dest': 'script' },
    ])
      await browser.get(service.link, { headers })
    expect(isVerified(service)).toBe(false)
    expect(service.users.calls.markEmailAsVerified).toBe(0)
    expect(eventsNamed(service, 'verified')).toEqual([])
    await openLink(browser, service.link)
    expect(isVerified(service)).toBe(true)
  })

  it('EMV-11 answers 405 to every other method', async () => {
    const service = await withLink()
    const tria = await loggedIn(service)
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

  it('EMV-19 redirects every time, marks once it is verified never again, and tells the host once', async () => {
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
    expect(eventsNamed(service, 'verified')).toEqual([{ userId: 'u3', tenant: null }])
  })

  it('tells the host again when the flag was taken back and another link is opened', async () => {
    const service = await withLink()
    await openLink(service.browser(), service.link)
    service.users.update('u3', { emailVerifiedAt: null })
    service.clock.advance({ minutes: 5 })
    const second = await askForLink(service, await loggedIn(service))
    await openLink(service.browser(), second)
    expect(isVerified(service)).toBe(true)
    expect(eventsNamed(service, 'verified')).toHaveLength(2)
  })

  it('chooses by Accept between a page and JSON', async () => {
    const service = await withLink({ config: { svc, limits: UNRATIONED_MAIL } })
    const shop = await askForLink(service, await loggedIn(service), { body: { panel: 'shop' } })
    const ask = async (path: string, accept: string | null): Promise<string> => {
      const answer = await service.browser().get(path, { headers: { accept } })
      return leadsTo(answer) ?? verdict(answer)
    }
    const wrong = swapped(shop, /signature=./, 'signature=-')
    expect(await ask(wrong, 'text/html')).toBe('/admin/main?verified=invalid')
    expect(await ask(wrong, 'application/json')).toBe(INVALID)
    expect(await ask(wrong, null)).toBe(INVALID)
    service.clock.advance({ minutes: 61 })
    expect(await ask(shop, 'text/html,*/*;q=0.8')).toBe('/admin/shop?verified=expired')
    expect(await ask(shop, 'application/json')).toBe(INVALID)
    service.clock.advance({ minutes: -61 })
    expect(await ask(shop, 'application/json')).toBe('/admin/shop?verified=1')
  })

  it.each(['a b/c', 'é🙂', '~u3', 'x?y=1&z#', 'user:7@example'])(
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

  it('shows the address of nobody in the link', async () => {
    const { link } = await withLink()
    expect(link).not.toMatch(/@|x\.test/)
    expect(link).toContain(createHash('sha256').update('u3@x.test').digest('hex'))
  })
})

describe('Email verification: tenants', () => {
  const byHeader: Middleware = async (context, next) => {
    context.tenant = context.request.header('x-tenant')
    return next()
  }

  it('is worth nothing in another tenant, though the same id and address are there', async () => {
    const service = await startMailService({ config: { svc: { ...svc, middleware: [byHeader] } } })
    const same = { id: 't', email: 't@x.test', passwordHash, mustVerify: true }
    for (const tenant of ['a', 'b']) service.users.add({ ...same, tenant })
    const headers = { 'x-tenant': 'a' }
    const browser = service.browser()
    await browser.get('/svc/api/csrf-cookie', { headers })
    const credentials = { email: same.email, password: 'correct horse battery staple' }
    await browser.post('/svc/api/login', credentials, { headers })
    expect((await browser.post(SEND, undefined, { headers })).status).toBe(202)
    const link = pathOfLink(service.mailer.link(same.email))
    for (const tenant of ['b', null]) {
      const elsewhere = await service.browser().get(link, { headers: { 'x-tenant': tenant } })
      expect(verdict(elsewhere)).toBe(INVALID)
    }
    expect((await service.browser().get(link, { headers })).status).toBe(302)
    const verified = ['a', 'b'].map((tenant) => service.users.row('t', tenant)?.emailVerifiedAt)
    expect(verified).toEqual([service.clock.now(), null])
    expect(eventsNamed(service, 'verified')).toEqual([{ userId: 't', tenant: 'a' }])
  })
})

describe('Email verification: the host fails', () => {
  it('answers 503 when it cannot mark, verifies nobody, and the link is good afterwards', async () => {
    const service = await withLink()
    service.users.failWith(new Error('UPDATE people: disk full'), 'markEmailAsVerified')
    for (let time = 0; time < 2; time += 1) {
      const answer = await openLink(service.browser(), service.link)
      expect(verdict(answer)).toBe('503 unavailable')
      expect(answer.text).not.toContain('disk full')
    }
    expect(eventsNamed(service, 'verified')).toEqual([])
    service.users.recover()
    expect(leadsTo(await openLink(service.browser(), service.link))).toBe(VERIFIED)
    expect(isVerified(service)).toBe(true)
    expect(eventsNamed(service, 'verified')).toHaveLength(1)
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
      expect(eventsNamed(service, 'verified')).toEqual([])
    },
  )

  it('EMV-27 writes no signature into the log, whatever goes wrong', async () => {
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
