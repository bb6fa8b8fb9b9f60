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

/** The options of `createPanelAuth`: the specification's configuration and container bindings. */
export interface PanelAuthOptions<User> {
  readonly config: PanelConfig
  readonly stores: Stores
  readonly users: UserProvider<User>
  /** Required when users must verify their email. */
  readonly mailer?: Mailer
  /** Omit it, and the second factor does not exist. */
  readonly twoFactor?: TwoFactorAuthenticator<User>
  /** The host's own notification channels, by name. */
  readonly channels?: Readonly<Record<string, NotificationChannel<User>>>
  /**
   * The clock of this process. Default: the system time at start, carried on by a clock that does
   * not jump. Stores that several machines share provide their own time, which replaces it.
   */
  readonly clock?: Clock
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
  readonly app: {
    /** An origin without a path. Its scheme, not the request's, decides about cookies. */
    readonly url: string | ((tenant: Tenant) => string)
    /**
     * At least 32 characters each. The first signs, all verify. To rotate, put the new key first
     * and keep the old one.
     */
    readonly keys: readonly string[]
    /**
     * Allows plain http in production for a name other than loopback. Anyone who can read the
     * network traffic can then take over sessions. Default: false.
     */
    readonly unsafe_http?: boolean
  }
  readonly session_auth: {
    /** Stateful domains: `host`, `host:port` or `*.host[:port]`. */
    readonly stateful: readonly string[]
  }
  readonly svc: {
    /** The path prefix of the panels, which are at `/{prefix}/{panel}`. */
    readonly prefix: string
    /** The names of the panels. The first one is the default of links. */
    readonly panels: readonly string[]
    /** Runs before the session is resolved; the place to determine the tenant. */
    readonly middleware?: readonly Middleware[]
    /** Runs with the user resolved, after all gates. */
    readonly authenticated_middleware?: readonly Middleware[]
  }
  readonly auth?: {
    readonly verification?: {
      /** Lifetime of the verification link, in minutes. Default: 60. */
      readonly expire?: number
    }
  }
  /** Session lifetimes in minutes. Default: idle 120, absolute 1440. */
  readonly session?: { readonly idle?: number; readonly absolute?: number }
  /** Networks in CIDR notation whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Limits that replace those of `rules/limits.ts`, by the same names. */
  readonly limits?: {
    readonly [Name in LimitName]?: { readonly max: number; readonly window_seconds: number }
  }
  /**
   * The maximum number of open bell streams of a session and of a user on a node; a further one
   * ends the oldest. Default: 8 and 32.
   */
  readonly streams?: { readonly per_session?: number; readonly per_user?: number }
  /**
   * The argon2id parameters of new hashes, and the maximum numbers of concurrent and waiting
   * hashes. Default: 19456, 2, 1, cores − 1, 256.
   */
  readonly passwords?: {
    readonly memory_kib?: number
    readonly passes?: number
    readonly lanes?: number
    readonly concurrency?: number
    readonly queue?: number
  }
  /** Texts by language tag: additional languages, or replacements for the service's own texts. */
  readonly locales?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The pages that the service serves. */
  readonly spa?: {
    /** Serves only the API and no pages. Default: false. */
    readonly off?: boolean
    /** The name of the panel. Default: "Panel". */
    readonly name?: string
    /**
     * The path of a JavaScript module that the host serves on this site. Its export `pages` adds
     * pages to the panel, in the order of the navigation. Default: none.
     *
     * @see `HostPages` of `@svc/auth/client`
     */
    readonly pages?: string
    /** Addresses of the host's own pages outside the panel. */
    readonly links?: { readonly help?: string; readonly change_password?: string }
  }
  /**
   * In development, the refusal of an unlisted origin names the setting to change, and loopback
   * entries of `session_auth.stateful` also allow http. Default: NODE_ENV; if that is not set,
   * development only when `app.url` is a loopback address.
   */
  readonly environment?: 'development' | 'production'
}
