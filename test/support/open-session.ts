import type { OpenSessionOptions, SessionOpening } from '@svc/auth'
import type { FakeUser } from '@svc/auth/testing'
import { userOf } from './bell.ts'
import type { Answer, Browser } from './browser.ts'
import { IMPERSONATION } from './paths.ts'
import { SECURE_SESSION, SESSION, TOKEN } from './session-cookies.ts'
import { startService, type Changes, type TestService } from './service.ts'

type Given = Partial<OpenSessionOptions<FakeUser>>

const COOKIES = [SESSION, SECURE_SESSION, TOKEN] as const

/** The headers of a form that a page of the panel sends. */
export function formHeaders({ origin }: TestService, browser: Browser): Record<string, string> {
  const cookie = COOKIES.filter((name) => browser.cookie(name) !== null)
    .map((name) => `${name}=${browser.cookie(name)}`)
    .join('; ')
  const token = browser.cookie(TOKEN) ?? ''
  return { host: new URL(origin).host, origin, cookie, 'x-xsrf-token': token }
}

/** Opens a session for a user, as a route of the host that this browser requests. */
export async function openFor(
  service: TestService,
  browser: Browser,
  userId: string,
  options: Given = {},
): Promise<SessionOpening> {
  const user = await userOf(service, userId, options.tenant)
  const request = { headers: formHeaders(service, browser), address: browser.address }
  const opening = await service.auth.openSession(user, { request, ...options })
  if (opening.outcome !== 'refused') for (const line of opening.cookies) keep(browser, line)
  return opening
}

function keep(browser: Browser, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  browser.setCookie(name, value)
}

/** Lets everybody act as everybody. */
export const EVERYBODY = { allows: () => true } as const

/** Lets the user of a browser act as another one. */
export async function actAs(
  service: TestService,
  browser: Browser,
  userId = 'u4',
  by = 'u1',
): Promise<SessionOpening> {
  return openFor(service, browser, userId, { by: { user: await userOf(service, by) } })
}

/** Lets the user of a browser act as another one, and returns the browser. */
export async function actingAs(
  service: TestService,
  browser: Browser,
  userId?: string,
  by?: string,
): Promise<Browser> {
  const opening = await actAs(service, browser, userId, by)
  if (opening.outcome !== 'opened') throw new Error(`it was ${opening.outcome}`)
  return browser
}

/** Starts a service in which everybody may act as everybody. */
export async function startImpersonation(changes: Changes = {}): Promise<TestService> {
  return startService({ impersonation: EVERYBODY, ...changes })
}

/** Goes back to the own account. */
export async function goBack(browser: Browser): Promise<Answer> {
  return browser.send('DELETE', IMPERSONATION)
}
