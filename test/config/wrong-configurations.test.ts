import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  app,
  complaint,
  config,
  warnings,
  expectComplaint,
  expectLine,
  KEY,
  svc,
  withExpire,
  withKeys,
  withStateful,
  withUrl,
  type Loose,
  type Row,
} from './start.ts'

const withSvc = (changed: Loose): Loose => config({ svc: { ...svc, ...changed } })
const withSession = (session: unknown): Loose => config({ session })
const withLimit = (limit: unknown): Loose => config({ limits: { login: limit } })
const withSpa = (spa: unknown): Loose => config({ spa })

const addresses: readonly Row[] = [
  [
    'APP_URL is not set',
    withUrl(undefined),
    'app.url',
    /is missing.*https:\/\/panel\.example\.com/,
  ],
  ['an empty app.url', withUrl(''), 'app.url', /is empty.*https:\/\/panel\.example\.com/],
  ['no scheme', withUrl('a.test'), 'app.url', /"a\.test".*write "https:\/\/a\.test"/],
  ['a host and a port', withUrl('localhost:3000'), 'app.url', /write "http:\/\/localhost:3000"/],
  ['a slash at the end', withUrl('https://a.test/'), 'app.url', /write "https:\/\/a\.test"/],
  ['a path', withUrl('https://a.test/admin'), 'app.url', /write "https:\/\/a\.test".*svc\.prefix/],
  ['upper case', withUrl('https://A.test'), 'app.url', /write "https:\/\/a\.test"/],
  ['the default port', withUrl('https://a.test:443'), 'app.url', /write "https:\/\/a\.test"/],
  ['another scheme', withUrl('ws://a.test'), 'app.url', /must be an origin.*https:\/\//],
  ['a URL object', withUrl(new URL('https://a.test')), 'app.url', /URL object.*\.origin/],
  ['a wildcard', withUrl('https://*.a.test'), 'app.url', /\*.*function of the tenant/],
  ['an async function', withUrl(async () => 'https://a.test'), 'app.url', /async.*return/],
  ['a variable that is not set', withUrl('https://undefined'), 'app.url', /undefined.*variable/],
  ['the listening address', withUrl('http://0.0.0.0:3000'), 'app.url', /listen.*localhost:3000/],
  ['a list', withUrl(['https://a.test']), 'app.url', /is a list.*an origin/],
  [
    'no session_auth',
    config({ session_auth: undefined }),
    'session_auth',
    /missing.*\{ stateful: /,
  ],
  [
    'a list for session_auth',
    config({ session_auth: ['a.test'] }),
    'session_auth',
    /\{ stateful: /,
  ],
  [
    'stateful as text',
    config({ session_auth: { stateful: 'a.test,b.test' } }),
    'session_auth.stateful',
    /must be a list.*split\(','\)/,
  ],
  [
    'stateful with commas in an entry',
    withStateful('panel.example.com,b.test'),
    'session_auth.stateful',
    /one host.*"panel\.example\.com", "b\.test"/,
  ],
  ['stateful with a scheme', withStateful('https://a.test'), 'session_auth.stateful', /"a\.test"/],
  ['stateful with a slash', withStateful('a.test/'), 'session_auth.stateful', /write "a\.test"/],
  ['stateful from an empty variable', withStateful(''), 'session_auth.stateful', /list the domain/],
  [
    'stateful of undefined',
    withStateful(undefined),
    'session_auth.stateful[0]',
    /missing.*variable/,
  ],
  ['a star', withStateful('*'), 'session_auth.stateful', /\*\.host/],
  ['a wildcard for all sites', withStateful('*.com'), 'session_auth.stateful', /your own domain/],
  [
    'a wildcard for the customers of a platform',
    withStateful('panel.example.com', '*.vercel.app'),
    'session_auth.stateful',
    /other customers.*my-app\.vercel\.app/,
  ],
  [
    'localhost for 127.0.0.1',
    config({
      app: { ...app, url: 'http://127.0.0.1:3000' },
      session_auth: { stateful: ['localhost:3000'] },
      spa: {},
    }),
    'session_auth.stateful',
    /add "127\.0\.0\.1:3000".*localhost and 127\.0\.0\.1 are different/,
  ],
  [
    'no port',
    config({
      app: { ...app, url: 'http://localhost:3000' },
      session_auth: { stateful: ['localhost'] },
      spa: {},
    }),
    'session_auth.stateful',
    /add "localhost:3000"/,
  ],
  [
    'plain http in production',
    config({ app: { ...app, url: 'http://a.test' }, environment: 'production' }),
    'app.url',
    /https/,
  ],
  [
    'proxies as text',
    config({ trusted_proxies: '10.0.0.0/8' }),
    'trusted_proxies',
    /a list.*split/,
  ],
  [
    '`trust proxy` of Express',
    config({ trusted_proxies: true }),
    'trusted_proxies',
    /10\.0\.0\.0\/8/,
  ],
  ['a number of hops', config({ trusted_proxies: 1 }), 'trusted_proxies', /10\.0\.0\.0\/8/],
  [
    'a keyword of Express',
    config({ trusted_proxies: ['loopback'] }),
    'trusted_proxies',
    /127\.0\.0\.0\/8/,
  ],
  [
    'a wrong CIDR',
    config({ trusted_proxies: ['10.0.0.0/33'] }),
    'trusted_proxies',
    /10\.0\.0\.0\/8/,
  ],
  [
    'a netmask',
    config({ trusted_proxies: ['10.0.0.0/255.0.0.0'] }),
    'trusted_proxies',
    /10\.0\.0\.0\/8/,
  ],
  [
    'everybody as a proxy',
    config({ trusted_proxies: ['0.0.0.0/0'] }),
    'trusted_proxies',
    /your proxies/,
  ],
  [
    'half of everybody',
    config({ trusted_proxies: ['0.0.0.0/1'] }),
    'trusted_proxies',
    /your proxies/,
  ],
  [
    'the header of RFC 7239',
    config({ address_header: 'Forwarded' }),
    'address_header',
    /X-Forwarded-For/,
  ],
  ['headers as a list', config({ address_header: ['X-Real-IP'] }), 'address_header', /one header/],
]

const keys: readonly Row[] = [
  ['an empty APP_KEY', withKeys(''), 'app.keys[0]', /is empty.*openssl rand -base64 32/],
  ['an APP_KEY that is not set', withKeys(undefined), 'app.keys[0]', /missing.*variable/],
  ['no list', config({ app: { ...app, keys: KEY } }), 'app.keys', /must be a list.*\[process\.env/],
  ['no keys', withKeys(), 'app.keys', /openssl rand/],
  ['keys without a value', config({ app: { url: app.url } }), 'app.keys', /missing.*openssl rand/],
  ['a short key', withKeys('secret'), 'app.keys[0]', /32 random characters.*openssl rand/],
  ['quotes of a .env file', withKeys(`"${KEY}"`), 'app.keys[0]', /quotes.*remove/],
  [
    'two keys in one',
    withKeys(`${KEY},${KEY.toLowerCase()}`),
    'app.keys[0]',
    /comma.*split\(','\)/,
  ],
  ['bytes', withKeys(Buffer.from(KEY)), 'app.keys[0]', /toString\('base64'\)/],
  ['a line break', withKeys(`${KEY}\n`), 'app.keys[0]', /trim/],
  [
    'a command that nothing has run',
    withKeys("$(openssl rand -base64 32 | tr -d '\\n')"),
    'app.keys[0]',
    /can be guessed.*openssl rand/,
  ],
  [
    'a text for unsafe_http',
    config({ app: { ...app, unsafe_http: 'false' } }),
    'app.unsafe_http',
    /true or false.*=== 'true'/,
  ],
]

const panels: readonly Row[] = [
  ['no svc', config({ svc: undefined }), 'svc', /missing.*admin/],
  ['slashes around the prefix', withSvc({ prefix: '/admin/' }), 'svc.prefix', /write "admin"/],
  ['upper case', withSvc({ prefix: 'Admin' }), 'svc.prefix', /write "admin"/],
  ['an empty prefix', withSvc({ prefix: '' }), 'svc.prefix', /is empty.*"admin"/],
  ['panels as text', withSvc({ panels: 'main' }), 'svc.panels', /must be a list.*\["main"\]/],
  ['a panel with a slash', withSvc({ panels: ['/main'] }), 'svc.panels[0]', /write "main"/],
  ['two panels of one name', withSvc({ panels: ['main', 'main'] }), 'svc.panels', /"main".*unique/],
  ['a panel at the API', withSvc({ prefix: 'svc', panels: ['api'] }), 'svc.panels', /hide the API/],
  ['one middleware', withSvc({ middleware: () => undefined }), 'svc.middleware', /must be a list/],
  [
    'a middleware of Express',
    withSvc({ middleware: [(_request: unknown, _response: unknown, next: () => void) => next()] }),
    'svc.middleware[0]',
    /\(context, next\)/,
  ],
  [
    'a middleware that is called too early',
    withSvc({ authenticated_middleware: [undefined] }),
    'svc.authenticated_middleware[0]',
    /must be a function/,
  ],
  ['the switch of the pages', withSpa(false), 'spa', /\{ off: true \}/],
  ['a text as a switch', withSpa({ off: 'false' }), 'spa.off', /true or false/],
  ['an empty name', withSpa({ off: true, name: '' }), 'spa.name', /is empty/],
  [
    'pages without a slash',
    withSpa({ off: true, pages: 'pages.js' }),
    'spa.pages',
    /"\/pages\.js"/,
  ],
  [
    'help without a scheme',
    withSpa({ off: true, links: { help: 'a.test/help' } }),
    'spa.links.help',
    /https:\/\//,
  ],
  [
    'help that is a script',
    withSpa({ off: true, links: { help: 'javascript:alert(1)' } }),
    'spa.links.help',
    /https:\/\//,
  ],
  [
    'a script for passwords',
    withSpa({ off: true, links: { change_password: 'javascript:alert(1)' } }),
    'spa.links.change_password',
    /https:\/\/.*path/,
  ],
  [
    'a script for a reset',
    withSpa({ off: true, links: { reset_password: 'javascript:alert(1)' } }),
    'spa.links.reset_password',
    /https:\/\/.*path/,
  ],
  ['a code of two digits', withSpa({ off: true, code_digits: 2 }), 'spa.code_digits', /at least 4/],
  ['an environment', config({ environment: 'prod' }), 'environment', /write "production"/],
  [
    'an upper-case environment',
    config({ environment: 'Development' }),
    'environment',
    /write "development"/,
  ],
]

const numbers: readonly Row[] = [
  ['a text', withSession({ idle: '120' }), 'session.idle', /minutes.*Number\(/],
  ['a duration', withSession({ idle: '2h' }), 'session.idle', /"2h".*minutes/],
  ['zero', withSession({ idle: 0 }), 'session.idle', /is 0.*minutes, more than 0/],
  ['a negative number', withSession({ absolute: -1 }), 'session.absolute', /is -1.*more than 0/],
  ['NaN', withSession({ idle: Number.NaN }), 'session.idle', /NaN.*minutes/],
  ['Infinity', withSession({ absolute: Infinity }), 'session.absolute', /Infinity.*at most/],
  ['milliseconds', withSession({ idle: 7_200_000 }), 'session.idle', /7200000.*minutes/],
  ['null', withSession({ idle: null }), 'session.idle', /null.*leave it out/],
  ['a number for the object', withSession(120), 'session', /\{ idle: /],
  [
    'seconds',
    withSession({ idle: 7200 }),
    'session.idle',
    /7200 minutes.*session\.absolute \(1440\)/,
  ],
  ['a fraction', withExpire(0.5), 'auth.verification.expire', /0\.5.*whole/],
  [
    'a number for an object',
    config({ auth: { verification: 60 } }),
    'auth.verification',
    /\{ expire: /,
  ],
  ['a bare limit', withLimit(5), 'limits.login', /\{ max: .*window_seconds: /],
  ['half a limit', withLimit({ max: 5 }), 'limits.login.window_seconds', /is missing.*seconds/],
  ['no attempts', withLimit({ max: 0, window_seconds: 60 }), 'limits.login.max', /more than 0/],
  [
    'a text in a limit',
    withLimit({ max: '5', window_seconds: 60 }),
    'limits.login.max',
    /Number\(/,
  ],
  [
    'a limit with a dot',
    config({ limits: { 'login.failed': { max: 1.5, window_seconds: 60 } } }),
    'limits["login.failed"].max',
    /whole/,
  ],
  ['no streams', config({ streams: { per_user: 0 } }), 'streams.per_user', /more than 0/],
  [
    'memory in bytes',
    config({ passwords: { memory_kib: 19_922_944 } }),
    'passwords.memory_kib',
    /KiB/,
  ],
  ['lanes for thousands', config({ passwords: { lanes: 1000 } }), 'passwords.lanes', /at most 64/],
  [
    'more hashes than memory',
    config({ passwords: { concurrency: 100_000 } }),
    'passwords.concurrency',
    /at most/,
  ],
  ['a queue without an end', config({ passwords: { queue: 1e9 } }), 'passwords.queue', /at most/],
]

describe('A wrong configuration stops the start, and the message names the option and the remedy', () => {
  describe.each([
    ['addresses', addresses],
    ['keys', keys],
    ['panels and pages', panels],
    ['numbers', numbers],
  ])('%s', (_section, rows) => {
    it.each(rows)('%s', (_what, changes, option, remedy) => {
      expectComplaint(changes, option, remedy)
    })
  })

  it.each([
    ['app.keys', withKeys('a-secret-that-is-short')],
    ['app.keys', config({ app: { ...app, keys: 'a-secret-instead-of-a-list' } })],
    ['app.url', withUrl('https://ada:a-secret@panel.example.com')],
    ['app.url', withUrl('a-secret-in-the-wrong-place')],
    ['stores', { stores: 'postgres://panel:a-secret@localhost/panel' }],
    ['app.secret', config({ app: { ...app, secret: 'a-secret' } })],
  ])('does not repeat a secret: %s', (option, changes) => {
    const message = complaint(changes)
    expect(message).toContain(option)
    expect(message).not.toContain('a-secret')
  })
})

describe('A configuration that is rarely intended is logged at the start, with the option and the remedy', () => {
  const production = { environment: 'production' }
  it.each<Row>([
    [
      'seconds for the lifetime',
      withSession({ absolute: 86_400 }),
      'session.absolute',
      /60 days.*minutes/,
    ],
    ['seconds for the link', withExpire(86_400), 'auth.verification.expire', /60 days.*minutes/],
    [
      'milliseconds for a window',
      withLimit({ max: 10, window_seconds: 60_000 }),
      'limits.login.window_seconds',
      /seconds/,
    ],
    [
      'a limit that limits nothing',
      withLimit({ max: 100_000, window_seconds: 60 }),
      'limits.login.max',
      /100000/,
    ],
    ['memory stores in production', config(production), 'stores', /sqliteStores/],
    ['a country for a language', config({ locales: { jp: {} } }), 'locales.jp', /language.*ja/],
    ['a link without a mailer', withExpire(30), 'mailer', /verification/],
  ])('%s', (_what, changes, option, remedy) => {
    expectLine(warnings(changes), option, remedy)
  })

  it('an unknown NODE_ENV, which counts as production', () => {
    vi.stubEnv('NODE_ENV', 'staging')
    onTestFinished(() => void vi.unstubAllEnvs())
    expectLine(warnings({}), 'environment', /"staging".*"production" or "development"/)
    expectComplaint(withUrl('http://a.test'), 'app.url', /https/)
  })
})
