import type { PanelConfig } from '@svc/auth'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { attempt, loggedIn, UNRATIONED, visitor, wrongLogins } from '../../support/logins.ts'
import { startService } from '../../support/service.ts'
import { barrier } from '../../support/time.ts'
import { FAILED, THROTTLED, times } from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const EMAIL = 'u1@x.test'

async function flooded(limits: Partial<PanelConfig['limits']> = UNRATIONED) {
  const stores = watchedStores()
  const service = await startService({ stores, config: { limits } })
  const pass = (seconds: number): void => service.clock.advance({ seconds })
  return { service, stores, guest: await visitor(service), pass }
}

describe('A flood of refused requests', () => {
  it('writes a throttled login to the store once a second', async () => {
    const { guest, stores, pass } = await flooded()
    expect(await wrongLogins(guest, 6)).toEqual([...times(5, FAILED), THROTTLED])
    stores.counts()
    expect(await wrongLogins(guest, 50)).toEqual(times(50, THROTTLED))
    // Those of the route, whose limit is not reached.
    expect(stores.counts()).toMatchObject({ 'attempts.reserve': 50 })
    pass(1)
    expect(await wrongLogins(guest, 50)).toEqual(times(50, THROTTLED))
    expect(stores.counts()).toMatchObject({ 'attempts.reserve': 51 })
  })

  it('writes the limit of a route once a second, and says when it ends', async () => {
    const { service, stores, pass } = await flooded({})
    const user = await loggedIn(service)
    const send = async () => user.post('/svc/api/email/verification-notification')
    while ((await send()).status !== 429);
    stores.counts()
    const first = await send()
    pass(0.9)
    const later = await send()
    expect(stores.counts()['attempts.reserve']).toBeUndefined()
    expect([first.status, later.status]).toEqual([429, 429])
    pass(0.1)
    expect((await send()).status).toBe(429)
    expect(stores.counts()['attempts.reserve']).toBe(1)
  })

  it('refuses nobody beyond the end of the lockout', async () => {
    const { guest, pass } = await flooded()
    await wrongLogins(guest, 5)
    pass(59.5)
    expect(await attempt(guest, EMAIL)).toBe(THROTTLED)
    pass(0.5)
    expect(await attempt(guest, EMAIL)).toBe(FAILED)
  })

  it('refuses only the email and the network that were refused', async () => {
    const { service, guest } = await flooded()
    await wrongLogins(guest, 6)
    expect(await attempt(guest, 'u2@x.test')).toBe(FAILED)
    const elsewhere = await visitor(service, { address: '127.0.0.77' })
    expect(await attempt(elsewhere, EMAIL)).toBe(FAILED)
  })

  it('refuses nobody after a login has cleared the count', async () => {
    const { guest, stores } = await flooded()
    const cleared = barrier()
    stores.instead('attempts.clear', async (proceed) => {
      await cleared.passed
      return proceed()
    })
    const right = attempt(guest.copy(), EMAIL, PASSWORD)
    await expect.poll(() => stores.counts()['attempts.clear']).toBeDefined()
    await wrongLogins(guest, 5)
    expect(await attempt(guest, EMAIL)).toBe(THROTTLED)
    cleared.open()
    expect(await right).toBe('ok')
    expect(await attempt(guest.copy(), EMAIL)).toBe(FAILED)
  })
})
