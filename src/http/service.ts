import type { Logger, Middleware, PlainRequest, Tenant, UserProvider } from '../contracts.ts'
import type { Access as UserAccess } from '../core/access.ts'
import type { Attempts } from '../core/attempts.ts'
import type { Csrf } from '../core/csrf.ts'
import type { Events } from '../core/events.ts'
import type { LoginOutcome, LoginRequest } from '../core/login.ts'
import type { Session, Sessions } from '../core/sessions.ts'
import type { Limits } from '../rules/limits.ts'
import type { Access, Route, RouteName } from '../rules/routes.ts'
import type { Networks } from './address.ts'
import type { Cookies } from './cookies.ts'
import type { Origins } from './origin.ts'
import type { Refusal } from './respond.ts'
import type { Translator } from './translate.ts'

/** What the HTTP room works with; `panel-auth.ts` puts it together. */
export interface Service<User> {
  readonly baseUrl: (tenant: Tenant) => string
  /** Whether the tenant's panel is reached over TLS: the scheme of `app.url` decides, not the request's. */
  readonly isHttps: (tenant: Tenant) => boolean
  readonly production: boolean
  readonly limits: Limits
  readonly middleware: readonly Middleware[]
  readonly authenticatedMiddleware: readonly Middleware[]
  readonly users: UserProvider<User>
  readonly logger: Logger
  readonly events: Events
  readonly sessions: Sessions
  readonly access: UserAccess<User>
  readonly attempts: Attempts
  readonly csrf: Csrf
  readonly origins: Origins
  readonly networks: Networks
  readonly translator: Translator
  cookies(tenant: Tenant): Cookies
  logIn(request: LoginRequest): Promise<LoginOutcome>
}

/** The route that a request was matched with, or what stands for a route of the host. */
export interface Matched {
  /** `null`: a route of the host. */
  readonly route: (Route & { readonly name: RouteName }) | null
  readonly access: Access
  readonly passive: boolean
}

/** One request on its way through the pipeline. */
export interface Exchange<User> {
  readonly request: PlainRequest
  matched: Matched
  /** Set by `svc.middleware`. */
  tenant: Tenant
  /** From a listed domain; only then is the session cookie looked at. */
  stateful: boolean
  /** The session id that was presented, where the request is stateful. It may be a guest's. */
  presentedId: string | null
  session: Session | null
  user: User | null
  /** Why it is not done, once a gate has said so. */
  refusal: Refusal | null
  /** What the stages add to the answer, whatever it will be. */
  readonly headers: Record<string, string | readonly string[]>
}
