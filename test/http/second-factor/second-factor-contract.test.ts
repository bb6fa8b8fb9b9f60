import { setImmediate } from 'node:timers/promises'
import type { TwoFactorAuthenticator } from '@svc/auth'
import type { FakeTwoFactor, FakeUser, TwoFactorCall } from '@svc/auth/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD, type Answer, type Browser } from '../../support/browser.ts'
import { visitor, loggedIn } from '../../support/logins.ts'
import { LOGIN, FACTOR, SETUP, USER } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  owingCode,
  sendCode,
  sendCodes,
  setUp,
  startWithFactor,
  UNLIMITED,
  WRONG,
  type FactorService,
} from '../../support/second-factor.ts'
import { startService } from '../../support/service.ts'
import { SESSION } from '../../support/session-cookies.ts'
import { query } from '../../support/query.ts'
import { atDeadline } from '../../support/time.ts'
import { times, UNAVAILABLE, verdict, GUEST, WRONG_CODE } from '../../support/verdicts.ts'

/** A request that asks the contract something, and how one comes to send it. */
interface Asking {
  readonly method: TwoFactorCall
  readonly request: string
  readonly arrange: (service: FactorService) => Promise<Browser>
  readonly send: (browser: Browser) => Promise<Answer>
}

const withSecret = async (service: FactorService): Promise<Browser> => {
  const browser = await loggedIn(service)
  await setUp(browser)
  return browser
}
const logIn = async (browser: Browser): Promise<Answer> =>
  browser.post(LOGIN, { email: 'u2@x.test', password: PASSWORD })

const requests: Readonly<Record<string, Pick<Asking, 'arrange' | 'send'>>> = {
  login: { arrange: visitor, send: logIn },
  code: { arrange: owingCode, send: async (browser) => sendCode(browser, CODE) },
  status: { arrange: loggedIn, send: async (browser) => browser.get(FACTOR) },
  setup: { arrange: loggedIn, send: async (browser) => browser.post(SETUP) },
  confirm: { arrange: withSecret, send: confirm },
  disable: { arrange: loggedInWithCode, send: disable },
  user: { arrange: loggedIn, send: async (browser) => browser.get(USER) },
  'host route': { arrange: loggedIn, send: async (browser) => browser.get('/api/people') },
}

const asked: Readonly<Record<TwoFactorCall, readonly string[]>> = {
  isEnabledFor: ['login', 'code', 'status', 'setup', 'confirm', 'disable'],
  isRequiredFor: ['user', 'host route', 'status', 'disable'],
  verify: ['code'],
  newSecret: ['setup'],
  qrCode: ['setup'],
  verifySetup: ['confirm'],
  enable: ['confirm'],
  disable: ['disable'],
}

const askings = Object.entries(asked).flatMap(([method, names]) =>
  names.map((name): Asking => {
    const { arrange, send } = requests[name] ?? {}
    if (arrange === undefined || send === undefined) throw new Error(`no request is named ${name}`)
    // The keys of `asked` are the methods, by its type.
    return {
      method: method as TwoFactorCall,
      request: name,
      arrange: async (service) => arrange(service),
      send: async (browser) => send(browser),
    }
  }),
)

const SECRET_TEXT = 'SELECT totp_secret FROM people'

/** An outage to the outside, and nothing changed: neither for this browser nor for the people. */
async function expectClosed(
  service: FactorService,
  { method, request, arrange, send }: Asking,
  breakIt: (factor: FakeTwoFactor<FakeUser>) => void,
): Promise<void> {
  const { factor, clock } = service
  const browser = await arrange(service)
  const before = await lookAt(service, browser)
  breakIt(factor)
  const answer = await send(browser)
  factor.recover()
  expect([request, method, verdict(answer)]).toEqual([request, method, UNAVAILABLE])
  expect(answer.json).toEqual({
    message: answer.json.message,
    key: 'svc::auth.unavailable',
    retry_after: 5,
    request_id: expect.any(String),
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await lookAt(service, browser)).toEqual(before)
  expect(service.log.at(-1)?.level).toBe('error')
  // Where `enable` failed its turn is kept: it may still be at work.
  clock.advance({ seconds: 10 })
}

async function lookAt({ factor }: FactorService, browser: Browser): Promise<unknown> {
  const { status, json } = await browser.get(USER)
  const owed = json.two_factor === true
  return [status, owed, browser.cookie(SESSION), factor.row('u1'), factor.row('u2')]
}

describe('Second factor: a contract that fails', () => {
  it('makes every request 503 that calls it (2FA-18, 2FA-21, ENR-20)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const error = new Error(SECRET_TEXT)
    for (const asking of askings) {
      await expectClosed(service, asking, (factor) => factor.throwAtOnce(asking.method, error))
      await expectClosed(service, asking, (factor) => factor.failWith(asking.method, error))
    }
  })

  it('costs the attempt (2FA-18)', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.factor.failWith('verify', new Error(SECRET_TEXT))
    const outages = await sendCodes(duo, 4, CODE)
    expect(outages.map(verdict)).toEqual(times(4, UNAVAILABLE))
    service.factor.recover()
    expect((await duo.get(USER)).json.attempts_left).toBe(1)
    expect(verdict(await sendCode(duo, WRONG))).toBe('422 two_factor_exhausted')
  })

  it('shows no recovery codes and keeps no secret when `enable` fails (ENR-20)', async () => {
    const service = await startWithFactor()
    const una = await withSecret(service)
    service.factor.failWith('enable', new Error(SECRET_TEXT))
    const answer = await confirm(una)
    expect(verdict(answer)).toBe(UNAVAILABLE)
    expect(answer.text).not.toContain('rcv-')
    service.factor.recover()
    expect((await una.get(FACTOR)).json).toEqual({
      enabled: false,
      required: false,
      pending: false,
      codes_unseen: false,
    })
    service.clock.advance({ seconds: 10 })
    await setUp(una)
    expect(verdict(await confirm(una))).toBe('ok')
  })
})

describe('Second factor: answers of the contract', () => {
  const TRUTHY = [1, 'true', {}, [], new Boolean(true), [true], 'yes', () => true]

  it('accepts only `true` from `verify` (2FA-20)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    for (const answer of [...TRUTHY, undefined, null, 0]) {
      const duo = await owingCode(service)
      service.factor.answerWith('verify', answer)
      expect([answer, verdict(await sendCode(duo, CODE))]).toEqual([answer, WRONG_CODE])
      expect(verdict(await duo.get(USER))).toBe(GUEST)
    }
  })

  it('accepts only `true` from `verifySetup` (ENR-23)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    const una = await withSecret(service)
    for (const answer of [...TRUTHY, undefined, null, 0]) {
      service.factor.answerWith('verifySetup', answer)
      expect([answer, verdict(await confirm(una))]).toEqual([answer, WRONG_CODE])
    }
    expect(service.factor.calls.enable).toBe(0)
  })

  it('answers 503 when `isEnabledFor` or `isRequiredFor` returns no boolean (2FA-21)', async () => {
    const service = await startWithFactor({ config: UNLIMITED })
    for (const asking of askings.filter(({ method }) => method.startsWith('is'))) {
      for (const answer of [undefined, 1, new Boolean(false)]) {
        await expectClosed(service, asking, (factor) => factor.answerWith(asking.method, answer))
      }
    }
  })

  it.each<[TwoFactorCall, readonly unknown[]]>([
    ['newSecret', ['', undefined, null, 7, ['A'], 'A'.repeat(513)]],
    [
      'qrCode',
      ['', ' ', undefined, null, 7, {}, 'A'.repeat(64 * 1024 + 1), '<img src="/qr.png">', '<p>svg'],
    ],
    ['enable', [undefined, null, [], 'codes', [1], [''], ['ok', 'A'.repeat(129)], times(101, 'A')]],
  ])('answers 503 when %s returns no string', async (method, answers) => {
    const service = await startWithFactor({ config: UNLIMITED })
    for (const asking of askings.filter((one) => one.method === method)) {
      for (const answer of answers) {
        await expectClosed(service, asking, (factor) => factor.answerWith(method, answer))
      }
    }
  })

  it('accepts plain values and promises of any kind', async () => {
    for (const by of [<Value>(value: Value) => value, <Value>(value: Value) => query(value)]) {
      let enabled = false
      const twoFactor: TwoFactorAuthenticator<FakeUser> = {
        isEnabledFor: () => by(enabled),
        isRequiredFor: () => by(false),
        verify: (_, code) => by(code === CODE),
        newSecret: () => by('SECRET'),
        qrCode: () => by('data:,'),
        verifySetup: (_, code) => by(code === CODE),
        enable() {
          enabled = true
          return by(['one'])
        },
        disable() {
          enabled = false
          return by(undefined)
        },
      }
      const service = await startService({ twoFactor })
      const una = await loggedIn(service)
      await setUp(una)
      expect(verdict(await confirm(una, WRONG))).toBe(WRONG_CODE)
      expect((await confirm(una)).json).toEqual({ recovery_codes: ['one'] })
      const again = await owingCode(service, { email: 'u1@x.test' })
      expect(verdict(await sendCode(again, WRONG))).toBe(WRONG_CODE)
      expect(verdict(await sendCode(again, CODE))).toBe('ok')
      expect(verdict(await disable(again))).toBe('ok')
    }
  })
})

/** Five seconds, and what a busy machine adds. */
const DEADLINE_MS = [4900, 8000] as const

async function timed<Result>(
  work: Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  const since = performance.now()
  const result = await work
  return { result, ms: performance.now() - since }
}

function expectInTime(ms: number): void {
  expect(ms).toBeGreaterThan(DEADLINE_MS[0])
  expect(ms).toBeLessThan(DEADLINE_MS[1])
}

/** Opens what a request needs, and tells how it goes while its method hangs, and after that. */
async function hanging(service: FactorService, { method, arrange, send }: Asking) {
  const browser = await arrange(service)
  const before = await lookAt(service, browser)
  const looksAsBefore = async () =>
    expect([method, await lookAt(service, browser)]).toEqual([method, before])
  return {
    browser,
    looksAsBefore,
    sendsInVain: async () => {
      const { result, ms } = await timed(send(browser))
      expect([method, verdict(result)]).toEqual([method, UNAVAILABLE])
      expect(result.headers['set-cookie']).toBeUndefined()
      expectInTime(ms)
    },
  }
}

describe('Second factor: a contract that does not answer', () => {
  it('makes requests 503 after five seconds; a late answer opens no session (2FA-19, 2FA-21, ENR-21)', async () => {
    type Late = (browser: Browser, service: FactorService) => Promise<void>
    const late: Partial<Record<TwoFactorCall, Late>> = {
      async verify(browser) {
        expect((await sendCode(browser, WRONG)).json.attempts_left).toBe(3)
      },
      async disable(browser) {
        expect((await browser.get(FACTOR)).json.enabled).toBe(false)
      },
      // It was stored after all: a session that was opened without a code is not accepted any more.
      async enable(browser, { factor: { calls } }) {
        const asked = calls.isEnabledFor
        const answer = await atDeadline(
          async () => browser.get(FACTOR),
          () => calls.isEnabledFor > asked,
        )
        expect(verdict(answer)).toBe(UNAVAILABLE)
      },
    }
    const methods = [...new Set(askings.map(({ method }) => method))]
    const stages = await Promise.all(
      methods.map(async (method) => {
        const service = await startWithFactor()
        const mine = askings.filter((asking) => asking.method === method)
        const sendings = await Promise.all(mine.map(async (it) => hanging(service, it)))
        return { method, service, sendings }
      }),
    )
    const hung = stages.map(({ service, method, sendings }) => ({
      service,
      method,
      sendings,
      answerLate: service.factor.hang(method),
      due: service.factor.calls[method] + sendings.length,
    }))
    await atDeadline(
      async () =>
        Promise.all(
          hung.flatMap(({ sendings }) => sendings.map(async ({ sendsInVain }) => sendsInVain())),
        ),
      () => hung.every(({ method, service, due }) => service.factor.calls[method] >= due),
    )
    await Promise.all(
      hung.map(async ({ method, service, sendings, answerLate }) => {
        service.factor.recover()
        for (const { looksAsBefore } of sendings) await looksAsBefore()
        answerLate()
        await setImmediate()
        for (const { browser, looksAsBefore } of sendings) {
          await (late[method]?.(browser, service) ?? looksAsBefore())
        }
      }),
    )
  })

  it('does not end the process when a late answer is an error (OPS-08)', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const refusals: ((reason: Error) => void)[] = []
    const service = await startWithFactor({
      instead: (factor) => ({
        ...factor,
        verify: () => new Promise<boolean>((_, reject) => refusals.push(reject)),
      }),
    })
    const duo = await owingCode(service)
    const answer = await atDeadline(
      async () => sendCode(duo, CODE),
      () => refusals.length > 0,
    )
    expect(verdict(answer)).toBe(UNAVAILABLE)
    for (const refuse of refusals) refuse(new Error('too late'))
    await setImmediate()
    expect([refusals.length, unhandled]).toEqual([1, []])
    expect((await duo.get(USER)).json.attempts_left).toBe(4)
  })

  it('makes waiting codes 503 in the same time', async () => {
    const service = await startWithFactor()
    const duo = await owingCode(service)
    service.factor.hang('verify')
    const answers = await atDeadline(
      async () =>
        Promise.all(times(2, CODE).map(async (code) => timed(sendCode(duo.copy(), code)))),
      () => service.factor.calls.verify > 0,
    )
    expect(answers.map(({ result }) => verdict(result))).toEqual(times(2, UNAVAILABLE))
    for (const { ms } of answers) expectInTime(ms)
  })
})
