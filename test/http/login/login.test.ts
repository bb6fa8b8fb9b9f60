import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { API, LOGIN } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'
import { watchedStores } from '../../support/watched-stores.ts'

describe('Login session', () => {
  it('opens a session for a valid email and password (LS-1, EN-1, EN-4, CR-1, CR-2, AU-3)', async () => {
    const { browser } = await startService()
    const una = browser()
    const answer = await una.logIn('u1@x.test')
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ two_factor: false })
    const user = await una.get('/svc/api/user')
    expect(user.json).toEqual({
      id: 'u1',
      name: 'Una',
      email: 'u1@x.test',
      email_verified_at: null,
    })
  })

  it('is below /svc/api, whatever the prefix of the panel is (DO-3)', async () => {
    const config = { svc: { prefix: 'back-office', panels: ['main'] } }
    const { browser } = await startService({ config })
    expect((await browser().logIn('u1@x.test')).status).toBe(200)
    expect((await browser().post(LOGIN.replace('/svc', '/back-office'))).status).toBe(404)
  })

  // Each wait costs the time to a store that is far away.
  it.each([
    [PASSWORD, 8],
    ['a wrong one', 5],
  ])('waits for the counts at most as often as their order needs: %s', async (password, waits) => {
    const stores = watchedStores()
    const { browser } = await startService({ stores })
    const una = browser()
    await una.get(`${API}/csrf-cookie`)
    let [running, waited] = [0, 0]
    for (const name of ['reserve', 'count', 'clear', 'release'] as const)
      stores.instead(`attempts.${name}`, async (proceed) => {
        if (running === 0) waited += 1
        running += 1
        await nextTick()
        running -= 1
        return proceed()
      })
    await una.post(LOGIN, { email: 'u1@x.test', password })
    expect(waited).toBe(waits)
  })
})
