import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Route } from 'playwright-core'
import { build } from 'vite'
import { afterAll } from 'vitest'
import { createPages, type Pages } from '../../build/src/http/pages/panel-pages.js'
import { createTranslator } from '../../build/src/http/wire/translate.js'

const room = fileURLToPath(new URL('../../web/spa/', import.meta.url))

/** Builds the panel once more with another content, as the next version of the package would. */
export async function buildRelease(): Promise<Pages> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  await build({
    configFile: join(room, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder },
    plugins: [{ name: 'next-release', renderChunk: (code) => `globalThis.svcRelease = 2;${code}` }],
  })
  return createPages(
    folder,
    {
      prefix: 'admin',
      panels: ['main'],
      changePassword: null,
      page: { name: 'Acme Panel', pagesModule: null, twoFactor: 'bound', linkMinutes: 60 },
    },
    createTranslator({}),
  )
}

/** Chooses the build that answers a request: the node's own or the other one. */
export type Balancer = (path: string) => 'own' | 'other'

/** Puts a node with another build beside the panel's own, behind a balancer that a test may change at any time. */
export async function balance(
  context: BrowserContext,
  other: Pages,
  first: Balancer,
): Promise<(next: Balancer) => void> {
  let choose = first
  await context.route('**/admin/main**', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (choose(pathname) === 'own') await route.fallback()
    else await answer(route, pathname, other)
  })
  return (next) => (choose = next)
}

async function answer(route: Route, path: string, pages: Pages): Promise<void> {
  const asked = route.request().headers()
  const { status, headers, body } = pages.answer(
    {
      method: route.request().method(),
      target: path,
      header: (name) => (name === 'accept-encoding' ? null : (asked[name] ?? null)),
      address: null,
      body: async () => null,
    },
    path,
  )
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)] as const)
  const sent = typeof body === 'string' ? body : Buffer.from(body as Uint8Array)
  await route.fulfill({ status, headers: Object.fromEntries(plain), body: sent })
}
