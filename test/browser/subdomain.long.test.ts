import { fileURLToPath } from 'node:url'
import { hashPassword } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeTwoFactor, fakeUsers, type FakeUser } from '@svc/auth/testing'
import type { Page } from 'playwright-core'
import { build, type Rollup } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createApi } from '../frameworks/subdomain-api.ts'
import type { createFrontEnd } from '../frameworks/subdomain-front.ts'
import { serveTls, visitSubdomains } from './subdomains.ts'
import { PASSWORD } from './person.ts'
import { eventually } from './rig.ts'

/** The front end is in the page as `front`. */
declare const front: ReturnType<typeof createFrontEnd>

const SCRIPT = await bundled('../frameworks/subdomain-front.ts')
const ORDERS = '/api/orders'
const ADA = 'ada@example.com'

it('logs in, reads, writes, follows the bell and logs out from a page on another subdomain', async () => {
  const { page, auth, ada, requests } = await openFrontEnd()

  expect(await stateOf(page)).toBe('guest')
  expect(await page.evaluate(async () => (await front.listOrders()).status)).toBe(401)
  await logIn(page)
  expect(await stateOf(page)).toBe('ready')
  expect(await page.context().cookies()).toContainEqual(
    expect.objectContaining({
      name: '__Host-Http-svc_session',
      domain: 'api.example.test',
      sameSite: 'Lax',
      secure: true,
    }),
  )

  const answers = await page.evaluate(async () => {
    const [listed, added] = [await front.listOrders(), await front.addOrder()]
    return [listed.status, await listed.json(), added.status, await added.json()] as unknown[]
  })
  expect(answers).toEqual([200, { seenBy: 'Ada' }, 201, { orderedBy: 'Ada' }])

  await eventually(() => requests.filter(({ path }) => path.endsWith('/stream')).length).toBe(1)
  const toDatabase = () => ({ title: 'An order has arrived' })
  await auth.notify(ada, { type: 'order', via: () => ['database'], toDatabase })
  await eventually(() => page.evaluate(() => front.bell.getState().unread)).toBe(1)

  await page.evaluate(async () => front.session.logout())
  expect(await stateOf(page)).toBe('guest')
  expect(await page.evaluate(async () => (await front.listOrders()).status)).toBe(401)
})

it('keeps the session over a reload', async () => {
  const { page } = await openFrontEnd()
  await logIn(page)
  await page.reload()
  await eventually(() => stateOf(page)).toBe('ready')
  expect(await page.evaluate(async () => (await front.addOrder()).status)).toBe(201)
})

it('leads from the panel of the API, where mails lead to, to the front end', async () => {
  const { page, origins } = await openFrontEnd()
  await page.goto(`${origins.api}/admin/main?email=verified`)
  expect(page.url()).toBe(`${origins.panel}/admin/main?email=verified`)
})

it('refuses a page on a subdomain that is not listed, although the browser sends the cookie', async () => {
  const { page, api, origins, requests } = await openFrontEnd()
  await logIn(page)
  const evil = await page.context().newPage()
  await evil.goto(origins.evil)
  requests.length = 0

  const outcomes = await evil.evaluate(async (api) => {
    const outcomeOf = async (path: string, init: RequestInit) =>
      fetch(api + path, { credentials: 'include', ...init }).then(
        ({ type, status }) => `${type} ${status}`,
        () => 'unreadable',
      )
    return [
      await outcomeOf('/svc/api/user', {}),
      await outcomeOf('/svc/api/csrf-cookie', {}),
      await outcomeOf('/api/orders', {}),
      await outcomeOf('/api/orders', { mode: 'no-cors' }),
      await outcomeOf('/svc/api/logout', { method: 'POST', mode: 'no-cors' }),
      await outcomeOf('/api/orders', { method: 'POST', mode: 'no-cors' }),
      await outcomeOf('/api/orders', { method: 'POST', headers: { 'X-XSRF-TOKEN': 'x' } }),
      await outcomeOf('/svc/api/logout', { method: 'POST', headers: { 'X-XSRF-TOKEN': 'x' } }),
      await new Promise((resolve) => {
        const source = new EventSource(`${api}/svc/api/notifications/stream`, {
          withCredentials: true,
        })
        source.addEventListener('error', () => resolve('unreadable'))
        source.addEventListener('unread', () => resolve('read'))
      }),
    ]
  }, api)

  expect(new Set(outcomes)).toEqual(new Set(['unreadable']))
  expect(
    requests.map(({ method, path, hasCookie, status }) => [method, path, hasCookie, status]),
  ).toEqual([
    ['GET', '/svc/api/user', true, 401],
    ['GET', '/svc/api/csrf-cookie', true, 204],
    ['GET', ORDERS, true, 401],
    ['GET', ORDERS, true, 401],
    ['POST', '/svc/api/logout', true, 403],
    ['POST', ORDERS, true, 403],
    ['OPTIONS', ORDERS, false, 401],
    ['OPTIONS', '/svc/api/logout', false, 405],
    ['GET', '/svc/api/notifications/stream', true, 401],
  ])
  expect(await page.evaluate(async () => (await front.addOrder()).status)).toBe(201)
})

/** Opens the front end, with the script of docs/frameworks.md, in a browser of its own. */
async function openFrontEnd() {
  vi.stubEnv('APP_KEY', 'a key of tests: 0123456789 abcdef')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { origins, listen } = await serveTls(['panel', 'evil', 'api'])
  const ada = { id: '1', name: 'Ada', email: ADA, passwordHash: await hashPassword(PASSWORD) }
  const users = fakeUsers([ada])
  const { app, auth } = createApi(
    { api: origins.api, frontEnd: origins.panel },
    {
      users: users as never,
      stores: memoryStores(),
      twoFactor: fakeTwoFactor<FakeUser>({ enabled: ['1'] }) as never,
    },
  )
  onTestFinished(() => auth.close())
  const pages = {
    panel: `<!doctype html><title>Panel</title><link rel="icon" href="data:,"><script type="module">
      ${SCRIPT}; window.front = createFrontEnd('${origins.api}')</script>`,
    evil: '<!doctype html><title>Evil</title><link rel="icon" href="data:,">',
  }
  const requests = listen({ api: app, pages })
  const page = await visitSubdomains(`${origins.panel}/start`)
  await eventually(() => stateOf(page)).toBe('guest')
  return { page, auth, ada: ada as never, api: origins.api, origins, requests }
}

async function stateOf(page: Page): Promise<string> {
  return page.evaluate(() => front.session.getState().state)
}

async function logIn(page: Page): Promise<void> {
  await page.evaluate(async (credentials) => front.session.login(credentials), {
    email: ADA,
    password: PASSWORD,
  })
  expect(await stateOf(page)).toBe('code')
  await page.evaluate(async () => front.session.submitCode('123456'))
}

/** Bundles a module for a page, as the build of a host does. @returns its code, without exports. */
async function bundled(file: string): Promise<string> {
  const entry = fileURLToPath(new URL(file, import.meta.url))
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'front' } },
  })
  const [{ output }] = [outputs].flat() as [Rollup.RollupOutput]
  return output[0].code.replace(/export \{[^}]*\};?\s*$/, '')
}
