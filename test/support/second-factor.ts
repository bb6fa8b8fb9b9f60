import type { Stores } from '@svc/auth'
import {
  fakeClock,
  fakeTwoFactor,
  type FakeTwoFactor,
  type FakeTwoFactorOptions,
  type FakeUser,
  type TwoFactorCall,
} from '@svc/auth/testing'
import { expect } from 'vitest'
import type { Answer, Browser } from './browser.ts'
import { somePeople, startService, type Changes, type TestService } from './service.ts'

/** Right for everybody who has enabled it, and for every secret that was given out. */
export const CODE = '123456'
export const WRONG = '000000'

const API = '/svc/api'
export const CODE_STEP = `${API}/login/two-factor`
export const FACTOR = `${API}/two-factor`
export const SETUP = `${FACTOR}/setup`
export const CONFIRM = `${FACTOR}/confirm`
export const USER = `${API}/user`

export const EXPIRED = '422 two_factor_expired'
export const GUEST = '401 unauthenticated'
export const ALREADY_ENABLED = '409 two_factor_already_enabled'
export const SETUP_MISSING = '422 two_factor_setup_missing'
export const SETUP_REQUIRED = '403 two_factor_setup_required'
export const WRONG_CODE = '422 two_factor_invalid'

/** Takes the limits of the routes away, so that a test meets what stands behind them. */
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
  /** What is bound in place of the fake, made from it. */
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

/** Two nodes of one service: the same people, factor and clock, and stores that share what they keep. */
export async function startTwoNodes(
  [first, second]: readonly [Stores, Stores],
  { factor: options = { enabled: ['u2'] } }: Pick<FactorChanges, 'factor'> = {},
): Promise<readonly [FactorService, FactorService]> {
  const factor = fakeTwoFactor<FakeUser>(options)
  const shared = {
    users: somePeople(),
    clock: fakeClock(),
    twoFactor: factor,
    appUrl: 'http://panel.test',
    config: UNLIMITED,
  }
  const start = async (stores: Stores) => ({
    ...(await startService({ ...shared, stores })),
    factor,
  })
  return [await start(first), await start(second)]
}

/** A browser that is logged in. */
export async function loggedIn({ browser }: TestService, email = 'u1@x.test'): Promise<Browser> {
  const opened = browser()
  const { status, json } = await opened.logIn(email)
  expect({ status, json }).toEqual({ status: 200, json: { two_factor: false } })
  return opened
}

/** A browser that still owes the code. */
export async function owingCode(
  { browser }: TestService,
  { email = 'u2@x.test', opened = browser() }: { email?: string; opened?: Browser } = {},
): Promise<Browser> {
  const { status, json } = await opened.logIn(email)
  expect({ status, asked: json.two_factor }).toEqual({ status: 200, asked: true })
  return opened
}

/** A browser that is logged in with its code. */
export async function loggedInWithCode(service: TestService, email?: string): Promise<Browser> {
  const browser = await owingCode(service, email === undefined ? {} : { email })
  expect((await sendCode(browser, CODE)).status).toBe(204)
  return browser
}

export async function sendCode(browser: Browser, code: unknown): Promise<Answer> {
  return browser.post(CODE_STEP, { code })
}

/** The same code so many times, one after the other. */
export async function sendCodes(
  browser: Browser,
  count: number,
  code: unknown = WRONG,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let sent = 0; sent < count; sent += 1) answers.push(await sendCode(browser, code))
  return answers
}

/** Starts the set-up. @returns the secret that waits. */
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

/** The same browser, as it meets another node. */
export function moveTo({ browser }: TestService, from: Browser): Browser {
  const moved = browser({ address: from.address })
  for (const name of [SESSION, TOKEN]) moved.setCookie(name, from.cookie(name))
  return moved
}

export const SESSION = 'svc_session'
export const TOKEN = 'XSRF-TOKEN'

/** Sends requests that all wait in the same method of the contract, and lets them go on when all are there. */
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

/** How often each thing is in a list. */
export function tally(things: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...new Set(things)].map((thing) => [thing, things.filter((other) => other === thing).length]),
  )
}
