import { join } from 'node:path'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import Database from 'better-sqlite3'
import { createPanelAuth, type Clock, type PanelAuth, type PanelConfig } from '@svc/auth'
import { guard, mount } from '@svc/auth/node'
import { sqliteStores } from '@svc/auth/sqlite'
import { seed } from './seed.ts'
import type { PanelSettings } from './settings.ts'
import { Users, type Person } from './users.ts'

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
  const users = new Users(database)
  const seeded = await seed(users)
  const auth = createPanelAuth({
    config: configOf(settings, extras.config),
    stores: sqliteStores(database),
    users,
    ...(extras.clock && { clock: extras.clock }),
  })
  const server = serverFor(auth, users)
  const port = await listen(server, settings.port)
  const pruning = setInterval(() => void auth.prune().catch(reportPruning), PRUNE_EVERY_MS)
  return {
    auth,
    users,
    url: `${settings.appUrl.replace(/:0$/, `:${port}`)}/admin/main`,
    seeded,
    async stop() {
      clearInterval(pruning)
      await closed(server)
      await auth.close()
      database.close()
    },
  }
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
    spa: { name: 'Acme Panel' },
    ...extra,
  }
}

function serverFor(auth: PanelAuth<Person>, users: Users): Server {
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

  // Slow or silent clients are let go long before Node would.
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 1000 },
    answer,
  )
  return server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
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
