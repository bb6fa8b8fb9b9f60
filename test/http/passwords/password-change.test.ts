import { loginAs, outbox } from '@svc/auth/testing'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../support/browser.ts'
import { loggedIn, visitor } from '../../support/logins.ts'
import { LOGIN, LOGOUT, USER } from '../../support/paths.ts'
import { change, closed, forget, NEW_PASSWORD, startPasswords } from '../../support/passwords.ts'
import { confirm, setUp, startWithFactor } from '../../support/second-factor.ts'
import { SESSION } from '../../support/session-cookies.ts'
import { payloadsOf, somePeople } from '../../support/service.ts'
import { atDeadline, barrier } from '../../support/time.ts'
import { FAILED, GUEST, THROTTLED, times, UNAVAILABLE, verdict } from '../../support/verdicts.ts'

const INCORRECT = '422 password_incorrect'

describe('A change of the password', () => {
  it('replaces the password and keeps the session under a new id', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    const before = una.cookie(SESSION)
    expect(verdict(await change(una))).toBe('ok')
    expect(una.cookie(SESSION)).not.toBe(before)
    expect(verdict(await una.get(USER))).toBe('ok')
    const other = await visitor(service)
    expect(verdict(await other.post(LOGIN, { email: 'u1@x.test', password: PASSWORD }))).toBe(
      FAILED,
    )
    expect((await other.logIn('u1@x.test', NEW_PASSWORD)).status).toBe(200)
  })

  it('ends the other sessions of the user, of which the old id is one', async () => {
    const service = await startPasswords()
    const [una, other] = [await loggedIn(service), await loggedIn(service)]
    const old = una.copy()
    await change(una)
    expect(verdict(await other.get(USER))).toBe(GUEST)
    expect(verdict(await old.get(USER))).toBe(GUEST)
  })

  it('is reported, and the user is informed by mail', async () => {
    const service = await startPasswords()
    await change(await loggedIn(service))
    expect(payloadsOf(service, 'password.changed')).toEqual([
      { userId: 'u1', tenant: null, network: expect.any(String) },
    ])
    await expect
      .poll(() => service.mailer.last('u1@x.test')?.subject)
      .toBe('Your password for Panel was changed')
  })

  it('PWD-16: informs the user by mail while links that strangers request wait', async () => {
    const [users, { passed, open }] = [somePeople(), barrier()]
    const findByEmail: typeof users.findByEmail = async (email, tenant) => {
      if (email.startsWith('stranger')) await passed
      return users.findByEmail(email, tenant)
    }
    const limits = { 'password.mail.network': { max: 1000, window_seconds: 60 } } as const
    const service = await startPasswords({ users: { ...users, findByEmail }, config: { limits } })
    const [una, stranger] = [await loggedIn(service), await visitor(service)]
    for (let batch = 0; batch < 20; batch += 1) {
      const emails = Array.from({ length: 50 }, (_, at) => `stranger${batch}.${at}@x.test`)
      await Promise.all(emails.map(async (email) => forget(service, email, { from: stranger })))
    }
    expect(verdict(await change(una))).toBe('ok')
    await expect.poll(() => service.mailer.sent.map(({ to }) => to)).toEqual(['u1@x.test'])
    open()
  })

  it('sends no mail to an address that would have further recipients', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    service.users.update('u1', { email: 'u1@x.test,eve@x.test' })
    expect(verdict(await change(una))).toBe('ok')
    await closed(service)
    expect(service.mailer.sent).toEqual([])
  })

  it('brings no session back that another tab logs out while the hash is stored', async () => {
    const people = somePeople()
    let logOut = async (): Promise<unknown> => undefined
    const setPasswordHash: typeof people.setPasswordHash = async (...given) => {
      await logOut()
      return people.setPasswordHash(...given)
    }
    const service = await startPasswords({ users: { ...people, setPasswordHash } })
    const una = await loggedIn(service)
    const tab = una.copy()
    logOut = async () => tab.post(LOGOUT)
    expect(verdict(await change(una))).toBe('ok')
    expect(verdict(await una.get(USER))).toBe(GUEST)
    expect(payloadsOf(service, 'password.changed')).toHaveLength(1)
    expect((await (await visitor(service)).logIn('u1@x.test', NEW_PASSWORD)).status).toBe(200)
  })
})

describe('A change of the password while another tab sets up a second factor', () => {
  it('changes nothing, because its session would not have the secret of the set-up', async () => {
    let begin = async (): Promise<unknown> => undefined
    const allows = async (): Promise<boolean> => (await begin(), true)
    const service = await startWithFactor({ mailer: outbox(), passwords: { allows } })
    const una = await loggedIn(service)
    const tab = una.copy()
    begin = async () => setUp(tab)
    expect(verdict(await change(una))).toBe(GUEST)
    expect(verdict(await confirm(tab))).toBe('ok')
    const { json } = await (await visitor(service)).logIn('u1@x.test')
    expect(json).toMatchObject({ two_factor: true })
  })
})

describe('A change of the password in a session that was opened without a code', () => {
  it('keeps no session without a code after an `enable` that answers too late', async () => {
    const service = await startWithFactor({ mailer: outbox(), passwords: {} })
    const [una, thief] = [await loggedIn(service), await visitor(service)]
    await setUp(una)
    const goOn = service.factor.hang('enable')
    let isChanged = false
    const changeMeanwhile = async (): Promise<void> => {
      await vi.waitFor(() => expect(service.factor.calls.enable).toBe(1))
      await thief.logIn('u1@x.test')
      expect(verdict(await change(thief))).toBe('ok')
      isChanged = true
    }
    const [late] = await atDeadline(
      async () => Promise.all([confirm(una), changeMeanwhile()]),
      () => isChanged,
    )
    expect(verdict(late)).toBe(UNAVAILABLE)
    service.clock.advance({ minutes: 1 })
    goOn()
    await expect.poll(() => service.factor.row('u1').enabled).toBe(true)
    expect(verdict(await thief.get(USER))).toBe(GUEST)
  })
})

describe('The current password', () => {
  it('is required', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    expect(verdict(await change(una, NEW_PASSWORD, 'wrong'))).toBe(INCORRECT)
    expect(verdict(await una.get(USER))).toBe('ok')
    expect((await una.copy().logIn('u1@x.test')).status).toBe(200)
  })

  it('PWD-13: can be guessed five times a minute, from all sessions of the user together', async () => {
    const service = await startPasswords()
    const sessions = [await loggedIn(service), await loggedIn(service)] as const
    const verdicts: string[] = []
    for (let made = 0; made < 7; made += 1)
      verdicts.push(verdict(await change(sessions[made % 2] ?? sessions[0], NEW_PASSWORD, 'wrong')))
    expect(verdicts).toEqual([...times(5, INCORRECT), ...times(2, THROTTLED)])
    const refused = await change(sessions[0])
    expect(verdict(refused)).toBe(THROTTLED)
    expect(Object.keys(refused.json.errors)).toEqual(['current_password'])
  })

  it('can be guessed 20 times a day', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    const verdicts: string[] = []
    for (let made = 0; made < 21; made += 1) {
      verdicts.push(verdict(await change(una, NEW_PASSWORD, 'wrong')))
      service.clock.advance({ seconds: 61 })
    }
    expect(verdicts).toEqual([...times(20, INCORRECT), THROTTLED])
  })

  it('is counted apart from logins', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    for (let made = 0; made < 6; made += 1) await change(una, NEW_PASSWORD, 'wrong')
    expect((await (await visitor(service)).logIn('u1@x.test')).status).toBe(200)
  })

  it('is compared with five of many parallel guesses only', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => change(una, NEW_PASSWORD, 'wrong')),
    )
    const incorrect = answers.filter((answer) => verdict(answer) === INCORRECT)
    expect(incorrect).toHaveLength(5)
  })

  it('is incorrect for a user without a password, whatever was entered', async () => {
    const service = await startPasswords()
    service.users.update('u1', { passwordHash: null })
    const user = await service.users.findById('u1', null)
    if (user === null) throw new Error('there is no u1')
    const una = service.browser()
    for (const { name, value } of (await loginAs(service.auth, user)).cookies)
      una.setCookie(name, value)
    expect(verdict(await change(una, NEW_PASSWORD, ''))).toBe('422 invalid')
    expect(verdict(await change(una, NEW_PASSWORD, 'anything'))).toBe(INCORRECT)
    expect(service.users.row('u1')?.passwordHash).toBeNull()
  })
})

describe('A change that the host does not store', () => {
  it('is an outage, and leaves the session and the password', async () => {
    const service = await startPasswords()
    const una = await loggedIn(service)
    service.users.failWith(new Error('away'), 'setPasswordHash')
    expect(verdict(await change(una))).toBe(UNAVAILABLE)
    service.users.recover()
    expect(verdict(await una.get(USER))).toBe('ok')
    expect(verdict(await change(una))).toBe('ok')
  })
})
