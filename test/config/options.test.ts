import { memoryStores } from '@svc/auth/memory'
import { fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { limits } from '../../build/src/rules/limits.js'
import type { Browser } from '../support/browser.ts'
import { CHEAP, startService } from '../support/service.ts'
import {
  app,
  at,
  complaint,
  config,
  expectComplaint,
  KEY,
  svc,
  withKeys,
  without,
  withStateful,
  withUrl,
  type Loose,
  type Row,
  type Wrong,
} from './start.ts'

describe('Wrong options stop the start and name the key and the remedy', () => {
  it('right options start', () => {
    expect(complaint({})).toBe('started')
  })

  it.each<Wrong>([
    ['a url with userinfo', 'app.url', 'https://a@b.test', /origin without a path/],
    ['a key of blanks', 'app.keys[0]', ' '.repeat(40), /openssl rand/],
    ['a wildcard with a port', 'session_auth.stateful', ['*.com:8443'], /every site/],
    ['a full-width wildcard', 'session_auth.stateful', ['*\uff0ecom'], /every site below \.com/],
    ['a full-width platform', 'session_auth.stateful', ['*.\uff56ercel.app'], /other customers/],
    ['a wildcard for co.uk', 'session_auth.stateful', ['*.co.uk'], /every site/],
    [
      'a module of pages below the panel',
      'spa.pages',
      '/admin/main/pages.js',
      /serve the module elsewhere/,
    ],
    [
      'a page for passwords that leads to itself',
      'spa.links.change_password',
      '/.well-known/change-password',
      /itself/,
    ],
    ['a link that lives for no time', 'auth.verification.expire', 0, /more than 0/],
    ...['::/0', '::ffff:0:0/96', '0:0:0:0:0:FFFF:0.0.0.0/97', '64:ff9b::/96', '64::/16'].map(
      (network): Wrong => [
        `proxies of IPv6 that are everybody, ${network}`,
        'trusted_proxies',
        [network],
        /trusts everybody/,
      ],
    ),
    ['no stateful domain', 'session_auth.stateful', [], /list the domain/],
    ['a domain with a path', 'session_auth.stateful', ['a.test/b'], /without .*a path/],
    ['a star in the middle', 'session_auth.stateful', ['a.*.test'], /\*\.host/],
    ['two domains in one', 'session_auth.stateful', ['a.test b.test'], /"a\.test b\.test"/],
    ['a port that cannot be', 'session_auth.stateful', ['a.test:99999'], /host:port/],
    ['a domain with userinfo', 'session_auth.stateful', ['a@b.test'], /cannot be read/],
    ['no panel', 'svc.panels', [], /at least one/],
    ['another shorthand of a network', 'trusted_proxies', ['10/8'], /10\.0\.0\.0\/8/],
    ['too little memory for a hash', 'passwords.memory_kib', 1, /at least 8/],
    ['pages of another site', 'spa.pages', '//evil.test/pages.js', /path of this site/],
    ['a list of lifetimes', 'session', [], /is a list; it must be an object/],
    ['texts in a Map', 'locales', new Map(), /plain object/],
  ])('%s', (_what, option, value, remedy) => {
    expectComplaint(at(option, value), option, remedy)
  })

  it.each<Row>([
    ['an old key that is short', withKeys(KEY, 'short'), 'app.keys[1]', /openssl rand/],
    [
      'an idle time longer than the absolute one',
      config({ session: { idle: 60, absolute: 30 } }),
      'session.idle',
      /at most 30/,
    ],
    [
      'a window of centuries',
      config({ limits: { login: { max: 10, window_seconds: 1e10 } } }),
      'limits.login.window_seconds',
      /at most/,
    ],
    [
      'a language that is none',
      config({ locales: { 'de_DE!': {} } }),
      'locales["de_DE!"]',
      /language tag/,
    ],
    [
      'lanes without memory',
      config({ passwords: { memory_kib: 8, lanes: 2 } }),
      'passwords.memory_kib',
      /8 for each lane/,
    ],
    [
      'a hash that takes seconds',
      config({ passwords: { memory_kib: 512 * 1024, passes: 3 } }),
      'passwords.memory_kib',
      /at most 1048576/,
    ],
    [
      'a language of numbers',
      config({ locales: { de: { 'svc::auth.failed': 1 } } }),
      'locales.de["svc::auth.failed"]',
      /must be a text/,
    ],
    ['channels in a Map', { channels: new Map() }, 'channels', /plain object/],
    ['no users', { users: undefined }, 'users', /findById, findByEmail, identify, passwordHash/],
    ['a clock that is none', { clock: {} }, 'clock', /now/],
    ['a logger that only warns', { logger: { warn: () => undefined } }, 'logger', /warn, error/],
  ])('%s', (_what, changes, option, remedy) => {
    expectComplaint(changes, option, remedy)
  })

  it.each(['findById', 'findByEmail', 'identify', 'passwordHash'])(
    'a user provider without %s',
    (method) => {
      expect(complaint({ users: without(fakeUsers([]), method) })).toMatch(
        new RegExp(`^users: ${method} is missing; it must have the methods .*${method}`),
      )
    },
  )

  it.each([
    ['sessions', 'create'],
    ['sessions', 'restamp'],
    ['attempts', 'reserve'],
    ['attempts', 'release'],
  ] as const)('stores.%s without %s', (store, method) => {
    const stores = memoryStores()
    expect(complaint({ stores: { ...stores, [store]: without(stores[store], method) } })).toMatch(
      new RegExp(`^stores\\.${store}: ${method} is missing; it must have the methods .*${method}`),
    )
  })

  it.each([false, undefined, 'yes'])(
    'refuses to start with an attempt store whose `atomic` is %s',
    (atomic) => {
      const { attempts, ...stores } = memoryStores()
      const said = complaint({ stores: { ...stores, attempts: { ...attempts, atomic } } })
      expect(said).toMatch(/^stores\.attempts: must say `atomic: true`/)
    },
  )

  it.each<[string, Loose, string]>([
    ['mailers', { mailers: {} }, 'mailer'],
    ['apps', config({ apps: {} }), 'app'],
    ['app.uri', config({ app: { ...app, uri: 'x' } }), 'app.url'],
    [
      'session_auth.statefull',
      config({ session_auth: { stateful: ['a.test'], statefull: [] } }),
      'session_auth.stateful',
    ],
    ['svc.panel', config({ svc: { ...svc, panel: 'main' } }), 'svc.panels'],
    ['session.idel', config({ session: { idel: 1 } }), 'session.idle'],
    ['passwords.pases', config({ passwords: { memory_kib: 64, pases: 2 } }), 'passwords.passes'],
    [
      'limits.login.windowSeconds',
      config({ limits: { login: { max: 1, window_seconds: 1, windowSeconds: 1 } } }),
      'limits.login.window_seconds',
    ],
    [
      'limits.logins',
      config({ limits: { logins: { max: 1, window_seconds: 1 } } }),
      'limits.login',
    ],
  ])('an unknown key names the nearest option: %s', (key, changes, meant) => {
    expect(complaint(changes)).toBe(`${key}: no such option; did you mean \`${meant}\`?`)
  })

  it.each<[string, Loose, string]>([
    [
      'limits.login.window',
      config({ limits: { login: { max: 1, window_seconds: 1, window: 1 } } }),
      'max, window_seconds',
    ],
    ['session.lifetime', config({ session: { lifetime: 120 } }), 'idle, absolute'],
    ['app.secret', config({ app: { ...app, secret: 'x' } }), 'url, keys, unsafe_http'],
    ['auth.guard', config({ auth: { guard: 'web' } }), 'verification'],
  ])('an unknown key that resembles no option lists those beside it: %s', (key, changes, names) => {
    expect(complaint(changes)).toBe(
      `${key}: no such option; leave it out, or choose one of ${names}`,
    )
  })

  it('an option of the other level is named before one that is only similar', () => {
    expect(complaint({ session: { idle: 5 } })).toBe(
      'session: no such option; give it as `config.session`',
    )
    expect(complaint(config({ sessions: { devices: true } }))).toBe(
      'sessions: no such option; give `sessions` beside `config`',
    )
  })

  it('several unknown keys of one object are each named', () => {
    const said = complaint(config({ session: { idel: 1, idle: 5, abslute: 2, constructor: 3 } }))
    expect(said.split('\n')).toEqual([
      'session.idel: no such option; did you mean `session.idle`?',
      'session.abslute: no such option; did you mean `session.absolute`?',
      'session.constructor: no such option; leave it out, or choose one of idle, absolute',
    ])
  })

  it('reports several faults at once, each on its line', () => {
    const said = complaint({ ...withUrl('panel.test'), users: undefined })
    expect(said.split('\n').map((line) => line.split(':')[0])).toEqual(['app.url', 'users'])
  })

  it.each([
    ['a short key', withKeys('a-secret-that-is-short')],
    ['a key instead of a list', config({ app: { ...app, keys: 'a-secret-that-is-no-list' } })],
  ])('OPS-19: no key is repeated in a complaint: %s', (_what, changes) => {
    expect(complaint(changes)).not.toContain('a-secret')
  })
})

describe('Options', () => {
  it.each([
    ['a domain with blanks around it', withStateful(' panel.example.com ', '')],
    ['a domain as people write it', withStateful('bücher.example')],
    ['an address of IPv6', withStateful('[::1]:3000')],
    [
      'an address as a network',
      config({
        trusted_proxies: ['10.0.0.1', 'fd00::/8', '::1', '::ffff:10.0.0.0/104', '64:ff9b::a00:1'],
      }),
    ],
    ['a url for each tenant', withUrl(() => 'https://a.test')],
  ])('%s starts', (_what, changes) => {
    expect(complaint(changes)).toBe('started')
  })

  it('changes the limits that the host names, and keeps the others', async () => {
    const changed = {
      login: { max: 3, window_seconds: 10 },
      'login.failed': { max: 2, window_seconds: 30 },
    }
    const { browser, clock } = await startService({ config: { limits: changed } })
    const una = browser()
    await una.get('/svc/api/csrf-cookie')
    const wrong = { email: 'u1@x.test', password: 'wrong' }
    const said = []
    for (let time = 0; time < 4; time += 1)
      said.push((await una.post('/svc/api/login', wrong)).json)
    expect(said.map(({ key, retry_after }) => [key, retry_after])).toEqual([
      ['svc::auth.failed', undefined],
      ['svc::auth.failed', undefined],
      ['svc::auth.throttle', 30],
      ['svc::auth.too_many_requests', 10],
    ])
    clock.advance({ seconds: 10 })
    expect((await una.post('/svc/api/login', wrong)).json.key).toBe('svc::auth.throttle')
    clock.advance({ seconds: 20 })
    expect((await una.logIn('u1@x.test')).status).toBe(200)
  })

  it('options that are undefined have their defaults', () => {
    const unset = { limits: { login: undefined }, session: undefined, spa: { off: undefined } }
    expect(complaint(config({ ...unset, passwords: { lanes: undefined } }))).toBe('started')
  })

  it.each(Object.keys(limits))('lets the host change the limit %s', (name) => {
    expect(complaint(config({ limits: { [name]: { max: 1, window_seconds: 1 } } }))).toBe('started')
  })

  it('OPS-19: a new first key keeps what the old key signed valid, until the old key is removed', async () => {
    const [old, url] = ['the old key of the tests, 32 characters', 'http://panel.test']
    const stores = memoryStores()
    const browserWith = async (...keys: readonly string[]): Promise<Browser> =>
      (await startService({ stores, appUrl: url, config: { app: { url, keys } } })).browser()
    const una = await browserWith(old)
    await una.logIn('u1@x.test')
    const judged = async (later: Browser): Promise<readonly number[]> => {
      for (const name of ['svc_session', 'XSRF-TOKEN']) later.setCookie(name, una.cookie(name))
      const user = await later.get('/svc/api/user')
      return [user.status, (await later.post('/svc/api/login', {})).status]
    }
    expect(await judged(await browserWith(KEY, old))).toEqual([200, 422])
    expect(await judged(await browserWith(KEY))).toEqual([401, 419])
  })

  it('lets the host choose the cost of passwords', () => {
    expect(complaint(config({ passwords: { ...CHEAP, lanes: 1, concurrency: 1, queue: 1 } }))).toBe(
      'started',
    )
  })
})
