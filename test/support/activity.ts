import { expect } from 'vitest'
import type { ActivityItem } from '../../src/rules/routes/activity-rows.ts'
import type { Browser } from './browser.ts'
import { UNRATIONED } from './logins.ts'
import { ACTIVITY } from './paths.ts'
import { startService, type Changes, type TestService } from './service.ts'

/** The header of a browser, and the names of it in the activity. */
export const FIREFOX = {
  header: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  names: { browser: 'Firefox', system: 'Linux' },
} as const

/** Starts the service with the activity layer, without the limit of the login route. */
export async function startActivity({ config, ...changes }: Changes = {}): Promise<TestService> {
  const limits = { ...UNRATIONED, ...config?.limits }
  return startService({ activity: true, ...changes, config: { ...config, limits } })
}

/** Returns the activity that the user of a browser sees. */
export async function activityOf(browser: Browser): Promise<readonly ActivityItem[]> {
  const { status, json } = await browser.get(ACTIVITY)
  expect(status).toBe(200)
  return json.data
}

/** Returns the names of the events that the user of a browser sees, newest first. */
export async function eventsOf(browser: Browser): Promise<readonly string[]> {
  return (await activityOf(browser)).map(({ event }) => event)
}

/** Sends one login from a browser with a `User-Agent`. */
export async function logInAs(
  browser: Browser,
  userAgent: string,
  { email = 'u1@x.test', password }: { readonly email?: string; readonly password: string },
): Promise<void> {
  const headers = { 'user-agent': userAgent }
  await browser.post('/svc/api/login', { email, password }, { headers })
}
