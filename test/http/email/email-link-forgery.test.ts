import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { loggedIn, loggedInAt } from '../../support/logins.ts'
import {
  askForLink,
  leadsTo,
  openLink,
  pathOfLink,
  startMailService,
  type MailService,
  VERIFIED,
  twoPanels,
  withLink,
  isVerified,
  swapped,
} from '../../support/mail.ts'
import { SEND_LINK } from '../../support/paths.ts'
import { identifyTenant, passwordHash, payloadsOf } from '../../support/service.ts'
import { stopTime } from '../../support/time.ts'
import { verdict, LINK_INVALID } from '../../support/verdicts.ts'

stopTime()

describe('Email verification: a forged link', () => {
  it('EMV-01 is refused with another signature', async () => {
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

  it('EMV-03 is refused with the id, the hash or the signature of another link', async () => {
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

  it('is refused with another spelling of the same id', async () => {
    const service = await withLink()
    const encoded = Buffer.from('u3').toString('base64url')
    await refusesAll(service, [swapped(service.link, /u3/, `~${encoded}`)])
  })

  it('is refused with another base64 encoding of the same id', async () => {
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

  it('EMV-05 is refused with another expiry or none', async () => {
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

  it('EMV-13 redirects to no other address, whatever its parameters', async () => {
    const service = await withLink({ config: { svc: twoPanels } })
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
      expect([link, verdict(await browser.get(link))]).toEqual([link, LINK_INVALID])
      expect(leadsTo(await openLink(browser, link))).toBe('/admin/main?verified=invalid')
    }
    expect(isVerified(service)).toBe(false)
    expect(payloadsOf(service, 'verified')).toEqual([])
    expect((await browser.get(service.link)).status).toBe(302)
    expect(isVerified(service)).toBe(true)
  }
})

describe('Email verification: tenants', () => {
  it('is refused in another tenant that has the same id and email', async () => {
    const service = await startMailService({
      config: { svc: { ...twoPanels, middleware: [identifyTenant] } },
    })
    const same = { id: 't', email: 't@x.test', passwordHash, mustVerify: true }
    for (const tenant of ['a', 'b']) service.users.add({ ...same, tenant })
    const headers = { 'x-tenant': 'a' }
    const browser = await loggedInAt(service, 'a', same.email)
    expect((await browser.post(SEND_LINK, undefined, { headers })).status).toBe(202)
    const link = pathOfLink(service.mailer.link(same.email))
    for (const tenant of ['b', null]) {
      const elsewhere = await service.browser().get(link, { headers: { 'x-tenant': tenant } })
      expect(verdict(elsewhere)).toBe(LINK_INVALID)
    }
    expect((await service.browser().get(link, { headers })).status).toBe(302)
    const verified = ['a', 'b'].map((tenant) => service.users.row('t', tenant)?.emailVerifiedAt)
    expect(verified).toEqual([service.clock.now(), null])
    expect(payloadsOf(service, 'verified')).toEqual([{ userId: 't', tenant: 'a' }])
  })
})
