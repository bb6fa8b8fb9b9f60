import type { PlainReply, Tenant } from '../../contracts.ts'
import type { Authenticated } from '../../core/login/login-parts.ts'
import type { Csrf } from '../../core/sessions/csrf.ts'
import type { Cookies } from '../wire/cookies.ts'

type Headers = PlainReply['headers']

/** Makes the headers that give out a session id with its CSRF token. */
export interface SessionCookies {
  /** Makes those of a session, or of a login that waits for its code. */
  give(tenant: Tenant, id: string): Headers
  /** Makes those of a complete login: also the cookie by which the browser is a known device. */
  giveLogin(tenant: Tenant, login: Pick<Authenticated, 'sessionId' | 'deviceCookie'>): Headers
}

/** Creates the maker of session cookies. */
export function createSessionCookies(
  cookies: (tenant: Tenant) => Cookies,
  csrf: Csrf,
): SessionCookies {
  return {
    give: (tenant, id) => ({ 'set-cookie': cookies(tenant).give(id, csrf.issue(id)) }),
    giveLogin(tenant, { sessionId, deviceCookie }) {
      const made = cookies(tenant)
      const session = made.give(sessionId, csrf.issue(sessionId))
      return { 'set-cookie': [...session, made.giveDevice(deviceCookie)] }
    },
  }
}
