import { createServer } from 'node:http'
import {
  createPanelAuth,
  hashPassword,
  type GuardOptions,
  type Middleware,
  type PanelAuth,
  type PanelAuthOptions,
  type PanelEvent,
  type Stores,
} from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { guard, mount } from '@svc/auth/node'
import {
  fakeClock,
  fakeUsers,
  type FakeClock,
  type FakeUser,
  type FakeUsers,
} from '@svc/auth/testing'
import { onTestFinished } from 'vitest'
import { EVENT_NAMES } from '../../src/rules/event-names.ts'
import { browserAt, PASSWORD, type Browser } from './browser.ts'

type Options = PanelAuthOptions<FakeUser>

/** The options that a test changes; everything else is as a host would have it. */
export interface Changes {
  readonly config?: Partial<Options['config']>
  readonly stores?: Stores
  readonly users?: FakeUsers
  readonly clock?: FakeClock
  readonly twoFactor?: NonNullable<Options['twoFactor']>
  readonly mailer?: NonNullable<Options['mailer']>
  readonly passwords?: NonNullable<Options['passwords']>
  readonly confirmation?: boolean
  readonly sessions?: NonNullable<Options['sessions']>
  readonly impersonation?: NonNullable<Options['impersonation']>
  readonly activity?: NonNullable<Options['activity']>
  readonly channels?: NonNullable<Options['channels']>
  readonly telemetry?: NonNullable<Options['telemetry']>
  /** The options of the guard of `/api/people`. */
  readonly guard?: GuardOptions
  /** Default: one that the test reads. */
  readonly logger?: NonNullable<Options['logger']>
  /** `http://panel.test:PORT` unless a test is about https, which a proxy in front would end. */
  readonly appUrl?: string
}

/** The service on a port of its own, with its extension points at hand. */
export interface TestService {
  readonly auth: PanelAuth<FakeUser>
  readonly url: string
  /** The origin of the panel, as browsers know it. */
  readonly origin: string
  readonly clock: FakeClock
  readonly users: FakeUsers
  readonly stores: Stores
  /** The log entries. */
  readonly log: { readonly level: string; readonly fields: object; readonly message: string }[]
  /** The events that were emitted, in their order. */
  readonly events: { readonly event: PanelEvent; readonly payload: object }[]
  /** A browser with an address of its own. */
  readonly browser: (options?: { readonly origin?: string; readonly address?: string }) => Browser
}

/** Cheap, so that tests are about behaviour and not about the cost of a hash. */
export const CHEAP = { memory_kib: 64, passes: 1 } as const
const CHEAP_HASH = { memoryKiB: 64, passes: 1 } as const

/** The hash of everybody's password, with the parameters that the tests run with. */
export const passwordHash = await hashPassword(PASSWORD, CHEAP_HASH)

/** The people of the tests: U1 is plain, U3 must verify its email, U6 is refused, U7 has no password, U8 a broken hash. */
export function somePeople(): FakeUsers {
  return fakeUsers([
    { id: 'u1', email: 'u1@x.test', name: 'Una', passwordHash },
    { id: 'u2', email: 'u2@x.test', name: 'Duo', passwordHash },
    { id: 'u3', email: 'u3@x.test', name: 'Tria', passwordHash, mustVerify: true },
    { id: 'u4', email: 'u4@x.test', name: 'Quarta', passwordHash },
    { id: 'u6', email: 'u6@x.test', name: 'Sexta', passwordHash, active: false },
    { id: 'u7', email: 'u7@x.test', name: 'Septima', passwordHash: null },
    { id: 'u8', email: 'u8@x.test', name: 'Octavia', passwordHash: '$argon2id$broken' },
  ])
}

/** Makes the people, U1 with another hash. */
export function peopleWithHash(passwordHash: string): FakeUsers {
  const users = somePeople()
  users.update('u1', { passwordHash })
  return users
}

/** Takes the tenant of a request from its header `X-Tenant`. */
export const identifyTenant: Middleware = async (context, next) => {
  context.tenant = context.request.header('x-tenant')
  return next()
}

/** Two tenants, each with a user u1, and the headers of a request to one of them. */
export function twoTenants() {
  const person = { id: 'u1', email: 'u1@x.test', passwordHash }
  const tenants = [
    { ...person, tenant: 'acme' },
    { ...person, tenant: 'zeta' },
  ]
  return {
    changes: {
      users: fakeUsers(tenants),
      config: { svc: { ...svc, middleware: [identifyTenant] } },
    },
    at: (tenant: 'acme' | 'zeta') => ({ headers: { 'x-tenant': tenant } }),
  }
}

/** The option `svc` of the service. */
export const svc = { prefix: 'admin', panels: ['main'] }

/** The configuration of a service at an origin, without the pages of the panel. */
export function configAt(origin: string) {
  return {
    app: { url: origin, keys: ['test-key-test-key-test-key-0123456789'] },
    session_auth: { stateful: [new URL(origin).host] },
    svc,
    spa: { off: true },
  }
}

/** The options of a service that listens nowhere, for what a test adds. */
export function rightOptions() {
  return { config: configAt('http://localhost:3000'), stores: memoryStores(), users: somePeople() }
}

/** Starts the service; it is stopped after the test. One route of a host is at `/api/people`. */
export async function startService(changes: Changes = {}): Promise<TestService> {
  const { clock = fakeClock(), users = somePeople(), stores = memoryStores() } = changes
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const origin = changes.appUrl ?? url
  const log: TestService['log'] = []
  const auth = createPanelAuth<FakeUser>({
    config: {
      ...configAt(origin),
      passwords: CHEAP,
      ...changes.config,
    },
    stores,
    users,
    clock,
    ...(changes.twoFactor && { twoFactor: changes.twoFactor }),
    ...(changes.mailer && { mailer: changes.mailer }),
    ...(changes.passwords && { passwords: changes.passwords }),
    ...(changes.confirmation !== undefined && { confirmation: changes.confirmation }),
    ...(changes.sessions && { sessions: changes.sessions }),
    ...(changes.impersonation && { impersonation: changes.impersonation }),
    ...(changes.activity !== undefined && { activity: changes.activity }),
    ...(changes.channels && { channels: changes.channels }),
    ...(changes.telemetry && { telemetry: changes.telemetry }),
    logger: changes.logger ?? {
      warn: (fields, message) => log.push({ level: 'warn', fields, message }),
      error: (fields, message) => log.push({ level: 'error', fields, message }),
    },
  })
  const events: TestService['events'] = []
  for (const event of EVENT_NAMES) auth.on(event, (payload) => events.push({ event, payload }))
  const serve = mount(auth)
  const admit = guard(auth, changes.guard)
  server.on('request', (request, response) => {
    if (request.url !== '/api/people') return serve(request, response)
    void admit(request, response).then(
      (user) => user && response.end(JSON.stringify({ seenBy: user.id })),
    )
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await auth.close()
  })
  return {
    auth,
    url,
    origin,
    clock,
    users,
    stores,
    log,
    events,
    browser: (options) => browserAt(url, { origin, ...options }),
  }
}

/** Returns the payloads of the events of one name, in order. */
export function payloadsOf({ events }: TestService, name: PanelEvent): readonly object[] {
  return events.filter(({ event }) => event === name).map(({ payload }) => payload)
}
