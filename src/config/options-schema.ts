import * as v from 'valibot'
import type { Middleware, Tenant } from '../contracts/host.ts'
import type { HashFormat } from '../contracts/hash-format.ts'
import {
  accountPasswords,
  clock,
  impersonation,
  logger,
  mailer,
} from '../core/boundary/checked-host.ts'
import { activityStore } from '../core/boundary/checked-stores.ts'
import { userProvider } from '../core/boundary/checked-users.ts'
import { twoFactor, twoFactorDevices } from '../core/boundary/two-factor-contract.ts'
import { readStoredHash } from '../core/passwords/password-hashes.ts'
import { defaultConcurrency } from '../core/passwords/passwords.ts'
import { hashing, limits, streams, times, type Limit, type LimitName } from '../rules/limits.ts'
import { retention } from './retention-schema.ts'
import { describeSegment, describeUrl, isUrlOption } from './addresses.ts'
import { describeGiven, describeText } from './describe.ts'
import { having, ifFunction, implementing, isPart, mailerRemedy } from './host-parts.ts'
import { appKey } from './app-keys.ts'
import { callable, dictionary, flag, group, list, positive, whole } from './option-types.ts'
import { spa } from './spa-schema.ts'
import { storesSchema } from './stores-schema.ts'
import { telemetry } from './telemetry-schema.ts'

/*
 * The only home of the types, defaults and bounds of the options. docs/options.md is generated from
 * it; tests compare it with the interface and the docstrings of options.ts.
 */

const MAX_MINUTES = 10 * 366 * 24 * 60
const MAX_WINDOW_SECONDS = 366 * 24 * 60 * 60
const MAX_ATTEMPTS = 1_000_000
const MAX_STREAMS = 10_000
/** Nobody misses a session or a device for longer than three months. */
const MAX_KEPT_DAYS = 90

const minutes = positive({ of: 'minutes', max: MAX_MINUTES })
const streamCount = whole({ of: 'streams', max: MAX_STREAMS })

/** Not one that clients send for another purpose: each would choose whose attempts count. */
const ADDRESS_HEADER =
  /^(?!(forwarded|accept.*|auth.+|cache-.+|content-.+|cookie|from|host|if-.+|origin|pragma|range|referer|sec-.+|te|user-agent|via|x-forwarded-[hp].+|x-requested-.+|x-[cx]srf-.+)$)[\w-]+$/i

const segment = (example: string) =>
  v.pipe(
    v.string(({ input }) => describeSegment(input, example)),
    v.regex(/^[a-z0-9][a-z0-9-]*$/, ({ input }) => describeSegment(input, example)),
  )

const middleware = v.custom<Middleware>(
  (value) => typeof value === 'function' && value.length < 3,
  ({ input }) =>
    typeof input === 'function'
      ? 'takes more than (context, next): a middleware of Express does not fit'
      : `${describeGiven(input)}; it must be a function of (context, next)`,
)
const middlewares = list('[identifyTenant]', middleware)

const limit = v.pipe(
  group('{ max: 5, window_seconds: 60 }', {
    max: whole({ of: 'attempts or requests', max: MAX_ATTEMPTS }),
    window_seconds: whole({ of: 'seconds', max: MAX_WINDOW_SECONDS }),
  }),
  v.transform(({ max, window_seconds: windowSeconds }): Limit => ({ max, windowSeconds })),
)

/** One entry per limit. `Object.fromEntries` forgets the names. */
const limitEntries = Object.fromEntries(
  Object.entries(limits).map(([name, { max, windowSeconds }]) => [
    name,
    v.optional(limit, { max, window_seconds: windowSeconds }),
  ]),
) as { readonly [Name in LimitName]: v.OptionalSchema<typeof limit, v.InferInput<typeof limit>> }

const hashFormat = having<HashFormat>({
  required: ['read'],
  optional: ['prepare'],
  synchronous: ['read', 'prepare'],
})

const passwords = v.pipe(
  group('{ memory_kib: 19456, passes: 2 }', {
    memory_kib: v.optional(whole({ of: 'KiB', max: hashing.maxMemoryKiB }), hashing.memoryKiB),
    passes: v.optional(whole({ of: 'passes', max: hashing.maxPasses }), hashing.passes),
    lanes: v.optional(whole({ of: 'lanes', max: hashing.maxLanes }), hashing.lanes),
    concurrency: v.optional(
      whole({ of: 'hashes at once', max: hashing.maxConcurrency }),
      defaultConcurrency,
    ),
    queue: v.optional(whole({ of: 'waiting hashes', max: hashing.maxQueue }), hashing.queue),
    formats: v.optional(list('[django]', hashFormat), []),
    typical_hash: v.optional(v.string()),
  }),
  v.forward(
    v.check(
      ({ memory_kib, lanes }) => memory_kib >= hashing.minMemoryKiB * lanes,
      `is too small for so many lanes; it must be at least ${hashing.minMemoryKiB} for each lane`,
    ),
    ['memory_kib'],
  ),
  v.forward(
    v.check(
      ({ memory_kib, passes }) => memory_kib * passes <= hashing.maxWorkKiB,
      `would make a hash take seconds; memory_kib times passes must be at most ${hashing.maxWorkKiB}`,
    ),
    ['memory_kib'],
  ),
  v.forward(
    v.check(
      ({ typical_hash, formats }) =>
        typical_hash === undefined || readStoredHash(typical_hash, hashing, formats) !== null,
      'cannot be read; copy a stored hash of your users table, and name its format in formats',
    ),
    ['typical_hash'],
  ),
  v.transform(({ memory_kib: memoryKiB, typical_hash: typicalHash = null, ...others }) => ({
    ...others,
    memoryKiB,
    typicalHash,
  })),
)

/** The key `config` of the options. */
export const configSchema = group('{ app, session_auth, svc }', {
  app: group('{ url: "https://panel.example.com", keys: [process.env.APP_KEY] }', {
    url: v.custom<string | ((tenant: Tenant) => string)>(isUrlOption, ({ input }) =>
      describeUrl(input),
    ),
    keys: v.pipe(
      list('[process.env.APP_KEY], with a key of `openssl rand -base64 32`', appKey),
      v.minLength(1, 'is empty; give at least one key: `openssl rand -base64 32` makes one'),
    ),
    unsafe_http: v.optional(flag(), false),
  }),
  session_auth: group('{ stateful: ["panel.example.com"] }', {
    stateful: v.pipe(
      list(
        '["panel.example.com"]',
        v.string(
          ({ input }) =>
            `${describeGiven(input)}; it must be a host, like "panel.example.com": is the variable of the environment set?`,
        ),
      ),
      v.minLength(1, 'is empty; list the domain of the panel, like panel.example.com'),
    ),
  }),
  svc: group('{ prefix: "admin", panels: ["main"] }', {
    prefix: segment('admin'),
    panels: v.pipe(
      list('["main"]', segment('main')),
      v.minLength(1, 'is empty; name at least one panel, like ["main"]'),
    ),
    middleware: v.optional(middlewares, []),
    authenticated_middleware: v.optional(middlewares, []),
    two_factor: v.optional(
      group('{ confirm_within: 15 }', { confirm_within: v.optional(minutes) }),
      {},
    ),
  }),
  auth: v.optional(
    group('{ verification: { expire: 60 } }', {
      verification: v.optional(
        group('{ expire: 60 }', {
          expire: v.optional(whole({ of: 'minutes', max: MAX_MINUTES }), times.verificationMinutes),
        }),
        {},
      ),
    }),
    {},
  ),
  session: v.optional(
    group('{ idle: 120, absolute: 1440 }', {
      idle: v.optional(minutes, times.sessionIdleMinutes),
      absolute: v.optional(minutes, times.sessionAbsoluteMinutes),
    }),
    {},
  ),
  trusted_proxies: v.optional(list('["10.0.0.0/8"]', v.string()), []),
  address_header: v.optional(
    v.pipe(
      v.string(
        ({ input }) => `${describeGiven(input)}; it must name one header, like "X-Forwarded-For"`,
      ),
      v.regex(
        ADDRESS_HEADER,
        ({ input }) =>
          `${describeText(input)}; it must name the header of addresses of your proxy, like "X-Forwarded-For" (Forwarded of RFC 7239 is not read)`,
      ),
      v.toLowerCase(),
    ),
  ),
  limits: v.optional(group('{ login: { max: 10, window_seconds: 60 } }', limitEntries), {}),
  streams: v.optional(
    v.pipe(
      group('{ per_session: 8 }', {
        per_session: v.optional(streamCount, streams.perSession),
        per_user: v.optional(streamCount, streams.perUser),
      }),
      v.transform(({ per_session: perSession, per_user: perUser }) => ({
        perSession,
        perUser,
        perNode: streams.perNode,
      })),
    ),
    {},
  ),
  retention: v.optional(retention, {}),
  passwords: v.optional(passwords, {}),
  locales: v.optional(
    dictionary(
      '{ de: { "svc::auth.failed": "…" } }',
      dictionary('an object of texts by message key', v.string()),
    ),
    {},
  ),
  spa: v.optional(spa, {}),
  environment: v.optional(
    v.picklist(['development', 'production'], ({ input }) => describeEnvironment(input)),
  ),
})

function describeEnvironment(value: unknown): string {
  const given = typeof value === 'string' ? value.toLowerCase() : ''
  const meant = ['development', 'production'].find(
    (one) => given !== '' && (one.startsWith(given) || given.startsWith(one)),
  )
  const expected = 'it must be "development" or "production"'
  if (meant === undefined) return `${describeGiven(value)}; ${expected}, or leave it out`
  return `is ${JSON.stringify(value)}; ${expected}: write "${meant}"`
}

const activity = v.lazy((given) =>
  isPart(given)
    ? group('{ store }', { store: implementing(activityStore) })
    : v.literal(
        true,
        ({ input }) => `${describeGiven(input)}; give true, { store }, or leave it out`,
      ),
)

const authenticator = v.pipe(
  implementing(twoFactor),
  v.check(
    ({ devices }) => devices === undefined || v.is(implementing(twoFactorDevices), devices),
    'devices must have the methods list, add and remove, or be left out',
  ),
)

const lifetime = group('{ days: 30 }', { days: whole({ of: 'days', max: MAX_KEPT_DAYS }) })

/** The options of `createPanelAuth`. */
export const optionsSchema = group('{ config, stores, users }', {
  config: configSchema,
  stores: storesSchema,
  users: implementing(userProvider),
  mailer: v.optional(implementing(mailer, mailerRemedy)),
  twoFactor: v.optional(authenticator),
  passwords: v.optional(
    implementing(accountPasswords, (value) =>
      value === true ? 'give {} or { set, allows }' : null,
    ),
  ),
  confirmation: v.optional(flag()),
  sessions: v.optional(
    group('{ devices: true }', {
      devices: v.optional(flag()),
      remember: v.optional(lifetime),
      trusted: v.optional(lifetime),
    }),
  ),
  impersonation: v.optional(implementing(impersonation)),
  activity: v.optional(activity),
  channels: v.optional(
    dictionary(
      '{ sms: async (user, notification) => {} }, with functions by name',
      callable<(...args: never[]) => unknown>(),
    ),
  ),
  clock: v.optional(
    implementing(clock, ifFunction('give an object, like { now: () => Date.now() }')),
  ),
  telemetry: v.optional(implementing(telemetry)),
  logger: v.optional(
    implementing(logger, ifFunction('give an object with the methods warn, error')),
  ),
})
