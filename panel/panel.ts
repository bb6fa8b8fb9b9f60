import { join } from 'node:path'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'
import {
  createPanelAuth,
  type Clock,
  type Mailer,
  type PanelAuth,
  type PanelConfig,
} from '@svc/auth'
import { guard, mount } from '@svc/auth/node'
import { sqliteStores } from '@svc/auth/sqlite'
import { fileMailer, smtpMailer } from './mailer.ts'
import { seed, seedNotifications } from './seed.ts'
import type { PanelSettings } from './settings.ts'
import { totp } from './totp.ts'
import { Users, type Person } from './users.ts'

const PANEL_NAME = 'Acme Panel'
const PRUNE_EVERY_MS = 60_000
const BODY_BYTES = 16 * 1024

/** A panel that is running. */
export interface Panel {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly url: string
  /** Whether the database was filled just now. */
  readonly seeded: boolean
  /** Finishes what runs, ends the rest, and closes the database. */
  stop(): Promise<void>
}

/** What a test may bring. */
export interface PanelExtras {
  readonly clock?: Clock
  readonly config?: Partial<PanelConfig>
}

/** Starts the reference panel. */
export async function startPanel(
  settings: PanelSettings,
  extras: PanelExtras = {},
): Promise<Panel> {
  const database = new Database(join(settings.dataFolder, 'panel.sqlite'))
  // FULL: a logout and a counted attempt outlive a power cut.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const users = new Users(database)
  const server = createPanelServer()
  const port = await listen(server, settings.port)
  const appUrl = settings.appUrl.replace(/:0$/, `:${port}`)
  const { clock = Date, config } = extras
  const stores = sqliteStores(database)
  const auth = createPanelAuth({
    config: configOf({ ...settings, appUrl }, config),
    stores,
    users,
    clock,
    mailer: mailerOf(settings),
    twoFactor: totp(database, {
      keys: [settings.appKey],
      issuer: PANEL_NAME,
      isRequired: (person) => person.twoFactorRequired,
      clock,
    }),
  })
  // Nothing was awaited since it listens: no request has come in before somebody answers it.
  answerWith(server, auth, users)
  const seeded = await seed(users)
  if (seeded) await seedNotifications(stores.notifications, users, clock.now())
  const pruning = setInterval(() => void auth.prune().catch(reportPruning), PRUNE_EVERY_MS)
  return {
    auth,
    users,
    url: `${appUrl}/admin/main`,
    seeded,
    async stop() {
      clearInterval(pruning)
      await closed(server)
      await auth.close()
      database.close()
    },
  }
}

function mailerOf({ smtpUrl, mailFrom, dataFolder }: PanelSettings): Mailer {
  if (smtpUrl === null) return fileMailer(join(dataFolder, 'mail'), console.log)
  return smtpMailer(smtpUrl, `${PANEL_NAME} <${mailFrom}>`)
}

function configOf(
  { appUrl, appKey, trustedProxies }: PanelSettings,
  extra: Partial<PanelConfig> = {},
): PanelConfig {
  return {
    app: { url: appUrl, keys: [appKey] },
    session_auth: { stateful: [new URL(appUrl).host] },
    svc: { prefix: 'admin', panels: ['main'] },
    trusted_proxies: trustedProxies,
    spa: { name: PANEL_NAME },
    ...extra,
  }
}

// Slow or silent clients are let go long before Node would.
function createPanelServer(): Server {
  return createServer({
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    connectionsCheckingInterval: 1000,
  })
}

function answerWith(server: Server, auth: PanelAuth<Person>, users: Users): void {
  const serveAuth = mount(auth)
  const admit = guard(auth)

  async function listPeople(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if ((await admit(request, response)) === null) return
    const people = users.all().map(({ id, email, name }) => ({ id, email, name }))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    response.end(JSON.stringify({ data: people }))
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.url === '/') response.writeHead(302, { location: '/admin/main' }).end()
    else if (request.url === '/api/people') void listPeople(request, response)
    else serveAuth(request, response)
  }

  server.on('request', answer)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Nobody is told to go on with a body that will be refused.
    if (Number(request.headers['content-length'] ?? 0) <= BODY_BYTES) response.writeContinue()
    answer(request, response)
  })
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

const LINGER_MS = 9000

/** Requests under way are finished; connections that only wait are closed as soon as they do. */
async function closed(server: Server): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  const late = setTimeout(() => server.closeAllConnections(), LINGER_MS)
  await new Promise((resolve) => server.close(resolve))
  clearInterval(idle)
  clearTimeout(late)
}

function reportPruning(error: unknown): void {
  console.error('Removing what is over failed; it is tried again in a minute.', error)
}
