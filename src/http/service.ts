import type { Bell } from '../core/bell/notifications.ts'
import type { UserResolver as UserAccess } from '../core/sessions/resolve-user.ts'
import type { ChangeNotifier } from '../core/change-notifier.ts'
import type { BellSubscriptions } from '../core/bell/subscriptions.ts'
import type { Semaphore } from '../core/semaphore.ts'
import type { Attempt, Attempts } from '../core/attempts.ts'
import type { CheckedUsers } from '../core/checked-users.ts'
import type { Csrf } from '../core/sessions/csrf.ts'
import type { Verification } from '../core/email/email-verification.ts'
import type { Events } from '../core/events.ts'
import type { CheckedAuthenticator } from '../core/second-factor/checked-authenticator.ts'
import type { CodeOutcome, CodeRequest, PendingStatus } from '../core/login/login-code.ts'
import type { LoginOutcome, LoginRequest } from '../core/login/login-parts.ts'
import type { PendingLogins } from '../core/login/pending-logins.ts'
import type { Session, Sessions } from '../core/sessions/sessions.ts'
import type { TouchFailures } from '../core/sessions/touch-failures.ts'
import type { TwoFactor } from '../core/second-factor/two-factor.ts'
import type { Awaitable, Clock, Logger, Middleware, PlainRequest, Tenant } from '../contracts.ts'
import type { Limits } from '../rules/limits.ts'
import type { Access, Route, RouteName } from '../rules/routes.ts'
import type { ClientNetworkOf } from './wire/client-address.ts'
import type { Cookies } from './wire/cookies.ts'
import type { Origins } from './gates/origin.ts'
import type { NoteRefusedOrigin } from './gates/refused-origins.ts'
import type { Refusal } from './wire/respond.ts'
import type { Translator } from './wire/translate.ts'

/** What the HTTP room works with; `panel-auth.ts` puts it together. */
export interface Service<User> {
  readonly baseUrl: (tenant: Tenant) => string
  /** Whether the tenant's panel is reached over TLS: the scheme of `app.url` decides, not the request's. */
  readonly isHttps: (tenant: Tenant) => boolean
  readonly production: boolean
  readonly prefix: string
  readonly panels: readonly string[]
  /** What the panel is called. */
  readonly name: string
  readonly limits: Limits
  readonly middleware: readonly Middleware[]
  readonly authenticatedMiddleware: readonly Middleware[]
  readonly users: CheckedUsers<User>
  readonly factor: CheckedAuthenticator<User> | null
  readonly clock: Clock
  readonly logger: Logger
  readonly events: Events
  readonly sessions: Sessions
  readonly pendingLogins: PendingLogins
  readonly userResolver: UserAccess<User>
  readonly attempts: Attempts
  readonly bell: Bell<User>
  readonly changeNotifier: ChangeNotifier
  readonly bellSubscriptions: BellSubscriptions
  /** Bounds what streams of the bell read at once. */
  readonly streamChecks: Semaphore
  readonly csrf: Csrf
  readonly touchFailures: TouchFailures
  readonly origins: Origins
  readonly noteRefusedOrigin: NoteRefusedOrigin
  readonly networks: ClientNetworkOf
  readonly translator: Translator
  /** Aborted when the service closes. */
  readonly closing: AbortSignal
  readonly cookies: (tenant: Tenant) => Cookies
  /** Resolves while this node may answer: the time is known and the keys are shared. */
  readonly ready: () => Awaitable<void>
  logIn(request: LoginRequest): Promise<LoginOutcome>
  unlock(email: string, tenant: Tenant): Promise<void>
  submitCode(request: CodeRequest): Promise<CodeOutcome>
  /** What a login that waits for its code has left; `null`: none waits. */
  pendingStatus(presentedId: string, tenant: Tenant): Promise<PendingStatus | null>
  /** `null`: none is bound, and its routes are not there. */
  readonly twoFactor: TwoFactor<User> | null
  readonly verification: Verification<User>
}

/** The route that a request was matched with, or what stands for a route of the host. */
export interface Matched {
  /** `null`: a route of the host. */
  readonly route: (Route & { readonly name: RouteName }) | null
  /** What the path filled in. */
  readonly params: Readonly<Record<string, string>>
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
  /** Its place in the route's limit, where the route has one. */
  attempt: Attempt | null
  /** Why it is not done, once a gate has said so. */
  refusal: Refusal | null
  /** What the stages add to the answer, whatever it will be. */
  readonly headers: Record<string, string | readonly string[]>
}
