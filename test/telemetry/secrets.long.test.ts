import { inspect } from 'node:util'
import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { createConnection } from 'mysql2/promise'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { StoreError, type Stores } from '@svc/auth'
import { openTelemetry } from '@svc/auth/telemetry'
import { prometheus } from '@svc/auth/prometheus'
import { fakeTwoFactor, outbox } from '@svc/auth/testing'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { routes } from '../../src/rules/routes.ts'
import { closedAfterTest, endedAfterTest } from '../support/after-test.ts'
import { PASSWORD, type Browser } from '../support/browser.ts'
import { bell, userOf } from '../support/bell.ts'
import { openStream } from '../support/bell-stream.ts'
import { storesOfOneNode } from '../support/databases.ts'
import { everyLayer } from '../support/every-layer.ts'
import { loggedIn, visitor } from '../support/logins.ts'
import { smtpUrlOf } from '../support/smtp-sink.ts'
import { API, FORGOT, LOGIN, SEND_LINK, SETUP, CONFIRM, USER } from '../support/paths.ts'
import { ioRedis } from '../support/redis.ts'
import { passwordHash, somePeople, startService, type TestService } from '../support/service.ts'
import { openHandle } from '../support/sqlite.ts'

const KEY = 'MARKER-KEY-of-the-application-0123456789'
const CODE = 'MARKER-CODE-482913'
const RECOVERY = ['MARKER-RECOVERY-one', 'MARKER-RECOVERY-two']
const SECRET = 'MARKERTOTPSECRET'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})
afterAll(() => context.disable())

/** Fails as the driver of each database does: the errors quote the text. */
const quoting: Readonly<Record<string, () => Promise<(text: string) => Promise<unknown>>>> = {
  async SQLite() {
    const handle = closedAfterTest(openHandle(':memory:'))
    return async (text) => handle.exec(`select 1 '${text}`)
  },
  async PostgreSQL() {
    const client = endedAfterTest(new pg.Client(inject('postgresUrl')))
    await client.connect()
    await client.query('create temporary table known (value text primary key)')
    let calls = 0
    return async (text) => {
      calls += 1
      // A wrong type, and a value that is not unique.
      if (calls % 2 === 0) return client.query('select $1::int', [text])
      for (;;) await client.query('insert into known values ($1)', [text])
    }
  },
  async MySQL() {
    const connection = endedAfterTest(await createConnection(inject('mariadbUrl')))
    return async (text) => connection.query(`select '${text}' from nowhere where '${text}`)
  },
  async Redis() {
    const { client, close } = ioRedis()
    onTestFinished(close)
    const { call } = client as unknown as {
      readonly call: (...words: string[]) => Promise<unknown>
    }
    return async (text) => Reflect.apply(call, client, [text, text])
  },
}

/** The stores, whose calls from a number on fail as their driver does. */
function failing(stores: Stores, fail: () => Promise<never>) {
  let [calls, from] = [0, Infinity]
  const wrapped = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: readonly unknown[]) => {
          calls += 1
          return calls >= from ? fail() : Reflect.apply(method, target, args)
        }
      },
    })
  return {
    stores: {
      ...stores,
      sessions: wrapped(stores.sessions),
      pendingLogins: wrapped(stores.pendingLogins),
      attempts: wrapped(stores.attempts),
      notifications: wrapped(stores.notifications),
    },
    failFrom: (number: number): void => {
      ;[calls, from] = [0, number]
    },
  }
}

/** Everything that leaves a service but its successes. */
function collected() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  const { text, ...scraped } = prometheus()
  const refusals: string[] = []
  const written: string[] = []
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    written.push(String(line))
    return true
  })
  onTestFinished(() => spy.mockRestore())
  return {
    telemetry: { ...openTelemetry({ tracerProvider }), ...scraped },
    refusals,
    async everything({ log, events }: TestService): Promise<string> {
      const spans = exporter.getFinishedSpans().map(({ name, attributes, events: on, status }) => ({
        name,
        attributes,
        on,
        status,
      }))
      const all = { log, events, spans, refusals, written }
      const shown = inspect(all, { depth: 20, showHidden: true, maxStringLength: null })
      return shown + JSON.stringify(all) + (await text())
    },
  }
}

/** The values of the cookies of a browser that open something. */
const cookiesOf = (browser: Browser): readonly string[] =>
  ['svc_session', 'XSRF-TOKEN', 'svc_device', 'svc_trusted'].flatMap((name) => {
    const value = browser.cookie(name)
    return value === null ? [] : [value]
  })

/** A body with all fields that routes read, whose secret ones are marked. */
const MARKED = {
  email: 'u1@x.test',
  password: 'MARKER-PASSWORD-typed',
  current_password: 'MARKER-PASSWORD-current',
  code: CODE,
  token: 'MARKER-TOKEN-of-a-link',
  name: 'my phone',
} as const

/** Sends a request. Those to the stream are sent by `breakStreams`. */
async function send(
  browser: Browser,
  { method, path, name }: (typeof routes)[number],
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const target = API + path.replaceAll(/\{\w+\}/g, 'x')
  if (name === 'notifications.stream') return { status: 0, text: '' }
  return browser.send(method, target, method === 'GET' ? {} : { body })
}

describe.each(Object.keys(quoting))('With errors of %s that quote values', (database) => {
  it(
    'no log, event, span, metric, or answer of an outage has a secret',
    { timeout: 60_000 },
    async () => {
      const output = collected()
      const secrets = new Set<string>([KEY, PASSWORD, passwordHash, CODE, SECRET, ...RECOVERY])
      for (const [name, value] of Object.entries(MARKED))
        if (/password|token/.test(name)) secrets.add(value)
      const quote = await quoting[database]?.()
      let quoted = 0
      async function fail(): Promise<never> {
        const all = [...secrets]
        quoted += 1
        try {
          await quote?.(all[quoted % all.length] ?? '')
        } catch (cause) {
          throw quoted % 2 === 0 ? cause : new StoreError('the database failed', { cause })
        }
        throw new Error('nothing was quoted')
      }
      const opened = await storesOfOneNode[database]?.open()
      if (opened === undefined) throw new Error(`no stores of ${database}`)
      const { stores, failFrom } = failing(opened, fail)
      const users = somePeople()
      const broken = { isUsers: false }
      const { findByEmail, findById } = users
      Object.assign(users, {
        findByEmail: async (...args: Parameters<typeof findByEmail>) =>
          broken.isUsers ? fail() : findByEmail(...args),
        findById: async (...args: Parameters<typeof findById>) =>
          broken.isUsers ? fail() : findById(...args),
      })
      const mailer = outbox()
      const unlimited = Object.fromEntries(
        routes.flatMap(({ limit }) =>
          limit ? [[limit, { max: 10_000, window_seconds: 60 }]] : [],
        ),
      )
      const service = await startService({
        ...everyLayer(),
        mailer,
        stores,
        users,
        telemetry: output.telemetry,
        twoFactor: fakeTwoFactor({ devices: true, code: CODE, secret: SECRET, recovery: RECOVERY }),
        appUrl: 'http://panel.test',
        config: {
          app: { url: 'http://panel.test', keys: [KEY] },
          session_auth: { stateful: ['panel.test'] },
          limits: unlimited,
        },
      })

      // Each way to a secret, while everything works.
      const tria = await loggedIn(service, 'u3@x.test')
      await tria.post(SEND_LINK)
      const guest = await visitor(service)
      await guest.post(FORGOT, { email: 'u1@x.test' })
      await vi.waitFor(() => expect(mailer.sent.length).toBeGreaterThanOrEqual(2))
      const quarta = await loggedIn(service, 'u4@x.test')
      await quarta.post(SETUP)
      const confirmed = await quarta.post(CONFIRM, { code: CODE })
      expect(confirmed.json.recovery_codes).toEqual(RECOVERY)
      for (const { text } of mailer.sent) {
        for (const [, , value = ''] of text.matchAll(/(token|signature)=([\w.~-]+)/g))
          secrets.add(value)
        const [link] = /\/svc\/api\/email\/verify\/\S+/.exec(text) ?? []
        if (link !== undefined) await openInOutage(tria, link, output.refusals, failFrom)
      }
      const owing = await visitor(service)
      await owing.post(LOGIN, { email: 'u4@x.test', password: PASSWORD })
      for (const browser of [tria, quarta, guest, owing])
        for (const cookie of cookiesOf(browser)) secrets.add(cookie)

      for (const route of routes) {
        for (const from of [1, 2, 3, 5, 0]) {
          const una = await loggedIn(service)
          for (const cookie of cookiesOf(una)) secrets.add(cookie)
          failFrom(from === 0 ? Infinity : from)
          broken.isUsers = from === 0
          for (const body of [
            MARKED,
            { ...MARKED, password: PASSWORD, current_password: PASSWORD },
          ]) {
            const { status, text } = await send(una, route, body)
            if (status >= 400) output.refusals.push(text)
          }
          failFrom(Infinity)
          broken.isUsers = false
        }
      }
      await refuseGuard(service, output.refusals, failFrom)
      await breakStreams(service, output.refusals, failFrom)
      expect(output.refusals.filter((text) => text.includes('unavailable')).length).toBeGreaterThan(
        60,
      )
      await service.auth.close()
      const everything = await output.everything(service)
      expect(everything).toContain('a request failed')
      expect(everything).toContain('a stream of the bell failed')
      for (const secret of secrets) expect(everything, secret).not.toContain(secret)
      expect(everything).not.toContain('MARKER')
    },
  )
})

/** Opens the link of a mail, whose path and query are secret, while the stores are down. */
async function openInOutage(
  browser: Browser,
  link: string,
  refusals: string[],
  failFrom: (number: number) => void,
): Promise<void> {
  failFrom(1)
  const { status, text } = await browser.get(link)
  expect(status).toBe(503)
  refusals.push(text)
  failFrom(Infinity)
}

/** A guard of the host, whose stores are down. */
async function refuseGuard(
  service: TestService,
  refusals: string[],
  failFrom: (number: number) => void,
): Promise<void> {
  const una = await loggedIn(service)
  failFrom(1)
  const answer = await una.get('/api/people')
  expect(answer.status).toBe(503)
  refusals.push(answer.text)
  failFrom(Infinity)
  expect((await una.get(USER)).status).toBe(200)
}

const OF_PAGE = { referer: 'http://panel.test/admin/main' }

/** A stream that the stores refuse, and one that they end. */
async function breakStreams(
  service: TestService,
  refusals: string[],
  failFrom: (number: number) => void,
): Promise<void> {
  const una = await loggedIn(service)
  failFrom(1)
  const refused = await openStream(service.url, una, OF_PAGE)
  await refused.rest()
  expect(refused.status).toBe(503)
  refusals.push(refused.received())
  failFrom(Infinity)
  const stream = await openStream(service.url, una, OF_PAGE)
  await stream.next()
  // The entry is stored by the first call; the stream fails to read it.
  failFrom(2)
  await service.auth.notify(await userOf(service, 'u1'), bell({ title: 't' }))
  await stream.rest()
  refusals.push(stream.received())
  failFrom(Infinity)
}

describe('A mail server that repeats the mail in its refusal', () => {
  it.each(['the mail', 'the address', 'the login'] as const)(
    'puts no link and no address into the log: it refuses %s',
    async (refused) => {
      let repeated = ''
      const server = new SMTPServer({
        authOptional: refused !== 'the login',
        disabledCommands: ['STARTTLS'],
        allowInsecureAuth: true,
        onAuth: ({ password = '' }, _session, done) => done(new Error(`wrong: ${password}`)),
        onRcptTo: ({ address }, _session, done) =>
          done(refused === 'the address' ? new Error(`no ${address}`) : null),
        onData(stream, _session, done) {
          stream.on('data', (chunk: Buffer) => (repeated += chunk.toString()))
          stream.on('end', () => done(new Error(`refused: ${/http\S+/.exec(repeated)?.[0]}`)))
        },
      })
      server.on('error', () => undefined)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(async () => new Promise<void>((resolve) => server.close(resolve)))
      const url = new URL(smtpUrlOf(server.server.address()))
      if (refused === 'the login') url.username = url.password = 'MARKER-SMTP'
      const transport = createTransport(url.href)
      const mailer = {
        send: async (mail: object) =>
          void (await transport.sendMail({ from: 'a@b.test', ...mail })),
      }
      const service = await startService({ mailer })
      const tria = await loggedIn(service, 'u3@x.test')
      const answer = await tria.post(SEND_LINK)
      expect(answer.status).toBe(503)
      const shown =
        inspect(service.log, { depth: 20, showHidden: true, maxStringLength: null }) +
        JSON.stringify(service.log) +
        answer.text
      expect(shown).toContain('another server refused a call')
      for (const secret of ['signature', 'u3@x.test', 'MARKER', '/email/verify/u3'])
        expect(shown).not.toContain(secret)
    },
  )
})
