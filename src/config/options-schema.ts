import * as v from 'valibot'
import type { Middleware, Tenant } from '../contracts.ts'
import { defaultConcurrency } from '../core/passwords/passwords.ts'
import { hashing, limits, streams, times, type LimitName } from '../rules/limits.ts'
import { callable, dictionary, group, having, loose } from './option-types.ts'

/*
 * The only home of the types, defaults and bounds of the options. docs/options.md is generated from
 * it; tests compare it with the interface and the docstrings of options.ts.
 */

const KEY_CHARACTERS = 32
const KEY_DISTINCT_CHARACTERS = 8

const MAX_MINUTES = 10 * 366 * 24 * 60
const MAX_WINDOW_SECONDS = 366 * 24 * 60 * 60
const MAX_ATTEMPTS = 1_000_000
const MAX_STREAMS = 10_000

const positive = v.gtValue<number, 0, string>(0, 'Too small: expected number to be >0')
const atMost = <const Max extends number>(max: Max) =>
  v.maxValue<number, Max, string>(max, `Too big: expected number to be <=${max}`)
const minutes = v.pipe(v.number(), positive, atMost(MAX_MINUTES))
const whole = v.pipe(
  v.number(),
  v.safeInteger('Invalid input: expected int, received number'),
  positive,
)

const appKey = v.pipe(
  v.string(),
  v.minLength(
    KEY_CHARACTERS,
    `is too short: give at least ${KEY_CHARACTERS} random characters, as \`openssl rand -base64 32\` makes them`,
  ),
  v.check(
    (key) => key === key.trim(),
    'has white space around it, which another node may not have: trim it',
  ),
  v.check(
    isHardToGuess,
    'can be guessed: give random characters, as `openssl rand -base64 32` makes them',
  ),
)

const segment = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9-]*$/, 'must be one path segment of lower-case letters, digits and "-"'),
)

const ORIGIN = 'must be an origin without a path, like https://panel.example.com'

const limit = group({
  max: v.pipe(whole, atMost(MAX_ATTEMPTS)),
  window_seconds: v.pipe(whole, atMost(MAX_WINDOW_SECONDS)),
})

/** One entry per limit. `Object.fromEntries` forgets the names. */
const limitEntries = Object.fromEntries(
  Object.entries(limits).map(([name, { max, windowSeconds }]) => [
    name,
    v.optional(limit, { max, window_seconds: windowSeconds }),
  ]),
) as { readonly [Name in LimitName]: v.OptionalSchema<typeof limit, v.InferInput<typeof limit>> }

const passwords = v.pipe(
  group({
    memory_kib: v.optional(
      v.pipe(
        whole,
        v.minValue(
          hashing.minMemoryKiB,
          `Too small: expected number to be >=${hashing.minMemoryKiB}`,
        ),
        atMost(hashing.maxMemoryKiB),
      ),
      hashing.memoryKiB,
    ),
    passes: v.optional(v.pipe(whole, atMost(hashing.maxPasses)), hashing.passes),
    lanes: v.optional(whole, hashing.lanes),
    concurrency: v.optional(whole, defaultConcurrency),
    queue: v.optional(whole, hashing.queue),
  }),
  v.check(
    ({ memory_kib, lanes }) => memory_kib >= hashing.minMemoryKiB * lanes,
    `memory_kib must be at least ${hashing.minMemoryKiB} for each lane`,
  ),
)

const spa = group({
  off: v.optional(v.boolean(), false),
  name: v.optional(
    v.pipe(v.string(), v.minLength(1, 'Too small: expected string to have >=1 characters')),
    'Panel',
  ),
  pages: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/(?![/\\])/, 'must be a path of this site that begins with one slash'),
    ),
  ),
  links: v.optional(
    group({
      help: v.optional(v.pipe(v.string(), v.url('Invalid URL'))),
      change_password: v.optional(v.string()),
    }),
    {},
  ),
})

/** The key `config` of the options. */
export const configSchema = group({
  app: group({
    url: v.union(
      [v.pipe(v.string(), v.check(isOrigin, ORIGIN)), callable<(tenant: Tenant) => string>()],
      `${ORIGIN}, or a function of the tenant that returns one`,
    ),
    keys: v.pipe(
      v.array(appKey),
      v.minLength(1, 'needs at least one key: `openssl rand -base64 32` makes one'),
    ),
    unsafe_http: v.optional(v.boolean(), false),
  }),
  session_auth: group({
    stateful: v.pipe(
      v.array(v.string()),
      v.minLength(1, 'is empty: list the domain of the panel, like panel.example.com'),
    ),
  }),
  svc: group({
    prefix: segment,
    panels: v.pipe(v.array(segment), v.minLength(1, 'needs the name of at least one panel')),
    middleware: v.optional(v.array(callable<Middleware>()), []),
    authenticated_middleware: v.optional(v.array(callable<Middleware>()), []),
  }),
  auth: v.optional(
    group({
      verification: v.optional(
        group({
          expire: v.optional(v.pipe(whole, atMost(MAX_MINUTES)), times.verificationMinutes),
        }),
        {},
      ),
    }),
    {},
  ),
  session: v.optional(
    group({
      idle: v.optional(minutes, times.sessionIdleMinutes),
      absolute: v.optional(minutes, times.sessionAbsoluteMinutes),
    }),
    {},
  ),
  trusted_proxies: v.optional(v.array(v.string()), []),
  address_header: v.optional(
    v.pipe(v.string(), v.regex(/^[\w-]+$/, 'must be the name of a header, like X-Forwarded-For')),
  ),
  limits: v.optional(group(limitEntries), {}),
  streams: v.optional(
    group({
      per_session: v.optional(v.pipe(whole, atMost(MAX_STREAMS)), streams.perSession),
      per_user: v.optional(v.pipe(whole, atMost(MAX_STREAMS)), streams.perUser),
    }),
    {},
  ),
  passwords: v.optional(passwords, {}),
  locales: v.optional(dictionary(dictionary(v.string())), {}),
  spa: v.optional(spa, {}),
  environment: v.optional(
    v.picklist(
      ['development', 'production'],
      'Invalid option: expected one of "development"|"production"',
    ),
  ),
})

const storeEntries = {
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
  attempts: v.pipe(
    having('reserve', 'release', 'count', 'clear', 'deleteExpired'),
    v.check(
      (store) => 'atomic' in store && store.atomic === true,
      'must say `atomic: true`: a store that cannot reserve in one atomic step must not guard logins',
    ),
  ),
}

/** The options of `createPanelAuth`. */
export const optionsSchema = group({
  config: configSchema,
  stores: loose(storeEntries),
  users: having('findById', 'findByEmail', 'identify', 'passwordHash'),
  mailer: v.optional(having('send')),
  twoFactor: v.optional(
    having(
      'isEnabledFor',
      'isRequiredFor',
      'verify',
      'newSecret',
      'qrCode',
      'verifySetup',
      'enable',
      'disable',
    ),
  ),
  channels: v.optional(dictionary(callable<(...args: never[]) => unknown>())),
  clock: v.optional(having('now')),
  logger: v.optional(having('warn', 'error')),
})

/** Returns whether a URL is an origin without a path. */
export function isOrigin(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url) && new URL(url).origin === url
}

const PLACEHOLDER = /change.?me|replace.?(?:me|this)|your.?(?:app.?)?(?:key|secret)|placeholder/i

function isHardToGuess(key: string): boolean {
  const isRepeated = /^(.{1,16})\1+$/s.test(key)
  return !isRepeated && !PLACEHOLDER.test(key) && new Set(key).size >= KEY_DISTINCT_CHARACTERS
}
