import { createServer, type RequestListener } from 'node:http'
import {
  chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import { eventually, PATIENCE_MS, spa, startHost, type Host } from './host.ts'
import { KEPT_NOTHING, kept, reportViolations } from './in-page.ts'

export { eventually, spa }

/** The reference panel, and browsers that show the time of its clock. */
export interface Rig extends Host {
  /**
   * Opens a browser of its own: no cookies, nothing stored. It is closed after the test, which fails where
   * the browser complained of anything but `tolerated`, or where scripts kept anything.
   */
  visit(options?: VisitOptions): Promise<Visit>
}

export interface VisitOptions extends BrowserContextOptions {
  /** The complaints that the test provokes. They may come at any time, also after its last step. */
  readonly tolerated?: RegExp
}

/** One browser. */
export interface Visit {
  readonly context: BrowserContext
  /** Its first tab, still empty. */
  readonly page: Page
  /** The requests of its tabs to the service, like `POST login`. */
  readonly asked: readonly string[]
  readonly complaints: readonly string[]
}

/** The errors of a browser for a script that fails to load, is truncated, or throws `broken`. */
export const FAILED_SCRIPT =
  /Failed to load (?:resource|module script)|Failed to fetch dynamically imported module|spa\.pages: |SyntaxError|Error: broken/

const browser = await chromium.connect(inject('browserEndpoint'))

/** Starts the rig of a test file; every test finds it a day later, with all limits and sessions over. */
export async function startRig(...given: Parameters<typeof startHost>): Promise<Rig> {
  const host = await startHost(...given)
  const { visit, contexts } = browsersAt(host)
  return {
    ...host,
    visit,
    async advance(by) {
      await host.advance(by)
      for (const context of contexts) await context.clock.setFixedTime(host.now())
    },
  }
}

/** Opens browsers at an origin. */
export function browsersAt({ origin, now }: Pick<Host, 'origin' | 'now'>) {
  const contexts = new Set<BrowserContext>()
  return {
    contexts,
    visit: async ({ tolerated, ...options }: VisitOptions = {}): Promise<Visit> => {
      const context = await browser.newContext({
        baseURL: origin,
        locale: 'en',
        viewport: { width: 1100, height: 720 },
        ...options,
      })
      contexts.add(context)
      context.on('close', () => contexts.delete(context))
      context.setDefaultTimeout(PATIENCE_MS)
      if (options.javaScriptEnabled !== false) await context.clock.setFixedTime(now())
      const complaints = await complaintsOf(context)
      onTestFinished(async () => {
        const stored = await storedIn(context, origin)
        await context.close()
        expect(complaints.filter((complaint) => tolerated?.test(complaint) !== true)).toEqual([])
        for (const one of stored) expect(one).toEqual(KEPT_NOTHING)
      })
      return { context, complaints, asked: askedOf(context), page: await context.newPage() }
    },
  }
}

/**
 * Serves a host until the end of the test, and opens a browser of its own at it. The test fails where
 * the browser complained.
 */
export async function openHost(
  auth: { readonly close: () => Promise<void> },
  origin: string,
  host: RequestListener,
): Promise<Page> {
  const server = createServer(host)
  await new Promise<void>((resolve) => server.listen(Number(new URL(origin).port), resolve))
  const context = await browser.newContext({ baseURL: origin, locale: 'en' })
  const complaints = await complaintsOf(context)
  onTestFinished(async () => {
    await context.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await auth.close()
    expect(complaints).toEqual([])
  })
  return context.newPage()
}

/** Returns what scripts could read in the tabs that a test leaves at the panel. */
async function storedIn(context: BrowserContext, origin: string): Promise<readonly unknown[]> {
  const tabs = context.pages().filter((page) => page.url().startsWith(`${origin}/`))
  return Promise.all(tabs.map(async (page) => page.evaluate(kept)))
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
  await context.addInitScript(reportViolations)
  return complaints
}
