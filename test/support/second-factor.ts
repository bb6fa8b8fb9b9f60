import type { Stores } from '@svc/auth'
import {
  fakeClock,
  fakeTwoFactor,
  outbox,
  type FakeTwoFactor,
  type FakeTwoFactorOptions,
  type FakeUser,
  type TwoFactorCall,
} from '@svc/auth/testing'
import { expect } from 'vitest'
import type { Answer, Browser } from './browser.ts'
import { CODE_STEP, CONFIRM, FACTOR, SETUP } from './paths.ts'
import { withCookiesOf } from './session-cookies.ts'
import { somePeople, startService, type Changes, type TestService } from './service.ts'

/** The right code of every user and every secret. */
export const CODE = '123456'
export const WRONG = '000000'

/** Lifts the limits of the routes, so that a test meets the limits behind them. */
const UNRATIONED = { max: 100_000, window_seconds: 60 } as const
export const UNLIMITED = {
  limits: {
    login: UNRATIONED,
    'login.two-factor': UNRATIONED,
    'two-factor.setup': UNRATIONED,
    'two-factor.confirm': UNRATIONED,
    'two-factor.disable': UNRATIONED,
  },
} as const

export interface FactorService extends TestService {
  readonly factor: FakeTwoFactor<FakeUser>
}

export interface FactorChanges extends Omit<Changes, 'twoFactor'> {
  /** Default: U2 has enabled it. */
  readonly factor?: FakeTwoFactorOptions
  /** Makes the authenticator that is bound, from the fake. Default: the fake itself. */
  readonly instead?: (factor: FakeTwoFactor<FakeUser>) => NonNullable<Changes['twoFactor']>
}

/** Starts the service with a second factor bound. */
export async function startWithFactor({
  factor: options = { enabled: ['u2'] },
  instead = (factor) => factor,
  ...changes
}: FactorChanges = {}): Promise<FactorService> {
  const factor = fakeTwoFactor<FakeUser>(options)
  return { ...(await startService({ ...changes, twoFactor: instead(factor) })), factor }
}

/** Starts two nodes of one service: they share people, second factor, clock and the content of their stores. */
export async function startTwoNodes(
  [first, second]: readonly [Stores, Stores],
  {
    factor: options = { enabled: ['u2'] },
    config = UNLIMITED,
    sessions,
  }: Pick<FactorChanges, 'factor' | 'config' | 'sessions'> = {},
): Promise<readonly [FactorService, FactorService]> {
  const factor = fakeTwoFactor<FakeUser>(options)
  const shared = {
    users: somePeople(),
    clock: fakeClock(),
    twoFactor: factor,
    appUrl: 'http://panel.test',
    config,
    ...(sessions && { sessions, mailer: outbox() }),
  }
  const start = async (stores: Stores) => ({
    ...(await startService({ ...shared, stores })),
    factor,
  })
  return [await start(first), await start(second)]
}

/** Opens a browser and logs in by the password; the code is still missing. */
export async function owingCode(
  { browser }: TestService,
  { email = 'u2@x.test', opened = browser() }: { email?: string; opened?: Browser } = {},
): Promise<Browser> {
  const { status, json } = await opened.logIn(email)
  expect({ status, asked: json.two_factor }).toEqual({ status: 200, asked: true })
  return opened
}

/** Opens a browser and logs in by password and code. */
export async function loggedInWithCode(service: TestService, email?: string): Promise<Browser> {
  const browser = await owingCode(service, email === undefined ? {} : { email })
  expect((await sendCode(browser, CODE)).status).toBe(204)
  return browser
}

export async function sendCode(browser: Browser, code: unknown): Promise<Answer> {
  return browser.post(CODE_STEP, { code })
}

/** Sends the same code `count` times, one after the other. */
export async function sendCodes(
  browser: Browser,
  count: number,
  code: unknown = WRONG,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let sent = 0; sent < count; sent += 1) answers.push(await sendCode(browser, code))
  return answers
}

/** Starts the set-up. @returns the pending secret. */
export async function setUp(browser: Browser, body?: unknown): Promise<string> {
  const { status, json } = await browser.post(SETUP, body)
  expect(status).toBe(200)
  return json.secret
}

export async function confirm(browser: Browser, code: unknown = CODE): Promise<Answer> {
  return browser.post(CONFIRM, { code })
}

export async function disable(browser: Browser): Promise<Answer> {
  return browser.send('DELETE', FACTOR)
}

/** Returns the same browser as a client of another node. */
export function moveTo({ browser }: TestService, from: Browser): Browser {
  return withCookiesOf(from, browser({ address: from.address }))
}

/** Sends requests, holds them in one method of the contract until all have arrived, and lets them go on. */
export async function meetingIn<Result>(
  factor: FakeTwoFactor<FakeUser>,
  method: TwoFactorCall,
  requests: readonly (() => Promise<Result>)[],
): Promise<readonly Result[]> {
  const before = factor.calls[method]
  const goOn = factor.hang(method)
  const answers = Promise.all(requests.map(async (send) => send()))
  await expect.poll(() => factor.calls[method], { timeout: 4000 }).toBe(before + requests.length)
  factor.recover()
  goOn()
  return answers
}
