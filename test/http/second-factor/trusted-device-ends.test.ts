import { hashPassword } from '@svc/auth'
import { fakeTwoFactor, outbox, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import {
  addDevice,
  begin,
  confirmDevice,
  devicesOf,
  enrolled,
  removeDevice,
  startDevices,
} from '../../support/factor-devices.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import { change, NEW_PASSWORD, reset, startPasswords, tokenFor } from '../../support/passwords.ts'
import { CODE_STEP, LOGIN, TRUSTED_DEVICES, USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  owingCode,
  sendCode,
  setUp,
  WRONG,
} from '../../support/second-factor.ts'
import { startService } from '../../support/service.ts'
import { linesOf } from '../../support/session-cookies.ts'
import {
  asksFor,
  BOUND,
  endDevice,
  listed,
  sendTrusting,
  startTrusting,
  TRUSTED,
  TRUSTED_OWNER,
  trusting,
} from '../../support/trusted-devices.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

const NOT_FOUND = '404 not_found'
const MONTH_MS = 30 * 24 * 60 * 60 * 1000

describe('The trusted devices of a user', () => {
  it('TRU-08: end when the user changes the password', async () => {
    const twoFactor = fakeTwoFactor<FakeUser>({ enabled: ['u2'] })
    const service = await startPasswords({ sessions: BOUND, twoFactor })
    const duo = await trusting(service)
    const cookie = duo.cookie(TRUSTED)
    expect((await change(duo)).status).toBe(204)
    const later = await visitor(service)
    later.setCookie(TRUSTED, cookie)
    const { json } = await later.logIn('u2@x.test', NEW_PASSWORD)
    expect(json.two_factor).toBe(true)
    expect(await listed(duo)).toEqual([])
  })

  it('TRU-08: end when the password is reset by a link', async () => {
    const twoFactor = fakeTwoFactor<FakeUser>({ enabled: ['u2'] })
    const service = await startPasswords({ sessions: BOUND, twoFactor })
    const cookie = (await trusting(service)).cookie(TRUSTED)
    expect((await reset(service, await tokenFor(service, 'u2@x.test'))).status).toBe(204)
    const later = await visitor(service)
    later.setCookie(TRUSTED, cookie)
    const { json } = await later.logIn('u2@x.test', NEW_PASSWORD)
    expect(json.two_factor).toBe(true)
  })

  it('TRU-08: end when the host stores another password hash by itself', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const passwordHash = await hashPassword(PASSWORD, { memoryKiB: 64, passes: 1 })
    service.users.update('u2', { passwordHash })
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-09: end when the user disables the second factor, also for one that is set up later', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const cookie = duo.cookie(TRUSTED)
    expect((await disable(duo)).status).toBe(204)
    await setUp(duo)
    expect((await confirm(duo)).status).toBe(200)
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-09: end when the user enables a second factor', async () => {
    const service = await startTrusting()
    const duo = await trusting(service)
    const cookie = duo.cookie(TRUSTED)
    // The host turned it off by itself, so that the row outlived it.
    await service.factor.disable({ id: 'u2' } as FakeUser)
    const again = await loggedIn(service, 'u2@x.test')
    await setUp(again)
    expect((await confirm(again)).status).toBe(200)
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it.each(['adds', 'removes'] as const)(
    'TRU-09: end when the user %s a device for codes',
    async (change) => {
      const service = await startDevices({ sessions: BOUND, mailer: outbox() })
      const { browser, secret } = await enrolled(service)
      if (change === 'removes') await addDevice(service, browser, secret)
      const trusted = await owingCode(service, { email: 'u1@x.test' })
      const code = service.codeFor(secret)
      const answer = await trusted.post(CODE_STEP, { code, trust_device: true })
      expect(answer.status).toBe(204)
      const login = { email: 'u1@x.test', cookie: trusted.cookie(TRUSTED) }
      expect(await asksFor(service, login)).toBe('no code')
      service.clock.advance({ seconds: 60 })
      if (change === 'adds') await addDevice(service, browser, secret)
      else {
        const added = (await devicesOf(browser)).find(({ name }) => name !== null)
        const removed = await removeDevice(browser, added?.id ?? '', service.codeFor(secret))
        expect(removed.status).toBe(204)
      }
      expect(await asksFor(service, login)).toBe('code')
    },
  )

  it('TRU-09: end when a login trusts its browser while the device of its code is removed', async () => {
    const meanwhile: (() => Promise<unknown>)[] = []
    const service = await startTrusting({
      factor: { enabled: ['u2'], devices: true },
      instead: (factor) => ({
        ...factor,
        devices: {
          ...(factor.devices ?? expect.fail('there are no devices')),
          async remove(user, id) {
            for (const step of meanwhile) await step()
            return factor.devices?.remove(user, id) ?? false
          },
        },
      }),
    })
    const duo = await loggedInWithCode(service)
    expect((await begin(duo, CODE)).status).toBe(200)
    expect((await confirmDevice(duo, CODE)).status).toBe(204)
    const [waiting, thief] = [await owingCode(service), await owingCode(service)]
    meanwhile.push(async () => sendTrusting(thief))
    expect((await removeDevice(duo, 'first', CODE)).status).toBe(204)
    expect(await asksFor(service, { cookie: thief.cookie(TRUSTED) })).toBe('code')
    expect(verdict(await sendCode(waiting, CODE))).toBe('422 two_factor_expired')
    expect((await duo.get(USER)).status).toBe(200)
  })

  it('TRU-10: end when a process that binds none ends the sessions of the user', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const { stores, users, clock, url: appUrl } = service
    const worker = await startService({ stores, users, clock, appUrl })
    await worker.auth.endSessions('u2')
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-10: end when the host ends the sessions of the user', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    await service.auth.endSessions('u2')
    expect(await asksFor(service, { cookie })).toBe('code')
  })
})

describe('The list of trusted devices', () => {
  it('names browser, system, begin and end, and marks the current one', async () => {
    const service = await startTrusting()
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const duo = await owingCode(service)
    const headers = { 'user-agent': userAgent }
    const body = { code: CODE, trust_device: true }
    await duo.post(`${LOGIN}/two-factor`, body, { headers })
    const begun = service.clock.now()
    service.clock.advance({ hours: 1 })
    await trusting(service)
    const devices = await listed(duo)
    expect(devices.map(({ current }) => current)).toEqual([false, true])
    expect(devices[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      current: true,
      browser: 'Firefox',
      system: 'Linux',
      network: duo.address.replace(/\d+$/, 'x'),
      created_at: new Date(begun).toISOString(),
      expires_at: new Date(begun + MONTH_MS).toISOString(),
    })
    expect(devices[0]).toMatchObject({ browser: null, system: null, network: expect.any(String) })
  })

  it('TRU-11: ends one of them at once, and leaves the sessions', async () => {
    const service = await startTrusting()
    const [duo, elsewhere] = [await trusting(service), await trusting(service)]
    const ended = (await listed(duo)).find(({ current }) => !current)
    expect((await endDevice(duo, ended?.id ?? '')).status).toBe(204)
    expect(await asksFor(service, { cookie: elsewhere.cookie(TRUSTED) })).toBe('code')
    expect(await asksFor(service, { cookie: duo.cookie(TRUSTED) })).toBe('no code')
    expect((await elsewhere.get(USER)).status).toBe(200)
    expect(verdict(await endDevice(duo, ended?.id ?? ''))).toBe(NOT_FOUND)
  })

  it('TRU-12: is the same 404 for an unknown device and one of another user', async () => {
    const service = await startTrusting({ factor: { enabled: ['u2', 'u4'] } })
    const duo = await trusting(service)
    const quarta = await trusting(service, { email: 'u4@x.test' })
    const [{ id } = { id: '' }] = await listed(duo)
    const answers = [await endDevice(quarta, id), await endDevice(quarta, '0123456789ab')]
    expect(answers.map(verdict)).toEqual([NOT_FOUND, NOT_FOUND])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(await listed(duo)).toHaveLength(1)
  })

  it('is for users of a session only', async () => {
    const service = await startTrusting()
    expect(verdict(await (await visitor(service)).get(TRUSTED_DEVICES))).toBe(GUEST)
  })
})

describe('A host that binds no trusted devices', () => {
  it('ignores the field and the cookie', async () => {
    const service = await startTrusting({ sessions: { devices: true } })
    const duo = await owingCode(service)
    const answer = await sendTrusting(duo, 'yes')
    expect(answer.status).toBe(204)
    expect(linesOf(answer).map(({ name }) => name)).not.toContain(TRUSTED)
    expect(await asksFor(service, { cookie: 'A'.repeat(43) })).toBe('code')
  })

  it('asks for the code in a browser that was trusted while they were bound', async () => {
    const before = await startTrusting()
    const cookie = (await trusting(before)).cookie(TRUSTED)
    const { stores, users, clock, url: appUrl } = before
    const changes = { stores, users, clock, appUrl, sessions: { devices: true } as const }
    expect(await asksFor(await startTrusting(changes), { cookie })).toBe('code')
  })
})

describe('A code that asks to trust the browser', () => {
  it('trusts no browser when it comes too late', async () => {
    const service = await startTrusting()
    const duo = await owingCode(service)
    service.clock.advance({ minutes: 6 })
    expect(verdict(await sendTrusting(duo))).toBe('422 two_factor_expired')
    expect(duo.cookie(TRUSTED)).toBeNull()
  })

  it('trusts no browser when it is incorrect', async () => {
    const service = await startTrusting()
    const duo = await owingCode(service)
    await duo.post(`${LOGIN}/two-factor`, { code: WRONG, trust_device: true })
    expect(duo.cookie(TRUSTED)).toBeNull()
    expect((await sendCode(duo, CODE)).status).toBe(204)
    expect(await listed(duo)).toEqual([])
  })
})

describe('A store that a backup restores', () => {
  it('TRU-14: brings back no device that is trusted after a change of the password', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const owner = { tenant: null, userId: TRUSTED_OWNER }
    const [saved] = await service.stores.sessions.list(owner, service.clock.now())
    const passwordHash = await hashPassword(PASSWORD, { memoryKiB: 64, passes: 1 })
    service.users.update('u2', { passwordHash })
    await service.auth.endSessions('u2')
    const { key, ...record } = saved ?? expect.fail('there is no row')
    expect(await service.stores.sessions.create(key, record)).toBe(true)
    expect(await asksFor(service, { cookie })).toBe('code')
  })

  it('TRU-14: brings back no device after its end', async () => {
    const service = await startTrusting()
    const cookie = (await trusting(service)).cookie(TRUSTED)
    const owner = { tenant: null, userId: TRUSTED_OWNER }
    const [saved] = await service.stores.sessions.list(owner, service.clock.now())
    service.clock.advance({ hours: 24 * 30 })
    const { key, ...record } = saved ?? expect.fail('there is no row')
    await service.stores.sessions.destroy(key)
    await service.stores.sessions.create(key, record)
    expect(await asksFor(service, { cookie })).toBe('code')
  })
})
