import { join } from 'node:path'
import type { RequestListener } from 'node:http'
import {
  ConfigError,
  createPanelAuth,
  type Clock,
  type Mailer,
  type PanelAuth,
  type PanelConfig,
} from '@svc/auth'
import { mount } from '@svc/auth/node'
import { BODY_BYTES, createApi, type Api } from './api.ts'
import { findPort, hostsOf } from './listening.ts'
import { fileMailer, smtpMailer } from './mailer.ts'
import { pageFiles, PAGES_MODULE } from './page-files.ts'
import { preparePeople, type PeopleState } from './people.ts'
import { createPersonLimits } from './person-limits.ts'
import { createProbes, type Probes } from './probes.ts'
import { reasonOf } from './error-text.ts'
import { logSecurityEvents } from './security-log.ts'
import { createSecurityNotices, sendNoticesOn } from './security-notices.ts'
import { seedNotifications } from './seed.ts'
import { createPanelServer } from './server.ts'
import type { PanelSettings } from './environment.ts'
import { openStorage, type Storage } from './storage.ts'
import { totp } from './totp.ts'
import { Users, type Person } from './users.ts'

const PANEL_NAME = 'Acme Panel'
const PRUNE_EVERY_MS = 60_000

/** A running panel. */
export interface Panel {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly url: string
  /** Location of its storage, without credentials. */
  readonly place: string
  readonly people: PeopleState
  /**
   * Reports not ready, finishes the running requests, ends the rest, and closes the database.
   *
   * @param drainSeconds Time for which it keeps answering first. Default: 0.
   */
  stop(drainSeconds?: number): Promise<void>
}

/** Replacements for tests. */
export interface PanelExtras {
  readonly clock?: Clock
  readonly config?: Partial<PanelConfig>
  /** Default: TOTP codes. `none`: no second factor. */
  readonly twoFactor?: 'none'
}

/**
 * Starts the reference panel.
 *
 * @throws {Error} A setting is wrong, or its target cannot be used; the message says which and why.
 */
export async function startPanel(
  settings: PanelSettings,
  extras: PanelExtras = {},
): Promise<Panel> {
  const storage = await openStorage(settings, console.error)
  const users = new Users(storage.database)
  const hosts = hostsOf(settings)
  const port = await findPort(settings.port, hosts)
  const appUrl = settings.appUrl.replace(/:0$/, `:${port}`)
  const { auth, limits } = createAuth({ ...settings, appUrl }, { ...storage, users, ...extras })
  await ensureReady(auth)
  const state = await preparePeople(users, settings)
  const { clock = Date } = extras
  if (state === 'made') await seedNotifications(storage.stores.notifications, users, clock.now())
  const probes = createProbes(auth)
  const listener = listenerOf({ auth, probes, api: createApi(auth, users, limits) })
  const server = createPanelServer(listener, BODY_BYTES)
  // The port opens only after the users exist.
  await server.listen(port, hosts)
  const stopPruning = keepPruning(auth)
  probes.open()
  return {
    auth,
    users,
    url: `${appUrl}/admin/main`,
    place: storage.place,
    people: state,
    async stop(drainSeconds = 0) {
      stopPruning()
      probes.drain()
      await server.drain(drainSeconds)
      await server.close()
      await auth.close()
      await storage.close()
    },
  }
}

interface AuthParts extends PanelExtras, Pick<Storage, 'database' | 'stores'> {
  readonly users: Users
}

/** Creates the service with everything that it tells users. */
function createAuth(settings: PanelSettings, parts: AuthParts) {
  const { database, stores, users, clock, config } = parts
  const mailer = mailerOf(settings)
  const limits = createPersonLimits(database, clock ?? Date)
  const factor = totp(database, {
    keys: settings.appKeys,
    issuer: PANEL_NAME,
    isRequired: (person) => person.twoFactorRequired,
    onRecoveryCodeUsed: async (person) => notices.send(person, 'recovery-code-used'),
    clock: clock ?? Date,
  })
  const auth: PanelAuth<Person> = createPanelAuth({
    config: { ...configOf(settings), ...config },
    stores,
    users,
    mailer,
    ...(clock !== undefined && { clock }),
    ...(parts.twoFactor !== 'none' && { twoFactor: factor }),
  })
  const notices = createSecurityNotices({ auth, mailer, limits, panelName: PANEL_NAME })
  sendNoticesOn(auth, users, notices)
  logSecurityEvents(auth, users, console.log)
  return { auth, limits }
}

async function ensureReady(auth: PanelAuth<Person>): Promise<void> {
  try {
    await auth.ready()
  } catch (cause) {
    if (!(cause instanceof ConfigError)) throw cause
    const remedy = 'if that key is lost for good, `npm run keys` says what to do'
    throw new Error(`APP_KEY is not the key that was used on this database; ${remedy}`, { cause })
  }
}

function mailerOf({ smtpUrl, mailFrom, dataFolder }: PanelSettings): Mailer {
  if (smtpUrl === null) return fileMailer(join(dataFolder, 'mail'), console.log)
  return smtpMailer(smtpUrl, `${PANEL_NAME} <${mailFrom}>`)
}

function configOf({ appUrl, appKeys, trustedProxies, unsafeHttp }: PanelSettings): PanelConfig {
  return {
    app: { url: appUrl, keys: appKeys, unsafe_http: unsafeHttp },
    session_auth: { stateful: [new URL(appUrl).host] },
    svc: { prefix: 'admin', panels: ['main'] },
    trusted_proxies: trustedProxies,
    spa: { name: PANEL_NAME, pages: PAGES_MODULE },
  }
}

interface Routes {
  readonly auth: PanelAuth<Person>
  readonly api: Api
  readonly probes: Probes
}

function listenerOf({ auth, api, probes }: Routes): RequestListener {
  const serveAuth = mount(auth)
  const serveFile = pageFiles()

  const serveOwn: RequestListener = (request, response) => {
    const { method, url = '' } = request
    if (url === '/') response.writeHead(302, { location: '/admin/main' }).end()
    else if (!serveFile(request, response)) {
      const answer = probes.routes.get(url) ?? api.get(`${method} ${url}`) ?? serveAuth
      answer(request, response)
    }
  }

  return (request, response) => serveAuth(request, response, () => serveOwn(request, response))
}

/**
 * Prunes on a timer. Skips a turn while the last one is running: after an outage there may be much
 * to remove.
 *
 * @returns A function that stops it.
 */
function keepPruning(auth: PanelAuth<Person>): () => void {
  let isPruning = false
  const timer = setInterval(() => {
    if (isPruning) return
    isPruning = true
    auth
      .prune()
      .catch(reportPruning)
      .finally(() => (isPruning = false))
  }, PRUNE_EVERY_MS)
  return () => clearInterval(timer)
}

function reportPruning(error: unknown): void {
  console.error(`Pruning failed; the next attempt is in a minute: ${reasonOf(error)}`)
}
