import { launch, type BrowserContext, type Page } from 'puppeteer-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { ensureProgram } from '../../scripts/programs.mjs'
import { startHost, type Host } from '../browser/host.ts'
import { KEPT_NOTHING, kept, reportViolations } from '../browser/in-page.ts'

/** The reference panel, and Firefox as it is installed, driven by WebDriver BiDi. */
export interface Rig extends Host {
  /**
   * Opens a browser of its own: no cookies, nothing stored. It is closed after the test, which fails where
   * the browser complained, or where scripts kept anything.
   */
  visit(): Promise<Visit>
}

/** One browser. */
export interface Visit {
  readonly context: BrowserContext
  /** Its first tab, still empty. */
  readonly page: Page
  /** The requests of its tabs to the service, like `POST login`. */
  readonly asked: readonly string[]
  readonly newTab: () => Promise<Page>
}

/** Starts the panel and Firefox for a test file. */
export async function startRig(): Promise<Rig> {
  const host = await startHost()
  const firefox = await launch({ browser: 'firefox', executablePath: ensureProgram('firefox') })
  afterAll(() => firefox.close())

  return {
    ...host,
    async visit() {
      const context = await firefox.createBrowserContext()
      const asked: string[] = []
      const complaints: string[] = []
      const newTab = async () => watched(await context.newPage(), { asked, complaints })
      onTestFinished(async () => {
        const stored = await Promise.all((await context.pages()).map((page) => page.evaluate(kept)))
        await context.close()
        expect(complaints).toEqual([])
        for (const one of stored) expect(one).toEqual(KEPT_NOTHING)
      })
      return { context, asked, newTab, page: await newTab() }
    },
  }
}

interface Notes {
  readonly asked: string[]
  readonly complaints: string[]
}

async function watched(page: Page, { asked, complaints }: Notes): Promise<Page> {
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/svc/api/')) asked.push(`${request.method()} ${pathname.slice(9)}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text())
  })
  await page.setViewport({ width: 1100, height: 720 })
  await page.evaluateOnNewDocument(reportViolations)
  return page
}
