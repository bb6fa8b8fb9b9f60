import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeTwoFactor, fakeUsers } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { app, config, expectComplaint, messageOf, without, type Loose, type Row } from './start.ts'

const withUsers = (changed: object): Loose => ({ users: { ...fakeUsers([]), ...changed } })

/** A host's class that is passed without `new`. */
class Users {
  findById(): null {
    return null
  }
  findByEmail(): null {
    return null
  }
  identify(): null {
    return null
  }
  passwordHash(): null {
    return null
  }
}

const unknown: readonly Row[] = [
  ['config spread in the options', { app }, 'app', /config\.app/],
  ['a second level of config', config({ config: {} }), 'config', /no such option/],
  ['camel case', config({ trustedProxies: [] }), 'trustedProxies', /`trusted_proxies`/],
  [
    'camel case below',
    config({ app: { ...app, unsafeHttp: true } }),
    'app.unsafeHttp',
    /`app\.unsafe_http`/,
  ],
  ['another place', config({ stateful: ['a.test'] }), 'stateful', /`session_auth\.stateful`/],
  ['snake case', { two_factor: {} }, 'two_factor', /`twoFactor`/],
  ['a stranger', config({ colour: 'red' }), 'colour', /no such option.*leave it out/],
]

const parts: readonly Row[] = [
  ['no stores', { stores: undefined }, 'stores', /missing.*sqliteStores/],
  [
    'stores that are a promise',
    { stores: Promise.resolve() },
    'stores',
    /promise.*await postgresStores/,
  ],
  ['the path of a database', { stores: 'panel.db' }, 'stores', /sqliteStores\(/],
  [
    'the address of a database',
    { stores: 'postgres://a:secret@b/c' },
    'stores',
    /await postgresStores\(/,
  ],
  [
    'a pool',
    { stores: { connect: () => 0, query: () => 0, end: () => 0 } },
    'stores',
    /postgresStores\(/,
  ],
  [
    'the address of a database of MySQL',
    { stores: 'mysql://a:secret@b/c' },
    'stores',
    /await mysqlStores\(/,
  ],
  [
    'a pool of MySQL',
    { stores: { getConnection: () => 0, query: () => 0 } },
    'stores',
    /mysqlStores\(/,
  ],
  ['a handle', { stores: { exec: () => 0, prepare: () => 0 } }, 'stores', /sqliteStores\(/],
  ['stores that nobody called', { stores: memoryStores }, 'stores', /function.*call it/],
  [
    'stores without a check',
    { stores: without(memoryStores(), 'check') },
    'stores',
    /check is missing/,
  ],
  ['no users', { users: undefined }, 'users', /missing.*findById/],
  ['users as a class', { users: Users }, 'users', /class.*new Users/],
  ['users as a promise', { users: Promise.resolve() }, 'users', /promise.*await/],
  ['users as a factory', { users: () => fakeUsers([]) }, 'users', /function.*call it/],
  ['users as a list', { users: [{ id: 1 }] }, 'users', /findById/],
  [
    'users without a method',
    { users: without(fakeUsers([]), 'identify') },
    'users',
    /identify is missing/,
  ],
  ['a hash for the method', withUsers({ passwordHash: 'x' }), 'users', /passwordHash is a text/],
  ['an async hash', withUsers({ passwordHash: async () => null }), 'users', /passwordHash.*async/],
  ['an async identity', withUsers({ identify: async () => null }), 'users', /identify.*async/],
  [
    'access that is not a method',
    withUsers({ canAccessPanel: true }),
    'users',
    /canAccessPanel is/,
  ],
  [
    'access that is misspelt',
    { users: { ...without(fakeUsers([]), 'canAccessPanel'), canAccesPanel: () => false } },
    'users',
    /canAccessPanel/,
  ],
  ['a second factor that is switched on', { twoFactor: true }, 'twoFactor', /isEnabledFor/],
  ['a second factor of null', { twoFactor: null }, 'twoFactor', /leave it out/],
  [
    'a factor without a method',
    { twoFactor: without(fakeTwoFactor(), 'verify') },
    'twoFactor',
    /verify is missing/,
  ],
  [
    'a factor with a value',
    { twoFactor: { ...fakeTwoFactor(), isRequiredFor: true } },
    'twoFactor',
    /isRequiredFor is/,
  ],
  ['a transport of nodemailer', { mailer: { sendMail: () => 0 } }, 'mailer', /send: .*sendMail/],
  ['a function for mails', { mailer: () => 0 }, 'mailer', /\{ send/],
  ['an address for mails', { mailer: 'smtp://a:secret@b' }, 'mailer', /\{ send/],
  [
    'a channel that is not a function',
    { channels: { sms: {} } },
    'channels.sms',
    /must be a function/,
  ],
  ['channels as a list', { channels: [] }, 'channels', /by name/],
  [
    'a channel with the name of the bell',
    { channels: { database: () => 0 } },
    'channels.database',
    /bell/,
  ],
  ['passwords that are switched on', { passwords: true }, 'passwords', /is true; give \{\}/],
  ['a clock that is a function', { clock: () => 0 }, 'clock', /\{ now/],
  ['a clock in seconds', { clock: { now: () => 1_800_000_000 } }, 'clock', /milliseconds/],
  ['a clock without a number', { clock: { now: () => new Date() } }, 'clock', /milliseconds/],
  ['a logger that is a function', { logger: () => 0 }, 'logger', /warn, error/],
  ['texts by a file', config({ locales: { de: './de.json' } }), 'locales.de', /text.*object/],
  [
    'nested texts',
    config({ locales: { de: { a: { b: 'c' } } } }),
    'locales.de.a',
    /must be a text/,
  ],
  [
    'a locale with an underscore',
    config({ locales: { de_DE: {} } }),
    'locales.de_DE',
    /write "de-DE"/,
  ],
  [
    'a locale by its name',
    config({ locales: { german: {} } }),
    'locales.german',
    /language tag.*de/,
  ],
]

describe('A wrong part stops the start, and the message names the option and the remedy', () => {
  describe.each([
    ['unknown options', unknown],
    ['parts of the host', parts],
  ])('%s', (_section, rows) => {
    it.each(rows)('%s', (_what, changes, option, remedy) => {
      expectComplaint(changes, option, remedy)
    })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a promise', Promise.resolve()],
  ])('createPanelAuth() called with %s', (_what, options) => {
    const message = messageOf(() => createPanelAuth(options as never))
    expect(message).toMatch(/^createPanelAuth: .*\{ config, stores, users \}/)
  })
})
