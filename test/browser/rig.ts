import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import type { PanelConfig } from '@svc/auth'
import { fakeClock, type Span } from '@svc/auth/testing'
import { afterAll, beforeEach, expect, inject, onTestFinished } from 'vitest'
import { startPanel, type Panel, type PanelExtras } from '../../dist/panel/panel.js'
import { CHEAP } from '../support/service.ts'

/** The reference panel with a fresh database, and browsers that show the time of its clock. */
export interface Rig {
  readonly panel: Panel
  readonly origin: string
  /** Address of the panel's home. */
  readonly home: string
  /** Opens a browser of its own: no cookies, nothing stored. It is closed when the test is over. */
  visit(options?: BrowserContextOptions): Promise<Visit>
  /** Turns the clock of the service and of every browser. */
  advance(by: Span): Promise<void>
  /** What the clock shows, in milliseconds since 1970. */
  now(): number
  /** The links of the mails to an address, in the order of sending. */
  links(to: string): Promise<readonly string[]>
  /** Ends every session of a person, as if it had been done elsewhere. */
  endSessions(email: string): Promise<void>
}

/** One browser. */
export interface Visit {
  readonly context: BrowserContext
  /** Its first tab, still empty. */
  readonly page: Page
  /** What its tabs have asked the service for, like `POST login`. */
  readonly asked: readonly string[]
  /** What the browser complains of; what a test leaves here makes it fail. */
  readonly complaints: string[]
}

export const spa = { name: 'Acme Panel', links: { help: 'https://help.example/panel' } } as const

const browser = await chromium.connect(inject('browserEndpoint'))
const PATIENCE_MS = 20_000

/** Starts the rig of a test file; every test finds it a day later, with all limits and sessions over. */
export async function startRig(
  config: Partial<PanelConfig> = { spa },
  extras: Pick<PanelExtras, 'twoFactor'> = {},
): Promise<Rig> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'svc-browser-'))
  const clock = fakeClock()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const panel = await startPanel(
    {
      port,
      dataFolder,
      databaseUrl: null,
      redisUrl: null,
      appUrl: origin,
      appKeys: ['a key of tests: 0123456789 abcdef'],
      trustedProxies: [],
      smtpUrl: null,
      mailFrom: 'panel@localhost',
    },
    { clock, ...extras, config: { passwords: CHEAP, ...config } },
  )
  const contexts = new Set<BrowserContext>()

  beforeEach(() => clock.advance({ hours: 25 }))
  afterAll(async () => {
    await panel.stop()
    rmSync(dataFolder, { recursive: true })
  })

  return {
    panel,
    origin,
    home: panel.url,
    async visit(options) {
      const context = await browser.newContext({
        baseURL: origin,
        locale: 'en',
        viewport: { width: 1100, height: 720 },
        ...options,
      })
      contexts.add(context)
      context.on('close', () => contexts.delete(context))
      context.setDefaultTimeout(PATIENCE_MS)
      if (options?.javaScriptEnabled !== false) await context.clock.setFixedTime(clock.now())
      const complaints = await complaintsOf(context)
      onTestFinished(async () => {
        await context.close()
        expect(complaints).toEqual([])
      })
      return { context, complaints, asked: askedOf(context), page: await context.newPage() }
    },
    async advance(by) {
      clock.advance(by)
      for (const context of contexts) await context.clock.setFixedTime(clock.now())
    },
    now: () => clock.now(),
    links: async (to) => {
      const folder = join(dataFolder, 'mail')
      const files = readdirSync(folder).toSorted()
      const mails = await Promise.all(
        files.map(async (file) => PostalMime.parse(readFileSync(join(folder, file)))),
      )
      return mails.filter(({ to: [first] = [] }) => first?.address === to).map(linkIn)
    },
    async endSessions(email) {
      const person = await panel.users.findByEmail(email)
      if (person === null) throw new Error(`there is no ${email}`)
      await panel.auth.endSessions(person.id)
    },
  }
}

function linkIn({ text = '' }: Email): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`there is no link in ${text}`)
  return link
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return address.port
}

/** Lets no request of a route through. @returns how to let all of them through. */
export async function hold(page: Page, route: string): Promise<() => void> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/svc/api/${route}`, async (held) => {
    await released
    await held.continue()
  })
  return release
}

/** Answers a route in the service's stead, where what it takes to get there is too long for a test. */
export async function answerWith(
  page: Page,
  route: string,
  { status, body }: { readonly status: number; readonly body: object },
): Promise<void> {
  await page.route(`**/svc/api/${route}`, (request) => request.fulfill({ status, json: body }))
}

/** Lets the network fail for a route. @returns how to mend it. */
export async function cut(page: Page, route: string): Promise<() => Promise<void>> {
  const url = `**/svc/api/${route}`
  await page.route(url, (request) => request.abort())
  return () => page.unroute(url)
}

/** Waits until a value is what the expectation says. */
export function eventually<Value>(read: () => Value | Promise<Value>) {
  return expect.poll(read, { timeout: PATIENCE_MS, interval: 20 })
}

function askedOf(context: BrowserContext): readonly string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/svc/api/')) asked.push(`${request.method()} ${pathname.slice(9)}`)
  })
  return asked
}

/** Everything a browser complains of, but for refusals of the service and of the panel: these it always notes as errors. */
export async function complaintsOf(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    const isRefusal =
      message.text().startsWith('Failed to load resource') &&
      message.location().url.includes('/api/')
    if (!isRefusal && ['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`The page's policy forbids it: ${violatedDirective} ${blockedURI}`),
    )
  })
  return complaints
}
