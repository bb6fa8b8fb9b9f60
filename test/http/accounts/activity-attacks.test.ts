import { inspect } from 'node:util'
import type { ActivityStore, Middleware } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { activityOf, eventsOf, FIREFOX, logInAs, startActivity } from '../../support/activity.ts'
import { PASSWORD } from '../../support/browser.ts'
import { attempt, loggedIn, visitor, wrongLogins } from '../../support/logins.ts'
import { ACTIVITY } from '../../support/paths.ts'
import { change, forget, NEW_PASSWORD, startPasswords } from '../../support/passwords.ts'
import { owingCode, sendCodes, startWithFactor } from '../../support/second-factor.ts'
import { twoTenants } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import { FAILED } from '../../support/verdicts.ts'

/** Lifts the limits of failed logins, so that a test meets the bounds of the activity. */
const UNLIMITED = { max: 100_000, window_seconds: 60 }
const limits = {
  'login.failed': UNLIMITED,
  'login.failed.account': UNLIMITED,
  'login.failed.place': UNLIMITED,
}

/** Returns the activity store of the memory stores, with other methods in place of its own. */
function storeWith(methods: Partial<ActivityStore>): ActivityStore {
  const { activity } = memoryStores()
  if (activity === undefined) throw new Error('the stores have no activity')
  return { ...activity, ...methods }
}

describe('The activity of somebody else', () => {
  it('ACT-01: is not in the list, whatever the request names', async () => {
    const service = await startActivity()
    await loggedIn(service, 'u4@x.test')
    const una = await loggedIn(service)
    const answer = await una.get(`${ACTIVITY}?user=u4&userId=u4&limit=100`)
    expect(answer.json.data).toEqual(await activityOf(una))
    expect(await eventsOf(una)).toEqual(['login'])
  })

  it('ACT-01: is not in the list of a user with the same id in another tenant', async () => {
    const service = await startActivity(twoTenants().changes)
    const zeta = { 'x-tenant': 'zeta' }
    await attempt(await visitor(service), 'u1@x.test', 'wrong', { 'x-tenant': 'acme' })
    const una = await visitor(service)
    expect(await attempt(una, 'u1@x.test', PASSWORD, zeta)).toBe('ok')
    const { json } = await una.get(ACTIVITY, { headers: zeta })
    expect(json.data).toHaveLength(1)
    expect(await service.auth.activityOf('u1', { tenant: 'acme' })).toHaveLength(1)
    expect(await service.auth.activityOf('u1')).toEqual([])
  })
})

describe('A flood of events', () => {
  it('ACT-02: hides, by failed logins, neither the change of a password nor the logins', async () => {
    const service = await startPasswords({ activity: true, config: { limits } })
    const una = await loggedIn(service)
    await change(una)
    for (let wave = 0; wave < 12; wave += 1) await wrongLogins(await visitor(service), 3)
    const events = await eventsOf(una)
    expect(events.filter((event) => event === 'failed')).toHaveLength(5)
    expect(events).toContain('password.changed')
    expect(events).toContain('login')
  })

  it('ACT-02: hides nothing by requests for a link', async () => {
    const service = await startPasswords({ activity: true })
    const una = await loggedIn(service)
    for (let count = 0; count < 8; count += 1) await forget(service, 'u1@x.test')
    await expect
      .poll(async () => eventsOf(una))
      .toEqual([...Array.from({ length: 5 }, () => 'password.forgot'), 'login'])
  })

  it('ACT-02: hides nothing when somebody causes it who knows the password and no code', async () => {
    const service = await startWithFactor({ activity: true })
    for (let count = 0; count < 3; count += 1) await sendCodes(await owingCode(service), 4)
    const entries = await service.auth.activityOf('u2')
    expect(entries.map(({ event }) => event)).toEqual(
      Array.from({ length: 5 }, () => 'two-factor.failed'),
    )
  })
})

describe('An entry of the activity', () => {
  it('ACT-03: contains no email, no password and no whole address', async () => {
    const service = await startPasswords({ activity: true })
    const una = await loggedIn(service)
    await attempt(await visitor(service), 'u1@x.test', 'a secret that was typed')
    await change(una)
    const { text } = await una.get(ACTIVITY)
    const stored = inspect(await service.stores.activity?.latest({ tenant: null, userId: 'u1' }, 9))
    for (const secret of ['x.test', PASSWORD, NEW_PASSWORD, 'a secret', una.address]) {
      expect(text).not.toContain(secret)
      expect(stored).not.toContain(secret)
    }
  })

  it.each([
    ['markup', `<script>alert(1)</script> ${FIREFOX.header}`],
    ['a header of 8 KiB', `${FIREFOX.header} ${'x'.repeat(8000)}`],
    ['the escape codes of a terminal', `${FIREFOX.header} \u001b[31m`.replace('\u001b', '\t')],
  ])('ACT-04: contains no text of the browser: %s', async (_, userAgent) => {
    const service = await startActivity()
    const una = await visitor(service)
    await logInAs(una, userAgent, { password: PASSWORD })
    const [entry] = await activityOf(una)
    expect(entry).toMatchObject(FIREFOX.names)
    expect(inspect(await service.auth.activityOf('u1')).length).toBeLessThan(300)
  })

  it('ACT-04: names no browser that is not known', async () => {
    const service = await startActivity()
    const una = await visitor(service)
    await logInAs(una, '<img src=x onerror=alert(1)>', { password: PASSWORD })
    expect((await activityOf(una))[0]).toMatchObject({ browser: null, system: null })
  })
})

describe('The answer to a login', () => {
  it('ACT-05: leaves before the activity is written, for every email', async () => {
    const { passed, open } = barrier()
    const store = storeWith({ add: async () => passed })
    const service = await startActivity({ activity: { store } })
    for (const email of ['u1@x.test', 'nobody@x.test', 'u6@x.test', 'u7@x.test'])
      expect(await attempt(await visitor(service), email)).toBe(FAILED)
    expect((await (await visitor(service)).logIn('u1@x.test')).status).toBe(200)
    open()
  })

  it('ACT-05: is complete before the store is called at all', async () => {
    const order: string[] = []
    const store = storeWith({ add: () => void order.push('stored') })
    const noteAnswer: Middleware = async (_, next) => {
      const reply = await next()
      order.push('answered')
      return reply
    }
    const svc = { prefix: 'admin', panels: ['main'], middleware: [noteAnswer] }
    const service = await startActivity({ activity: { store }, config: { svc } })
    const stranger = await visitor(service)
    order.length = 0
    expect(await attempt(stranger, 'u1@x.test')).toBe(FAILED)
    await expect.poll(() => order).toEqual(['answered', 'stored'])
  })

  it('ACT-06: does not change during an outage of the store, which is logged once', async () => {
    const store = storeWith({
      add: async () => {
        throw new Error('the disk is full')
      },
    })
    const service = await startActivity({ activity: { store } })
    const una = await loggedIn(service)
    expect(await attempt(await visitor(service), 'u1@x.test')).toBe(FAILED)
    expect((await una.get('/svc/api/user')).status).toBe(200)
    await service.auth.activityOf('u1')
    const lines = service.log.filter(({ message }) => message.includes('activity'))
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('not stored') }),
    ])
  })

  it('ACT-06: does not hide that the activity itself is an outage while its store cannot be read', async () => {
    const store = storeWith({
      latest: async () => {
        throw new Error('the disk is broken')
      },
    })
    const service = await startActivity({ activity: { store } })
    const una = await loggedIn(service)
    const { status, text } = await una.get(ACTIVITY)
    expect(status).toBe(503)
    expect(text).not.toContain('disk')
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })
})
