import { createPanelAuth } from '@svc/auth'
import { outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { closed } from '../../support/passwords.ts'
import { payloadsOf, rightOptions, startService } from '../../support/service.ts'
import { logInFrom, startSessions } from '../../support/session-list.ts'
import { watchedStores } from '../../support/watched-stores.ts'
import { writtenPage } from '../../support/written-page.ts'

describe('Without `sessions.devices`', () => {
  it.each([
    ['no option', {}],
    ['`devices: false`', { sessions: { devices: false } }],
  ])('nothing is kept of a login, counted or sent, with %s', async (_what, options) => {
    const stores = watchedStores()
    const mailer = outbox()
    const service = await startService({ stores, mailer, ...options })
    for (let made = 0; made < 2; made += 1) await logInFrom(service)
    const now = service.clock.now()
    const owner = { tenant: null, userId: 'u1' }
    for (const { details } of await stores.sessions.list(owner, now)) expect(details).toBeNull()
    await closed(service)
    expect(mailer.sent).toEqual([])
    expect(payloadsOf(service, 'login.unknown-place')).toEqual([])
    // The route, the email, the user, the account and the place of each login.
    expect(stores.counts()['attempts.reserve']).toBe(10)
  })

  it('the page has no trace of it, and with it one', async () => {
    const config = { spa: {} }
    const settings = async ({ browser }: Awaited<ReturnType<typeof startService>>) =>
      writtenPage((await browser().get('/admin/main')).text)
    expect(await settings(await startService({ config }))).not.toHaveProperty('sessions')
    expect(await settings(await startSessions({ config }))).toHaveProperty('sessions', true)
  })
})

describe('The start', () => {
  const options = rightOptions()

  it('refuses `sessions.devices` without a mailer, and names the remedy', () => {
    const start = () => createPanelAuth({ ...options, sessions: { devices: true } })
    expect(start).toThrow(/^mailer: is missing, and `sessions.devices` sends its notices by mail/)
  })

  it.each([
    ['true', true],
    ['a misspelt option', { device: true }],
    ['a text', { devices: 'true' }],
  ])('refuses %s', (_what, sessions) => {
    const wrong = { ...options, mailer: outbox(), sessions: sessions as object }
    expect(() => createPanelAuth(wrong)).toThrow(/^sessions/)
  })
})
