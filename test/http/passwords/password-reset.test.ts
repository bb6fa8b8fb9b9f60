import { inspect } from 'node:util'
import { StoreError } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, outbox } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import {
  linkFor,
  NEW_PASSWORD,
  reset,
  startPasswords,
  tokenFor,
  UNRATIONED_PASSWORDS,
} from '../../support/passwords.ts'
import { LOGIN, USER } from '../../support/paths.ts'
import {
  startWithFactor,
  owingCode,
  sendCode,
  CODE,
  loggedInWithCode,
} from '../../support/second-factor.ts'
import { payloadsOf } from '../../support/service.ts'
import { settled } from '../../support/time.ts'
import { EXPIRED, FAILED, GUEST, verdict } from '../../support/verdicts.ts'

const LINK_INVALID = '422 password_link_invalid'

describe('A link to a new password', () => {
  it('leads to the page of the panel, with token and email in the fragment', async () => {
    const service = await startPasswords()
    const link = new URL(await linkFor(service))
    expect(link.origin).toBe(service.url)
    expect(`${link.pathname}${link.search}`).toBe('/admin/main/reset-password')
    const fragment = new URLSearchParams(link.hash.slice(1))
    expect([...fragment.keys()]).toEqual(['token', 'email'])
    expect(fragment.get('email')).toBe('u1@x.test')
  })

  it('replaces the password', async () => {
    const service = await startPasswords()
    expect(verdict(await reset(service, await tokenFor(service)))).toBe('ok')
    const una = await visitor(service)
    expect(verdict(await una.post(LOGIN, { email: 'u1@x.test', password: PASSWORD }))).toBe(FAILED)
    expect((await una.logIn('u1@x.test', NEW_PASSWORD)).status).toBe(200)
  })

  it('opens no session', async () => {
    const service = await startPasswords()
    const answer = await reset(service, await tokenFor(service))
    expect({ status: answer.status, cookies: answer.headers['set-cookie'] }).toEqual({
      status: 204,
      cookies: undefined,
    })
    expect(payloadsOf(service, 'login')).toEqual([])
  })

  it('PWD-10: ends every session of the user, and of nobody else', async () => {
    const service = await startPasswords()
    const sessions = [await loggedIn(service), await loggedIn(service)]
    const other = await loggedIn(service, 'u4@x.test')
    await reset(service, await tokenFor(service))
    for (const una of sessions) expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(verdict(await other.get(USER))).toBe('ok')
  })

  it('works once', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    expect(verdict(await reset(service, token))).toBe('ok')
    expect(verdict(await reset(service, token, 'another long and good one'))).toBe(LINK_INVALID)
    const una = await visitor(service)
    expect((await una.logIn('u1@x.test', NEW_PASSWORD)).status).toBe(200)
  })

  it('makes every other link of the user useless', async () => {
    const service = await startPasswords()
    const first = await tokenFor(service)
    service.clock.advance({ seconds: 1 })
    const second = await tokenFor(service)
    expect(verdict(await reset(service, second))).toBe('ok')
    expect(verdict(await reset(service, first))).toBe(LINK_INVALID)
  })

  it('is kept by a password that the rules refuse', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    expect(verdict(await reset(service, token, 'short'))).toBe('422 invalid')
    expect(verdict(await reset(service, token))).toBe('ok')
  })

  it('reports the reset, and informs the user by mail', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    await settled()
    expect(payloadsOf(service, 'password.forgot')).toEqual([
      { userId: 'u1', tenant: null, network: expect.any(String) },
    ])
    await reset(service, token)
    expect(payloadsOf(service, 'password.reset')).toEqual([
      { userId: 'u1', tenant: null, network: expect.any(String) },
    ])
    await expect
      .poll(() => service.mailer.last('u1@x.test')?.subject, { timeout: 30_000 })
      .toBe('Your password for Panel was changed')
    expect(service.mailer.link('u1@x.test')).toBe(`${service.url}/admin/main/forgot-password`)
  })
})

describe('A reset with a second factor', () => {
  async function startWithBoth() {
    const mailer = outbox()
    const config = { limits: UNRATIONED_PASSWORDS }
    return { ...(await startWithFactor({ mailer, passwords: {}, config })), mailer }
  }

  it('PWD-11: still asks for the code at the next login', async () => {
    const service = await startWithBoth()
    await reset(service, await tokenFor(service, 'u2@x.test'))
    const duo = service.browser()
    expect((await duo.logIn('u2@x.test', NEW_PASSWORD)).json.two_factor).toBe(true)
    expect(verdict(await duo.get(USER))).not.toBe('ok')
  })

  it('ends a login that waits for its code, and a session', async () => {
    const service = await startWithBoth()
    const inside = await loggedInWithCode(service)
    const pending = await owingCode(service)
    await reset(service, await tokenFor(service, 'u2@x.test'))
    expect(verdict(await sendCode(pending, CODE))).toBe(EXPIRED)
    expect(verdict(await inside.get(USER))).toBe(GUEST)
  })

  it('accepts a password of 8 characters, and none of 7', async () => {
    const service = await startWithBoth()
    const token = await tokenFor(service, 'u2@x.test')
    expect((await reset(service, token, 'Kw7!pqR')).json.errors.password).toEqual([
      expect.stringContaining('at least 8 characters'),
    ])
    expect(verdict(await reset(service, token, 'Kw7!pqRz'))).toBe('ok')
  })
})

/** Replaces the last character of which every bit counts. */
const withAnotherSignature = (token: string): string =>
  `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.slice(-1)}`

describe('A token', () => {
  it.each([
    ['altered in its user', (token: string) => token.replace(/^reset\.[^.]+/, 'reset.dTQ')],
    ['altered in its expiry', (token: string) => token.replace(/\.(\d+)\./, '.9999999999.')],
    ['with another purpose', (token: string) => token.replace('reset.', 'invite.')],
    ['altered in its signature', withAnotherSignature],
    ['of no service', () => 'reset.dTE.1795167000.x'],
    ['that is not a token', () => 'x'],
  ])('PWD-06: %s is refused, and the true one stays', async (_how, alter) => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    const calls = service.users.calls.findById
    expect(verdict(await reset(service, alter(token)))).toBe(LINK_INVALID)
    expect(service.users.calls.findById).toBe(calls)
    expect(verdict(await reset(service, token))).toBe('ok')
  })

  it('PWD-07: works until its last second, and not after it', async () => {
    const service = await startPasswords()
    const [late, token] = [await tokenFor(service), await tokenFor(service, 'u4@x.test')]
    service.clock.advance({ seconds: 3599 })
    expect(verdict(await reset(service, token))).toBe('ok')
    service.clock.advance({ seconds: 1 })
    expect(verdict(await reset(service, late))).toBe(LINK_INVALID)
    // Another password would not help.
    expect(verdict(await reset(service, late, 'short'))).toBe(LINK_INVALID)
  })

  it('is not accepted when it expires while the host checks the password', async () => {
    const clock = fakeClock()
    const allows = (): boolean => {
      clock.advance({ hours: 1 })
      return true
    }
    const service = await startPasswords({ clock, passwords: { allows } })
    expect(verdict(await reset(service, await tokenFor(service)))).toBe(LINK_INVALID)
  })

  it.each([
    ['email', { email: 'other@x.test' }],
    ['password', { passwordHash: null }],
    ['permission to log in', { active: false }],
  ])('dies with a change of the %s', async (_what, change) => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    service.users.update('u1', change)
    expect(verdict(await reset(service, token))).toBe(LINK_INVALID)
    expect(verdict(await reset(service, token, 'short'))).toBe(LINK_INVALID)
  })

  it('outlives another spelling of the same email', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    service.users.update('u1', { email: 'U1@X.test' })
    expect(verdict(await reset(service, token))).toBe('ok')
  })

  it.each(['never', 'NaN', '1e999', '{}', '', ' ', '-1'])(
    'is not accepted while the time that ends links of before reads %j',
    async (stored) => {
      const service = await startPasswords()
      const token = await tokenFor(service)
      const entry = await service.stores.metadata?.[0]?.compareAndSet('links.cutoff', null, stored)
      expect(entry).toBe(true)
      expect(verdict(await reset(service, token))).toBe(LINK_INVALID)
    },
  )

  it('dies with its user', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    service.users.remove('u1')
    expect(verdict(await reset(service, token))).toBe(LINK_INVALID)
  })

  it('can be used again where an outage of the stores kept it used up, too', async () => {
    const stores = memoryStores()
    let isAway = true
    const release: typeof stores.attempts.release = async (...given) => {
      if (isAway) throw new StoreError('away')
      await stores.attempts.release(...given)
    }
    const attempts = { ...stores.attempts, release }
    const service = await startPasswords({ stores: { ...stores, attempts } })
    const token = await tokenFor(service)
    service.users.failWith(new Error('away'), 'setPasswordHash')
    expect((await reset(service, token)).status).toBe(503)
    service.users.recover()
    isAway = false
    await expect
      .poll(async () => verdict(await reset(service, token)), { timeout: 3000 })
      .toBe('ok')
  })

  it('PWD-05: is in no log', async () => {
    const service = await startPasswords()
    const token = await tokenFor(service)
    service.users.failWith(new Error('away'), 'setPasswordHash')
    await reset(service, token)
    const written = inspect([service.log, service.events], { depth: null })
    expect(written).toContain('away')
    expect(written).not.toContain(token)
    expect(written).not.toContain(token.split('.')[4])
  })
})
