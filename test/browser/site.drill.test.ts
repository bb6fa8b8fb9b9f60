import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { axeViolations, SCHEMES, STILL } from './looks.ts'
import { complaintsOf, eventually } from './rig.ts'

const BUILT = 'site/.vitepress/dist'
const BUILDING_MS = 600_000
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}
const PAGES = [
  '/',
  '/README',
  '/playground',
  '/tokens',
  '/docs/why',
  '/docs/questions',
  '/docs/options',
]

/** Words of searches, and the section that answers each. */
const ANSWERS = [
  ['Docker', 'questions#docker'],
  ['Strapi', 'questions#strapi-directus-keystonejs'],
  ['Keycloak', 'questions#keycloak-auth0-okta-entra-id'],
  ['Supabase', 'questions#supabase-firebase-clerk'],
  ['forgot password', 'questions#forgot-password'],
  ['magic link', 'questions#magic-link'],
  ['SSO', 'questions#sso-openid-connect-saml'],
  ['impersonate', 'questions#impersonate-a-user-log-in-as-somebody'],
  ['rate limit', 'questions#rate-limit-and-brute-force'],
  ['Kubernetes', 'questions#kubernetes'],
  ['passkeys', 'questions#passkeys-and-webauthn'],
  ['PostgreSQL', 'postgresql'],
] as const

const browser = await chromium.connect(inject('browserEndpoint'))
let origin: string
let server: Server

beforeAll(async () => {
  // It fails if a link between pages leads nowhere.
  execFileSync(process.execPath, ['scripts/site.mjs'], { stdio: 'pipe' })
  const port = await freePort()
  origin = `http://localhost:${port}`
  server = createServer((request, response) => {
    const path = join(BUILT, new URL(request.url ?? '/', origin).pathname)
    const file = [path, `${path}.html`, join(path, 'index.html')].find(isFile)
    if (file === undefined) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    return response.end(readFileSync(file))
  }).listen(port)
}, BUILDING_MS)

afterAll(async () => {
  await browser.close()
  server.close()
})

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

async function opens(path: string, options: object = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, ...STILL, ...options })
  const complaints = await complaintsOf(context)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  return page
}

/** Returns the addresses of the results that are in sight at first, as one text. */
async function addressesOf(found: Locator): Promise<string> {
  const all = await found.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  return all.slice(0, 5).join(' ')
}

describe('the site of the documents', () => {
  it.each(PAGES)('has no finding of axe in the light and in the dark: %s', async (path) => {
    for (const colorScheme of SCHEMES) {
      const page = await opens(path, { colorScheme })
      expect(await axeViolations(page), colorScheme).toEqual([])
    }
  })

  it.each(PAGES)('does not scroll sideways on a phone: %s', async (path) => {
    const page = await opens(path, { viewport: { width: 375, height: 720 } })
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
  })

  it.each(SCHEMES)('shows the bell on its first screen in the theme %s', async (colorScheme) => {
    const page = await opens('/', { colorScheme, viewport: { width: 1280, height: 800 } })
    const shown = page.locator(`.landing-first .only-${colorScheme}`)
    await eventually(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(
      1600,
    )
    const box = await shown.boundingBox()
    expect(box?.width).toBeGreaterThan(600)
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800)
    await page.getByRole('main').getByRole('link', { name: 'Playground' }).click()
    await page.waitForURL('**/playground')
  })

  it('finds a page that answers each of the words that people look for', async () => {
    const page = await opens('/')
    await page.getByRole('button', { name: 'Search' }).click()
    const found = page.locator('.VPLocalSearchBox a.result')
    for (const [words, answer] of ANSWERS) {
      await page.locator('.VPLocalSearchBox input').fill(words)
      await eventually(() => addressesOf(found)).toContain(`/docs/${answer}`)
    }
  })
})
