import { typicalOf } from '../core/passwords/refusal-costs.ts'
import { isLoopback } from '../core/loopback.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import { DAY_MINUTES, limits as defaultLimits, type Limit } from '../rules/limits.ts'
import { serverLanguages } from '../rules/locales/server-languages.ts'
import type { Settings } from './settings.ts'
import { optionPath, when } from './describe.ts'

/** A warning about an option that is well-formed: the key, a colon, and the remedy. */
type Warning = string

/**
 * Finds options that work but are rarely intended. They are logged once at the start.
 *
 * @returns one line for each.
 */
export function findWarnings<User>(
  options: PanelAuthOptions<User>,
  settings: Settings,
): readonly Warning[] {
  const { config, mailer, passwords } = options
  const { session, auth, locales } = settings
  return [
    environmentWarning(config.environment),
    ...(settings.production ? productionWarnings(options, settings) : []),
    lifetimeWarning('session.absolute', session.absolute, LONG_SESSION_DAYS),
    lifetimeWarning('auth.verification.expire', auth.verification.expire, LONG_LINK_DAYS),
    confirmationWarning(
      'svc.two_factor.confirm_within',
      config.svc.two_factor?.confirm_within ?? null,
    ),
    ...Object.entries(settings.limits).flatMap(limitWarnings),
    when(
      config.auth?.verification?.expire !== undefined && mailer === undefined,
      'mailer: is missing, and auth.verification.expire is set; give one',
    ),
    ...localeWarnings(locales),
    when(
      passwords === undefined && isEmpty(config.passwords),
      'config.passwords: is empty; for resets, give `passwords: {}` beside `config`',
    ),
    ...hashWarnings(settings.passwords),
  ].filter((warning) => warning !== null)
}

function isEmpty(settings: object | undefined): boolean {
  return settings !== undefined && Object.keys(settings).length === 0
}

const NODE_ENVIRONMENTS: ReadonlySet<string> = new Set(['', 'development', 'production', 'test'])

function environmentWarning(environment: string | undefined): Warning | null {
  const named = process.env['NODE_ENV'] ?? ''
  return when(
    environment === undefined && !NODE_ENVIRONMENTS.has(named),
    `environment: NODE_ENV is ${JSON.stringify(named)}, and counts as production; set "production" or "development"`,
  )
}

function productionWarnings<User>(
  { stores }: PanelAuthOptions<User>,
  { app: { url, unsafe_http: isUnsafe }, session_auth: { stateful }, passwords }: Settings,
): readonly (Warning | null)[] {
  const isPublic = typeof url !== 'string' || !isLoopback(new URL(url).hostname)
  if (!isPublic) return []
  const loopback = stateful.filter((entry) => isLoopback(entry.trim().replace(/:\d+$/, '')))
  return [
    when(
      stores.persistent === false,
      'stores: memory stores lose every session and count at a restart; use sqliteStores or postgresStores',
    ),
    ...loopback.map(
      (entry) => `session_auth.stateful: ${JSON.stringify(entry)} is for development; leave it out`,
    ),
    when(
      passwords.memoryKiB * passwords.passes < LEAST_WORK,
      `passwords: hashes of ${passwords.memoryKiB} KiB in ${passwords.passes} passes are quick to guess; leave both out`,
    ),
    when(isUnsafe, 'app.unsafe_http: anyone who reads the network traffic can take over sessions'),
  ]
}

/** The cheapest argon2id that OWASP advises: 7 MiB in 5 passes. */
const LEAST_WORK = 7 * 1024 * 5

/** Longer lifetimes are rarely intended: the number was meant in seconds. */
const LONG_SESSION_DAYS = 30
const LONG_LINK_DAYS = 7
const LONG_CONFIRMATION_DAYS = 2

/**
 * Returns a warning about a confirmation that lasts for days. Laravel gives its time in seconds,
 * and such a number would let the login count as the confirmation.
 *
 * @param minutes `null`: no confirmation is demanded.
 */
export function confirmationWarning(option: string, minutes: number | null): Warning | null {
  return minutes === null ? null : lifetimeWarning(option, minutes, LONG_CONFIRMATION_DAYS)
}

function lifetimeWarning(option: string, minutes: number, longDays: number): Warning | null {
  const days = Math.round(minutes / DAY_MINUTES)
  return when(
    minutes > longDays * DAY_MINUTES,
    `${option}: is ${minutes}, which is ${days} days; give it in minutes, and at most ${longDays} days`,
  )
}

/** A number this many times the default is rarely intended. Milliseconds are 1000 times seconds. */
const MANY_TIMES = 500

function limitWarnings([name, { max, windowSeconds }]: readonly [string, Limit]) {
  const usual: Limit = defaultLimits[name as keyof typeof defaultLimits]
  const option = optionPath(['limits', name])
  // A short window allows many attempts, too.
  const timesUsual = (max / usual.max) * Math.max(1, usual.windowSeconds / windowSeconds)
  return [
    when(
      timesUsual >= MANY_TIMES,
      `${option}.max: is ${max} in ${windowSeconds} seconds, which limits nothing; the default is ${usual.max} in ${usual.windowSeconds}`,
    ),
    when(
      windowSeconds >= usual.windowSeconds * MANY_TIMES,
      `${option}.window_seconds: is ${windowSeconds}; give it in seconds; the default is ${usual.windowSeconds}`,
    ),
  ]
}

function localeWarnings(locales: Settings['locales']): readonly Warning[] {
  return Object.entries(locales).flatMap(([tag, texts]) =>
    Object.keys(texts)
      .filter((key) => !(withoutPlural(key) in KNOWN_TEXTS))
      .map(
        (key) =>
          `${optionPath(['locales', tag])}: has a text for ${key}, which nothing shows; check its spelling`,
      ),
  )
}

const PLURAL = /_(?:zero|one|two|few|many|other)$/
const withoutPlural = (key: string): string => key.replace(PLURAL, '')
const KNOWN_TEXTS = Object.fromEntries(
  Object.keys(serverLanguages.en).map((key) => [withoutPlural(key), true]),
)

function hashWarnings(passwords: Settings['passwords']): readonly Warning[] {
  if (passwords.typicalHash !== null) return []
  return passwords.formats
    .filter((format) => typicalOf(format, passwords) === null)
    .map(
      ({ name }) =>
        `passwords.typical_hash: is missing, so the time of refusals tells which emails have the format ${name}; copy one of their stored hashes`,
    )
}
