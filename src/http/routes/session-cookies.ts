import type { Tenant } from '../../contracts/host.ts'
import type { Authenticated } from '../../core/login/login-parts.ts'
import type { Csrf } from '../../core/sessions/csrf.ts'
import type { Session, Sessions } from '../../core/sessions/sessions.ts'
import type { Cookies } from '../wire/cookies.ts'

/** Makes the headers that set a session id and its CSRF token. */
export type SessionCookies = ReturnType<typeof createSessionCookies>

/** The parts that make the cookies of a session. */
interface SessionCookieParts {
  readonly cookies: (tenant: Tenant) => Cookies
  readonly csrf: Csrf
  readonly sessions: Sessions
}

/** Creates the maker of session cookies. */
export function createSessionCookies({ cookies, csrf, sessions }: SessionCookieParts) {
  const lines = (tenant: Tenant, id: string, seconds: number | null): readonly string[] =>
    cookies(tenant).give(id, csrf.issue(id), seconds)
  return {
    /** Makes the headers of a pending login, or of a session until the browser closes. */
    give: (tenant: Tenant, id: string) => ({ 'set-cookie': lines(tenant, id, null) }),
    /** Makes the headers of a session that has a new id. */
    giveNewId: (session: Session, id: string) => ({
      'set-cookie': lines(session.record.tenant, id, sessions.cookieSecondsOf(session)),
    }),
    /** Makes the headers of a complete login. They also set the cookies of the device. */
    giveLogin(
      tenant: Tenant,
      { sessionId, cookieSeconds, deviceCookie, trustedDevice }: Authenticated,
    ) {
      const ofTenant = cookies(tenant)
      return {
        'set-cookie': [
          ...lines(tenant, sessionId, cookieSeconds),
          ofTenant.giveDevice(deviceCookie),
          ...(trustedDevice === null
            ? []
            : [ofTenant.giveTrusted(trustedDevice.id, trustedDevice.cookieSeconds)]),
        ],
      }
    },
  }
}
