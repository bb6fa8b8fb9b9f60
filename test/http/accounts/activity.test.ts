import { describe, expect, it } from 'vitest'
import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { activityOf, eventsOf, FIREFOX, logInAs, startActivity } from '../../support/activity.ts'
import { PASSWORD } from '../../support/browser.ts'
import { loggedIn, visitor, wrongLogins } from '../../support/logins.ts'
import { ACTIVITY, LOGOUT } from '../../support/paths.ts'
import { outbox } from '@svc/auth/testing'
import { change, reset, startPasswords, tokenFor } from '../../support/passwords.ts'
import {
  confirm,
  disable,
  owingCode,
  sendCode,
  setUp,
  startWithFactor,
  WRONG,
} from '../../support/second-factor.ts'
import { rightOptions, startService } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const UNA = { tenant: null, userId: 'u1' }

describe('The activity of a user', () => {
  it('lists an event with its time, the shortened network and the names of the browser', async () => {
    const service = await startActivity()
    const una = await visitor(service)
    await logInAs(una, FIREFOX.header, { password: PASSWORD })
    expect(await activityOf(una)).toEqual([
      {
        event: 'login',
        at: new Date(service.clock.now()).toISOString(),
        network: una.address.replace(/\d+$/, 'x'),
        ...FIREFOX.names,
      },
    ])
  })

  it('has the logins, the failed ones and the logouts, newest first', async () => {
    const service = await startActivity()
    const una = await loggedIn(service)
    await una.post(LOGOUT)
    await una.logIn('u1@x.test', 'wrong')
    await una.logIn('u1@x.test')
    expect(await eventsOf(una)).toEqual(['login', 'failed', 'logout', 'login'])
  })

  it('has the refused codes, and the second factor that was enabled and disabled', async () => {
    const service = await startWithFactor({ activity: true, factor: { enabled: [] } })
    const una = await loggedIn(service)
    await setUp(una)
    await confirm(una)
    await sendCode(await owingCode(service, { email: 'u1@x.test' }), WRONG)
    await disable(una)
    expect(await eventsOf(una)).toEqual([
      'two-factor.disabled',
      'two-factor.failed',
      'two-factor.enabled',
      'login',
    ])
  })

  it('has the password that was requested, reset and changed', async () => {
    const service = await startPasswords({ activity: true })
    await reset(service, await tokenFor(service))
    const una = service.browser()
    await una.logIn('u1@x.test', 'seven green boats sail home')
    await change(una, 'eight red boats sail home', 'seven green boats sail home')
    expect(await eventsOf(una)).toEqual([
      'password.changed',
      'login',
      'password.reset',
      'password.forgot',
    ])
  })

  it('names the browser of the request, also for an event of a job that it queued', async () => {
    const service = await startPasswords({ activity: true })
    const headers = { 'user-agent': FIREFOX.header }
    const stranger = await visitor(service)
    await stranger.post('/svc/api/password/forgot', { email: 'u1@x.test' }, { headers })
    const una = await loggedIn(service)
    await expect
      .poll(async () => activityOf(una), { timeout: 30_000 })
      .toContainEqual(expect.objectContaining({ event: 'password.forgot', ...FIREFOX.names }))
  })

  it('has the network of the request that caused each event', async () => {
    const layers = { activity: true, mailer: outbox(), sessions: { devices: true } } as const
    const service = await startWithFactor({ ...layers, factor: { enabled: [] } })
    const una = await loggedIn(service)
    await setUp(una)
    await confirm(una)
    await disable(una)
    const elsewhere = await loggedIn(service)
    await elsewhere.post(LOGOUT)
    await loggedIn(service)
    await una.send('DELETE', '/svc/api/sessions')
    const ofUna = una.address.replace(/\d+$/, 'x')
    const networks = (await activityOf(una)).map(({ event, network }) => [event, network])
    expect(networks).toEqual(
      expect.arrayContaining([
        ['two-factor.enabled', ofUna],
        ['two-factor.disabled', ofUna],
        ['logout', elsewhere.address.replace(/\d+$/, 'x')],
        ['session.revoked', ofUna],
      ]),
    )
  })

  it('has no network and browser for what the host did', async () => {
    const service = await startActivity()
    await loggedIn(service)
    await service.auth.endSessions('u1')
    const una = await loggedIn(service)
    expect((await activityOf(una))[1]).toEqual({
      event: 'session.revoked',
      at: new Date(service.clock.now()).toISOString(),
      network: null,
      browser: null,
      system: null,
    })
  })

  it('has the sessions that the host ends by the first call of a node with stores that have a time', async () => {
    const stores = { ...memoryStores(), now: async () => Date.now() }
    const una = await loggedIn(await startActivity({ stores }))
    const { auth } = await startActivity({ stores })
    await auth.endSessions('u1')
    const [latest] = await auth.activityOf('u1')
    expect(latest?.event).toBe('session.revoked')
    expect(verdict(await una.get(ACTIVITY))).toBe(GUEST)
  })

  it('lists the 20 latest events', async () => {
    const service = await startActivity()
    for (let count = 0; count < 24; count += 1) await loggedIn(service)
    const una = await loggedIn(service)
    expect(await eventsOf(una)).toHaveLength(20)
  })

  it('ends after 90 days, on reading and by prune', async () => {
    const service = await startActivity()
    await loggedIn(service)
    service.clock.advance({ hours: 90 * 24, ms: 1 })
    const una = await loggedIn(service)
    expect(await eventsOf(una)).toEqual(['login'])
    expect(await service.stores.activity?.latest(UNA, 9)).toHaveLength(2)
    await service.auth.prune()
    expect(await service.stores.activity?.latest(UNA, 9)).toHaveLength(1)
  })

  it('is refused to a guest', async () => {
    const service = await startActivity()
    expect(verdict(await (await visitor(service)).get(ACTIVITY))).toBe(GUEST)
  })
})

describe('auth.activityOf', () => {
  it('returns the activity of a user to the host, as many events as it names', async () => {
    const service = await startActivity()
    await wrongLogins(await visitor(service), 2)
    await loggedIn(service)
    const entries = await service.auth.activityOf('u1', { limit: 2 })
    expect(entries.map(({ event }) => event)).toEqual(['login', 'failed'])
    expect(entries[0]?.at).toBe(service.clock.now())
    expect(await service.auth.activityOf('u4')).toEqual([])
  })

  it('reads a store of the host', async () => {
    const { activity: store } = memoryStores()
    if (store === undefined) throw new Error('the stores have no activity')
    const service = await startActivity({ activity: { store } })
    await loggedIn(service)
    await service.auth.activityOf('u1')
    expect(await store.latest(UNA, 9)).toHaveLength(1)
    expect(await service.stores.activity?.latest(UNA, 9)).toEqual([])
  })

  it('rejects where the layer is not bound', async () => {
    const service = await startService()
    await expect(service.auth.activityOf('u1')).rejects.toThrow(
      '`activity` is not bound; give `activity: true`',
    )
  })
})

describe('Without the activity layer', () => {
  it('nothing is stored', async () => {
    const service = await startService()
    await loggedIn(service)
    await settled()
    expect(await service.stores.activity?.latest(UNA, 9)).toEqual([])
  })
})

describe('The start', () => {
  const options = rightOptions()

  it('refuses the layer where the stores have none, and names the remedy', () => {
    const { activity: _, ...stores } = memoryStores()
    expect(() => createPanelAuth({ ...options, stores, activity: true })).toThrow(
      /^activity: the stores have none; give `activity: \{ store \}`/,
    )
  })

  it.each([
    ['false', false, /^activity: is false; give true/],
    ['an empty object', {}, /^activity\.store: is missing/],
    ['a store without methods', { store: {} }, /^activity\.store: add is missing/],
    ['an unknown option', { store: memoryStores().activity, keep: 5 }, /^activity\.keep: no such/],
  ])('refuses %s', (_, activity, message) => {
    const start = () => createPanelAuth({ ...options, activity: activity as unknown as true })
    expect(start).toThrow(message)
  })
})
