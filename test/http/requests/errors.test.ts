import type { Middleware } from '@svc/auth'
import { safeParse } from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ar, fr } from '../../support/texts.ts'
import { refusalBody, type RefusalKey } from '../../../build/src/rules/refusals.js'
import { loggedIn } from '../../support/logins.ts'
import { PASSWORD, type Answer } from '../../support/browser.ts'
import { provoke, refusalKeys } from '../../support/refusals.ts'
import { startService } from '../../support/service.ts'

afterEach(() => vi.unstubAllEnvs())

const LOGIN = '/svc/api/login'

const usual = new Map<RefusalKey, Promise<Answer>>()

/** Gets a refusal in English, from a service without changes. */
async function inEnglish(key: RefusalKey): Promise<Answer> {
  const answer = usual.get(key) ?? provoke(key)
  usual.set(key, answer)
  return answer
}

/** The fields of each refusal besides message and key; docs/http-api.md, "Errors". */
const rows: Readonly<Record<RefusalKey, readonly [number, object]>> = {
  'svc::auth.unauthenticated': [401, {}],
  'svc::auth.csrf_mismatch': [419, {}],
  'svc::auth.origin_mismatch': [403, {}],
  'svc::auth.failed': [422, { errors: { email: [expect.any(String)] } }],
  'svc::auth.throttle': [422, { errors: { email: [expect.any(String)] }, retry_after: 60 }],
  'svc::auth.invalid': [
    422,
    { errors: { email: ['Enter your email address.'], password: ['Enter your password.'] } },
  ],
  'svc::auth.email_verification_required': [
    403,
    { email_verification_required: true, email: 'u3@x.test' },
  ],
  'svc::auth.two_factor_invalid': [
    422,
    { errors: { code: [expect.any(String)] }, attempts_left: 4 },
  ],
  'svc::auth.two_factor_exhausted': [
    422,
    { errors: { code: [expect.any(String)] }, attempts_left: 0 },
  ],
  'svc::auth.two_factor_expired': [422, { errors: { code: [expect.any(String)] } }],
  'svc::auth.two_factor_setup_missing': [422, { errors: { code: [expect.any(String)] } }],
  'svc::auth.two_factor_already_enabled': [409, {}],
  'svc::auth.two_factor_devices_full': [409, {}],
  'svc::auth.two_factor_last_device': [409, {}],
  'svc::auth.required_cannot_disable': [403, {}],
  'svc::auth.two_factor_setup_required': [403, { two_factor_setup_required: true }],
  'svc::auth.confirmation_required': [403, { confirmation_required: true }],
  'svc::auth.verification_invalid': [403, {}],
  'svc::auth.password_incorrect': [422, { errors: { current_password: [expect.any(String)] } }],
  'svc::auth.password_link_invalid': [422, { errors: { token: [expect.any(String)] } }],
  'svc::auth.session_current': [409, {}],
  'svc::auth.session_link_invalid': [422, { errors: { token: [expect.any(String)] } }],
  'svc::auth.impersonated': [403, {}],
  'svc::auth.not_found': [404, {}],
  'svc::auth.method_not_allowed': [405, {}],
  'svc::auth.unsupported_media_type': [415, {}],
  'svc::auth.malformed': [400, {}],
  'svc::auth.too_large': [413, {}],
  'svc::auth.too_many_requests': [429, { retry_after: 60 }],
  'svc::auth.unavailable': [503, { retry_after: 5, request_id: expect.any(String) }],
}

describe('Errors', () => {
  it.each(Object.entries(rows))('%s has its status and its body', async (key, [status, more]) => {
    const answer = await inEnglish(key as RefusalKey)
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ message: expect.stringMatching(/\.$/), key, ...more })
    expect(safeParse(refusalBody, answer.json).issues).toBeUndefined()
    expect(answer.headers['content-language']).toBe('en')
  })

  it('a refusal about one field has the message of the field', async () => {
    const { json } = await inEnglish('svc::auth.failed')
    expect(json.errors.email).toEqual([json.message])
  })

  it.each(refusalKeys)('HDR-07: %s reveals no internals in any environment', async (key) => {
    vi.stubEnv('NODE_ENV', undefined)
    vi.stubEnv('DEBUG', '*')
    const unset = await provoke(key, { appUrl: 'https://panel.test' })
    for (const environment of ['development', 'production'] as const) {
      vi.stubEnv('NODE_ENV', environment)
      const answer = await provoke(key, { appUrl: 'https://panel.test', config: { environment } })
      expect(answer.text).not.toMatch(/SELECT|\.sqlite|Error|node:|\.js|\.ts\b|\/var\/|\n/)
      // In development an origin that is not listed is told which setting to change.
      if (key !== 'svc::auth.origin_mismatch') expect(withoutId(answer)).toBe(withoutId(unset))
    }
  })

  it('OPS-12: names the setting of a refused origin only in development', async () => {
    const said = async (environment: 'development' | 'production'): Promise<string> =>
      (await provoke('svc::auth.origin_mismatch', { config: { environment } })).json.message
    expect(await said('development')).toBe(
      'The origin https://evil.test is not listed. If it is the address of the panel, set app.url (APP_URL) to it; otherwise add "evil.test" to session_auth.stateful. Then restart the service.',
    )
    expect(await said('production')).toBe(
      'This request did not come from the panel. Open the panel and try again.',
    )
  })

  it('OPS-12: treats a panel that is not on loopback as production when no environment is named', async () => {
    vi.stubEnv('NODE_ENV', undefined)
    const said = async (appUrl: string): Promise<string> =>
      (await provoke('svc::auth.origin_mismatch', { appUrl })).json.message
    expect(await said('https://panel.test')).not.toContain('evil.test')
    expect(await said('http://localhost')).toContain('evil.test')
  })
})

describe('Languages', () => {
  const french = { headers: { 'accept-language': 'fr-CA, fr;q=0.9, en;q=0.5' } }

  it.each(refusalKeys)('%s is French for Accept-Language: fr', async (key) => {
    const [answer, english] = [await provoke(key, french), await inEnglish(key)]
    expect(answer.headers['content-language']).toBe('fr')
    expect(answer.json.message).not.toBe(english.json.message)
    const { message: _fr, errors: _said, request_id: _one, ...rest } = answer.json
    const { message: _en, errors: _told, request_id: _other, ...same } = english.json
    expect(rest).toEqual(same)
  })

  it('uses the plural forms of French', async () => {
    expect((await provoke('svc::auth.throttle', french)).json.errors).toEqual({
      email: ['Trop de tentatives. Réessayez dans 60 secondes.'],
    })
  })

  it.each([
    ['nothing', null, 'en'],
    ['a language nobody speaks', 'tlh', 'en'],
    ['French last', 'tlh, fr;q=0.1', 'fr'],
    ['French, excluded', 'fr;q=0, en', 'en'],
    ['a region', 'fr-BE', 'fr'],
    ['anything', '*', 'en'],
    ['nonsense', ';;;q=,,--', 'en'],
    ['something enormous', 'xx, '.repeat(3000), 'en'],
    ['French within 256 characters', `${'xx, '.repeat(62)}fr`, 'fr'],
    ['French beyond 256 characters', `${'xx, '.repeat(64)}fr`, 'en'],
    ['a tag that 256 characters would cut to French', `${'x'.repeat(252)}, frankly`, 'en'],
    ['one tag of 300 characters', 'fr-'.repeat(100), 'en'],
  ])('Accept-Language with %s', async (_what, asked, language) => {
    const { browser } = await startService()
    const headers = { 'accept-language': asked }
    const answer = await browser().get('/svc/api/user', { headers })
    expect(answer.headers['content-language']).toBe(language)
    const english = 'Log in to continue.'
    expect(answer.json.message).toBe(language === 'fr' ? fr['svc::auth.unauthenticated'] : english)
  })

  const locales = {
    en: { 'svc::auth.failed': 'Nope.' },
    es: { 'svc::auth.failed': 'Incorrecto.' },
    'pt-br': { 'svc::auth.failed': 'Errado.' },
    FR: { 'svc::auth.failed': 'Non.' },
  }
  it.each([
    ['says a text in the host’s words', 'svc::auth.failed', 'en', 'Nope.', 'en'],
    ['keeps the others', 'svc::auth.unauthenticated', 'en', 'Log in to continue.', 'en'],
    ['leaves other languages alone', 'svc::auth.failed', 'ar', ar['svc::auth.failed'], 'ar'],
    ['speaks the host’s language', 'svc::auth.failed', 'es-AR', 'Incorrecto.', 'es'],
    ['finds a tag in other letters', 'svc::auth.failed', 'pt-br', 'Errado.', 'pt-BR'],
    [
      'replaces a text of a language of the service in other letters',
      'svc::auth.failed',
      'fr',
      'Non.',
      'fr',
    ],
    [
      'says in English what it lacks',
      'svc::auth.unauthenticated',
      'es',
      'Log in to continue.',
      'es',
    ],
  ] as const)('locales of the host: %s', async (_what, key, asked, message, language) => {
    const headers = { 'accept-language': asked }
    const answer = await provoke(key, { headers, config: { locales } })
    expect(answer.json.message).toBe(message)
    expect(answer.headers['content-language']).toBe(language)
  })
})

describe('Failures of the host', () => {
  it('OPS-05: a user provider that throws is 503 for all emails alike, and the attempts are counted', async () => {
    const { browser, users, events } = await startService()
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    users.failWith(new Error('down'))
    const said: string[] = []
    for (const email of ['u1@x.test', 'ux@x.test']) {
      const answer = await una.post(LOGIN, { email, password: PASSWORD })
      expect(answer.status).toBe(503)
      said.push(withoutId(answer))
    }
    expect(said[0]).toBe(said[1])
    const right = { email: 'u1@x.test', password: PASSWORD }
    for (let time = 0; time < 4; time += 1) await una.post(LOGIN, right)
    users.recover()
    expect((await una.post(LOGIN, right)).json.key).toBe('svc::auth.throttle')
    expect(events.some(({ event }) => event === 'login')).toBe(false)
  })

  it('OPS-05: a user provider that throws does not end the session', async () => {
    const { browser, users } = await startService()
    const una = await loggedIn({ browser })
    users.failWith(new Error('down'))
    const answer = await una.get('/svc/api/user')
    expect(answer.status).toBe(503)
    expect(answer.headers['set-cookie']).toBeUndefined()
    users.recover()
    expect((await una.get('/svc/api/user')).status).toBe(200)
  })

  it.each([
    ['middleware', 0],
    ['authenticated_middleware', 1],
  ])('OPS-06: svc.%s that throws is 503, and nothing after it runs', async (name, reads) => {
    let broken = false
    const middleware: Middleware = async (_context, next) => {
      if (broken) throw new Error('the secret of the middleware')
      return next()
    }
    const svc = { prefix: 'admin', panels: ['main'], [name]: [middleware] }
    const { browser, users, events } = await startService({ config: { svc } })
    const una = await loggedIn({ browser })
    const before = users.calls.findById
    broken = true
    for (const path of ['/svc/api/user', '/api/people']) {
      const answer = await una.get(path)
      expect(answer.status).toBe(503)
      expect(answer.text).not.toContain('secret')
    }
    expect(users.calls.findById - before).toBe(2 * reads)
    expect((await una.post('/svc/api/logout')).status).toBe(reads === 0 ? 503 : 204)
    expect(events.some(({ event }) => event === 'logout')).toBe(reads === 1)
  })

  it.each([
    ['/svc/api/user', 503],
    ['/admin/main', 200],
  ])('an app.url that fails does not end the process: %s', async (path, status) => {
    const app = { url: broken, keys: ['test-key-test-key-test-key-0123456789'] }
    const { auth, url } = await startService({ config: { app, spa: {} } })
    function broken(): string {
      throw new Error('no such tenant')
    }
    const answer = await auth.fetch(new Request(url + path), { address: null })
    expect(answer.status).toBe(status)
  })
})

/** The body of an answer, without the id that each outage has of its own. */
function withoutId({ text }: Answer): string {
  return text.replace(/,"request_id":"[^"]+"/, '')
}
