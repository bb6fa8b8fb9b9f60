import type {
  Clock,
  JsonObject,
  Logger,
  Mailer,
  Middleware,
  NotificationChannel,
  Tenant,
  TwoFactorAuthenticator,
  UserProvider,
} from './host.ts'
import type { AccountPasswords } from './account-passwords.ts'
import type { Impersonation } from './impersonation.ts'
import type { HashFormat } from './hash-format.ts'
import type { SessionOptions } from './session-options.ts'
import type { ActivityStore, Stores } from './store-contracts.ts'
import type { Telemetry } from './telemetry.ts'
import type { LimitName } from '../rules/limits.ts'
import type { SpaOptions } from '../rules/panel-settings.ts'

/** The activity layer with a store of the host. */
export interface ActivityOptions {
  readonly store: ActivityStore
}

/** The options of `createPanelAuth`: the specification's configuration and container bindings. */
export interface PanelAuthOptions<User, Presented extends JsonObject = JsonObject> {
  /** The configuration. */
  readonly config: PanelConfig
  /** The stores of sessions, logins, attempts and notifications. */
  readonly stores: Stores
  /** The host's users. */
  readonly users: UserProvider<User, Presented>
  /**
   * Sends mails. Needed by `passwords`, by `sessions`, and by users who must verify their email.
   * Default: none.
   */
  readonly mailer?: Mailer
  /** The second factor. Without it, its routes do not exist. Default: none. */
  readonly twoFactor?: TwoFactorAuthenticator<NoInfer<User>>
  /**
   * Forgotten, reset and changed passwords, and invitations. Needs `mailer`, and either `set` or
   * `setPasswordHash` of the user provider. Without it, its routes do not exist. Default: none.
   */
  readonly passwords?: AccountPasswords<User>
  /**
   * True: users can confirm that it is them, with their password or a code, and a guard can demand
   * it by `confirmedWithin`. Default: false, and its route does not exist.
   */
  readonly confirmation?: boolean
  /** Shows users their sessions. Without it, its routes do not exist. Default: none. */
  readonly sessions?: SessionOptions
  /**
   * Lets users act as others, in sessions that `openSession` opens with `by`. Without it, every
   * such call is refused, and the route does not exist. Default: none.
   */
  readonly impersonation?: Impersonation<User>
  /**
   * The latest security events of each user, on the Security page and by `auth.activityOf`. `true`
   * stores them in `stores`. Without it, its route does not exist. Default: none.
   */
  readonly activity?: true | ActivityOptions
  /** The host's own notification channels, by name. Default: none. */
  readonly channels?: Readonly<Record<string, NotificationChannel<User>>>
  /**
   * The clock of this process. Stores that several machines share provide their own time, which
   * replaces it. Default: the system time at start, carried on by a clock that does not jump.
   */
  readonly clock?: Clock
  /**
   * Receives metrics and traces: `openTelemetry()` of `@svc/auth/telemetry`, or `prometheus()` of
   * `@svc/auth/prometheus`. Default: none.
   */
  readonly telemetry?: Telemetry
  /** A logger with the interface of pino. Default: JSON lines on standard error. */
  readonly logger?: Logger
}

/**
 * The specification's configuration keys, in its spelling. Unknown keys are refused.
 *
 * @example
 * ```ts
 * const config: PanelConfig = {
 *   app: { url: 'https://panel.example.com', keys: [process.env['APP_KEY'] ?? ''] },
 *   session_auth: { stateful: ['panel.example.com'] },
 *   svc: { prefix: 'admin', panels: ['main'] },
 * }
 * ```
 */
export interface PanelConfig {
  /** The address of the panel and the application keys. */
  readonly app: {
    /** An origin without a path. Its scheme, not the request's, decides about cookies. */
    readonly url: string | ((tenant: Tenant) => string)
    /**
     * Random keys, as `openssl rand -base64 32` makes them. The first signs, all verify. To rotate,
     * put the new key first and keep the old one; with several nodes, see docs/deployment.md, "The
     * application key".
     */
    readonly keys: readonly string[]
    /**
     * Allows plain http in production for a name other than loopback. Anyone who can read the
     * network traffic can then take over sessions. Default: false.
     */
    readonly unsafe_http?: boolean
  }
  /** The domains whose requests have a session. */
  readonly session_auth: {
    /** Stateful domains: `host`, `host:port`, `*.host[:port]`, or the text of `app.url`. */
    readonly stateful: readonly string[]
  }
  /** The names of the panels, and the middleware of the host. */
  readonly svc: {
    /** The path prefix of the panels, which are at `/{prefix}/{panel}`. */
    readonly prefix: string
    /** The names of the panels. The first one is the default of links. */
    readonly panels: readonly string[]
    /** Runs before the session is resolved; the place to determine the tenant. Default: none. */
    readonly middleware?: readonly Middleware[]
    /** Runs with the user resolved, after all gates. Default: none. */
    readonly authenticated_middleware?: readonly Middleware[]
    /** The routes that change the second factor. */
    readonly two_factor?: {
      /**
       * The time, in minutes, within which the user must have confirmed that it is them before they
       * set the second factor up or turn it off. Needs `confirmation`. Default: not demanded.
       */
      readonly confirm_within?: number
    }
  }
  /** The email verification. */
  readonly auth?: {
    /** The link of the email verification. */
    readonly verification?: {
      /** Lifetime of the verification link, in minutes. Default: 60. */
      readonly expire?: number
    }
  }
  /** The lifetimes of a session. */
  readonly session?: {
    /**
     * The time without requests after which a session ends, in minutes. Default: 120, or `absolute`
     * if that is less.
     */
    readonly idle?: number
    /** The time after which a session ends in any case, in minutes. Default: 1440. */
    readonly absolute?: number
  }
  /** Networks in CIDR notation whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /**
   * The header in which the proxy names the client, such as `X-Forwarded-For`. Only for platforms
   * without sockets, such as Next.js, and only behind a proxy that sets it: otherwise a client
   * chooses its address. Default: none.
   */
  readonly address_header?: string
  /** The limits of attempts and requests, by name. */
  readonly limits?: {
    /** One limit. */
    readonly [Name in LimitName]?: {
      /**
       * The maximum number of attempts or requests in a window. The names of the limits and their
       * defaults are in docs/http-api.md, "Limits".
       */
      readonly max: number
      /** The length of the window, in seconds. */
      readonly window_seconds: number
    }
  }
  /** The ceilings of open bell streams. */
  readonly streams?: {
    /**
     * The maximum number of open bell streams of a session on a node. A further one ends the
     * oldest. Default: 8.
     */
    readonly per_session?: number
    /**
     * The maximum number of open bell streams of a user on a node. A further one ends the oldest.
     * Default: 32.
     */
    readonly per_user?: number
  }
  /** The time and the number that notifications and security events are kept for each user. */
  readonly retention?: {
    /**
     * The days that notifications are kept, read or not; `auth.prune` removes older ones. Default:
     * for ever.
     */
    readonly notification_days?: number
    /**
     * The number of notifications that are kept for each user, read or not: a further one removes
     * the oldest. At least 20, which the bell shows. Default: 1000.
     */
    readonly notification_count?: number
    /**
     * The days that the events of `activity` are kept and shown; `auth.prune` removes older ones.
     * Default: 90.
     */
    readonly activity_days?: number
  }
  /** The parameters of password hashes, and the forms of other systems. */
  readonly passwords?: {
    /** The memory of an argon2id hash, in KiB: at least 8 for each lane. Default: 19456. */
    readonly memory_kib?: number
    /** The passes of an argon2id hash. Default: 2. */
    readonly passes?: number
    /** The lanes of an argon2id hash. Default: 1. */
    readonly lanes?: number
    /**
     * The number of hashes computed at once, shared by all services of a program with the same
     * number. Default: one less than the number of cores, at least one.
     */
    readonly concurrency?: number
    /**
     * The maximum number of waiting hashes. Fewer wait when the expected wait exceeds 2.5 seconds.
     * Default: 256.
     */
    readonly queue?: number
    /**
     * The forms of hashes that another system has stored, from `@svc/auth/hashes`. They are
     * verified, and replaced at the next login. Default: none.
     */
    readonly formats?: readonly HashFormat[]
    /**
     * A stored hash of the kind that most users have, while another system's hashes are in use.
     * Refused logins then take the time of its verification, too. Default: the typical hash of each
     * format, and what logins read.
     */
    readonly typical_hash?: string
  }
  /**
   * Texts by language tag: additional languages, or replacements for the service's own texts.
   * Default: none.
   */
  readonly locales?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The pages of the panel. */
  readonly spa?: SpaOptions
  /**
   * In development, the refusal of an unlisted origin names the setting to change, and loopback
   * entries of `session_auth.stateful` also allow http. Default: development if NODE_ENV is
   * `development` or `test`, production for any other value; if NODE_ENV is not set, development
   * only when `app.url` is a loopback address.
   */
  readonly environment?: 'development' | 'production'
}
