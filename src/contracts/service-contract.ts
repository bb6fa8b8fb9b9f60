import type { ActivityEntry } from './activity-store.ts'
import type { EventClient, PanelEvent, PanelEvents } from './panel-events.ts'
import type { JsonObject, Notification, PlainReply, PlainRequest, Tenant } from './host.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Impersonator } from './impersonation.ts'
import type { OpenSessionOptions, SessionOpening } from './session-opening.ts'
import type { UserBody } from '../rules/routes/session-rows.ts'
import type { Access } from '../rules/routes/row.ts'

export type { EventClient, PanelEvent, PanelEvents } from './panel-events.ts'
export type { RequestHeaders, WebHeaders } from './request-headers.ts'

/*
 * Everything that the service offers to a host and to the adapters: the guard and its decisions,
 * the events, and the methods of `createPanelAuth`.
 */

/** The options of a guarded route of the host. */
export interface GuardOptions {
  /** The gates before the route. Default: `panel`, all of them. */
  readonly access?: Exclude<Access, 'guest'>
  /** True for requests that must not extend the session, such as polling. Default: false. */
  readonly passive?: boolean
  /**
   * The proof that an unsafe request comes from a page of a listed origin. `token`: the CSRF token
   * in a header. `same-origin`: an HTML form cannot send headers, so a request without a token is
   * also admitted when the browser states that it comes from the origin it is sent to. Default:
   * `token`.
   *
   * @see docs/http-api.md, "Stateful requests and CSRF"
   */
  readonly csrf?: 'token' | 'same-origin'
  /**
   * The time, in minutes, within which the user must have confirmed that it is them, by a login or
   * by `confirm`. Otherwise the request is refused with `confirmation_required`, and extends no
   * session. Needs the option `confirmation`. Default: `null`, not demanded.
   */
  readonly confirmedWithin?: number | null
  /**
   * `refused`: a person who acts as the user is refused with `impersonated`, for what only the user
   * may do. Default: `allowed`.
   *
   * @see docs/impersonation.md, "In your own routes"
   */
  readonly impersonation?: 'allowed' | 'refused'
}

/** The guard's decision about a request to a route of the host. */
export type Verdict<User> = Admitted<User> | Refused

/** An admitted request to a route of the host. */
export interface Admitted<User> {
  readonly outcome: 'admitted'
  readonly user: User
  readonly tenant: Tenant
  /** The person who acts as the user; absent in the user's own session. */
  readonly impersonator?: Impersonator
}

/** A refused request to a route of the host. */
export interface Refused {
  readonly outcome:
    | 'unauthenticated'
    | 'email-verification-required'
    | 'two-factor-setup-required'
    | 'confirmation-required'
    | 'unavailable'
    | 'refused'
    | 'answered'
  /** The reply to send instead of the host's response. */
  readonly reply: PlainReply
}

/** A long-lived request, such as a WebSocket, and how long it stays admitted. */
export type Watched<User> =
  | (Admitted<User> & {
      /**
       * Aborted once the request would no longer be admitted: the session has ended, a gate has
       * closed, or an outage prevents the check. Also aborted when the client disconnects or the
       * service closes.
       */
      readonly ended: AbortSignal
      /**
       * Stops watching and aborts `ended`. Not needed when `request.signal` reports the disconnect.
       */
      readonly stop: () => void
    })
  | Refused

/**
 * The service that `createPanelAuth` creates. Adapters use nothing else.
 *
 * @example
 * ```ts
 * auth.on('lockout', ({ email, network }) => console.warn(`${email} is locked for ${network}`))
 * setInterval(() => void auth.prune({ keepNotificationsDays: 90 }), 60_000)
 * ```
 */
export interface PanelAuth<User = unknown, Presented extends JsonObject = JsonObject> {
  /** Only a type, for `PresentedBy`; the service has no such property. */
  readonly $types?: { readonly presented: Presented }
  /**
   * Returns whether a request target belongs to the service: its API, or a page or file of its
   * panels.
   */
  serves(target: string): boolean
  /**
   * Answers a request to the service. Never throws and never rejects, except for what is not a
   * request.
   *
   * @throws {ConfigError} The argument is not a request as adapters make it.
   */
  handle(request: PlainRequest): Promise<PlainReply>
  /**
   * Returns the options of a guard with their defaults. Adapters call it when a guard is created,
   * so that a wrong one stops the start of the host.
   *
   * @throws {ConfigError} An option is wrong, or needs a layer that the host does not bind.
   */
  checkGuard(options?: GuardOptions): Required<GuardOptions>
  /**
   * Checks a request to a route of the host with the same pipeline. Never throws and never rejects,
   * except with a ConfigError about the arguments.
   */
  guard(request: PlainRequest, options?: GuardOptions): Promise<Verdict<User>>
  /**
   * Checks a request of which only the headers are known, for server components and loaders. It
   * extends no session. Without `csrf` it checks a read, and proves nothing about a form or an
   * action. With `csrf` it checks an action as `guard` does. Calls with the same object of headers
   * and the same options share one check for five seconds. Never throws and never rejects, except
   * with a ConfigError about the arguments.
   */
  userFrom(headers: RequestHeaders, options?: Omit<GuardOptions, 'passive'>): Promise<Verdict<User>>
  /**
   * Checks a long-lived request, such as a WebSocket or a stream of the host, and repeats the check
   * whenever its session may have ended, and every 25 seconds. Extends the session once, when the
   * request starts.
   *
   * A node watches 32 requests of a session and 128 of a user; a further one ends the oldest.
   *
   * Rejects only with a ConfigError about the options.
   */
  watch(request: PlainRequest, options?: GuardOptions): Promise<Watched<User>>
  /**
   * Handles web-standard requests as `handle` does. `address` is the client's, as the platform
   * reports it.
   */
  fetch(request: Request, info: { readonly address: string | null }): Promise<Response>
  /**
   * Sends a notification over the channels that it names, the bell first.
   *
   * @throws {NotificationError} It has no title, a URL that is not allowed, or an unknown channel;
   *   or the user is of another tenant.
   * @throws {ConfigError} An option is wrong.
   * @throws {StoreError} The bell's entry was not stored.
   */
  notify(
    user: User,
    notification: Notification<User>,
    options?: { readonly tenant?: Tenant },
  ): Promise<void>
  /**
   * Opens a session for a user whom the host has checked, such as by single sign-on or a one-time
   * link, as a login does: it ends the session of the request, and asks for the code of a second
   * factor. The host answers the request with the cookies of the result, and redirects to the
   * panel.
   *
   * Anyone who can call the route that calls it can log in: check who the user is first, and that
   * this browser has begun the login, such as by the `state` of OpenID Connect.
   *
   * @throws {ConfigError} An option is wrong.
   * @throws {StoreError} The stores are unreachable.
   */
  openSession(user: User, options: OpenSessionOptions<User>): Promise<SessionOpening>
  /**
   * Ends all sessions and pending logins of a user.
   *
   * @returns their number.
   * @throws {ConfigError} An argument is wrong, such as a number in place of an id.
   * @throws {StoreError}
   */
  endSessions(userId: string, options?: { readonly tenant?: Tenant }): Promise<number>
  /**
   * Sends an invitation to a user: a link for choosing a password, which works once and for three
   * days. Needs the option `passwords`.
   *
   * @param options The panel that the link leads to, the first by default, and the language of the
   *   mail, English by default.
   * @throws {ConfigError} An option is wrong.
   * @throws {InvitationError} The user cannot log in, or `passwords` is not bound.
   * @throws {Error} The mailer fails or times out. It has the codes of a mail server, and not its
   *   reply, which may repeat the link.
   */
  invite(
    user: User,
    options?: {
      readonly tenant?: Tenant
      readonly panel?: string
      readonly language?: string
    },
  ): Promise<void>
  /**
   * Returns the latest security events of a user, newest first, such as for a page of your
   * administrators. Needs the option `activity`.
   *
   * @param options The maximum number of events. Default: 20.
   * @throws {ConfigError} `activity` is not bound, or an argument is wrong.
   * @throws {StoreError}
   */
  activityOf(
    userId: string,
    options?: { readonly tenant?: Tenant; readonly limit?: number },
  ): Promise<readonly ActivityEntry[]>
  /**
   * Lifts the day-long limits of failed logins of an account, at unknown and known places. The
   * one-minute lockout of an email and network expires on its own. Has no visible effect for an
   * unknown email.
   *
   * @throws {ConfigError} An argument is wrong.
   * @throws {StoreError}
   */
  unlock(email: string, options?: { readonly tenant?: Tenant }): Promise<void>
  /**
   * Calls the listener on every such event. Errors of the listener are logged and affect nothing
   * else. `close` waits for a promise that it returns. `client` is that of the request which caused
   * the event; `null`: none is known.
   *
   * @returns a function that unsubscribes.
   */
  on<Event extends PanelEvent>(
    event: Event,
    listener: (payload: PanelEvents[Event], client: EventClient | null) => unknown,
  ): () => void
  /**
   * Removes expired records in bounded steps.
   *
   * @param options The number of days that notifications are kept. Default:
   *   `retention.notification_days`.
   * @returns the number of removed records.
   * @throws {StoreError}
   */
  prune(options?: { readonly keepNotificationsDays?: number }): Promise<number>
  /**
   * Resolves once the service can answer requests: it shares an application key with the other
   * nodes, the stores' time is known, and all modules are loaded. Await it before listening, so
   * that a node that must not answer does not start.
   *
   * @throws {ConfigError} The other nodes on these stores use other keys, or a package of
   *   `@svc/auth/totp` is missing.
   * @throws {StoreError} The stores are unreachable; requests try again.
   */
  ready(): Promise<void>
  /**
   * Returns whether the service works: every store can be read and written, the keys match those of
   * the other nodes, and the hashing process answers. Answers within two seconds; concurrent calls
   * share one check. Never throws.
   */
  health(): Promise<{ readonly healthy: boolean }>
  /**
   * Releases the hashing process, waits for running listeners of events, and closes the stores.
   * Later requests are 503.
   */
  close(): Promise<void>
}

/**
 * Type of the users that a service presents in `GET /user`: what `present` returns, else the
 * service's own fields.
 *
 * @example
 * ```ts
 * type Person = PresentedBy<typeof auth>
 * ```
 */
export type PresentedBy<Auth extends Pick<PanelAuth, '$types'>> = Auth extends {
  readonly $types?: { readonly presented: infer Presented }
}
  ? JsonObject extends Presented
    ? UserBody
    : Presented
  : never
