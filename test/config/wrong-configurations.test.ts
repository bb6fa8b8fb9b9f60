import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  app,
  at,
  complaint,
  config,
  warnings,
  expectComplaint,
  expectLine,
  KEY,
  svc,
  withExpire,
  withKeys,
  withUrl,
  type Loose,
  type Row,
  type Wrong,
} from './start.ts'

const withSvc = (changed: Loose): Loose => config({ svc: { ...svc, ...changed } })
const withSession = (session: unknown): Loose => config({ session })
const withLimit = (limit: unknown): Loose => config({ limits: { login: limit } })

const addresses: readonly Wrong[] = [
  ['APP_URL is not set', 'app.url', undefined, /is missing.*https:\/\/panel\.example\.com/],
  ['an empty app.url', 'app.url', '', /is empty.*https:\/\/panel\.example\.com/],
  ['no scheme', 'app.url', 'a.test', /"a\.test".*write "https:\/\/a\.test"/],
  ['a host and a port', 'app.url', 'localhost:3000', /write "http:\/\/localhost:3000"/],
  ['a slash at the end', 'app.url', 'https://a.test/', /write "https:\/\/a\.test"/],
  ['a path', 'app.url', 'https://a.test/admin', /write "https:\/\/a\.test".*svc\.prefix/],
  ['upper case', 'app.url', 'https://A.test', /write "https:\/\/a\.test"/],
  ['the default port', 'app.url', 'https://a.test:443', /write "https:\/\/a\.test"$/],
  ['another scheme', 'app.url', 'ws://a.test', /must be an origin.*https:\/\//],
  ['a URL object', 'app.url', new URL('https://a.test'), /URL object.*\.origin/],
  ['a wildcard', 'app.url', 'https://*.a.test', /\*.*function of the tenant/],
  ['an async function', 'app.url', async () => 'https://a.test', /async.*return/],
  ['a variable that is not set', 'app.url', 'https://undefined', /undefined.*variable/],
  ['the listening address', 'app.url', 'http://0.0.0.0:3000', /listen.*localhost:3000/],
  ['a list', 'app.url', ['https://a.test'], /is a list.*an origin/],
  ['quotes that were kept', 'app.url', '"https://a.test"', /quotes.*docker.*remove them/],
  ['no value', 'app.url', '', /is empty.*variable of the environment/],
  ['a port that is not set', 'app.url', 'http://localhost:0', /variable.*has no value/],
  ['a port that is not a number', 'app.url', 'http://localhost:NaN', /an origin/],
  ['no session_auth', 'session_auth', undefined, /missing.*\{ stateful: /],
  ['a list for session_auth', 'session_auth', ['a.test'], /\{ stateful: /],
  ['stateful as text', 'session_auth.stateful', 'a.test,b.test', /must be a list.*split\(','\)/],
  [
    'stateful with commas in an entry',
    'session_auth.stateful',
    ['panel.example.com,b.test'],
    /one host.*"panel\.example\.com", "b\.test"/,
  ],
  ['stateful with a scheme', 'session_auth.stateful', ['https://a.test'], /"a\.test"/],
  ['stateful with a slash', 'session_auth.stateful', ['a.test/'], /write "a\.test"/],
  ['stateful from an empty variable', 'session_auth.stateful', [''], /list the domain/],
  ['stateful of undefined', 'session_auth.stateful[0]', undefined, /missing.*variable/],
  ['a star', 'session_auth.stateful', ['*'], /\*\.host/],
  ['a wildcard for all sites', 'session_auth.stateful', ['*.com'], /your own domain/],
  [
    'a wildcard for the customers of a platform',
    'session_auth.stateful',
    ['panel.example.com', '*.vercel.app'],
    /other customers.*my-app\.vercel\.app/,
  ],
  ['a wildcard before an address', 'session_auth.stateful', ['*.0.0.1'], /every address/],
  ['a wildcard before an IPv6 address', 'session_auth.stateful', ['*.[::1]'], /every address/],
  ['proxies as text', 'trusted_proxies', '10.0.0.0/8', /a list.*split/],
  ['`trust proxy` of Express', 'trusted_proxies', true, /10\.0\.0\.0\/8/],
  ['a number of hops', 'trusted_proxies', 1, /10\.0\.0\.0\/8/],
  ['a keyword of Express', 'trusted_proxies', ['loopback'], /127\.0\.0\.0\/8/],
  ['a wrong CIDR', 'trusted_proxies', ['10.0.0.0/33'], /10\.0\.0\.0\/8/],
  ['a netmask', 'trusted_proxies', ['10.0.0.0/255.0.0.0'], /10\.0\.0\.0\/8/],
  ['everybody as a proxy', 'trusted_proxies', ['0.0.0.0/0'], /your proxies/],
  ['half of everybody', 'trusted_proxies', ['0.0.0.0/1'], /your proxies/],
  ['the header of RFC 7239', 'address_header', 'Forwarded', /X-Forwarded-For/],
  ['headers as a list', 'address_header', ['X-Real-IP'], /one header/],
  ...['cookie', 'User-Agent', 'Accept-Language', 'Host', 'X-Forwarded-Proto', 'Sec-Fetch-Site'].map(
    (name): Wrong => [
      `the header ${name} of clients`,
      'address_header',
      name,
      /of your proxy.*X-Forwarded-For/,
    ],
  ),
]

const keys: readonly Wrong[] = [
  ['an empty APP_KEY', 'app.keys[0]', '', /is empty.*openssl rand -base64 32/],
  ['an APP_KEY that is not set', 'app.keys[0]', undefined, /missing.*variable/],
  ['no list', 'app.keys', KEY, /must be a list.*\[process\.env/],
  ['a short key', 'app.keys[0]', 'secret', /32 random characters.*openssl rand/],
  ['quotes of a .env file', 'app.keys[0]', `"${KEY}"`, /quotes.*remove/],
  ['two keys in one', 'app.keys[0]', `${KEY},${KEY.toLowerCase()}`, /comma.*split\(','\)/],
  ['bytes', 'app.keys[0]', Buffer.from(KEY), /toString\('base64'\)/],
  ['a line break', 'app.keys[0]', `${KEY}\n`, /trim/],
  [
    'a command that nothing has run',
    'app.keys[0]',
    "$(openssl rand -base64 32 | tr -d '\\n')",
    /can be guessed.*openssl rand/,
  ],
  ['a text for unsafe_http', 'app.unsafe_http', 'false', /true or false.*=== 'true'/],
]

const panels: readonly Wrong[] = [
  ['no svc', 'svc', undefined, /missing.*admin/],
  ['slashes around the prefix', 'svc.prefix', '/admin/', /write "admin"/],
  ['upper case', 'svc.prefix', 'Admin', /write "admin"/],
  ['an empty prefix', 'svc.prefix', '', /is empty.*"admin"/],
  ['panels as text', 'svc.panels', 'main', /must be a list.*\["main"\]/],
  ['a panel with a slash', 'svc.panels[0]', '/main', /write "main"/],
  ['two panels of one name', 'svc.panels', ['main', 'main'], /"main".*unique/],
  ['one middleware', 'svc.middleware', () => undefined, /must be a list/],
  [
    'a middleware of Express',
    'svc.middleware[0]',
    (_request: unknown, _response: unknown, next: () => void) => next(),
    /\(context, next\)/,
  ],
  [
    'a middleware that is called too early',
    'svc.authenticated_middleware[0]',
    undefined,
    /must be a function/,
  ],
  ['the switch of the pages', 'spa', false, /\{ off: true \}/],
  ['a text as a switch', 'spa.off', 'false', /true or false/],
  ['an empty name', 'spa.name', '', /is empty/],
  ['pages without a slash', 'spa.pages', 'pages.js', /"\/pages\.js"/],
  ['help without a scheme', 'spa.links.help', 'a.test/help', /https:\/\//],
  ['help that is a script', 'spa.links.help', 'javascript:alert(1)', /https:\/\//],
  [
    'a script for passwords',
    'spa.links.change_password',
    'javascript:alert(1)',
    /https:\/\/.*path/,
  ],
  ['a script for a reset', 'spa.links.reset_password', 'javascript:alert(1)', /https:\/\/.*path/],
  ['a code of two digits', 'spa.code_digits', 2, /at least 4/],
  ['an environment', 'environment', 'prod', /write "production"/],
  ['an upper-case environment', 'environment', 'Development', /write "development"/],
]

const numbers: readonly Wrong[] = [
  ['a text', 'session.idle', '120', /minutes.*Number\(/],
  ['a duration', 'session.idle', '2h', /"2h".*minutes/],
  ['zero', 'session.idle', 0, /is 0.*minutes, more than 0/],
  ['a negative number', 'session.absolute', -1, /is -1.*more than 0/],
  ['NaN', 'session.idle', Number.NaN, /NaN.*minutes/],
  ['Infinity', 'session.absolute', Infinity, /Infinity.*at most/],
  ['milliseconds', 'session.idle', 7_200_000, /7200000.*minutes/],
  ['null', 'session.idle', null, /null.*leave it out/],
  ['a number for the object', 'session', 120, /\{ idle: /],
  ['seconds', 'session.idle', 7200, /7200 minutes.*session\.absolute; give at most 1440/],
  ['a fraction', 'auth.verification.expire', 0.5, /0\.5.*whole/],
  ['a number for an object', 'auth.verification', 60, /\{ expire: /],
  ['a bare limit', 'limits.login', 5, /\{ max: .*window_seconds: /],
  ['no streams', 'streams.per_user', 0, /more than 0/],
  ['memory in bytes', 'passwords.memory_kib', 19_922_944, /KiB/],
  ['lanes for thousands', 'passwords.lanes', 1000, /at most 64/],
  ['more hashes than memory', 'passwords.concurrency', 100_000, /at most/],
  ['a queue without an end', 'passwords.queue', 1e9, /at most/],
]

const others: readonly Row[] = [
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
  ...['https://panel.a.test.', 'https://my_panel.test'].map((url): Row => [
    `${url}, which no entry can name`,
    config({ app: { ...app, url }, session_auth: { stateful: ['panel.a.test'] }, spa: {} }),
    'session_auth.stateful',
    /cannot be listed: .*letters, digits and hyphens/,
  ]),
  [
    'plain http in production',
    config({ app: { ...app, url: 'http://a.test' }, environment: 'production' }),
    'app.url',
    /https/,
  ],
  ['no keys', withKeys(), 'app.keys', /openssl rand/],
  ['keys without a value', config({ app: { url: app.url } }), 'app.keys', /missing.*openssl rand/],
  ['a panel at the API', withSvc({ prefix: 'svc', panels: ['api'] }), 'svc.panels', /hide the API/],
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
]

describe('A wrong configuration stops the start, and the message names the option and the remedy', () => {
  describe.each([
    ['addresses', addresses],
    ['keys', keys],
    ['panels and pages', panels],
    ['numbers', numbers],
  ])('%s', (_section, rows) => {
    it.each(rows)('%s', (_what, option, value, remedy) => {
      expectComplaint(at(option, value), option, remedy)
    })
  })

  it.each(others)('%s', (_what, changes, option, remedy) => {
    expectComplaint(changes, option, remedy)
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
    [
      'seconds for the confirmation',
      {
        confirmation: true,
        ...config({ svc: { ...svc, two_factor: { confirm_within: 10_800 } } }),
      },
      'svc.two_factor.confirm_within',
      /8 days.*minutes/,
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
    [
      'a window that limits nothing',
      config({ limits: { 'login.failed.account': { max: 100, window_seconds: 60 } } }),
      'limits["login.failed.account"].max',
      /100 in 60 seconds.*100 in 86400/,
    ],
    [
      'a hash of the tests in production',
      config({ ...production, passwords: { memory_kib: 64, passes: 1 } }),
      'passwords',
      /64 .*leave both out/,
    ],
    [
      'the layer of passwords among the settings of hashes',
      config({ passwords: {} }),
      'config.passwords',
      /`passwords: \{\}` beside `config`/,
    ],
    ['memory stores in production', config(production), 'stores', /sqliteStores/],
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
