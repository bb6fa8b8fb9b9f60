import type {
  Clock,
  Logger,
  Mailer,
  Middleware,
  NotificationChannel,
  Stores,
  Tenant,
  TwoFactorAuthenticator,
  UserProvider,
} from './contracts.ts'
import type { LimitName } from './rules/limits.ts'

/** What `createPanelAuth` is given: the specification's configuration, and what its container binds. */
export interface PanelAuthOptions<User> {
  readonly config: PanelConfig
  readonly stores: Stores
  readonly users: UserProvider<User>
  /** Needed where users must verify their email. */
  readonly mailer?: Mailer
  /** Left out, the second factor does not exist. */
  readonly twoFactor?: TwoFactorAuthenticator<User>
  /** The host's own channels of notifications, by name. */
  readonly channels?: Readonly<Record<string, NotificationChannel<User>>>
  /**
   * The time of this process. Default: the system's at the start, carried on by a clock that does not jump. Stores that
   * several machines share have a time of their own, which is used in its place.
   */
  readonly clock?: Clock
  /** What pino, and anything shaped like it, is. Default: JSON lines on standard error. */
  readonly logger?: Logger
}

/** The specification's configuration keys, as it spells them. Unknown keys are refused. */
export interface PanelConfig {
  readonly app: {
    /** An origin without a path. Its scheme, not the request's, decides about cookies. */
    readonly url: string | ((tenant: Tenant) => string)
    /** At least 32 characters each. The first signs, all verify: put a new one in front to replace the old. */
    readonly keys: readonly string[]
    /**
     * Allows plain http for a name that is not loopback in production: whoever can listen on the network can take over
     * sessions. Default: false.
     */
    readonly unsafe_http?: boolean
  }
  readonly session_auth: {
    /** Stateful domains: `host`, `host:port` or `*.host[:port]`. */
    readonly stateful: readonly string[]
  }
  readonly svc: {
    /** The panels live at `/{prefix}/{panel}`. */
    readonly prefix: string
    /** The first is where links lead that name none. */
    readonly panels: readonly string[]
    /** Runs before the session is resolved; the place to identify the tenant. */
    readonly middleware?: readonly Middleware[]
    /** Runs with the user resolved, once all gates are passed. */
    readonly authenticated_middleware?: readonly Middleware[]
  }
  readonly auth?: {
    readonly verification?: {
      /** Lifetime of the verification link, in minutes. Default: 60. */
      readonly expire?: number
    }
  }
  /** Minutes. Default: idle 120, absolute 1440. */
  readonly session?: { readonly idle?: number; readonly absolute?: number }
  /** ClientNetworkOf, in CIDR notation, whose `X-Forwarded-For` is believed. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Other numbers than those of `rules/limits.ts`, by its names. */
  readonly limits?: {
    readonly [Name in LimitName]?: { readonly max: number; readonly window_seconds: number }
  }
  /**
   * How many live streams of the bell a session and a user have open at once on a node; with one more the oldest ends.
   * Default: 8 and 32.
   */
  readonly streams?: { readonly per_session?: number; readonly per_user?: number }
  /** argon2id for new hashes, and how many are computed at once and may wait at most. Default: 19456, 2, 1, cores − 1, 256. */
  readonly passwords?: {
    readonly memory_kib?: number
    readonly passes?: number
    readonly lanes?: number
    readonly concurrency?: number
    readonly queue?: number
  }
  /** Texts by language tag: further languages, or other words for the service's own. */
  readonly locales?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The pages that the service serves. */
  readonly spa?: {
    /** Serves no pages, only the API. Default: false. */
    readonly off?: boolean
    /** What the panel is called. Default: "Panel". */
    readonly name?: string
    /**
     * Path of a JavaScript module that the host serves on this site; what it exports as `pages` are pages of the
     * panel, in the order of the navigation. Default: none.
     *
     * @see `HostPages` of `@svc/auth/client`
     */
    readonly pages?: string
    /** Addresses of the host's own pages outside the panel. */
    readonly links?: { readonly help?: string; readonly change_password?: string }
  }
  /**
   * In development an origin that is not listed is told which setting to change, and loopback entries of
   * `session_auth.stateful` also stand for http. Default: NODE_ENV; where that is not set, development only if
   * `app.url` is a loopback address.
   */
  readonly environment?: 'development' | 'production'
}
