import type { Tenant } from '../../contracts/host.ts'
import type { Authenticated } from '../../core/login/login-parts.ts'
import type { Csrf } from '../../core/sessions/csrf.ts'
import type { Cookies } from '../wire/cookies.ts'

/** Headers of a reply. A type, as an interface would lack the index signature of headers. */
type Headers = { readonly 'set-cookie': readonly string[] }

/** Makes the headers that set a session id and its CSRF token. */
export interface SessionCookies {
  /** Makes the headers of a session or a pending login. */
  give(tenant: Tenant, id: string): Headers
  /** Makes the headers of a complete login. They also set the device cookie. */
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
      const tenantCookies = cookies(tenant)
      const session = tenantCookies.give(sessionId, csrf.issue(sessionId))
      return { 'set-cookie': [...session, tenantCookies.giveDevice(deviceCookie)] }
    },
  }
}
