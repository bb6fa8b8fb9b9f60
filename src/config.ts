import { z } from 'zod'
import {
  ConfigError,
  type Clock,
  type Logger,
  type Middleware,
  type Stores,
  type Tenant,
  type UserProvider,
} from './contracts.ts'
import { isLoopback } from './core/loopback.ts'
import type { PasswordOptions } from './core/passwords.ts'
import { limits, times, type LimitName, type Limits } from './rules/limits.ts'

const KEY_CHARACTERS = 32
const KEY_DISTINCT_CHARACTERS = 8

/** What `createPanelAuth` is given: the specification's configuration, and what its container binds. */
export interface PanelAuthOptions<User> {
  readonly config: PanelConfig
  readonly stores: Stores
  readonly users: UserProvider<User>
  /** Default: the system's. */
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
  /** Minutes. Default: idle 120, absolute 1440. */
  readonly session?: { readonly idle?: number; readonly absolute?: number }
  /** Networks, in CIDR notation, whose `X-Forwarded-For` is believed. Default: none. */
  readonly trusted_proxies?: readonly string[]
  /** Other numbers than those of `rules/limits.ts`, by its names. */
  readonly limits?: {
    readonly [Name in LimitName]?: { readonly max: number; readonly window_seconds: number }
  }
  /** argon2id for new hashes, and how many are computed at once and may wait. Default: 19456, 2, 1, cores − 1, 256. */
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
    /** Addresses of the host's own pages. */
    readonly links?: { readonly help?: string; readonly change_password?: string }
  }
  /**
   * In development an origin that is not listed is told which setting to change, and loopback entries of
   * `session_auth.stateful` also stand for http. Default: NODE_ENV; where that is not set, development only if
   * `app.url` is a loopback address.
   */
  readonly environment?: 'development' | 'production'
}

const positive = z.number().positive()
const whole = z.int().positive()
const callable = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)
const having = (...methods: readonly string[]) =>
  z.custom<object>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
    `must have the methods ${methods.join(', ')}`,
  )

const appKey = z
  .string()
  .min(
    KEY_CHARACTERS,
    `is too short: give at least ${KEY_CHARACTERS} random characters, as \`openssl rand -base64 32\` makes them`,
  )
  .refine(
    (key) => new Set(key).size >= KEY_DISTINCT_CHARACTERS,
    'can be guessed: give random characters, as `openssl rand -base64 32` makes them',
  )

const segment = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be one path segment of lower-case letters, digits and "-"')
const originText = z
  .string()
  .refine(isOrigin, 'must be an origin without a path, like https://panel.example.com')

const configSchema = z.strictObject({
  app: z.strictObject({
    url: z.union(
      [originText, callable],
      'must be an origin without a path, like https://panel.example.com, or a function of the tenant that gives one',
    ),
    keys: z.array(appKey).min(1, 'needs at least one key: `openssl rand -base64 32` makes one'),
  }),
  session_auth: z.strictObject({
    stateful: z
      .array(z.string())
      .min(1, 'is empty: list the domain of the panel, like panel.example.com'),
  }),
  svc: z.strictObject({
    prefix: segment,
    panels: z.array(segment).min(1, 'needs the name of at least one panel'),
    middleware: z.array(callable).optional(),
    authenticated_middleware: z.array(callable).optional(),
  }),
  session: z.strictObject({ idle: positive.optional(), absolute: positive.optional() }).optional(),
  trusted_proxies: z.array(z.string()).optional(),
  limits: z
    .strictObject(
      Object.fromEntries(
        Object.keys(limits).map((name) => [
          name,
          z.strictObject({ max: whole, window_seconds: whole }).optional(),
        ]),
      ),
    )
    .optional(),
  passwords: z
    .strictObject({
      memory_kib: whole
        .min(8)
        .max(1024 * 1024)
        .optional(),
      passes: whole.max(20).optional(),
      lanes: whole.optional(),
      concurrency: whole.optional(),
      queue: whole.optional(),
    })
    .refine(
      ({ memory_kib = 19_456, lanes = 1 }) => memory_kib >= 8 * lanes,
      'memory_kib must be at least 8 for each lane',
    )
    .optional(),
  locales: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  spa: z
    .strictObject({
      off: z.boolean().optional(),
      name: z.string().min(1).optional(),
      links: z
        .strictObject({ help: z.url().optional(), change_password: z.string().optional() })
        .optional(),
    })
    .optional(),
  environment: z.enum(['development', 'production']).optional(),
})

const optionsSchema = z.strictObject({
  config: configSchema,
  stores: z.looseObject({
    sessions: having(
      'create',
      'read',
      'touch',
      'restamp',
      'destroy',
      'destroyOthers',
      'deleteExpired',
    ),
    attempts: having('reserve', 'giveBack', 'count', 'clear', 'deleteExpired').refine(
      (store) => 'atomic' in store && store.atomic === true,
      'must say `atomic: true`: a store that cannot reserve in one atomic step must not guard logins',
    ),
  }),
  users: having('findById', 'findByEmail', 'identify', 'passwordHash'),
  clock: having('now').optional(),
  logger: having('warn', 'error').optional(),
})

/** The configuration with its defaults filled in. */
export interface Settings {
  readonly baseUrl: (tenant: Tenant) => string
  readonly keys: readonly string[]
  readonly stateful: readonly string[]
  readonly prefix: string
  readonly panels: readonly string[]
  readonly middleware: readonly Middleware[]
  readonly authenticatedMiddleware: readonly Middleware[]
  readonly lifetimes: { readonly idleMinutes: number; readonly absoluteMinutes: number }
  readonly trustedProxies: readonly string[]
  readonly limits: Limits
  readonly passwords: PasswordOptions
  readonly locales: NonNullable<PanelConfig['locales']>
  readonly spa: {
    readonly off: boolean
    readonly name: string
    readonly help: string | null
    readonly changePassword: string | null
  }
  readonly production: boolean
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {ConfigError} naming the key and the remedy.
 */
export function readOptions<User>(options: PanelAuthOptions<User>): Settings {
  const checked = optionsSchema.safeParse(options)
  if (!checked.success) throw new ConfigError(checked.error.issues.map(explain).join('\n'))
  const { app, session_auth, svc, ...config } = options.config
  const { url } = app
  return {
    baseUrl: typeof url === 'string' ? () => url : (tenant) => checkedOrigin(url(tenant)),
    keys: app.keys,
    stateful: session_auth.stateful,
    prefix: svc.prefix,
    panels: svc.panels,
    middleware: svc.middleware ?? [],
    authenticatedMiddleware: svc.authenticated_middleware ?? [],
    lifetimes: {
      idleMinutes: config.session?.idle ?? times.sessionIdleMinutes,
      absoluteMinutes: config.session?.absolute ?? times.sessionAbsoluteMinutes,
    },
    trustedProxies: config.trusted_proxies ?? [],
    limits: limitsWith(config.limits ?? {}),
    passwords: hashingOf(config.passwords ?? {}),
    locales: config.locales ?? {},
    spa: {
      off: config.spa?.off ?? false,
      name: config.spa?.name ?? 'Panel',
      help: config.spa?.links?.help ?? null,
      changePassword: config.spa?.links?.change_password ?? null,
    },
    production: isProduction(config.environment, url),
  }
}

function explain(issue: z.core.$ZodIssue): string {
  const key = issue.path.filter((part) => part !== 'config').join('.')
  if (issue.code !== 'unrecognized_keys') return `${key}: ${issue.message}`
  const names = issue.keys.map((name) => (key === '' ? name : `${key}.${name}`))
  return `${names.join(', ')}: no such option; check its spelling or leave it out`
}

function limitsWith(changed: NonNullable<PanelConfig['limits']>): Limits {
  const entries = Object.entries(changed).map(([name, { max, window_seconds }]) => [
    name,
    { max, windowSeconds: window_seconds },
  ])
  return { ...limits, ...Object.fromEntries(entries) }
}

function hashingOf({
  memory_kib,
  ...others
}: NonNullable<PanelConfig['passwords']>): PasswordOptions {
  return memory_kib === undefined ? others : { ...others, memoryKiB: memory_kib }
}

function isOrigin(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url) && new URL(url).origin === url
}

function checkedOrigin(url: string): string {
  if (isOrigin(url)) return url
  throw new Error(`app.url gave ${JSON.stringify(url)}: it must be an origin without a path`)
}

function isProduction(
  environment: PanelConfig['environment'],
  url: PanelConfig['app']['url'],
): boolean {
  const named = environment ?? process.env['NODE_ENV'] ?? ''
  if (named !== '') return named === 'production'
  return typeof url !== 'string' || !isLoopback(new URL(url).hostname)
}
