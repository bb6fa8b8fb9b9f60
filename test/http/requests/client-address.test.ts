import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { countHashes } from '../../support/hashing.ts'
import { attempt, UNRATIONED, visitor } from '../../support/logins.ts'
import { LOGIN } from '../../support/paths.ts'
import { plainRequest } from '../../support/plain-request.ts'
import { startService, type TestService } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { FAILED, LIMITED, THROTTLED, times } from '../../support/verdicts.ts'

const BEHIND_A_PROXY = {
  trusted_proxies: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'],
  limits: UNRATIONED,
} as const
const PROXY = { address: '127.0.8.1' } as const

type Forwarded = string | readonly string[]
type Headers = Readonly<Record<string, string>>

const hops = (list: string): Headers => ({ 'x-forwarded-for': list })
const FOR_CLIENT = hops('203.0.113.9')

describe('Limits: the client’s address without a trusted proxy', () => {
  it('THR-10: is the address of the socket, whatever headers say', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    const una = await visitor(service)
    const checked = countHashes()
    const verdicts: string[] = []
    for (let made = 1; made <= 8; made += 1) {
      const spoofed = `203.0.113.${made}`
      verdicts.push(
        await attempt(una, 'u1@x.test', 'wrong', {
          'x-forwarded-for': spoofed,
          'x-real-ip': spoofed,
          forwarded: `for=${spoofed}`,
          'cf-connecting-ip': spoofed,
          'true-client-ip': spoofed,
          'x-client-ip': spoofed,
        }),
      )
    }
    expect(verdicts).toEqual([...times(5, FAILED), ...times(3, THROTTLED)])
    expect(checked()).toBe(5)
    expect(await networks(service)).toEqual(new Set([una.address]))
  })
})

describe('A proxy that trusted_proxies does not list', () => {
  const FORWARDED = { 'x-forwarded-for': '203.0.113.9\r\nforged line' }

  it.each<[string, Headers]>([
    ['127.0.0.1', FORWARDED],
    ['::1', { forwarded: 'for=203.0.113.9' }],
    ['10.0.0.7', FORWARDED],
    ['172.16.3.4', FORWARDED],
    ['192.168.1.1', FORWARDED],
    ['fd00::1', FORWARDED],
    ['fe80::1', FORWARDED],
  ])('is logged once, with the setting and without the header: %s', async (address, headers) => {
    const logged = await requestsFrom({ address, headers })
    expect(logged).toMatchObject([
      { level: 'warn', fields: { setting: 'trusted_proxies', address } },
    ])
    expect(JSON.stringify(logged)).not.toMatch(/203\.0\.113\.9|forged/)
  })

  it.each<[string, Parameters<typeof requestsFrom>[0]]>([
    ['no request carries the header', { address: '127.0.0.1', headers: {} }],
    ['the header comes from a public address', { address: '198.51.100.7', headers: FORWARDED }],
    ['the address is unknown', { address: null, headers: FORWARDED }],
    [
      'another proxy is trusted and nothing is counted',
      { address: '127.0.0.1', headers: FORWARDED, trusted_proxies: ['10.0.0.7'] },
    ],
  ])('is not logged when %s', async (_what, sent) => {
    expect(await requestsFrom(sent)).toEqual([])
  })

  /** Returns what three requests make the service log about the proxy. */
  async function requestsFrom(sent: {
    readonly address: string | null
    readonly headers: Headers
    readonly trusted_proxies?: readonly string[]
  }): Promise<TestService['log']> {
    const { address, headers, trusted_proxies = [] } = sent
    const { auth, log, url } = await startService({ config: { trusted_proxies } })
    const request = { method: 'GET', address, headers: { host: new URL(url).host, ...headers } }
    for (const target of ['/svc/api/livez', '/svc/api/user', '/svc/api/user'])
      await auth.handle(plainRequest({ ...request, target }))
    return log.filter(({ message }) => message.includes('trusted_proxies'))
  }
})

describe('A request that is counted under the address of a proxy', () => {
  it.each<[string, string, string, Headers]>([
    ['the proxy has another address of the machine', '::1', 'does not list it', FOR_CLIENT],
    ['another proxy is listed', '192.168.1.2', 'does not list it', FOR_CLIENT],
    ['a second proxy is not listed', '10.0.0.7', '192.168.1.2', hops('203.0.113.9, 192.168.1.2')],
    ['the proxy hides its client', '10.0.0.7', 'names no client', hops('unknown')],
    ['the proxy sends Forwarded only', '10.0.0.7', 'names no client', { forwarded: 'for=1.2.3.4' }],
  ])('is logged once where %s', async (_what, address, logged, headers) => {
    const lines = await loggedOf(address, headers)
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines)).toContain(logged)
    expect(JSON.stringify(lines)).not.toContain('203.0.113.9')
  })

  it.each<[string, Headers]>([
    ['the client is named', FOR_CLIENT],
    ['a client of a private network is named', hops('192.168.1.2')],
    ['the client is a machine of the proxies', hops('10.0.0.9, 10.0.0.8')],
    ['a public client invents an address', hops('1.2.3.4, 203.0.113.9')],
    ['a trusted machine connects itself', {}],
  ])('is not assumed where %s', async (_what, headers) => {
    expect(await loggedOf('10.0.0.7', headers)).toEqual([])
  })

  /** Returns what two logins make the service log. */
  async function loggedOf(address: string, headers: Headers): Promise<TestService['log']> {
    const config = { trusted_proxies: ['127.0.0.1', '10.0.0.0/8'] }
    const { auth, url, log } = await startService({ config })
    const all = { host: new URL(url).host, ...headers }
    const request = plainRequest({ method: 'POST', target: LOGIN, address, headers: all })
    for (const _twice of [1, 2]) await auth.handle(request)
    await settled()
    return log.filter(({ fields }) => 'setting' in fields)
  }
})

describe('Limits: the client’s address behind a trusted proxy', () => {
  it.each<[string, Forwarded, string]>([
    ['the right-most that is not trusted', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['left of further proxies', '198.51.100.1, 203.0.113.9, 10.0.0.7, 10.1.2.3', '203.0.113.9'],
    ['over all lines of the header', ['198.51.100.1', '203.0.113.9', '10.0.0.7'], '203.0.113.9'],
    ['right of what cannot be read', '198.51.100.1, what, 203.0.113.9', '203.0.113.9'],
    ['the last proxy before what cannot be read', '198.51.100.1, what, 10.0.0.7', '10.0.0.7'],
    ['the first proxy when all are', '10.0.0.8, 10.0.0.7', '10.0.0.8'],
    ['with a port', '203.0.113.9:4711', '203.0.113.9'],
    ['IPv4 in IPv6', '::ffff:203.0.113.9', '203.0.113.9'],
    ['IPv4 in IPv6, in hexadecimal', '::FFFF:CB00:7109', '203.0.113.9'],
    ['IPv4 that a translator leads to IPv6', '64:ff9b::cb00:7109', '203.0.113.9'],
    ['the /64 of another prefix of translators', '64:ff9b:1::cb00:7109', '64:ff9b:1::/64'],
    ['no proxy that a translator names', '203.0.113.9, 64:ff9b::10.0.0.7', '10.0.0.7'],
    ['a trusted IPv4 in IPv6', '203.0.113.9, ::ffff:10.0.0.7', '203.0.113.9'],
    ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['however it is spelled', '2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['in brackets', '[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['in brackets with a port', '[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
    ['with a zone', 'fe80::1%eth0', 'fe80::/64'],
    ['with a zone and a port', 'fe80::1%eth0:4711', 'fe80::/64'],
    ['right of a zone and a port', 'fe80::1%eth0:4711, 203.0.113.9', '203.0.113.9'],
    ['left of a trusted IPv6 proxy', '203.0.113.9, fd00::1', '203.0.113.9'],
  ])('is %s: %j', async (_what, forwarded, network) => {
    const service = await startService({ config: BEHIND_A_PROXY })
    expect(await networkOf(service, forwarded)).toBe(network)
  })

  it.each<[Forwarded]>([
    ['unknown'],
    ['_hidden'],
    ['1.2.3'],
    ['0xcb.0.0.9'],
    ['300.1.1.1'],
    [','],
    [' '],
    [''],
    ['a'.repeat(10_000)],
    ['[::1'],
    ['::1]'],
    ['203.0.113.9:'],
    ['203.0.113.9,'],
    ['203.0.113.9 198.51.100.1'],
    [['203.0.113.9', 'unknown']],
  ])('THR-12: is the address of the proxy when its header is unreadable: %j', async (forwarded) => {
    const service = await startService({ config: BEHIND_A_PROXY })
    expect(await networkOf(service, forwarded)).toBe(PROXY.address)
  })

  it('is the address of the proxy for all unreadable headers together', async () => {
    const service = await startService({ config: BEHIND_A_PROXY })
    const unreadable = ['unknown', '1.2.3', ',', '', '[::1', '300.1.1.1', '_hidden', 'a,b']
    const verdicts = await loginVia(service, 'u1@x.test', unreadable)
    expect(verdicts).toEqual([...times(5, FAILED), ...times(3, THROTTLED)])
  })

  it('THR-11: is never an address that the client itself prepended', async () => {
    const service = await startService({ config: BEHIND_A_PROXY })
    const checked = countHashes()
    const spoofed = Array.from({ length: 8 }, (_, at) => `198.51.100.${at}, 203.0.113.9`)
    const verdicts = await loginVia(service, 'u1@x.test', spoofed)
    expect(verdicts).toEqual([...times(5, FAILED), ...times(3, THROTTLED)])
    expect(checked()).toBe(5)
  })

  it('THR-13: is the same for IPv4 and IPv4 within IPv6', async () => {
    const service = await startService({ config: BEHIND_A_PROXY })
    const forms = ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:CB00:7109', '64:ff9b::203.0.113.9']
    const verdicts = await loginVia(service, 'u1@x.test', [...forms, ...forms])
    expect(verdicts).toEqual([...times(5, FAILED), ...times(3, THROTTLED)])
  })

  it('THR-14: is the /64 network of an IPv6 address', async () => {
    const service = await startService({ config: BEHIND_A_PROXY })
    const rotated = Array.from({ length: 6 }, (_, at) => `2001:db8:1:2::${at + 1}`)
    const verdicts = await loginVia(service, 'u1@x.test', [...rotated, '2001:db8:1:3::1'])
    expect(verdicts).toEqual([...times(5, FAILED), THROTTLED, FAILED])
  })

  it('is what the route limit counts by', async () => {
    const service = await startService({ config: { ...BEHIND_A_PROXY, limits: {} } })
    const rotated = Array.from({ length: 11 }, (_, at) => `2001:db8:1:2::${at + 1}`)
    const verdicts = await loginVia(service, 'nobody@x.test', [...rotated, '2001:db8:1:3::1'])
    expect(verdicts.slice(-2)).toEqual([LIMITED, FAILED])
    expect(verdicts.filter((one) => one === LIMITED)).toHaveLength(1)
  })

  it('is taken from a listed proxy only', async () => {
    const trusted_proxies = ['127.0.8.1', '::1/128']
    const service = await startService({ config: { trusted_proxies, limits: UNRATIONED } })
    const stranger = await visitor(service, { address: '127.0.8.2' })
    await attempt(stranger, 'u1@x.test', PASSWORD, { 'x-forwarded-for': '203.0.113.9' })
    await loginVia(service, 'u1@x.test', ['203.0.113.10'])
    expect(await networks(service)).toEqual(new Set(['127.0.8.2', '203.0.113.10']))
  })

  it.each(['::ffff:127.0.8.1', '::ffff:127.0.0.0/104'])(
    'recognises the proxy by %s',
    async (entry) => {
      const service = await startService({ config: { trusted_proxies: [entry] } })
      expect(await networkOf(service, '203.0.113.9')).toBe('203.0.113.9')
    },
  )

  it.each([
    '',
    'localhost',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0.0',
    '10/8',
    '010.0.0.1',
  ])('stops the start and names the setting for %j', async (entry) => {
    await expect(startService({ config: { trusted_proxies: [entry] } })).rejects.toThrow(
      /^trusted_proxies: .*10\.0\.0\.0\/8/,
    )
  })
})

describe('Limits: the client’s address on a platform without sockets', () => {
  it('THR-10: is unknown, whatever headers say, and the log names the setting once', async () => {
    const service = await startService({ config: { limits: UNRATIONED } })
    expect(await networkWithoutSocket(service, { 'x-forwarded-for': '203.0.113.9' })).toBe(
      'unknown',
    )
    expect(await networkWithoutSocket(service, {})).toBe('unknown')
    const warnings = service.log.filter(({ message }) => message.includes('address_header'))
    expect(warnings).toHaveLength(1)
  })

  it.each<[string, string | null, string | null, number]>([
    ['is said at the first request, before anything is counted', null, null, 1],
    ['is not missed where the platform reports it', '203.0.113.9', null, 0],
    ['is not missed where a header names it', null, 'X-Real-IP', 0],
  ])('%s', async (_what, address, header, times) => {
    const config = header === null ? {} : { address_header: header }
    const { auth, log, url } = await startService({ config })
    const headers = { host: new URL(url).host }
    for (const target of ['/svc/api/livez', '/svc/api/user'])
      await auth.handle(plainRequest({ method: 'GET', target, address, headers }))
    expect(log.filter(({ message }) => message.includes('address_header'))).toHaveLength(times)
  })

  it.each<[string, Headers, string]>([
    ['X-Forwarded-For', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }, '203.0.113.9'],
    ['X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9, 10.0.0.7' }, '203.0.113.9'],
    ['X-Real-IP', { 'x-real-ip': '2001:db8:1:2::1' }, '2001:db8:1:2::/64'],
    ['X-Real-IP', { 'x-real-ip': '_hidden' }, 'unknown'],
    ['X-Real-IP', { 'x-forwarded-for': '203.0.113.9' }, 'unknown'],
    ['X-Real-IP', {}, 'unknown'],
  ])('is that of address_header %s: %j', async (address_header, headers, network) => {
    const config = { ...BEHIND_A_PROXY, address_header }
    const service = await startService({ config })
    expect(await networkWithoutSocket(service, headers)).toBe(network)
  })

  it('is still the socket’s where there is one', async () => {
    const service = await startService({ config: { address_header: 'X-Real-IP' } })
    const una = await visitor(service)
    await attempt(una, 'u1@x.test', 'wrong', { 'x-real-ip': '203.0.113.9' })
    expect(await networks(service)).toEqual(new Set([una.address]))
  })

  it.each(['', 'X Real IP', 'x-real-ip: 1'])('refuses %j as a header', async (address_header) => {
    await expect(startService({ config: { address_header } })).rejects.toThrow(
      /^address_header: .*X-Forwarded-For/,
    )
  })
})

/** Returns the network of a request whose platform does not know the address of its client. */
async function networkWithoutSocket(service: TestService, headers: Headers): Promise<string> {
  const host = new URL(service.url).host
  await service.auth.handle(
    plainRequest({ method: 'POST', target: LOGIN, address: null, headers: { host, ...headers } }),
  )
  const [network = 'none', ...others] = await networks(service)
  expect(others).toEqual([])
  return network
}

/** One wrong login for each value of `X-Forwarded-For`, sent by the proxy. */
async function loginVia(
  service: TestService,
  email: string,
  forwarded: readonly Forwarded[],
): Promise<readonly string[]> {
  const proxy = await visitor(service, PROXY)
  const verdicts: string[] = []
  for (const value of forwarded) {
    verdicts.push(await attempt(proxy, email, 'wrong', { 'x-forwarded-for': value }))
  }
  return verdicts
}

/**
 * Returns the network that a request through the proxy is counted under. It has no token, so
 * nothing is hashed for it.
 */
async function networkOf(service: TestService, forwarded: Forwarded): Promise<string> {
  const headers = { 'x-forwarded-for': forwarded }
  await service.browser(PROXY).post(LOGIN, {}, { headers })
  const [network = 'none', ...others] = await networks(service)
  expect(others).toEqual([])
  return network
}

/** Returns the networks that the attempts were counted under, from the events. */
async function networks({ events }: TestService): Promise<ReadonlySet<string>> {
  await settled()
  return new Set(
    events.flatMap(({ payload }) => ('network' in payload ? [String(payload.network)] : [])),
  )
}
