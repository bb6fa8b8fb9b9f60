import { fakeTwoFactor, loginAs, type FakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import type { Answer, Browser } from './browser.ts'
import { visitor } from './logins.ts'
import { CONFIRM_SESSION } from './paths.ts'
import { startService, type Changes, type TestService } from './service.ts'
import { verdict } from './verdicts.ts'

/** The refusal of a guard while the session is not confirmed. */
export const CONFIRM_FIRST = '403 confirmation_required'
export const INCORRECT = '422 password_incorrect'

/** Lifts the limit of the route, so that a test meets the limits behind it. */
const UNRATIONED = { confirm: { max: 1000, window_seconds: 60 } } as const

export interface ConfirmationService extends TestService {
  readonly factor: FakeTwoFactor<FakeUser>
}

/**
 * Starts the service with the confirmation layer, and a second factor that U2 has enabled. The
 * guard of `/api/people` demands a confirmation within 15 minutes.
 */
export async function startConfirmation(
  { config = {}, ...changes }: Changes = {},
  factor = fakeTwoFactor<FakeUser>({ enabled: ['u2'] }),
): Promise<ConfirmationService> {
  const limits = { ...UNRATIONED, ...config.limits }
  const service = await startService({
    confirmation: true,
    guard: { confirmedWithin: 15 },
    twoFactor: factor,
    ...changes,
    config: { ...config, limits },
  })
  return { ...service, factor }
}

/** Opens a session of a user as the host does, which is not confirmed. @returns its browser. */
export async function openedBy(service: TestService, id: string): Promise<Browser> {
  const user = await service.users.findById(id, null)
  if (user === null) throw new Error(`there is no ${id}`)
  const browser = await visitor(service)
  for (const { name, value } of (await loginAs(service.auth, user)).cookies)
    browser.setCookie(name, value)
  return browser
}

/** Confirms the session by a password or a code. */
export async function confirmBy(browser: Browser, body: unknown): Promise<Answer> {
  return browser.post(CONFIRM_SESSION, body)
}

/** Asks for the route of the host whose guard demands a confirmation. @returns the verdict. */
export async function demanded(browser: Browser): Promise<string> {
  const { status, json, text } = await browser.get('/api/people')
  return status === 200 && text !== '' ? 'ok' : `${status} ${json.key.replace('svc::auth.', '')}`
}

/** Confirms `count` times by the same body, one after the other. @returns the verdicts. */
export async function confirmTimes(
  browser: Browser,
  count: number,
  body: unknown,
): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let made = 0; made < count; made += 1) verdicts.push(verdict(await confirmBy(browser, body)))
  return verdicts
}
