import { z } from 'zod'
import { ConfigError } from './errors.ts'
import { isLoopback } from './core/loopback.ts'
import type { PasswordOptions } from './core/passwords/passwords.ts'
import type { PanelAuthOptions, PanelConfig } from './options.ts'
import { limits, streams, times, type Limits } from './rules/limits.ts'
import type { Settings } from './settings.ts'
import { findContradictions, refuseUrl } from './start-checks.ts'

const KEY_CHARACTERS = 32
const KEY_DISTINCT_CHARACTERS = 8

const MOST_MINUTES = 10 * 366 * 24 * 60
const MOST_WINDOW_SECONDS = 366 * 24 * 60 * 60
const MOST_ATTEMPTS = 1_000_000
const MOST_STREAMS = 10_000

const minutes = z.number().positive().max(MOST_MINUTES)
const whole = z.int().positive()
const callable = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
)
const having = (...methods: readonly string[]) =>
  z.custom<object>(
    (value) =>
      (typeof value === 'object' || typeof value === 'function') &&
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
    (key) => key === key.trim(),
    'has white space around it, which another node may not have: trim it',
  )
  .refine(
    isHardToGuess,
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
      'must be an origin without a path, like https://panel.example.com, or a function of the tenant that returns one',
    ),
    keys: z.array(appKey).min(1, 'needs at least one key: `openssl rand -base64 32` makes one'),
    unsafe_http: z.boolean().optional(),
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
  auth: z
    .strictObject({
      verification: z.strictObject({ expire: whole.max(MOST_MINUTES).optional() }).optional(),
    })
    .optional(),
  session: z.strictObject({ idle: minutes.optional(), absolute: minutes.optional() }).optional(),
  trusted_proxies: z.array(z.string()).optional(),
  limits: z
    .strictObject(
      Object.fromEntries(
        Object.keys(limits).map((name) => [
          name,
          z
            .strictObject({
              max: whole.max(MOST_ATTEMPTS),
              window_seconds: whole.max(MOST_WINDOW_SECONDS),
            })
            .optional(),
        ]),
      ),
    )
    .optional(),
  streams: z
    .strictObject({
      per_session: whole.max(MOST_STREAMS).optional(),
      per_user: whole.max(MOST_STREAMS).optional(),
    })
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
      pages: z
        .string()
        .regex(/^\/(?![/\\])/, 'must be a path of this site that begins with one slash')
        .optional(),
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
      'update',
      'restamp',
      'destroy',
      'destroyOthers',
      'deleteExpired',
    ),
    pendingLogins: having('create', 'read', 'consume', 'destroy', 'destroyOf', 'deleteExpired'),
    notifications: having('add', 'latest', 'unreadCount', 'markRead', 'markAllRead', 'deleteOlder'),
    bus: having('publish', 'subscribe'),
    attempts: having('reserve', 'release', 'count', 'clear', 'deleteExpired').refine(
      (store) => 'atomic' in store && store.atomic === true,
      'must say `atomic: true`: a store that cannot reserve in one atomic step must not guard logins',
    ),
  }),
  users: having('findById', 'findByEmail', 'identify', 'passwordHash'),
  mailer: having('send').optional(),
  twoFactor: having(
    'isEnabledFor',
    'isRequiredFor',
    'verify',
    'newSecret',
    'qrCode',
    'verifySetup',
    'enable',
    'disable',
  ).optional(),
  channels: z.record(z.string(), callable).optional(),
  clock: having('now').optional(),
  logger: having('warn', 'error').optional(),
})

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {ConfigError} names the key and the remedy.
 */
export function readOptions<User>(options: PanelAuthOptions<User>): Settings {
  const checked = optionsSchema.safeParse(options)
  if (!checked.success) throw new ConfigError(checked.error.issues.map(explain).join('\n'))
  const settings = settingsOf(options.config)
  const contradictions = findContradictions(options, settings)
  if (contradictions.length > 0) throw new ConfigError(contradictions.join('\n'))
  return settings
}

function settingsOf({ app, session_auth, svc, ...config }: PanelConfig): Settings {
  const { url } = app
  const safety = {
    production: isProduction(config.environment, url),
    unsafeHttp: app.unsafe_http ?? false,
  }
  const absoluteMinutes = config.session?.absolute ?? times.sessionAbsoluteMinutes
  return {
    ...safety,
    baseUrl: typeof url === 'string' ? () => url : (tenant) => checkedUrl(url(tenant), safety),
    keys: app.keys,
    stateful: session_auth.stateful,
    prefix: svc.prefix,
    panels: svc.panels,
    middleware: svc.middleware ?? [],
    authenticatedMiddleware: svc.authenticated_middleware ?? [],
    lifetimes: {
      idleMinutes: config.session?.idle ?? Math.min(times.sessionIdleMinutes, absoluteMinutes),
      absoluteMinutes,
    },
    verificationMinutes: config.auth?.verification?.expire ?? times.verificationMinutes,
    trustedProxies: config.trusted_proxies ?? [],
    limits: limitsWith(config.limits ?? {}),
    streams: {
      perSession: config.streams?.per_session ?? streams.perSession,
      perUser: config.streams?.per_user ?? streams.perUser,
    },
    passwords: hashingOf(config.passwords ?? {}),
    locales: config.locales ?? {},
    spa: {
      off: config.spa?.off ?? false,
      name: config.spa?.name ?? 'Panel',
      help: config.spa?.links?.help ?? null,
      pages: config.spa?.pages ?? null,
      changePassword: config.spa?.links?.change_password ?? null,
    },
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

function checkedUrl(url: string, safety: Pick<Settings, 'production' | 'unsafeHttp'>): string {
  if (!isOrigin(url)) {
    throw new Error(`app.url gave ${JSON.stringify(url)}: it must be an origin without a path`)
  }
  const complaint = refuseUrl(url, safety)
  if (complaint !== null) throw new Error(complaint)
  return url
}

const PLACEHOLDER = /change.?me|replace.?(?:me|this)|your.?(?:app.?)?(?:key|secret)|placeholder/i

function isHardToGuess(key: string): boolean {
  const isRepeated = /^(.{1,16})\1+$/s.test(key)
  return !isRepeated && !PLACEHOLDER.test(key) && new Set(key).size >= KEY_DISTINCT_CHARACTERS
}

function isProduction(
  environment: PanelConfig['environment'],
  url: PanelConfig['app']['url'],
): boolean {
  const named = environment ?? process.env['NODE_ENV'] ?? ''
  if (named !== '') return named === 'production'
  return typeof url !== 'string' || !isLoopback(new URL(url).hostname)
}
