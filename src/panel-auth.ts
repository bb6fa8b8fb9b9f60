import { fileURLToPath } from 'node:url'
import { mount as mountFetch } from './adapters/fetch.ts'
import { readOptions, type PanelAuthOptions, type Settings } from './config.ts'
import type {
  Awaitable,
  Clock,
  Logger,
  PanelAuth,
  PlainReply,
  PlainRequest,
  Tenant,
} from './contracts.ts'
import { createAccess } from './core/access.ts'
import { createAttempts } from './core/attempts.ts'
import { createCsrf } from './core/csrf.ts'
import { signerFor, type Signer } from './core/crypto.ts'
import { within } from './core/deadline.ts'
import { createEvents } from './core/events.ts'
import { logIn } from './core/login.ts'
import { createPasswords, type Passwords } from './core/passwords.ts'
import { prune } from './core/prune.ts'
import { createSessions } from './core/sessions.ts'
import { createStamps } from './core/stamp.ts'
import { createNetworks } from './http/address.ts'
import { createCookies } from './http/cookies.ts'
import { guardHost, handleApi } from './http/handle.ts'
import { pathOf } from './http/match.ts'
import { createOrigins } from './http/origin.ts'
import { createPages, NO_PAGES, type Pages } from './http/pages.ts'
import type { Service } from './http/service.ts'
import { createTranslator } from './http/translate.ts'
import { API_PATH } from './rules/routes.ts'

const BUILT_PAGES = fileURLToPath(new URL('../spa/', import.meta.url))

/**
 * Makes the service: checks the options and puts its parts together. What is not given is not bound.
 *
 * @throws {ConfigError} An option is wrong; the message names the key and the remedy.
 */
export function createPanelAuth<User>(options: PanelAuthOptions<User>): PanelAuth<User> {
  const settings = readOptions(options)
  const { service, passwords } = assemble(options, settings)
  const pages = pagesOf(settings, service)
  const { stores } = options

  async function handle(request: PlainRequest): Promise<PlainReply> {
    const path = pathOf(request.target)
    return pages.serves(path)
      ? pages.answer(request, path, service.isHttps(null))
      : handleApi(service, request)
  }

  const auth: PanelAuth<User> = {
    serves: (target) => isApi(pathOf(target)) || pages.serves(pathOf(target)),
    handle,
    guard: async (request, guardOptions = {}) => guardHost(service, request, guardOptions),
    fetch: async (request, info) => mountFetch(auth)(request, info),
    endSessions: async (userId, { tenant = null } = {}) =>
      service.sessions.endAllOf({ userId, tenant }),
    on: (event, listener) => service.events.on(event, listener),
    prune: async () => prune(stores, options.clock ?? SYSTEM_CLOCK, service.events),
    health: async () => ({ healthy: await answersInTime(() => stores.check()) }),
    async close() {
      passwords.close()
      await stores.close()
    },
  }
  return auth
}

interface Assembled<User> {
  readonly service: Service<User>
  readonly passwords: Passwords
}

function assemble<User>(options: PanelAuthOptions<User>, settings: Settings): Assembled<User> {
  const { stores, users, clock = SYSTEM_CLOCK, logger = STANDARD_ERROR } = options
  const signer = (purpose: string): Signer => signerFor(purpose, settings.keys)
  const events = createEvents(logger)
  const sessions = createSessions(stores.sessions, clock, settings.lifetimes)
  const stamps = createStamps(signer('session.stamp'))
  const attempts = createAttempts(stores.attempts, clock, signer('attempt.key'))
  const passwords = createPasswords(settings.passwords)
  const { limits } = settings
  const login = { users, passwords, attempts, sessions, stamps, limits, events, logger }
  const isHttps = (tenant: Tenant): boolean => settings.baseUrl(tenant).startsWith('https:')
  const [overTls, plain] = [createCookies(true), createCookies(false)]
  const service: Service<User> = {
    ...settings,
    isHttps,
    users,
    logger,
    events,
    sessions,
    attempts,
    access: createAccess(users, sessions, stamps, events),
    csrf: createCsrf(signer('csrf.token')),
    origins: createOrigins(settings.stateful, settings.production),
    networks: createNetworks(settings.trustedProxies),
    translator: createTranslator(settings.locales),
    cookies: (tenant) => (isHttps(tenant) ? overTls : plain),
    logIn: async (request) => logIn(login, request),
  }
  return { service, passwords }
}

function pagesOf({ spa, prefix, panels }: Settings, { translator }: Service<unknown>): Pages {
  if (spa.off) return NO_PAGES
  const { name, help, changePassword } = spa
  return createPages(BUILT_PAGES, { prefix, panels, name, help, changePassword }, translator)
}

const isApi = (path: string): boolean => path === API_PATH || path.startsWith(`${API_PATH}/`)

/** Whether a question to the outside was answered in time. */
async function answersInTime(ask: () => Awaitable<void>): Promise<boolean> {
  try {
    await within('the stores', ask())
    return true
  } catch {
    return false
  }
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now() }

const STANDARD_ERROR: Logger = {
  warn: (fields, message) => writeLine('warn', fields, message),
  error: (fields, message) => writeLine('error', fields, message),
}

/** One line of JSON, so that nothing that was sent can start a line of its own. */
function writeLine(level: string, fields: object, message: string): void {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? value.stack : value,
  ])
  const line = { time: new Date().toISOString(), level, message, ...Object.fromEntries(shown) }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
