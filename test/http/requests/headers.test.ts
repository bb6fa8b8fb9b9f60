import { fakeTwoFactor } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { provoke, refusalKeys } from '../../support/refusals.ts'
import { startService, type Changes, type TestService } from '../../support/service.ts'
import type { Answer } from '../../support/browser.ts'
import { bytesOf, sendRaw } from '../../support/raw.ts'
import { writtenPage } from '../../support/written-page.ts'

const TLS: Changes = { appUrl: 'https://panel.test' }

/** A request for each kind of answer that is not a refusal of the API. */
const successes: Readonly<Record<string, (service: TestService) => Promise<Answer>>> = {
  'GET /csrf-cookie': async ({ browser }) => browser().get('/svc/api/csrf-cookie'),
  'POST /login': async ({ browser }) => browser().logIn('u1@x.test'),
  'GET /user': async (service) => (await loggedIn(service)).get('/svc/api/user'),
  'HEAD /user': async (service) => (await loggedIn(service)).send('HEAD', '/svc/api/user'),
  'POST /logout': async (service) => (await loggedIn(service)).post('/svc/api/logout'),
  'a route of the host that is refused': async ({ browser }) => browser().get('/api/people'),
}

/** Every answer there is, by what it is, got once without TLS and once with it. */
const answers = [
  ...Object.entries(successes).map(([name, ask]) => ({
    name,
    plain: once(async () => ask(await startService())),
    secure: once(async () => ask(await startService(TLS))),
  })),
  ...refusalKeys.map((key) => ({
    name: key,
    plain: once(async () => provoke(key)),
    secure: once(async () => provoke(key, TLS)),
  })),
]

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | null = null
  return async () => (asked ??= ask())
}

async function loggedIn({ browser }: TestService): Promise<ReturnType<TestService['browser']>> {
  const una = browser()
  expect((await una.logIn('u1@x.test')).status).toBe(200)
  return una
}

/** A service with the pages that were built. */
async function startWithPages(changes: Changes = {}): Promise<TestService> {
  const config = { spa: { name: 'Acme <Panel>' }, ...changes.config }
  return startService({ ...changes, config })
}

/** The address of the first file of that kind that the page asks for. */
async function fileOf({ browser }: TestService, kind: string): Promise<string> {
  const { text } = await browser().get('/admin/main')
  return new RegExp(`"(/admin/main/assets/[\\w.-]+\\.${kind})"`).exec(text)?.[1] ?? 'no such file'
}

describe('Headers of the API', () => {
  it.each(answers)(
    'HDR-01, HDR-02, HDR-05: $name is never cached and reveals nothing',
    async ({ plain }) => {
      const { headers } = await plain()
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-accel-expires': '0',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      })
      for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'etag'])
        expect(headers).not.toHaveProperty(name)
    },
  )

  it.each(answers)('HDR-04: $name sends HSTS over TLS only', async ({ plain, secure }) => {
    expect((await secure()).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    )
    expect((await plain()).headers).not.toHaveProperty('strict-transport-security')
  })

  it.each(answers)('HDR-06: $name has a type if it has a body', async ({ plain }) => {
    const { status, headers, text } = await plain()
    if (status === 204) {
      expect(text).toBe('')
      expect(headers).not.toHaveProperty('content-type')
    } else expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it.each(answers)('$name names a scheme of authentication if it is 401', async ({ plain }) => {
    const { status, headers } = await plain()
    expect(headers['www-authenticate']).toBe(status === 401 ? 'Session' : undefined)
  })

  it.each(['svc::auth.throttle', 'svc::auth.too_many_requests', 'svc::auth.unavailable'] as const)(
    'HDR-10: %s has Retry-After with the same seconds as its body',
    async (key) => {
      const { headers, json } = await provoke(key)
      expect(headers['retry-after']).toMatch(/^[1-9]\d*$/)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400)
      expect(Number(headers['retry-after'])).toBe(json.retry_after)
    },
  )

  it('a route with a limit sends the remaining requests and the time of the next', async () => {
    const { headers } = await provoke('svc::auth.failed')
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' })
    const { headers: over } = await provoke('svc::auth.too_many_requests')
    expect(over).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
    expect(over['x-ratelimit-reset']).toMatch(/^[1-9]\d*$/)
  })

  it.each([
    ['/svc/api/user/a.css', 404],
    ['/svc/api/user;a.css', 404],
    ['/svc/api/user%0a.css', 404],
    ['/svc/api/user?a.css', 200],
  ])('HDR-09: %s is not offered as a download', async (target, status) => {
    const service = await startWithPages()
    const una = await loggedIn(service)
    const headers = [
      ['Host', new URL(service.url).host],
      ['Cookie', `svc_session=${una.cookie('svc_session')}`],
      ['Connection', 'close'],
    ] as const
    const [answer] = await sendRaw(service.url, bytesOf({ target, headers }))
    expect(answer?.status).toBe(status)
    expect(answer?.headers['cache-control']).toBe('no-store')
  })

  it.each(['/svc/api/unknown', '/svc/api', '/svc/api/', '/svc', '/admin', '/admin/mainly', '/'])(
    'HDR-12: %s is 404 as JSON, not a page',
    async (path) => {
      const { browser } = await startWithPages()
      const answer = await browser().get(path, { headers: { accept: 'text/html' } })
      expect(answer.status).toBe(404)
      expect(answer.json.key).toBe('svc::auth.not_found')
    },
  )
})

describe('Pages', () => {
  it.each([
    ['bound', { twoFactor: fakeTwoFactor() }],
    ['absent', {}],
  ] as const)(
    'carry the settings of the panel, with the second factor %s',
    async (factor, changes) => {
      const { browser } = await startWithPages({
        ...changes,
        config: { spa: { pages: '/host/pages.js' }, auth: { verification: { expire: 15 } } },
      })
      const { text } = await browser().get('/admin/main')
      expect(writtenPage(text)).toMatchObject({
        base: '/admin/main',
        twoFactor: factor,
        pagesModule: '/host/pages.js',
        linkMinutes: 15,
      })
      expect(text).not.toContain('__SVC_')
    },
  )

  it.each([
    ['svc_theme=dark', 'dark'],
    ['a=b; svc_theme=light', 'light'],
    ['svc_theme="><script>', ''],
    ['svc_theme=dark; svc_theme=light', ''],
    ['', ''],
  ])('have the theme of the cookie %j: %j', async (cookie, theme) => {
    const { browser } = await startWithPages()
    const { text } = await browser().get('/admin/main', { headers: { cookie } })
    expect(text).toContain(`data-svc-theme="${theme}"`)
  })

  it.each([
    ['svc_language=fr', 'fr', 'ltr'],
    ['svc_language=xx', 'ar', 'rtl'],
    ['svc_language="><script>', 'ar', 'rtl'],
    ['svc_language=fr; svc_language=en', 'ar', 'rtl'],
  ])('have the language of the cookie %j, or else the browser’s: %j, %s', async (...row) => {
    const [cookie, language, direction] = row
    const { browser } = await startWithPages()
    const headers = { cookie, 'accept-language': 'ar' }
    const answer = await browser().get('/admin/main', { headers })
    expect(answer.headers).toMatchObject({ 'content-language': language, vary: 'Accept-Language' })
    expect(answer.text).toContain(`lang="${language}"`)
    expect(answer.text).toContain(`dir="${direction}"`)
  })

  it.each(['/admin/main', '/admin/main/', '/admin/main/security', '/admin/main?verified=1'])(
    'HDR-03: %s has a policy that allows no foreign script',
    async (path) => {
      const { browser } = await startWithPages()
      const { status, headers, text } = await browser().get(path)
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-accel-expires': '0',
        'content-type': 'text/html; charset=utf-8',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      const policy = (headers['content-security-policy'] ?? '').toString().split('; ')
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "base-uri 'none'",
          "form-action 'self'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy.join()).not.toMatch(/unsafe-|https?:|\*/)
      expect(headers['permissions-policy']).toContain('camera=()')
      expect(text).not.toMatch(/https?:\/\/|<script(?![^>]+src=)|<style|\son\w+=|__SVC_/)
      expect(text).toContain('<title>Acme &lt;Panel&gt;</title>')
    },
  )

  it.each([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['svg', 'image/svg+xml'],
  ])(
    'HDR-03: a %s file is cached for ever, as its name has a hash of its content',
    async (kind, type) => {
      const service = await startWithPages()
      const { status, headers } = await service.browser().get(await fileOf(service, kind))
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': type,
        'cross-origin-resource-policy': 'same-origin',
        vary: 'Accept-Encoding',
        'x-content-type-options': 'nosniff',
      })
      expect(headers).not.toHaveProperty('content-encoding')
    },
  )

  it('a file is compressed for clients that accept it', async () => {
    const service = await startWithPages()
    const path = await fileOf(service, 'css')
    const plain = await service.browser().get(path)
    const response = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe(plain.text)
    expect(Number(response.headers.get('content-length'))).toBeLessThan(plain.text.length)
    const refused = { headers: { 'accept-encoding': 'gzip;q=0' } }
    expect((await service.browser().get(path, refused)).headers['content-encoding']).toBeUndefined()
  })

  it.each(['/admin/main', 'js'])('HEAD of %s has the headers and no body', async (path) => {
    const service = await startWithPages()
    const target = path === 'js' ? await fileOf(service, 'js') : path
    const [get, head] = [
      await service.browser().get(target),
      await service.browser().send('HEAD', target),
    ]
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
  })

  it.each([
    '/admin/main/assets/none.js',
    '/admin/main/assets/',
    '/admin/main/assets/../index.html',
    '/admin/main/assets/%2e%2e/index.html',
    '/admin/main/assets/../../src/index.js',
    '/admin/main/assets/constructor',
    '/admin/main//assets/../../../package.json',
  ])('%s is 404', async (target) => {
    const { url } = await startWithPages()
    const headers = [
      ['Host', new URL(url).host],
      ['Connection', 'close'],
    ] as const
    const [answer] = await sendRaw(url, bytesOf({ target, headers }))
    expect([404, 200]).toContain(answer?.status)
    // What is not below assets is a page of the panel, whatever it is called.
    if (answer?.status === 200) expect(answer.headers['content-type']).toMatch(/^text\/html/)
    expect(answer?.text).not.toMatch(/__SVC_|"dependencies"|export /)
  })

  it('a page answers GET and HEAD only', async () => {
    const service = await startWithPages()
    const answer = await service.browser().post('/admin/main', {})
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  it('are not served where the host has pages of its own', async () => {
    const { browser } = await startService()
    expect((await browser().get('/admin/main')).status).toBe(404)
  })

  it('/.well-known/change-password redirects to the page of the host, if it has one', async () => {
    const path = '/.well-known/change-password'
    const links = { change_password: '/account/password' }
    const { browser } = await startService({ config: { spa: { links } } })
    const answer = await browser().get(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe('/account/password')
    expect((await (await startWithPages()).browser().get(path)).status).toBe(404)
  })

  it.each([
    ['a page', '/admin/main'],
    ['a file', 'js'],
    ['a file that is not there', '/admin/main/assets/none.js'],
    ['the way to change a password', '/.well-known/change-password'],
  ])('HDR-04: %s sends HSTS over TLS only', async (_what, path) => {
    const config = { spa: { links: { change_password: '/account/password' } } }
    const said = async (changes: Changes): Promise<unknown> => {
      const service = await startWithPages({ ...changes, config })
      const target = path === 'js' ? await fileOf(service, 'js') : path
      return (await service.browser().get(target)).headers['strict-transport-security']
    }
    expect(await said(TLS)).toBe('max-age=31536000; includeSubDomains')
    expect(await said({})).toBeUndefined()
  })
})
