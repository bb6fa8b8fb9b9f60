import { randomBytes } from 'node:crypto'
import { hashPassword } from '@svc/auth'
import { postgresStores } from '@svc/auth/postgres'
import { redisStores } from '@svc/auth/redis'
import { fakeClock, fakeTwoFactor, fakeUsers, outbox, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Answer, Browser } from '../../support/browser.ts'
import { visitor } from '../../support/logins.ts'
import { UNRATIONED_PASSWORDS } from '../../support/passwords.ts'
import {
  CODE_STEP,
  CONFIRM_SESSION,
  DISOWN,
  FORGOT,
  IMPERSONATION,
  LOGIN,
  PASSWORD_ROUTE,
  RESET,
  SESSIONS,
  TRUSTED_DEVICES,
  USER,
} from '../../support/paths.ts'
import { emptiedPostgres } from '../../support/postgres.ts'
import { freshPrefix, ioRedis, ofTest } from '../../support/redis.ts'
import { CODE } from '../../support/second-factor.ts'
import { identifyTenant, startService, svc, type TestService } from '../../support/service.ts'
import { withCookiesOf } from '../../support/session-cookies.ts'
import { BOUND, TRUSTED } from '../../support/trusted-devices.ts'
import { EXPIRED, FAILED, GUEST, tally, verdict } from '../../support/verdicts.ts'

/*
 * The account routes on three nodes that share PostgreSQL and Redis, with values as long and as foreign as a host may
 * have them, and one user of the same id and email at tenants whose names differ by their capitals.
 */

const ID = `${'Ünlü-界'.repeat(21)}🦊é`
const EMAIL = 'zoë.ünlü@xn--bcher-grsse-yfb4e.example'
const TYPED = 'ZOË.Ünlü@BÜCHER-GRÖSSE.example'
const SECRET = randomBytes(96).toString('base64url')
const NEW_SECRET = '界🦊éжß-١क'.repeat(16)
const AT = '2001:db8:1:2::5'
const OTHER = 'other@x.test'
const LINK_INVALID = '422 password_link_invalid'

async function startThree() {
  const [url, prefix] = [await emptiedPostgres(), freshPrefix()]
  const passwordHash = await hashPassword(SECRET, { memoryKiB: 64, passes: 1 })
  const zoe = { id: ID, email: EMAIL, name: 'Zoë Ünlü', passwordHash }
  const users = fakeUsers([
    { ...zoe, tenant: 'Acme' },
    { ...zoe, tenant: 'acme' },
    { id: 'other', email: OTHER, passwordHash, tenant: 'Acme' },
  ])
  const [twoFactor, mailer] = [fakeTwoFactor<FakeUser>({ code: CODE }), outbox()]
  const shared = { users, twoFactor, mailer, clock: fakeClock(), appUrl: 'http://panel.test' }
  const bound = { passwords: {}, confirmation: true, sessions: BOUND, activity: true } as const
  const config = {
    limits: { ...UNRATIONED_PASSWORDS, login: { max: 1000, window_seconds: 60 } },
    trusted_proxies: ['127.0.0.0/8'],
    svc: { ...svc, middleware: [identifyTenant] },
  }
  async function start(): Promise<TestService> {
    const stores = redisStores(ofTest(ioRedis()), await postgresStores(url), { prefix })
    onTestFinished(async () => stores.close())
    const impersonation = { allows: () => true }
    return startService({ ...shared, ...bound, impersonation, stores, config })
  }
  return { nodes: [await start(), await start(), await start()] as const, users, twoFactor, mailer }
}

const sentTo = (tenant: string, address = AT) => ({
  headers: { 'x-tenant': tenant, 'x-forwarded-for': address },
})

async function logIn(node: TestService, given: Readonly<Partial<Login>> = {}) {
  const { tenant = 'Acme', password = SECRET, address = AT, email = TYPED, trusted = null } = given
  const browser = await visitor(node)
  browser.setCookie(TRUSTED, trusted)
  const answer = await browser.post(LOGIN, { email, password }, sentTo(tenant, address))
  return { browser, answer }
}

interface Login {
  readonly tenant: string
  readonly password: string
  readonly address: string
  readonly email: string
  readonly trusted: string | null
}

/** Returns a browser whose requests come to another node. */
function moved(node: TestService, from: Browser): Browser {
  return withCookiesOf(from, node.browser())
}

/** Returns the token of the latest mail, once so many are sent. */
async function tokenOf(mailer: ReturnType<typeof outbox>, mails: number): Promise<string> {
  await expect.poll(() => mailer.sent.length).toBe(mails)
  const [link = ''] = /http\S+/.exec(mailer.sent.at(-1)?.text ?? '') ?? []
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

const isOpen = async (browser: Browser, tenant = 'Acme'): Promise<string> =>
  verdict(await browser.get(USER, sentTo(tenant)))

describe('On three nodes with PostgreSQL and Redis', { timeout: 60_000 }, () => {
  it('PWD-08, PWD-12: a link works once, at its tenant, for a password of 128 characters', async () => {
    const { nodes, mailer } = await startThree()
    const [{ browser: open }, { browser: elsewhere }] = [
      await logIn(nodes[2]),
      await logIn(nodes[2], { tenant: 'acme' }),
    ]
    await (await visitor(nodes[0])).post(FORGOT, { email: TYPED }, sentTo('Acme'))
    const body = { token: await tokenOf(mailer, 1), password: NEW_SECRET }
    const use = async (node: TestService, tenant: string): Promise<string> =>
      verdict(await (await visitor(node)).post(RESET, body, sentTo(tenant)))
    for (const tenant of ['acme', 'ACME', ''])
      expect(await use(nodes[1], tenant)).toBe(LINK_INVALID)
    const uses = [...nodes, ...nodes, ...nodes].map(async (node) => use(node, 'Acme'))
    expect(tally(await Promise.all(uses))).toEqual({ ok: 1, [LINK_INVALID]: 8 })
    expect([await isOpen(open), await isOpen(elsewhere, 'acme')]).toEqual([GUEST, 'ok'])
    const cut = Buffer.from(NEW_SECRET).subarray(0, 72).toString()
    for (const password of [SECRET, NEW_SECRET.slice(0, -1), NEW_SECRET.normalize('NFD'), cut])
      expect(verdict((await logIn(nodes[1], { password })).answer)).toBe(FAILED)
    const right = { password: NEW_SECRET, address: '2001:db8:9::1' }
    expect(verdict((await logIn(nodes[0], right)).answer)).toBe('ok')
    expect(verdict((await logIn(nodes[0], { ...right, tenant: 'acme' })).answer)).toBe(FAILED)
  })

  it('PWD-03: mails are bounded for a /64, whatever its addresses and the node', async () => {
    const { nodes, mailer, users } = await startThree()
    const passwordHash = users.row('other', 'Acme')?.passwordHash ?? null
    for (let made = 0; made < 36; made += 1) {
      const email = `m${made}@x.test`
      users.add({ id: email, email, passwordHash, tenant: 'Acme' })
      const browser = await visitor(nodes[made % 3] ?? nodes[0])
      await browser.post(FORGOT, { email }, sentTo('Acme', `2001:db8:5:6:${made}::${made + 1}`))
    }
    for (const node of nodes) await node.auth.close()
    expect(mailer.sent).toHaveLength(30)
  })

  it('DEV-04, DEV-06: a login from another network is reported, and can be disowned once', async () => {
    const { nodes, mailer } = await startThree()
    const { browser } = await logIn(nodes[0])
    await logIn(nodes[1], { address: '2001:db8:1:2:ffff::9' })
    await logIn(nodes[2], { address: '::ffff:203.0.113.9' })
    const token = await tokenOf(mailer, 1)
    const { json } = await moved(nodes[1], browser).get(SESSIONS, sentTo('Acme'))
    const networks = json.data.map(({ network }: { readonly network: string }) => network)
    expect(tally(networks)).toEqual({ '2001:db8:1::/48': 2, '203.0.113.x': 1 })
    expect(verdict(await browser.get(SESSIONS, sentTo('acme')))).toBe(GUEST)
    const use = async (node: TestService, tenant: string): Promise<string> =>
      verdict(await (await visitor(node)).post(DISOWN, { token }, sentTo(tenant)))
    expect(await use(nodes[2], 'acme')).toBe('422 session_link_invalid')
    const uses = await Promise.all(nodes.map(async (node) => use(node, 'Acme')))
    expect(tally(uses)).toEqual({ ok: 1, '422 session_link_invalid': 2 })
    expect(await isOpen(browser)).toBe(GUEST)
  })

  it('TRU-02, TRU-08: a trusted device is of one tenant, and ends with a change of the password', async () => {
    const { nodes, twoFactor } = await startThree()
    twoFactor.update(ID, { enabled: true })
    const { browser } = await logIn(nodes[0])
    const code = { code: CODE, trust_device: true }
    const entered = moved(nodes[1], browser)
    expect(verdict(await entered.post(CODE_STEP, code, sentTo('acme')))).toBe(EXPIRED)
    expect(verdict(await entered.post(CODE_STEP, code, sentTo('Acme')))).toBe('ok')
    const trusted = entered.cookie(TRUSTED)
    const asks = async (given: Partial<Login>): Promise<boolean> =>
      (await logIn(nodes[2], { trusted, ...given })).answer.json.two_factor
    expect([await asks({}), await asks({ tenant: 'acme' })]).toEqual([false, true])
    const change = async (node: TestService, at: number): Promise<Answer> =>
      moved(node, entered).send('PUT', PASSWORD_ROUTE, {
        body: { current_password: SECRET, password: `${NEW_SECRET}${at}` },
        ...sentTo('Acme'),
      })
    const changes = (await Promise.all(nodes.map(change))).map(verdict)
    expect(changes.filter((one) => one === 'ok')).toHaveLength(1)
    expect(await isOpen(entered)).toBe(GUEST)
    expect(await asks({ password: `${NEW_SECRET}${changes.indexOf('ok')}` })).toBe(true)
  })

  it('IMP-01, IMP-10: one of three openings acts as a user, does no account action, and ends with the sessions', async () => {
    const { nodes, users } = await startThree()
    const { browser } = await logIn(nodes[0], { email: OTHER })
    const [user, zoe] = [await users.findById('other', 'Acme'), await users.findById(ID, 'Acme')]
    if (user === null || zoe === null) throw new Error('there is nobody')
    const headers = {
      host: 'panel.test',
      origin: 'http://panel.test',
      cookie: `svc_session=${browser.cookie('svc_session')}`,
      'x-xsrf-token': browser.cookie('XSRF-TOKEN') ?? '',
    }
    const open = async (node: TestService, tenant: string) =>
      node.auth.openSession(zoe, { tenant, request: { headers }, by: { user } })
    expect((await open(nodes[1], 'acme')).outcome).toBe('refused')
    const openings = await Promise.all(nodes.map(async (node) => open(node, 'Acme')))
    const opened = openings.flatMap((one) => (one.outcome === 'opened' ? [one.cookies] : []))
    expect(opened).toHaveLength(1)
    const acting = await visitor(nodes[2])
    for (const line of opened.flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      acting.setCookie(name, value)
    }
    expect(await isOpen(acting)).toBe('ok')
    const actions = [
      ['PUT', PASSWORD_ROUTE, { current_password: SECRET, password: NEW_SECRET }],
      ['POST', CONFIRM_SESSION, { password: SECRET }],
      ['DELETE', SESSIONS, undefined],
      ['GET', TRUSTED_DEVICES, undefined],
    ] as const
    for (const [method, path, body] of actions) {
      const sending = { ...(body && { body }), ...sentTo('Acme') }
      const answer = await moved(nodes[1], acting).send(method, path, sending)
      expect(verdict(answer)).toBe('403 impersonated')
    }
    const { browser: own } = await logIn(nodes[0])
    expect(verdict(await moved(nodes[2], own).send('DELETE', SESSIONS, sentTo('Acme')))).toBe('ok')
    expect([await isOpen(acting), await isOpen(browser)]).toEqual([GUEST, GUEST])
    const back = await moved(nodes[0], acting).send('DELETE', IMPERSONATION, sentTo('Acme'))
    expect(verdict(back)).toBe(GUEST)
  })
})
