import { setMaxListeners } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findWarnings } from '../config/warnings.ts'
import { readOptions } from '../config/read-options.ts'
import type { JsonObject, Tenant } from '../contracts/host.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import { ensureKnown } from '../contracts/guard-options.ts'
import { checkHost, type CheckedHost } from '../core/boundary/checked-host.ts'
import { checkMiddleware } from '../core/boundary/checked-middleware.ts'
import { createAccountCeiling } from '../core/login/account-ceiling.ts'
import { createUserResolver } from '../core/sessions/resolve-user.ts'
import { createSharedResolver } from '../core/sessions/shared-resolver.ts'
import { createChangeNotifier } from '../core/change-notifier.ts'
import { createAttempts } from '../core/attempts/attempts.ts'
import { createCsrf } from '../core/sessions/csrf.ts'
import { signerFor } from '../core/crypto.ts'
import { createNodeReady } from '../core/operation/node-ready.ts'
import { createLinkCutoff } from '../core/accounts/link-cutoff.ts'
import { createDevices } from '../core/login/devices.ts'
import { createEvents } from '../core/events.ts'
import { createHeldOpen } from '../core/held-open.ts'
import { createHealth } from '../core/operation/health.ts'
import { createKeyCheck } from '../core/operation/key-check.ts'
import { unlock } from '../core/login/login.ts'
import { endLoginsOf } from '../core/login/end-logins.ts'
import { createHashLogs } from '../core/login/hash-logs.ts'
import { createBellSubscriptions } from '../core/bell/subscriptions.ts'
import { createBell } from '../core/bell/notifications.ts'
import { createPasswords } from '../core/passwords/passwords.ts'
import { measuredPasswords } from '../core/passwords/measured-passwords.ts'
import { prune } from '../core/operation/prune.ts'
import { createPendingLogins } from '../core/login/pending-logins.ts'
import { sealerFor } from '../contracts/sealed.ts'
import { createSharedClock } from '../core/operation/shared-clock.ts'
import { createServiceLogger, type ClosingSignals } from '../core/operation/service-logger.ts'
import { steadyClock } from '../core/operation/steady-clock.ts'
import { createReadTouches } from '../core/sessions/read-touches.ts'
import { bindSecondFactor } from '../core/second-factor/bind-second-factor.ts'
import { createTurns } from '../core/attempts/turns.ts'
import { createAddressProbe } from '../http/wire/address-probe.ts'
import { createClientAddresses } from '../http/wire/client-address.ts'
import { createCookies, type Cookies } from '../http/wire/cookies.ts'
import { createPages } from '../http/pages/panel-pages.ts'
import { createRefusedOriginLog } from '../http/gates/refused-origins.ts'
import { createHandlers } from '../http/routes/handlers.ts'
import type { Service } from '../http/service.ts'
import { createStreamTurns } from '../core/bell/stream-turns.ts'
import { createTranslator } from '../http/wire/translate.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import { beginMeasuring } from './begin-measuring.ts'
import { ensureWhole, notifiedTenant, tenantIn } from './host-calls.ts'
import { activityOfMethod, bindActivity } from './lazy-activity.ts'
import { bindPasswords, inviteMethod } from './lazy-passwords.ts'
import { bindSessions } from './lazy-sessions.ts'
import { assembleSessions } from './assemble-sessions.ts'
import { pageSettings } from './page-settings.ts'
import { panelOrigins } from './panel-origins.ts'
import { readyMethod } from './load-layers.ts'
import { requestMethods } from './request-methods.ts'
import { setServiceParts } from './service-parts.ts'
import type { Settings } from '../config/settings.ts'

/**
 * Limits of the requests that `auth.watch` holds open on each node. A further one of a session or
 * user ends the oldest; a further one of the node is refused.
 */
const WATCHED = { perSession: 32, perUser: 128, perNode: 20_000 } as const

// No `new URL('…', import.meta.url)`: bundlers take it for a module of the host and fail.
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
 * const auth = createPanelAuth({ config, users, stores: sqliteStores('panel.db') })
 * ```
 */
export function createPanelAuth<User, Presented extends JsonObject = JsonObject>(
  options: PanelAuthOptions<User, Presented>,
): PanelAuth<User, Presented> {
  const settings = readOptions(options)
  const { svc, spa } = settings
  const [closing, closed] = [new AbortController(), new AbortController()]
  const logger = createServiceLogger(options.logger, { closing, closed })
  const warnings = findWarnings(options, settings)
  for (const warning of warnings) logger.warn({}, warning)
  // Every open stream listens until it ends.
  setMaxListeners(0, closing.signal)
  const host = checkHost(options)
  const core = assembleCore(host, settings, { logger, closing: closing.signal })
  const wire = assembleWire(settings, core, closing.signal)
  const features = assembleFeatures(host, settings, core, wire)
  const service: Service = {
    ...core,
    ...wire,
    confirmWithin: { 'two-factor': svc.two_factor.confirm_within ?? null },
    loginPlaces: features.loginPlaces,
    middleware: checkMiddleware(svc.middleware, logger),
    authenticatedMiddleware: checkMiddleware(svc.authenticated_middleware, logger),
    origins: panelOrigins(settings, logger),
    noteRefusedOrigin: createRefusedOriginLog(logger),
    handlers: createHandlers({ ...core, ...wire, ...features, ...svc, name: spa.name }),
  }
  const auth: PanelAuth<User, Presented> = {
    ...requestMethods(service, pagesOf(settings, service, host)),
    ...hostMethods(host, core, features, { closing, closed }),
    invite: inviteMethod(features, settings, service),
    activityOf: activityOfMethod(features.activityLog, core),
    ready: readyMethod({ ...core, ...features }),
    async fetch(request, info) {
      const { mount } = await import('../adapters/fetch.ts')
      return mount(auth)(request, info)
    },
  }
  setServiceParts(auth, service, { options, settings, host, warnings, ...core })
  return auth
}

type Core = ReturnType<typeof assembleCore>

/** Assembles the parts that several features share. */
function assembleCore(
  host: CheckedHost,
  { app: { keys }, limits, session, passwords, streams, retention }: Settings,
  { logger, closing }: Pick<Service, 'logger' | 'closing'>,
) {
  const { users, layers, meter, impersonation, stores, clock: ownClock } = host
  const bindings = { users, layers, meter, impersonation }
  const clock = createSharedClock(stores, ownClock ?? steadyClock())
  const keyCheck = createKeyCheck(stores, keys)
  const events = createEvents(logger)
  const changeNotifier = createChangeNotifier(stores.bus, logger, closing)
  const attempts = createAttempts({ ...host, limits, clock, signer: keyCheck.countSigner })
  const devices = createDevices(signerFor('login.device', keys), clock)
  const bound = assembleSessions(host, session, { clock, changeNotifier, events, keys })
  const turns = createTurns(attempts, clock)
  const secondFactor = bindSecondFactor(host, { ...bound, attempts, turns, events, clock, logger })
  return {
    ready: createNodeReady(stores, { keyCheck, clock, logger }),
    ...bindings,
    clock,
    logger,
    events,
    changeNotifier,
    limits,
    retention,
    ...secondFactor,
    ...bound,
    pendingLogins: createPendingLogins(stores.pendingLogins, clock),
    userResolver: createUserResolver({ ...bindings, ...bound, ...secondFactor, events }),
    heldStreams: createHeldOpen(streams),
    readTouches: createReadTouches(logger),
    linkCutoff: createLinkCutoff(stores.metadata),
    attempts,
    devices,
    ceiling: createAccountCeiling(attempts, devices),
    turns,
    passwords: measuredPasswords(createPasswords(passwords), meter),
    ...createHashLogs(logger),
  }
}

/** Assembles the parts that read requests and write replies. */
function assembleWire(
  settings: Settings,
  { logger, clock, userResolver }: Core,
  closing: AbortSignal,
) {
  const { baseUrl, production, app } = settings
  const isHttps = (tenant: Tenant): boolean => baseUrl(tenant).startsWith('https:')
  const [overTls, plain] = [createCookies(true), createCookies(false)]
  const addresses = createClientAddresses(settings, logger)
  const signer = signerFor('address.probe', app.keys)
  return {
    baseUrl,
    production,
    isHttps,
    cookies: (tenant: Tenant): Cookies => (isHttps(tenant) ? overTls : plain),
    ...addresses,
    csrf: createCsrf(signerFor('csrf.token', app.keys)),
    addressProbe: createAddressProbe({ ...settings, ...addresses, signer, clock }),
    translator: createTranslator(settings.locales),
    ...createStreamTurns(logger),
    watchedRequests: createHeldOpen(WATCHED),
    sharedResolver: createSharedResolver(userResolver),
    closing,
  }
}

type Features = ReturnType<typeof assembleFeatures>

/** Assembles the features that the routes and the host call. */
function assembleFeatures(
  host: CheckedHost,
  settings: Settings,
  core: Core,
  { translator }: Pick<ReturnType<typeof assembleWire>, 'translator'>,
) {
  const { channels, stores, mailer, twoFactorDevices, codeDigits } = host
  const { app, baseUrl, svc, auth } = settings
  const { keys } = app
  const { retention } = core
  const bell = createBell({ ...core, ...retention, store: stores.notifications, channels })
  const boundSessions = bindSessions(host, settings, { ...core, bell }, translator)
  const loginParts = { ...core, ...boundSessions }
  return {
    passwordLayer: bindPasswords(host, settings, loginParts),
    activityLog: bindActivity(host, { ...core, ...retention }),
    ...boundSessions,
    bell,
    bellSubscriptions: createBellSubscriptions({ ...core, bell }),
    sealer: sealerFor('svc.sealed.v2', keys),
    twoFactorDevices,
    codeDigits,
    verification: {
      ...core,
      baseUrl,
      panels: svc.panels,
      mailer,
      signer: signerFor('email.verify', keys),
      lifetimeMinutes: auth.verification.expire,
    },
  }
}

/** Returns the methods that the host calls by itself. */
function hostMethods<User>(
  host: CheckedHost,
  core: Core,
  { bell, passwordLayer, sessionLayer, activityLog }: Features,
  { closing, closed }: ClosingSignals,
) {
  const { ready, events, passwords } = core
  const measuring = beginMeasuring(core.meter, { ...core, stores: host.stores })
  const isHealthy = healthOf(host, core)
  return {
    async notify(user, notification, options) {
      const tenant = notifiedTenant(user, notification, options)
      await ready()
      await bell.send({ host: user }, notification, tenant)
    },
    async endSessions(userId, options) {
      const tenant = tenantIn('endSessions', options, { userId })
      await ready()
      return endLoginsOf(core, { userId, tenant }, null)
    },
    async unlock(email, options) {
      const tenant = tenantIn('unlock', options, { email })
      await ready()
      await unlock(core, email, tenant)
    },
    on: (event, listener) => events.on(event, listener),
    prune: async (options) => measuring.pruned(pruneAll(host, core, options)),
    health: async () => ({ healthy: await isHealthy() }),
    async close() {
      closing.abort()
      measuring.stop()
      await Promise.all([passwordLayer?.settled(), sessionLayer?.settled()])
      passwords.close()
      // An audit log must not lose the last events, and may need the stores to write them.
      await events.settled()
      await activityLog?.settled()
      await host.stores.close()
      closed.abort()
    },
  } satisfies Partial<PanelAuth<User>>
}

async function pruneAll(
  { stores, activity }: CheckedHost,
  { ready, clock, events, retention }: Core,
  options: Parameters<PanelAuth['prune']>[0] = {},
): Promise<number> {
  ensureKnown('prune', options, ['keepNotificationsDays'])
  const notificationDays = options.keepNotificationsDays ?? retention.notificationDays
  if (notificationDays !== null) ensureWhole('prune: keepNotificationsDays', notificationDays, 1)
  await ready()
  return prune({ ...stores, activity }, clock, events, { ...retention, notificationDays })
}

function pagesOf(settings: Settings, { translator, layers }: Service, host: CheckedHost) {
  if (settings.spa.off) return null
  return createPages(BUILT_PAGES, pageSettings(settings, host, layers), translator)
}

function healthOf({ stores }: CheckedHost, { ready, passwords, logger }: Core) {
  return createHealth([ready, () => stores.check(), () => passwords.ping()], logger)
}
