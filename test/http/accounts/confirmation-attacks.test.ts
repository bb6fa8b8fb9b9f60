import timers from 'node:timers'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, type Browser } from '../../support/browser.ts'
import {
  CONFIRM_FIRST,
  confirmBy,
  confirmTimes,
  demanded,
  INCORRECT,
  openedBy,
  startConfirmation,
  type ConfirmationService,
} from '../../support/confirmation.ts'
import { stopHashing } from '../../support/hashing.ts'
import { attempt, loggedIn, visitor } from '../../support/logins.ts'
import { CONFIRM_SESSION, LOGOUT, USER } from '../../support/paths.ts'
import { actingAs, EVERYBODY, goBack, openFor } from '../../support/open-session.ts'
import { change, NEW_PASSWORD, startPasswords } from '../../support/passwords.ts'
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
import { CHEAP, payloadsOf, peopleWithHash } from '../../support/service.ts'
import { withCookiesOf } from '../../support/session-cookies.ts'
import { replaceTimer } from '../../support/time.ts'
import { withUserHeaders } from '../../support/user-headers.ts'
import {
  FAILED,
  GUEST,
  tally,
  THROTTLED,
  times,
  UNAVAILABLE,
  verdict,
  WRONG_CODE,
} from '../../support/verdicts.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const RIGHT = { password: PASSWORD }
const GUESS = { password: 'wrong' }

/** Returns a browser elsewhere with the session of another, and nothing else of it. */
function thiefOf({ browser }: ConfirmationService, victim: Browser): Browser {
  return withCookiesOf(victim, browser())
}

describe('A confirmation', () => {
  it('CNF-01: is not carried over the rotation of enabling and disabling the second factor', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    await setUp(una)
    const old = una.copy()
    expect(verdict(await confirm(una))).toBe('ok')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
    expect(await demanded(old)).toBe(GUEST)
    await confirmBy(una, { code: CODE })
    expect(verdict(await disable(una))).toBe('ok')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('CNF-02: does not outlive a new password, and cannot be made by a session that it ended', async () => {
    const service = await startPasswords({ confirmation: true, guard: { confirmedWithin: 15 } })
    const [una, other] = [await loggedIn(service), await loggedIn(service)]
    await change(una)
    expect(await demanded(other)).toBe(GUEST)
    expect(verdict(await confirmBy(other, { password: NEW_PASSWORD }))).toBe(GUEST)
  })

  it('CNF-02: that is checked while the password changes elsewhere confirms nothing', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    service.clock.advance({ minutes: 60 })
    const goOn = service.factor.hang('verify')
    const answer = confirmBy(duo, { code: CODE })
    await expect.poll(() => service.factor.calls.verify, { timeout: 30_000 }).toBe(2)
    const before = await service.users.findById('u2', null)
    service.users.update('u2', { passwordHash: null })
    expect(await demanded(duo)).toBe(GUEST)
    service.factor.recover()
    goOn()
    expect(verdict(await answer)).toBe(GUEST)
    service.users.update('u2', { passwordHash: before?.passwordHash ?? null })
    expect(await demanded(duo)).toBe(GUEST)
  })

  it('confirms nothing where the password waits too long in the queue to be compared', async () => {
    onTestFinished(
      replaceTimer(timers, (wait) => (run: () => void, ms: number) => wait(run, ms / 20)),
    )
    // A hash of this cost takes nearly a second, so that it has to be started within about three seconds.
    const costly = (await bcrypt(PASSWORD, 4)).replace('$04$', '$14$')
    const service = await startConfirmation({
      users: peopleWithHash(costly),
      config: { passwords: { ...CHEAP, concurrency: 1 } },
    })
    const [una, duo] = [await openedBy(service, 'u1'), await visitor(service)]
    await attempt(duo, 'u2@x.test')
    const resume = stopHashing()
    onTestFinished(resume)
    const held = attempt(duo, 'u2@x.test')
    await expect.poll(() => service.users.calls.findByEmail).toBe(2)
    expect(verdict(await confirmBy(una, RIGHT))).toBe(UNAVAILABLE)
    resume()
    expect(await held).toBe(FAILED)
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('CNF-03: does not recreate a session that was logged out meanwhile', async () => {
    const service = await startConfirmation()
    const duo = await loggedInWithCode(service)
    const same = duo.copy()
    const goOn = service.factor.hang('verify')
    const answer = confirmBy(duo, { code: CODE })
    await expect.poll(() => service.factor.calls.verify, { timeout: 30_000 }).toBe(2)
    expect(verdict(await same.post(LOGOUT))).toBe('ok')
    service.factor.recover()
    goOn()
    expect(verdict(await answer)).toBe(GUEST)
    expect(verdict(await duo.get(USER))).toBe(GUEST)
  })

  it('CNF-03: uses up no code in a session that was logged out while the code waited', async () => {
    const stores = watchedStores()
    const service = await startConfirmation({ stores })
    const [first, second] = [await loggedInWithCode(service), await loggedInWithCode(service)]
    const same = second.copy()
    const goOn = service.factor.hang('verify')
    const callsOf = (name: string): number =>
      stores.calls.filter(({ call }) => call === name).length
    const reserves = (): number => callsOf('attempts.reserve')
    const releases = (): number => callsOf('attempts.release')
    const [before, releasedBefore] = [reserves(), releases()]
    const answers = [confirmBy(first, { code: CODE })]
    await expect.poll(() => service.factor.calls.verify).toBe(3)
    const limits = reserves() - before
    answers.push(confirmBy(second, { code: CODE }))
    await expect.poll(reserves).toBe(before + 2 * limits)
    expect(verdict(await same.post(LOGOUT))).toBe('ok')
    goOn()
    expect((await Promise.all(answers)).map(verdict)).toEqual(['ok', GUEST])
    expect(service.factor.calls.verify).toBe(3)
    expect(payloadsOf(service, 'confirmation.failed')).toEqual([])
    // All counts but that of the route are given back; the right code clears that of failures in a row.
    expect(releases() - releasedBefore).toBe(2 * (limits - 1) - 1)
  })

  it('CNF-04: never lets a session live longer than its absolute lifetime', async () => {
    const service = await startConfirmation({ config: { session: { absolute: 60 } } })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 59 })
    expect(verdict(await confirmBy(una, RIGHT))).toBe('ok')
    service.clock.advance({ minutes: 2 })
    expect(await demanded(una)).toBe(GUEST)
  })

  it('CNF-04: that fails extends no session', async () => {
    const service = await startConfirmation({ config: { session: { idle: 30 } } })
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 20 })
    expect(verdict(await confirmBy(una, GUESS))).toBe(INCORRECT)
    service.clock.advance({ minutes: 11 })
    expect(verdict(await una.get(USER))).toBe(GUEST)
  })

  it('CNF-05: does not count when it is from the future, after a clock was set back', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await confirmBy(una, RIGHT))).toBe('ok')
    service.clock.advance({ minutes: -50 })
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it.each([
    ['without a token', { 'x-xsrf-token': null }, '419 csrf_mismatch'],
    ['with the token of nobody', { 'x-xsrf-token': 'A'.repeat(65) }, '419 csrf_mismatch'],
    ['from another origin', { origin: 'https://evil.test' }, '403 origin_mismatch'],
  ])('CNF-06: %s is refused before anything is checked', async (_how, headers, refused) => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    service.clock.advance({ minutes: 60 })
    expect(verdict(await una.post(CONFIRM_SESSION, RIGHT, { headers }))).toBe(refused)
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })

  it('CNF-07: confirms one session, of two at once, by a code that works once', async () => {
    const service = await startConfirmation()
    const sessions = [await loggedInWithCode(service), await loggedInWithCode(service)]
    service.clock.advance({ minutes: 60 })
    service.factor.update('u2', { recovery: ['only-once'] })
    const verdicts = await Promise.all(
      sessions.map(async (one) => verdict(await confirmBy(one, { code: 'only-once' }))),
    )
    expect(tally(verdicts)).toEqual({ ok: 1, [WRONG_CODE]: 1 })
    const opened = await Promise.all(sessions.map(demanded))
    expect(tally(opened)).toEqual({ ok: 1, [CONFIRM_FIRST]: 1 })
  })

  it.each(['rcv-aaaa-1111', 'rcv-11'])(
    'CNF-08: uses up no recovery code (%s) of a second factor that names its digits',
    async (code) => {
      const factor = fakeTwoFactor<FakeUser>({ enabled: ['u2'], recovery: [code] })
      const service = await startConfirmation({ twoFactor: { ...factor, codeDigits: 6 } }, factor)
      const duo = await loggedInWithCode(service)
      const { verify: before } = factor.calls
      expect(verdict(await confirmBy(duo, { code }))).toBe(WRONG_CODE)
      expect(factor.calls.verify).toBe(before)
      expect(verdict(await confirmBy(duo, { code: CODE }))).toBe('ok')
    },
  )

  it('CNF-09: is refused by a code for a user who has not enabled the second factor', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    expect(verdict(await confirmBy(una, { code: CODE }))).toBe(WRONG_CODE)
    expect(service.factor.calls.verify).toBe(0)
  })

  it('CNF-10: is incorrect for a user without a password, whatever was entered', async () => {
    const service = await startConfirmation()
    const septima = await openedBy(service, 'u7')
    expect(await confirmTimes(septima, 2, RIGHT)).toEqual(times(2, INCORRECT))
    expect(await demanded(septima)).toBe(CONFIRM_FIRST)
  })

  it('CNF-11: is not shared with a check of the same headers that demands none', async () => {
    const changes = { confirmation: true }
    const { auth, clock, lines } = await withUserHeaders('u1', changes)
    clock.advance({ minutes: 60 })
    expect((await auth.userFrom(lines)).outcome).toBe('admitted')
    expect((await auth.userFrom(lines, { confirmedWithin: 15 })).outcome).toBe(
      'confirmation-required',
    )
    expect((await auth.userFrom(lines, { confirmedWithin: 90 })).outcome).toBe('admitted')
  })
})

describe('A session that the host has opened', () => {
  it.each(['u1', 'u2'])('CNF-17: is not confirmed, also after a code (%s)', async (id) => {
    const service = await startConfirmation()
    const browser = await visitor(service)
    const { outcome } = await openFor(service, browser, id)
    if (outcome === 'code-owed') await sendCode(browser, CODE)
    expect(verdict(await browser.get(USER))).toBe('ok')
    expect(await demanded(browser)).toBe(CONFIRM_FIRST)
    expect(verdict(await confirmBy(browser, RIGHT))).toBe('ok')
    expect(await demanded(browser)).toBe('ok')
  })
})

describe('A person who acts as another user', () => {
  it('CNF-18: has no confirmed session, whatever the own one was, and cannot confirm it', async () => {
    const service = await startConfirmation({ impersonation: EVERYBODY })
    const una = await loggedIn(service)
    expect(await demanded(una)).toBe('ok')
    await actingAs(service, una)
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
    expect(verdict(await confirmBy(una, RIGHT))).toBe('403 impersonated')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
    expect(verdict(await goBack(una))).toBe('ok')
    expect(await demanded(una)).toBe(CONFIRM_FIRST)
  })
})

describe('A stolen session', () => {
  it('CNF-12: guesses the password five times a minute from one network', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedIn(service))
    expect(await confirmTimes(thief, 7, GUESS)).toEqual([
      ...times(5, INCORRECT),
      ...times(2, THROTTLED),
    ])
    const refused = await confirmBy(thief, RIGHT)
    expect(verdict(refused)).toBe(THROTTLED)
    expect(Object.keys(refused.json.errors)).toEqual(['password'])
  })

  it('CNF-12: guesses no more with several sessions of the user', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedIn(service))
    await confirmTimes(thief, 5, GUESS)
    const second = withCookiesOf(
      await loggedIn(service),
      service.browser({ address: thief.address }),
    )
    expect(verdict(await confirmBy(second, RIGHT))).toBe(THROTTLED)
  })

  it('CNF-12: has five of its parallel guesses compared', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedIn(service))
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => confirmBy(thief, GUESS)),
    )
    expect(tally(answers.map(verdict))).toEqual({ [INCORRECT]: 5, [THROTTLED]: 7 })
  })

  it('CNF-13: guesses no more with many networks than the ceiling of the account', async () => {
    const limits = { 'login.failed.account': { max: 8, window_seconds: 86_400 } }
    const service = await startConfirmation({ config: { limits } })
    const una = await loggedIn(service)
    const verdicts: string[] = []
    for (let made = 0; made < 10; made += 1)
      verdicts.push(verdict(await confirmBy(thiefOf(service, una), GUESS)))
    expect(verdicts).toEqual([...times(8, INCORRECT), ...times(2, THROTTLED)])
    // The place of the login keeps a count of its own.
    expect(verdict(await confirmBy(una, RIGHT))).toBe('ok')
  })

  it('CNF-13: is not counted against logins, and logins not against it', async () => {
    const service = await startConfirmation()
    const una = await loggedIn(service)
    const [thief, at] = [thiefOf(service, una), service.browser()]
    await confirmTimes(thief, 6, GUESS)
    const login = await visitor(service, { address: thief.address })
    expect((await login.logIn('u1@x.test')).status).toBe(200)
    await at.get('/svc/api/csrf-cookie')
    for (let made = 0; made < 6; made += 1) await at.logIn('u1@x.test', 'wrong')
    const there = withCookiesOf(una, service.browser({ address: at.address }))
    expect(verdict(await confirmBy(there, RIGHT))).toBe('ok')
  })

  it('CNF-13: is checked again once the host has lifted the ceilings of the account', async () => {
    const limits = { 'login.failed.account': { max: 2, window_seconds: 86_400 } }
    const service = await startConfirmation({ config: { limits } })
    const una = await loggedIn(service)
    await confirmTimes(thiefOf(service, una), 3, GUESS)
    expect(verdict(await confirmBy(thiefOf(service, una), RIGHT))).toBe(THROTTLED)
    await service.auth.unlock('u1@x.test')
    expect(verdict(await confirmBy(thiefOf(service, una), RIGHT))).toBe('ok')
  })

  it('CNF-14: guesses codes five times a minute, and 20 times an hour', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedInWithCode(service))
    const verdicts: string[] = []
    for (let minute = 0; minute < 5; minute += 1) {
      verdicts.push(...(await confirmTimes(thief, 6, { code: WRONG })))
      service.clock.advance({ seconds: 61 })
    }
    expect(tally(verdicts)).toEqual({ [WRONG_CODE]: 20, [THROTTLED]: 10 })
    expect(service.factor.calls.verify).toBe(1 + 20)
  })

  it('CNF-14: is not counted against the codes of logins', async () => {
    const limits = { 'two-factor.network': { max: 3, window_seconds: 3600 } }
    const service = await startConfirmation({ config: { limits } })
    const thief = thiefOf(service, await loggedInWithCode(service))
    expect(await confirmTimes(thief, 4, { code: WRONG })).toEqual([
      ...times(3, WRONG_CODE),
      THROTTLED,
    ])
    const duo = await owingCode(service, { opened: service.browser({ address: thief.address }) })
    expect(verdict(await sendCode(duo, CODE))).toBe('ok')
  })

  it('CNF-14: guesses no more codes with many networks than the ceiling of the account', async () => {
    const limits = { 'two-factor.user': { max: 3, window_seconds: 86_400 } }
    const service = await startConfirmation({ config: { limits } })
    const duo = await loggedInWithCode(service)
    const verdicts: string[] = []
    for (let made = 0; made < 5; made += 1)
      verdicts.push(verdict(await confirmBy(thiefOf(service, duo), { code: WRONG })))
    expect(verdicts).toEqual([...times(3, WRONG_CODE), ...times(2, THROTTLED)])
  })

  it('CNF-15: gains no guesses of the password by right codes', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedInWithCode(service))
    await confirmTimes(thief, 5, GUESS)
    expect(verdict(await confirmBy(thief, { code: CODE }))).toBe('ok')
    expect(verdict(await confirmBy(thief, GUESS))).toBe(THROTTLED)
  })

  it('CNF-15: gains no guesses of codes by the right password', async () => {
    const service = await startConfirmation()
    const thief = thiefOf(service, await loggedInWithCode(service))
    await confirmTimes(thief, 5, { code: WRONG })
    expect(verdict(await confirmBy(thief, RIGHT))).toBe('ok')
    expect(verdict(await confirmBy(thief, { code: CODE }))).toBe(THROTTLED)
  })

  it('CNF-16: sends at most ten confirmations a minute', async () => {
    const confirmations = { confirm: { max: 10, window_seconds: 60 } }
    const service = await startConfirmation({ config: { limits: confirmations } })
    const una = await loggedIn(service)
    const verdicts = await confirmTimes(una, 12, RIGHT)
    expect(tally(verdicts)).toEqual({ ok: 10, '429 too_many_requests': 2 })
  })
})
