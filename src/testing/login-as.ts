import type { Tenant } from '../contracts/host.ts'
import { ConfigError } from '../contracts/errors.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import { sessionOpeners } from '../contracts/session-openers.ts'

/** A cookie as Playwright's `context.addCookies` takes it. */
export interface TestCookie {
  readonly name: string
  readonly value: string
  readonly url: string
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'Lax'
}

/** A session for tests. */
export interface TestLogin {
  readonly cookies: readonly TestCookie[]
  /** The CSRF token of the session. */
  readonly token: string
  /** The headers of a request of the panel's own page: origin, cookies and token. */
  readonly headers: {
    readonly origin: string
    readonly cookie: string
    readonly 'x-xsrf-token': string
  }
}

/**
 * Opens a session for a user without a password, a code or an attempt, for tests of a host. Gates
 * still apply: a user whose email is not verified is refused like after a login.
 *
 * @throws {ConfigError} The service runs in production, or `auth` is a copy of a service.
 * @throws {StoreError}
 *
 * @example
 * ```ts
 * const { headers } = await loginAs(auth, user)
 * const response = await fetch('http://localhost:3000/api/orders', { headers })
 * ```
 */
export async function loginAs<User>(
  auth: PanelAuth<User>,
  user: User,
  { tenant = null }: { readonly tenant?: Tenant } = {},
): Promise<TestLogin> {
  const open = sessionOpeners.get(auth)
  if (open === undefined)
    throw new ConfigError('loginAs: the first argument must be what createPanelAuth returned')
  if (typeof user !== 'object' || user === null || 'then' in user)
    throw new ConfigError(
      'loginAs: the second argument must be a user as your UserProvider returns it, awaited',
    )
  const { origin, cookies: lines, token } = await open(user, tenant)
  const cookies = lines.map((line) => cookieOf(line, origin))
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return { cookies, token, headers: { origin, cookie, 'x-xsrf-token': token } }
}

function cookieOf(line: string, url: string): TestCookie {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    url,
    httpOnly: attributes.includes('HttpOnly'),
    secure: attributes.includes('Secure'),
    sameSite: 'Lax',
  }
}
