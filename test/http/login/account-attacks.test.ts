import type { Middleware } from '@svc/auth'
import { fakeUsers, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import {
  CONFIRM_FIRST,
  confirmBy,
  demanded,
  startConfirmation,
} from '../../support/confirmation.ts'
import { storesOfTwoNodes } from '../../support/databases.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import {
  actAs,
  actingAs,
  EVERYBODY,
  goBack,
  openFor,
  startImpersonation,
} from '../../support/open-session.ts'
import {
  change,
  closed,
  forget,
  reset,
  startPasswords,
  startTwoPasswordNodes,
  tokenFor,
  type PasswordService,
} from '../../support/passwords.ts'
import { LOGIN, LOGOUT, SESSIONS, TRUSTED_DEVICES, USER } from '../../support/paths.ts'
import { owingCode, startWithFactor } from '../../support/second-factor.ts'
import { passwordHash, payloadsOf, svc, type TestService } from '../../support/service.ts'
import {
  endDevice,
  listed,
  logInRemembered,
  startTrusting,
  trusting,
} from '../../support/trusted-devices.ts'
import { settled } from '../../support/time.ts'
import { FAILED, GUEST, verdict } from '../../support/verdicts.ts'

const NOT_FOUND = '404 not_found'
const LISTED = { sessions: { devices: true }, mailer: outbox() } as const

describe('The mails with links', () => {
  it('PWD-03: have one ceiling for all spellings of an email', async () => {
    const email = 'josé@xn--bcher-kva.test'
    const service = await startPasswords({
      users: fakeUsers([{ id: 'j', name: 'José', email, passwordHash }]),
    })
    for (const spelling of [
      email,
      'JOSÉ@BÜCHER.TEST',
      'jose\u0301@bu\u0308cher.test',
      'josé@bücher.test',
      ' josé@bücher.test. ',
      'josé@bücher。test',
      'José@bücher.test',
    ])
      await forget(service, spelling)
    expect((await closed(service)).mailer.sent).toHaveLength(5)
  })

  it('PWD-03: are sent for no similar email with a plus tag, a dot or an accent', async () => {
    const service = await startPasswords()
    for (const similar of ['u1+a@x.test', 'u.1@x.test', 'ú1@x.test', 'u1@x.test@x.test'])
      expect((await forget(service, similar)).status).toBe(202)
    expect((await closed(service)).mailer.sent).toEqual([])
  })

  it('PWD-03: are sent for no similar email that the host takes for the same', async () => {
    const users = fakeUsers([{ id: 'u1', name: 'Una', email: 'u1@x.test', passwordHash }])
    users.findByEmail = async () => users.findById('u1', null)
    const service = await startPasswords({ users })
    for (let made = 0; made < 8; made += 1) await forget(service, `u1+${made}@x.test`)
    expect((await closed(service)).mailer.sent).toEqual([])
  })
})

describe.each(Object.entries(storesOfTwoNodes))('Mails of two nodes with %s', (_name, open) => {
  it('PWD-03: share the ceiling of an email', async () => {
    const nodes = await startTwoPasswordNodes(await open())
    for (let made = 0; made < 8; made += 1)
      await forget(nodes[made % 2 === 0 ? 0 : 1], made < 4 ? 'u1@x.test' : 'U1@X.test')
    await Promise.all(nodes.map(closed))
    expect(nodes[0].mailer.sent).toHaveLength(5)
  })
})

describe('A confirmed session', () => {
  it('CNF-19: confirms no session that a login without a password opens in its place', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    expect(await demanded(una)).toBe('ok')
    expect((await openFor(service, una, 'u4')).outcome).toBe('opened')
    expect((await una.get(USER)).json.id).toBe('u4')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('CNF-19: confirms no session of another browser or of after a logout', async () => {
    const service = await startConfirmation()
    const [una, other] = [await loggedIn(service), await visitor(service)]
    await openFor(service, other, 'u1')
    expect(await demanded(una)).toBe('ok')
    expect(await demanded(other)).toBe(CONFIRM_FIRST)
    await una.post(LOGOUT)
    expect(await demanded(una)).toBe(GUEST)
    await openFor(service, una, 'u1')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('CNF-19: is a guest again when a login as another user waits for a code', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    const old = una.copy()
    await owingCode(service, { opened: una })
    expect(verdict(await confirmBy(una, { password: PASSWORD }))).toBe(GUEST)
    expect(await demanded(old)).toBe(GUEST)
  })
})

describe('A person who acts as another user', () => {
  it('IMP-05: is logged out when the own session alone is ended elsewhere', async () => {
    const service = await startImpersonation(LISTED)
    const una = await actingAs(service, await loggedIn(service))
    const elsewhere = await loggedIn(service)
    const kept = (await elsewhere.get(SESSIONS)).json.data.filter(
      ({ current }: { current: boolean }) => !current,
    )
    expect(kept).toHaveLength(1)
    expect(verdict(await elsewhere.send('DELETE', `${SESSIONS}/${kept[0].id}`))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await goBack(una))).toBe(GUEST)
  })

  it('IMP-05: is logged out when the own password is changed elsewhere', async () => {
    const service = await startPasswords({ impersonation: EVERYBODY })
    const una = await actingAs(service, await loggedIn(service))
    expect(verdict(await change(await loggedIn(service)))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await goBack(una))).toBe(GUEST)
  })

  it.each(['by a password', 'by a password and a code', 'that the host opens'])(
    'IMP-15: leaves no own session behind at a login %s',
    async (how) => {
      const service = await startWithFactor({ impersonation: EVERYBODY })
      const una = await actingAs(service, await loggedIn(service))
      if (how === 'by a password') await attempt(una, 'u4@x.test', PASSWORD)
      else if (how === 'that the host opens') await openFor(service, una, 'u4')
      else await owingCode(service, { opened: una })
      expect(await service.auth.endSessions('u1')).toBe(0)
      await settled()
      expect(payloadsOf(service, 'impersonation.ended')).toMatchObject([{ impersonatorId: 'u1' }])
    },
  )

  it('IMP-15: keeps both sessions at a login that fails', async () => {
    const service = await startImpersonation()
    const una = await actingAs(service, await loggedIn(service))
    expect(await attempt(una, 'u4@x.test')).toBe(FAILED)
    expect(payloadsOf(service, 'impersonation.ended')).toEqual([])
    expect(verdict(await goBack(una))).toBe('ok')
  })

  it.each<[string, (service: PasswordService) => Promise<unknown>]>([
    ['the user changes the password', async (service) => change(await quarta(service))],
    ['the user resets the password', async (service) => resetBy(service, 'u4@x.test')],
    ['the host sets another password', async ({ users }) => users.update('u4', OTHER_PASSWORD)],
    ['the user may not enter', async ({ users }) => users.update('u4', { active: false })],
    ['the user is gone', async ({ users }) => users.remove('u4')],
    ['the host ends the sessions', async ({ auth }) => auth.endSessions('u4')],
    [
      'the user ends all others',
      async (service) => (await quarta(service)).send('DELETE', SESSIONS),
    ],
    ['the user ends one', async (service) => endAnother(await quarta(service))],
  ])('IMP-16: leaves no own session behind once %s', async (_what, happens) => {
    const service = await startPasswords({ impersonation: EVERYBODY, sessions: { devices: true } })
    const una = await actingAs(service, await loggedIn(service))
    await happens(service)
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await goBack(una))).toBe(GUEST)
    expect(await service.auth.endSessions('u1')).toBe(0)
    expect(payloadsOf(service, 'impersonation.ended')).toEqual([
      { userId: 'u4', impersonatorId: 'u1', tenant: null },
    ])
  })

  it('IMP-16: leaves no own session behind once the host no longer allows it', async () => {
    let isAllowed = true
    const service = await startImpersonation({ impersonation: { allows: () => isAllowed } })
    const una = await actingAs(service, await loggedIn(service))
    isAllowed = false
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(await service.auth.endSessions('u1')).toBe(0)
    expect(payloadsOf(service, 'impersonation.ended')).toHaveLength(1)
  })

  it('IMP-16: keeps other sessions of the person, and those of others who act as the user', async () => {
    const service = await startPasswords({ impersonation: EVERYBODY, sessions: { devices: true } })
    const elsewhere = await loggedIn(service)
    const una = await actingAs(service, await loggedIn(service))
    const duo = await loggedIn(service, 'u2@x.test')
    expect((await actAs(service, duo, 'u4', 'u2')).outcome).toBe('opened')
    await una.post(LOGOUT)
    expect(verdict(await elsewhere.get(USER))).toBe('ok')
    expect(verdict(await goBack(duo))).toBe('ok')
    expect((await duo.get(USER)).json.id).toBe('u2')
  })

  it('IMP-17: keeps a remembered own session no longer than an idle one', async () => {
    const service = await startTrusting({ impersonation: EVERYBODY, config: HOURLY })
    const una = await actingAs(service, await remembered(service))
    service.clock.advance({ minutes: 50 })
    expect(verdict(await una.get(USER))).toBe('ok')
    service.clock.advance({ minutes: 50 })
    expect((await una.get(USER)).json.id).toBe('u4')
    service.clock.advance({ minutes: 61 })
    await service.auth.prune()
    expect(await service.auth.endSessions('u1')).toBe(0)
  })

  it('IMP-17: gives a remembered own session back with what is left of its lifetime', async () => {
    const service = await startTrusting({ impersonation: EVERYBODY, config: HOURLY })
    const una = await actingAs(service, await remembered(service))
    expect(verdict(await goBack(una))).toBe('ok')
    service.clock.advance({ hours: 29 * 24 })
    expect((await una.get(USER)).json.id).toBe('u1')
    service.clock.advance({ hours: 24 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })
})

const HOURLY = { session: { idle: 60, absolute: 240 } }
const OTHER_PASSWORD = { passwordHash: null }

async function quarta(service: TestService): Promise<Browser> {
  return loggedIn(service, 'u4@x.test')
}

async function remembered(service: TestService): Promise<Browser> {
  const browser = await visitor(service)
  expect((await logInRemembered(browser)).status).toBe(200)
  return browser
}

async function resetBy(service: PasswordService, email: string): Promise<void> {
  expect(verdict(await reset(service, await tokenFor(service, email)))).toBe('ok')
}

async function endAnother(browser: Browser): Promise<void> {
  const { data } = (await browser.get(SESSIONS)).json
  const { id } = data.find(({ current }: { current: boolean }) => !current)
  expect(verdict(await browser.send('DELETE', `${SESSIONS}/${id}`))).toBe('ok')
}

describe('The ids of trusted devices', () => {
  it('TRU-12: end no session, and those of sessions end no trusted device', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const [{ id: device } = { id: '' }] = await listed(duo)
    const [{ id: session }] = (await duo.get(SESSIONS)).json.data
    expect(verdict(await duo.send('DELETE', `${SESSIONS}/${device}`))).toBe(NOT_FOUND)
    expect(verdict(await endDevice(duo, session))).toBe(NOT_FOUND)
    expect(verdict(await duo.get(USER))).toBe('ok')
    expect(await listed(duo)).toHaveLength(1)
  })

  it('TRU-12: are unknown at another tenant, where the user has the same id', async () => {
    const byHeader: Middleware = (context, next) => {
      context.tenant = context.request.header('x-tenant') ?? 't1'
      return next()
    }
    const duo = { id: 'u2', name: 'Duo', email: 'u2@x.test', passwordHash }
    const service = await startTrusting({
      users: fakeUsers([
        { ...duo, tenant: 't1' },
        { ...duo, tenant: 't2' },
      ]),
      config: { svc: { ...svc, middleware: [byHeader] } },
    })
    const first = await trusting(service)
    const [{ id } = { id: '' }] = await listed(first)
    const headers = { 'x-tenant': 't2' }
    const second = await visitor(service)
    const user = await service.users.findById('u2', 't2')
    await second.post(LOGIN, { email: 'u2@x.test', password: PASSWORD }, { headers })
    await second.post(`${LOGIN}/two-factor`, { code: '123456' }, { headers })
    expect([user?.tenant, (await second.get(TRUSTED_DEVICES, { headers })).json.data]).toEqual([
      't2',
      [],
    ])
    expect(verdict(await second.send('DELETE', `${TRUSTED_DEVICES}/${id}`, { headers }))).toBe(
      NOT_FOUND,
    )
    expect(await listed(first)).toHaveLength(1)
  })
})
