import { ConfigError, type PanelAuth } from '@svc/auth'
import { loginAs } from '@svc/auth/testing'
import { fakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { startService } from '../support/service.ts'

describe('loginAs', () => {
  it('gives headers that read and write, without a password', async () => {
    const { auth, url, user } = await started('u1')
    const { headers } = await loginAs(auth, user)
    const read = await fetch(`${url}/svc/api/user`, { headers })
    expect(await read.json()).toMatchObject({ id: 'u1' })
    const write = await fetch(`${url}/svc/api/logout`, { method: 'POST', headers })
    expect(write.status).toBe(204)
    expect((await fetch(`${url}/svc/api/user`, { headers })).status).toBe(401)
  })

  it.each(['http', 'https'])('gives the cookies of a login over %s', async (scheme) => {
    const appUrl = `${scheme}://panel.example.test`
    const { auth, user, browser } = await started('u1', { appUrl })
    const una = browser()
    await una.logIn('u1@x.test')
    const { cookies } = await loginAs(auth, user)
    const isHttps = scheme === 'https'
    const name = isHttps ? '__Host-Http-svc_session' : 'svc_session'
    expect(cookies).toEqual([
      { name, ...shape(appUrl, isHttps), httpOnly: true },
      { name: 'XSRF-TOKEN', ...shape(appUrl, isHttps), httpOnly: false },
    ])
    expect(cookies[0]?.value).toMatch(/^[\w-]{43}$/)
    expect(cookies[0]?.value).not.toBe(una.cookie(name))
  })

  it('spends no attempts and reports no login', async () => {
    const { auth, user, events, browser } = await started('u1')
    for (let count = 0; count < 200; count += 1) await loginAs(auth, user)
    expect(events).toEqual([])
    expect((await browser().logIn('u1@x.test')).status).toBe(200)
  })

  it('skips the code, not the gates', async () => {
    const twoFactor = fakeTwoFactor({ enabled: ['u1'] })
    const { auth, url, user, users } = await started('u1', { twoFactor })
    const { headers } = await loginAs(auth, user)
    expect((await fetch(`${url}/svc/api/user`, { headers })).status).toBe(200)
    const unverified = await users.findById('u3', null)
    if (unverified === null) throw new Error('there is no u3')
    const refused = await loginAs(auth, unverified)
    expect((await fetch(`${url}/api/people`, { headers: refused.headers })).status).toBe(403)
  })

  it('opens a session that ends with the password', async () => {
    const { auth, url, user, users } = await started('u1')
    const { headers } = await loginAs(auth, user)
    users.update('u1', { passwordHash: '$argon2id$another' })
    expect((await fetch(`${url}/svc/api/user`, { headers })).status).toBe(401)
  })

  it('refuses in production', async () => {
    const { auth, user } = await started('u1', {
      appUrl: 'https://panel.example.test',
      config: { environment: 'production' },
    })
    await expect(loginAs(auth, user)).rejects.toThrow(ConfigError)
    await expect(loginAs(auth, user)).rejects.toThrow("set `environment: 'development'`")
  })

  it('refuses a copy of the service', async () => {
    const { auth, user } = await started('u1')
    await expect(loginAs({ ...auth }, user)).rejects.toThrow('what createPanelAuth returned')
  })

  it.each([null, undefined, 'u1', Promise.resolve({})])('refuses %j as a user', async (user) => {
    const { auth } = await started('u1')
    await expect(loginAs(auth as PanelAuth, user)).rejects.toThrow(
      'the second argument must be a user as your UserProvider returns it, awaited',
    )
  })
})

function shape(url: string, secure: boolean) {
  return { value: expect.any(String) as string, url, secure, sameSite: 'Lax' }
}

async function started(who: string, changes: Parameters<typeof startService>[0] = {}) {
  const service = await startService(changes)
  const user = await service.users.findById(who, null)
  if (user === null) throw new Error(`there is no ${who}`)
  return { ...service, user }
}
