import type { Middleware, Stores } from '@svc/auth'
import { fakeClock, fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { openStream } from '../support/bell-stream.ts'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { storesWithTime } from '../support/databases.ts'
import { attempt, visitor } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { moveTo } from '../support/second-factor.ts'
import { passwordHash, startService, type TestService } from '../support/service.ts'
import { FAILED, THROTTLED, times, verdict, GUEST } from '../support/verdicts.ts'

const EMAIL = 'u1@x.test'
const [T1, T2] = [{ 'x-tenant': 't1' }, { 'x-tenant': 't2' }] as const
type Tenant = typeof T1 | typeof T2

const byHeader: Middleware = async (context, next) => {
  context.tenant = context.request.header('x-tenant')
  return next()
}

/** Two nodes of one service, with two tenants that have a person of the same id and email each. */
async function startNodes([one, other]: readonly [Stores, Stores]) {
  const una = { id: 'u1', email: EMAIL, passwordHash }
  const shared = {
    appUrl: 'http://panel.test',
    clock: fakeClock(),
    users: fakeUsers([
      { ...una, name: 'Una of t1', tenant: 't1' },
      { ...una, name: 'Una of t2', tenant: 't2' },
    ]),
    config: { svc: { prefix: 'admin', panels: ['main'], middleware: [byHeader] } },
  }
  return [
    await startService({ ...shared, stores: one }),
    await startService({ ...shared, stores: other }),
  ] as const
}

async function loggedIn(node: TestService, tenant: Tenant): Promise<Browser> {
  const browser = await visitor(node)
  expect(await attempt(browser, EMAIL, PASSWORD, tenant)).toBe('ok')
  return browser
}

const seen = async (node: TestService, browser: Browser, headers: Tenant) =>
  moveTo(node, browser).get(USER, { headers })

describe.each(Object.entries(storesWithTime))('Tenants on two nodes: %s', (_, open) => {
  const nodes = async () => startNodes(await open())

  it('SES-22: a session is valid on every node for its tenant, and on no node for another', async () => {
    const [a, b] = await nodes()
    const una = await loggedIn(a, T1)
    expect((await seen(b, una, T1)).json.name).toBe('Una of t1')
    for (const node of [a, b]) expect(verdict(await seen(node, una, T2))).toBe(GUEST)
    expect((await seen(b, una, T1)).json.name).toBe('Una of t1')
  })

  it('wrong passwords for one are counted on both nodes, and none of them for another', async () => {
    const [a, b] = await nodes()
    const onA = await visitor(a)
    const onB = moveTo(b, onA)
    const verdicts: string[] = []
    for (const browser of [onA, onB, onA, onB, onA, onB]) {
      verdicts.push(await attempt(browser, EMAIL, 'wrong', T1))
    }
    expect(verdicts).toEqual([...times(5, FAILED), THROTTLED])
    expect(await attempt(onB, EMAIL, PASSWORD, T2)).toBe('ok')
  })

  it('the host ends the sessions of one on every node, and those of another on none', async () => {
    const [a, b] = await nodes()
    const [una, other] = [await loggedIn(a, T1), await loggedIn(a, T2)]
    expect(await b.auth.endSessions('u1', { tenant: 't1' })).toBe(1)
    expect(verdict(await seen(a, una, T1))).toBe(GUEST)
    expect((await seen(a, other, T2)).json.name).toBe('Una of t2')
  })

  it('an entry for one reaches its streams on every node, and none of another tenant', async () => {
    const [a, b] = await nodes()
    const streams = [
      await openStream(b.url, await loggedIn(a, T1), { ...T1, ...OWN }),
      await openStream(b.url, await loggedIn(a, T2), { ...T2, ...OWN }),
    ] as const
    for (const stream of streams) expect((await stream.next())?.data).toEqual({ unread_count: 0 })
    // What one is told and is another's would stand between what is its own.
    const [ofT1, ofT2] = streams
    for (const [stream, tenant, title, count] of [
      [ofT1, 't1', 'first', 1],
      [ofT2, 't2', 'second', 1],
      [ofT1, 't1', 'third', 2],
      [ofT2, 't2', 'fourth', 2],
    ] as const) {
      await ring(a, tenant, title)
      expect((await stream.next())?.data.data).toMatchObject({ title })
      expect((await stream.next())?.data).toEqual({ unread_count: count })
    }
  })
})

const OWN = { host: 'panel.test', origin: 'http://panel.test' } as const

async function ring({ auth, users }: TestService, tenant: string, title: string): Promise<void> {
  const una = await users.findById('u1', tenant)
  if (una === null) throw new Error(`there is no u1 of ${tenant}`)
  const notification = {
    type: 'rung',
    via: () => ['database'],
    toDatabase: () => ({ title, body: null, url: null }),
  }
  await auth.notify(una, notification, { tenant })
}
