import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mount as mountFetch } from './adapters/fetch.ts'
import { readOptions } from './config/read-options.ts'
import type { Logger, PlainReply, PlainRequest, Tenant } from './contracts.ts'
import type { PanelAuth } from './service-contract.ts'
import { ConfigError } from './errors.ts'
import { createAccountCeiling } from './core/login/account-ceiling.ts'
import { createUserResolver } from './core/sessions/resolve-user.ts'
import { createChangeNotifier } from './core/change-notifier.ts'
import { createAttempts } from './core/attempts.ts'
import { createCsrf } from './core/sessions/csrf.ts'
import { signerFor, type Signer } from './core/crypto.ts'
import { mapAwaitable } from './core/timeouts.ts'
import { createCheckedUsers } from './core/checked-users.ts'
import { createVerification } from './core/email/email-verification.ts'
import { createDevices } from './core/login/devices.ts'
import { createEvents } from './core/events.ts'
import { createCheckedAuthenticator } from './core/second-factor/checked-authenticator.ts'
import { createHealth } from './core/health.ts'
import { createKeyCheck } from './core/key-check.ts'
import { createLoginCode } from './core/login/login-code.ts'
import { createLogin, type Login } from './core/login/login.ts'
import { createBellSubscriptions } from './core/bell/subscriptions.ts'
import { createBell, type Bell } from './core/bell/notifications.ts'
import { createPasswords, type Passwords } from './core/passwords/passwords.ts'
import { prune } from './core/prune.ts'
import { createPendingLogins, type PendingLogins } from './core/login/pending-logins.ts'
import { sealerFor } from './core/second-factor/sealed.ts'
import { createSemaphore } from './core/semaphore.ts'
import { createSessions } from './core/sessions/sessions.ts'
import { createSharedClock } from './core/shared-clock.ts'
import { steadyClock } from './core/steady-clock.ts'
import { createTouchFailures } from './core/sessions/touch-failures.ts'
import { createSecurityStamps } from './core/sessions/security-stamps.ts'
import { createTurns } from './core/turns.ts'
import { createTwoFactor } from './core/second-factor/two-factor.ts'
import { createNetworks } from './http/wire/client-address.ts'
import { createCookies, type Cookies } from './http/wire/cookies.ts'
import { completePage, guardHost, handleApi } from './http/handle.ts'
import { pathOf } from './http/wire/router.ts'
import { createOrigins, type Origins } from './http/gates/origin.ts'
import { createPages, NO_PAGES, type Pages } from './http/pages/panel-pages.ts'
import { createRefusedOriginLog } from './http/gates/refused-origins.ts'
import { createHandlers } from './http/routes/handlers.ts'
import type { Service } from './http/service.ts'
import { createUserFrom } from './http/user-from.ts'
import { watchHost } from './http/watch.ts'
import { createTranslator } from './http/wire/translate.ts'
import type { PanelAuthOptions } from './options.ts'
import { streams } from './rules/limits.ts'
import { API_PATH } from './rules/routes.ts'
import type { Settings } from './settings.ts'
import { findDoubts } from './start-checks.ts'

// No `new URL('…', import.meta.url)`: bundlers resolve it as a module or an asset of the host and
// fail.
const BUILT_PAGES = join(dirname(fileURLToPath(import.meta.url)), '../spa')

/**
 * Creates the service: checks the options and assembles its parts. An option that is not given
 * leaves its part unbound.
 *
 * @throws {ConfigError} An option is invalid; the message names the key and the remedy.
 *
 * @example
 * ```ts
 * import { sqliteStores } from '@svc/auth/sqlite'
 *
 * const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 * ```
 */
export function createPanelAuth<User>(options: PanelAuthOptions<User>): PanelAuth<User> {
  const settings = readOptions(options)
  const { service, bell, login, pendingLogins, passwords, closing } = assemble(options, settings)
  const { stores } = options
  const { clock, events, sessions } = service
  const pages = pagesOf(settings, service)
  const health = createHealth({
    checks: [service.ready, () => stores.check(), async () => ensurePing(passwords)],
  })

  function handle(request: PlainRequest): Promise<PlainReply> {
    const path = pathOf(request.target)
    return pages.serves(path) ? servePage(request, path) : handleApi(service, request)
  }

  async function servePage(request: PlainRequest, path: string): Promise<PlainReply> {
    return completePage(service, request, pages.answer(request, path))
  }

  const auth: PanelAuth<User> = {
    serves: (target) => isApi(pathOf(target)) || pages.serves(pathOf(target)),
    handle,
    guard: async (request, guardOptions) => guardHost(service, request, guardOptions),
    userFrom: createUserFrom(service),
    watch: async (request, guardOptions = {}) => watchHost(service, request, guardOptions),
    fetch: async (request, info) => mountFetch(auth)(request, info),
    async notify(user, notification, { tenant = null } = {}) {
      await service.ready()
      await bell.send(user, notification, tenant)
    },
    async endSessions(userId, { tenant = null } = {}) {
      await pendingLogins.endAllOf({ userId, tenant })
      return sessions.endAllOf({ userId, tenant })
    },
    async unlock(email, { tenant = null } = {}) {
      await service.ready()
      await login.unlock(email, tenant)
    },
    on: (event, listener) => events.on(event, listener),
    async prune({ keepNotificationsDays = null } = {}) {
      await service.ready()
      return prune(stores, clock, events, keepNotificationsDays)
    },
    ready: async () => service.ready(),
    health: async () => ({ healthy: await health() }),
    async close() {
      closing.abort()
      passwords.close()
      await stores.close()
    },
  }
  return auth
}

interface Assembled<User> {
  readonly service: Service<User>
  readonly bell: Bell<User>
  readonly login: Login
  readonly pendingLogins: PendingLogins
  readonly passwords: Passwords
  readonly closing: AbortController
}

function assemble<User>(options: PanelAuthOptions<User>, settings: Settings): Assembled<User> {
  const {
    stores,
    mailer = null,
    twoFactor,
    clock: ownClock = steadyClock(),
    logger = STANDARD_ERROR,
  } = options
  const clock = createSharedClock(stores, ownClock)
  const keys = createKeyCheck(stores, settings.keys)
  const signer = (purpose: string): Signer => signerFor(purpose, settings.keys)
  for (const doubt of findDoubts(options, settings)) logger.warn({}, doubt)
  const { limits, baseUrl, panels, prefix, production } = settings
  const closing = new AbortController()
  const events = createEvents(logger)
  const changeNotifier = createChangeNotifier(stores.bus, logger)
  const attempts = createAttempts(stores.attempts, clock, signer('attempt.key'))
  const users = createCheckedUsers(options.users)
  const devices = createDevices(signer('login.device'), clock)
  const core = {
    users,
    clock,
    logger,
    events,
    limits,
    factor: twoFactor === undefined ? null : createCheckedAuthenticator(twoFactor),
    sessions: createSessions(stores.sessions, clock, settings.lifetimes, changeNotifier),
    pendingLogins: createPendingLogins(stores.pendingLogins, clock),
    stamps: createSecurityStamps(signer('session.stamp')),
    attempts,
    devices,
    ceiling: createAccountCeiling(attempts, devices, limits),
    turns: createTurns(attempts, clock),
    passwords: createPasswords(settings.passwords),
  }
  const login = createLogin(core)
  const channels = options.channels ?? {}
  const bell = createBell({ ...core, changeNotifier, store: stores.notifications, channels })
  const isHttps = (tenant: Tenant): boolean => baseUrl(tenant).startsWith('https:')
  const [overTls, plain] = [createCookies(true), createCookies(false)]
  const wire = {
    ...core,
    baseUrl,
    production,
    loginCode: createLoginCode(core),
    csrf: createCsrf(signer('csrf.token')),
    cookies: (tenant: Tenant): Cookies => (isHttps(tenant) ? overTls : plain),
    networks: createNetworks(settings.trustedProxies),
    translator: createTranslator(settings.locales),
    streamChecks: createSemaphore('a stream of the bell', {
      atOnce: streams.checksAtOnce,
      waitSeconds: streams.waitSeconds,
    }),
    closing: closing.signal,
  }
  const handlers = createHandlers<User>({
    ...wire,
    login,
    bell,
    prefix,
    panels,
    name: settings.spa.name,
    bellSubscriptions: createBellSubscriptions({
      list: async (owner) => bell.list(owner),
      changeNotifier,
      limits: settings.streams,
    }),
    twoFactor:
      core.factor &&
      createTwoFactor({
        ...core,
        factor: core.factor,
        sealer: sealerFor('svc.sealed.v2', settings.keys),
      }),
    verification: createVerification({
      ...core,
      baseUrl,
      panels,
      mailer,
      signer: signer('email.verify'),
      lifetimeMinutes: settings.verificationMinutes,
    }),
  })
  const service: Service<User> = {
    ...wire,
    handlers,
    isHttps,
    changeNotifier,
    middleware: settings.middleware,
    authenticatedMiddleware: settings.authenticatedMiddleware,
    ready: () => mapAwaitable(keys.ensureShared(), () => clock.synchronize()),
    userResolver: createUserResolver(users, core.sessions, core.stamps, events),
    touchFailures: createTouchFailures(logger),
    origins: originsOf(options, settings, logger),
    noteRefusedOrigin: createRefusedOriginLog(logger),
  }
  return {
    service,
    bell,
    login,
    pendingLogins: core.pendingLogins,
    passwords: core.passwords,
    closing,
  }
}

/**
 * Returns the stateful origins.
 *
 * @throws {ConfigError} No login would be possible on the pages served at `app.url`.
 */
function originsOf<User>(
  { config }: PanelAuthOptions<User>,
  { stateful, production, spa }: Settings,
  logger: Logger,
): Origins {
  const origins = createOrigins(stateful, production)
  const { url } = config.app
  if (typeof url !== 'string' || origins.covers(url)) return origins
  const complaint =
    `session_auth.stateful: does not cover ${url}, which is app.url: nobody can log in on its pages; ` +
    `add ${JSON.stringify(new URL(url).host)}`
  if (!spa.off) throw new ConfigError(complaint)
  // An API next to a front end on another listed origin works.
  logger.warn({}, complaint)
  return origins
}

function pagesOf<User>(settings: Settings, { translator, factor }: Service<User>): Pages {
  const { spa, prefix, panels, verificationMinutes: linkMinutes } = settings
  if (spa.off) return NO_PAGES
  const twoFactor = factor === null ? 'absent' : 'bound'
  return createPages(BUILT_PAGES, { ...spa, prefix, panels, twoFactor, linkMinutes }, translator)
}

const isApi = (path: string): boolean => path === API_PATH || path.startsWith(`${API_PATH}/`)

async function ensurePing(passwords: Passwords): Promise<void> {
  if (!(await passwords.ping())) throw new Error('the hashing process does not answer')
}

const STANDARD_ERROR: Logger = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
}

// JSON does not escape these; terminals and log viewers interpret them.
const UNSAFE_IN_A_LINE = /[\u007f-\u009f\u2028\u2029]/g

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Writes one line of JSON, so that no received text can start a line of its own. */
function writeLine(level: string, fields: object, message: string): void {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? value.stack : value,
  ])
  const line = { time: new Date().toISOString(), level, message, ...Object.fromEntries(shown) }
  process.stderr.write(`${JSON.stringify(line).replaceAll(UNSAFE_IN_A_LINE, asEscape)}\n`)
}
