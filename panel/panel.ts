import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import express, { type Router } from 'express'
import {
  ConfigError,
  createPanelAuth,
  logSecurityEvents,
  type Clock,
  type Mailer,
  type PanelAuth,
  type PanelConfig,
  type SessionOptions,
  type Stores,
  type Telemetry,
} from '@svc/auth'
import { mount, serve } from '@svc/auth/node'
import type { PrometheusTelemetry } from '@svc/auth/prometheus'
import { totp } from '@svc/auth/totp'
import { createApi } from './api.ts'
import { answerError } from './api-refusals.ts'
import { impersonation } from './impersonations.ts'
import { logEvent, logFailure } from './log.ts'
import { fileMailer, smtpMailer } from './mailer.ts'
import { pageFiles, PAGES_MODULE } from './page-files.ts'
import { isLoopbackUrl, preparePeople, type PeopleState } from './people.ts'
import { createPersonLimits, type PersonLimits } from './person-limits.ts'
import { createSecurityNotices, sendNoticesOn } from './security-notices.ts'
import { seedNotifications } from './seed.ts'
import type { PanelSettings } from './environment.ts'
import { openStorage, type Storage } from './storage.ts'
import { createUsers, type Person, type Users } from './users.ts'

const PANEL_NAME = 'Acme Panel'

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
  /** Stores other than those of the panel's database. The service closes them. */
  readonly stores?: Stores
  /** Default: TOTP codes. `none`: no second factor. */
  readonly twoFactor?: 'none'
  /**
   * Default: users have passwords that they change and reset, sessions that they see, an activity
   * list, confirmations, and administrators who impersonate them. `none`: they have a login.
   */
  readonly account?: 'none'
  /** Default: nothing is measured. */
  readonly telemetry?: Telemetry
  /** Stops at SIGTERM and SIGINT, and ends the process. Default: false. */
  readonly signals?: boolean
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
  const host = hostOf(settings)
  const port = await findPort('PORT', settings.port, host)
  if (settings.metricsPort !== null)
    await findPort('METRICS_PORT', settings.metricsPort, '127.0.0.1')
  const appUrl = settings.appUrl.replace(/:0$/, `:${port}`)
  const measured = await telemetryOf(settings)
  const { auth, users, limits, storage } = await openPanel(
    { ...settings, appUrl },
    { ...(measured && { telemetry: measured }), ...extras },
  )
  await ensureReady(auth)
  const state = await preparePeople(users, settings)
  const { clock = Date, signals = false } = extras
  if (state === 'made') await seedNotifications(storage.stores.notifications, users, clock.now())
  // The port opens only after the users exist.
  const api = createApi({
    auth,
    users,
    limits,
    factors: extras.twoFactor === 'none' ? null : storage.database.factors,
    activity: extras.account === 'none' ? null : auth,
  })
  const { close } = await serve(auth, listenerOf(auth, api), {
    port,
    ...(host !== null && { host }),
    ...(measured !== null && {
      metrics: { text: measured.text, port: settings.metricsPort ?? 0 },
    }),
    drainSeconds: settings.drainSeconds,
    signals,
    onClose: storage.close,
  })
  const url = `${appUrl}/admin/main`
  return { auth, users, url, place: storage.place, people: state, stop: close }
}

/** A panel that does not listen. */
export interface OpenPanel {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly limits: PersonLimits
  readonly storage: Storage
}

/** Returns what measures a node, and loads its packages; `null`: nothing is measured. */
async function telemetryOf({ metricsPort }: PanelSettings): Promise<PrometheusTelemetry | null> {
  if (metricsPort === null) return null
  const { prometheus } = await import('@svc/auth/prometheus')
  return prometheus()
}

/** Opens the storage and creates the service, for a node or a command. */
export async function openPanel(
  settings: PanelSettings,
  { stores, ...extras }: PanelExtras = {},
): Promise<OpenPanel> {
  const opened = await openStorage(settings, logFailure)
  const storage = { ...opened, stores: stores ?? opened.stores }
  const users = createUsers(storage.database)
  return { users, storage, ...createAuth(settings, { ...storage, users, ...extras }) }
}

/** Returns the address to listen on; `null`: every address. */
function hostOf({ appUrl, host }: PanelSettings): string | null {
  return host ?? (isLoopbackUrl(appUrl) ? 'localhost' : null)
}

/** Returns the port, or a free one for 0. Fails before slow preparations if it cannot be used. */
async function findPort(
  name: 'PORT' | 'METRICS_PORT',
  port: number,
  host: string | null,
): Promise<number> {
  try {
    if (host !== 'localhost') return await openOnce(port, host)
    // A machine may have one of the two families.
    return await openOnce(port, '127.0.0.1').catch(async (error: unknown) => {
      if (isMissingAddress(error)) return openOnce(port, '::1')
      throw error
    })
  } catch (cause) {
    const where = host === null ? '' : ` at ${host}`
    const other = isUnknownHost(cause) ? 'correct HOST' : `set ${name} to another`
    throw new Error(`${name}: port ${port}${where} cannot be opened; ${other}`, { cause })
  }
}

async function openOnce(port: number, host: string | null): Promise<number> {
  const probe = createServer().listen(port, host ?? undefined)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}

function isUnknownHost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

function isMissingAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL'
}

interface AuthParts extends Omit<PanelExtras, 'stores'>, Pick<Storage, 'database' | 'stores'> {
  readonly users: Users
}

/** Creates the service with everything that it tells users. */
function createAuth(settings: PanelSettings, parts: AuthParts) {
  const { database, stores, users, clock, config } = parts
  const mailer = mailerOf(settings)
  const limits = createPersonLimits(database, clock ?? Date)
  const factor = totp<Person>({
    keys: settings.appKeys,
    issuer: PANEL_NAME,
    factors: database.factors,
    isRequiredFor: (person) => person.twoFactorRequired === 1,
    onRecoveryCodeUsed: async (person) => notices.send(person, 'recovery-code-used'),
    clock: clock ?? Date,
  })
  const auth: PanelAuth<Person> = createPanelAuth({
    config: { ...configOf(settings), ...config },
    stores,
    users,
    mailer,
    ...(clock !== undefined && { clock }),
    ...(parts.telemetry !== undefined && { telemetry: parts.telemetry }),
    ...(parts.twoFactor !== 'none' && { twoFactor: factor }),
    ...(parts.account !== 'none' && {
      passwords: {},
      activity: true,
      confirmation: true,
      impersonation,
      sessions: sessionsOf(parts),
    }),
  })
  const notices = createSecurityNotices({ auth, mailer, limits, panelName: PANEL_NAME })
  sendNoticesOn(auth, users, notices)
  logSecurityEvents(auth, users, logEvent)
  return { auth, limits }
}

/** A month, for both what users may choose. */
const CHOSEN = { days: 30 } as const

/** Returns what users see and choose of their sessions. */
function sessionsOf({ twoFactor }: Pick<PanelExtras, 'twoFactor'>): SessionOptions {
  const offers = { devices: true, remember: CHOSEN }
  return twoFactor === 'none' ? offers : { ...offers, trusted: CHOSEN }
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
  if (smtpUrl === null) return fileMailer(join(dataFolder, 'mail'), logEvent)
  return smtpMailer(smtpUrl, `${PANEL_NAME} <${mailFrom}>`)
}

function configOf({ appUrl, appKeys, trustedProxies, unsafeHttp }: PanelSettings): PanelConfig {
  return {
    app: { url: appUrl, keys: appKeys, unsafe_http: unsafeHttp },
    session_auth: { stateful: [appUrl] },
    svc: { prefix: 'admin', panels: ['main'] },
    trusted_proxies: trustedProxies,
    spa: { name: PANEL_NAME, pages: PAGES_MODULE },
  }
}

function listenerOf(auth: PanelAuth<Person>, api: Router): RequestListener {
  const serveAuth = mount(auth)
  const own = express()
    .disable('x-powered-by')
    .get('/', (_request, response) => response.redirect('/admin/main'))
    .use('/panel/pages', pageFiles())
    .use('/api', api)
    .use(answerError)
    .use((request, response) => serveAuth(request, response))
  // Requests to the service do not pass through Express.
  return (request, response) => serveAuth(request, response, () => own(request, response))
}
