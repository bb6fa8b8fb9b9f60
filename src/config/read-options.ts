import * as v from 'valibot'
import { ConfigError } from '../contracts/errors.ts'
import { isLoopback } from '../core/loopback.ts'
import { describeUrl, isOrigin } from './addresses.ts'
import { describeFault } from './option-types.ts'
import { optionsSchema, type configSchema } from './options-schema.ts'
import { describeUnknown, keysOf, pathOf } from './unknown-options.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import { streams, type Limits } from '../rules/limits.ts'
import type { Settings } from './settings.ts'
import { findContradictions, refuseUrl } from './start-checks.ts'

/** The configuration with the defaults of the schema. */
type Config = v.InferOutput<typeof configSchema>

/**
 * Checks the options and fills in the defaults.
 *
 * @throws {ConfigError} names the key and the remedy.
 */
export function readOptions<User>(options: PanelAuthOptions<User>): Settings {
  const checked = v.safeParse(optionsSchema, options, ALL_FAULTS)
  if (!checked.success)
    throw new ConfigError([...new Set(checked.issues.flatMap(explain))].join('\n'))
  const settings = settingsOf(checked.output.config)
  const contradictions = findContradictions(options, settings)
  if (contradictions.length > 0) throw new ConfigError(contradictions.join('\n'))
  return settings
}

// All are given because the host may use Valibot, too, and change its defaults.
const ALL_FAULTS = { message: describeFault, abortEarly: false, abortPipeEarly: false } as const

function settingsOf({ app, session_auth, svc, session, spa, ...config }: Config): Settings {
  const { url } = app
  const safety = {
    production: isProduction(config.environment, url),
    unsafeHttp: app.unsafe_http,
  }
  const { memory_kib: memoryKiB, typical_hash: typicalHash, ...hashing } = config.passwords
  return {
    ...safety,
    baseUrl: typeof url === 'string' ? () => url : (tenant) => checkedUrl(url(tenant), safety),
    keys: app.keys,
    stateful: session_auth.stateful,
    prefix: svc.prefix,
    panels: svc.panels,
    middleware: svc.middleware,
    authenticatedMiddleware: svc.authenticated_middleware,
    lifetimes: {
      // Shortens only the default: an idle time that is longer than `absolute` is refused.
      idleMinutes: Math.min(session.idle, session.absolute),
      absoluteMinutes: session.absolute,
    },
    verificationMinutes: config.auth.verification.expire,
    trustedProxies: config.trusted_proxies,
    addressHeader: config.address_header?.toLowerCase() ?? null,
    limits: limitsOf(config.limits),
    streams: streamLimitsOf(config.streams),
    passwords: { ...hashing, memoryKiB, typicalHash: typicalHash ?? null },
    locales: config.locales,
    spa: {
      off: spa.off,
      changePassword: spa.links.change_password ?? null,
      page: {
        name: spa.name,
        help: spa.links.help ?? null,
        pagesModule: spa.pages ?? null,
        resetPassword: spa.links.reset_password ?? null,
        codeDigits: spa.code_digits ?? null,
      },
    },
  }
}

function streamLimitsOf({ per_session, per_user }: Config['streams']): Settings['streams'] {
  return { perSession: per_session, perUser: per_user, perNode: streams.perNode }
}

/** Returns the lines of the message about a fault. */
function explain({ type, expected, path, message }: v.BaseIssue<unknown>): readonly string[] {
  const keys = path?.map(({ key }) => key) ?? []
  if (type === 'strict_object' && expected === 'never') {
    const above = keys.slice(0, -1).map(String)
    return describeUnknown(path?.at(-1)?.input, above, keysOf(optionsSchema))
  }
  return [`${keys.length === 0 ? 'createPanelAuth' : pathOf(keys)}: ${message}`]
}

function limitsOf(config: Config['limits']): Limits {
  const entries = Object.entries(config).map(([name, { max, window_seconds }]) => [
    name,
    { max, windowSeconds: window_seconds },
  ])
  return Object.fromEntries(entries) as Limits
}

function checkedUrl(url: string, safety: Pick<Settings, 'production' | 'unsafeHttp'>): string {
  if (!isOrigin(url)) throw new Error(`app.url: what the function returns ${describeUrl(url)}`)
  const complaint = refuseUrl(url, safety)
  if (complaint !== null) throw new Error(complaint)
  return url
}

/**
 * Returns whether the rules of production apply. Of the values of NODE_ENV only `development` and
 * `test` relax them: `prod` or `staging` must not.
 */
function isProduction(environment: Config['environment'], url: Config['app']['url']): boolean {
  const named = environment ?? process.env['NODE_ENV'] ?? ''
  if (named !== '') return named !== 'development' && named !== 'test'
  return typeof url !== 'string' || !isLoopback(new URL(url).hostname)
}
