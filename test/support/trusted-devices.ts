import { outbox } from '@svc/auth/testing'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { Answer, Browser } from './browser.ts'
import { CODE_STEP, CONFIRM, LOGIN, TRUSTED_DEVICES } from './paths.ts'
import {
  CODE,
  owingCode,
  setUp,
  startWithFactor,
  type FactorChanges,
  type FactorService,
} from './second-factor.ts'
import { PASSWORD } from './browser.ts'
import type { TestService } from './service.ts'

/** The cookie of a trusted device on http. */
export const TRUSTED = 'svc_trusted'

/** The owner of the rows of U2's trusted devices in the store of sessions. */
export const TRUSTED_OWNER = '\u0001trusted-device\u0001u2'

/** The option that binds remembered sessions and trusted devices. */
export const BOUND = { devices: true, remember: { days: 30 }, trusted: { days: 30 } } as const

/** Starts the service with a second factor, remembered sessions and trusted devices. */
export async function startTrusting(changes: FactorChanges = {}): Promise<FactorService> {
  return startWithFactor({ sessions: BOUND, mailer: outbox(), ...changes })
}

/** Sends an email and a password, and whether to stay logged in. */
export async function logInRemembered(
  browser: Browser,
  { email = 'u1@x.test', remember = true }: { email?: string; remember?: unknown } = {},
): Promise<Answer> {
  await browser.get('/svc/api/csrf-cookie')
  return browser.post(LOGIN, { email, password: PASSWORD, remember })
}

/** Sends the right code, and asks that this browser is trusted. */
export async function sendTrusting(browser: Browser, trust: unknown = true): Promise<Answer> {
  return browser.post(CODE_STEP, { code: CODE, trust_device: trust })
}

/** Opens a browser, logs in by password and code, and trusts the browser. */
export async function trusting(
  service: TestService,
  given: { email?: string; opened?: Browser } = {},
): Promise<Browser> {
  const browser = await owingCode(service, given)
  expect((await sendTrusting(browser)).status).toBe(204)
  expect(browser.cookie(TRUSTED)).toMatch(/^[\w-]{43}$/)
  return browser
}

/**
 * Logs in by the password, in a browser that has nothing but the cookie of a trusted device.
 *
 * @returns what the login asks for.
 */
export async function asksFor(
  service: TestService,
  { email = 'u2@x.test', cookie }: { email?: string; cookie: string | null },
): Promise<'code' | 'no code'> {
  const browser = service.browser()
  browser.setCookie(TRUSTED, cookie)
  const { status, json } = await browser.logIn(email)
  expect(status).toBe(200)
  return json.two_factor === true ? 'code' : 'no code'
}

/** A person of the reference panel with the second factor, in a browser that is trusted. */
export interface TrustingPerson {
  readonly browser: Browser
  readonly secret: string
  /** The recovery codes that are left. */
  readonly codes: readonly string[]
}

/** Enables the second factor of a person of the reference panel, and trusts the browser. */
export async function enrolTrusting(browser: Browser, email: string): Promise<TrustingPerson> {
  await browser.logIn(email)
  const secret = await setUp(browser)
  const confirmed = await browser.post(CONFIRM, { code: new TOTP({ secret }).generate() })
  const [code, ...codes] = confirmed.json.recovery_codes
  expect((await browser.logIn(email)).json.two_factor).toBe(true)
  const answer = await browser.post(CODE_STEP, { code, trust_device: true })
  expect(answer.status).toBe(204)
  return { browser, secret, codes }
}

/** Returns the trusted devices that the user of a session sees. */
export async function listed(browser: Browser): Promise<readonly Device[]> {
  const { status, json } = await browser.get(TRUSTED_DEVICES)
  expect(status).toBe(200)
  return json.data
}

interface Device {
  readonly id: string
  readonly current: boolean
  readonly browser: string | null
  readonly system: string | null
  readonly created_at: string
  readonly expires_at: string
}

/** Ends a trusted device by its id. */
export async function endDevice(browser: Browser, id: string): Promise<Answer> {
  return browser.send('DELETE', `${TRUSTED_DEVICES}/${id}`)
}
