import type { OpenSessionOptions, SessionOpening } from '@svc/auth'
import type { FakeUser } from '@svc/auth/testing'
import type { Browser } from './browser.ts'
import { SESSION, TOKEN } from './session-cookies.ts'
import type { TestService } from './service.ts'

type Given = Partial<OpenSessionOptions>

/** The headers of a form that a page of the panel sends. */
export function formHeaders({ url }: TestService, browser: Browser): Record<string, string> {
  const cookie = [SESSION, TOKEN, 'svc_device']
    .filter((name) => browser.cookie(name) !== null)
    .map((name) => `${name}=${browser.cookie(name)}`)
    .join('; ')
  const token = browser.cookie(TOKEN) ?? ''
  return { host: new URL(url).host, origin: url, cookie, 'x-xsrf-token': token }
}

/** Returns a user, as the host's own code finds it. */
export async function userOf(
  { users }: TestService,
  id: string,
  tenant: string | null = null,
): Promise<FakeUser> {
  const user = await users.findById(id, tenant)
  if (user === null) throw new Error(`there is no user ${id}`)
  return user
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
