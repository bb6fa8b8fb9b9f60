import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { FakeUser } from '@svc/auth/testing'
import { sqliteFactors, totp } from '@svc/auth/totp'
import type { Answer, Browser } from './browser.ts'
import { CODE_STEP, CONFIRM, CONFIRM_DEVICE, DEVICES, FACTOR } from './paths.ts'
import { UNLIMITED, setUp } from './second-factor.ts'
import { startService, type Changes, type TestService } from './service.ts'
import { openHandle } from './sqlite.ts'
import { fakeClock } from '@svc/auth/testing'

export interface DeviceService extends TestService {
  /** Returns the code that an app shows now for a secret. */
  readonly codeFor: (secret: string) => string
}

/** Starts a service whose users have codes of real apps, and may have several. */
export async function startDevices(changes: Changes = {}): Promise<DeviceService> {
  const { clock = fakeClock() } = changes
  const factors = sqliteFactors(openHandle(':memory:'), { devices: true })
  const keys = ['test-key-test-key-test-key-0123456789']
  const twoFactor = totp<FakeUser>({ issuer: 'Acme', factors, keys, clock })
  const service = await startService({ twoFactor, config: UNLIMITED, ...changes, clock })
  const codeFor = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })
  return { ...service, codeFor }
}

/** A user with the second factor, in a session of their own. */
export interface Enrolled {
  readonly browser: Browser
  /** The secret of the first device. */
  readonly secret: string
  readonly recovery: readonly string[]
}

/** Logs a user in and enables the second factor; then waits until its code has expired. */
export async function enrolled(
  { browser, clock, codeFor }: DeviceService,
  email = 'u1@x.test',
): Promise<Enrolled> {
  const opened = browser()
  await opened.logIn(email)
  const secret = await setUp(opened)
  const { status, json } = await opened.post(CONFIRM, { code: codeFor(secret) })
  expect(status).toBe(200)
  clock.advance({ seconds: 60 })
  return { browser: opened, secret, recovery: json.recovery_codes }
}

export async function begin(browser: Browser, code: unknown): Promise<Answer> {
  return browser.post(DEVICES, { code })
}

export async function confirmDevice(
  browser: Browser,
  code: unknown,
  name: unknown = 'Pixel',
): Promise<Answer> {
  return browser.post(CONFIRM_DEVICE, { code, name })
}

export async function removeDevice(browser: Browser, id: string, code: unknown): Promise<Answer> {
  return browser.post(`${DEVICES}/${id}/remove`, { code })
}

/** Adds a device by the code of another one; then waits until both have expired. @returns its secret. */
export async function addDevice(
  { clock, codeFor }: DeviceService,
  browser: Browser,
  by: string,
  name = 'Pixel',
): Promise<string> {
  const { status, json } = await begin(browser, codeFor(by))
  expect(status).toBe(200)
  expect((await confirmDevice(browser, codeFor(json.secret), name)).status).toBe(204)
  clock.advance({ seconds: 60 })
  return json.secret
}

/** Returns the devices as the status lists them. */
export async function devicesOf(browser: Browser): Promise<readonly ListedDevice[]> {
  return (await browser.get(FACTOR)).json.devices
}

export interface ListedDevice {
  readonly id: string
  readonly name: string | null
  readonly added_at: string | null
  readonly last_used_at: string | null
}

/** Logs in with the password and a code. @returns the answer to the code. */
export async function logInBy(
  { browser }: TestService,
  code: string,
  email = 'u1@x.test',
): Promise<Answer> {
  const opened = browser()
  await opened.logIn(email)
  return opened.post(CODE_STEP, { code })
}
