import { createServer as createHttp2Server, createSecureServer } from 'node:http2'
import { join } from 'node:path'
import { createPanelAuth } from '@svc/auth'
import * as express from '@svc/auth/express'
import * as fastify from '@svc/auth/fastify'
import * as fetch from '@svc/auth/fetch'
import * as hono from '@svc/auth/hono'
import { memoryStores } from '@svc/auth/memory'
import { mysqlStores } from '@svc/auth/mysql'
import * as nestjs from '@svc/auth/nestjs'
import * as node from '@svc/auth/node'
import { openPostgres, postgresStores } from '@svc/auth/postgres'
import { openRedisStores, redisStores } from '@svc/auth/redis'
import { sqliteStores } from '@svc/auth/sqlite'
import { fakeUsers } from '@svc/auth/testing'
import { fastify as fastifyApp } from 'fastify'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { temporaryFolder } from '../support/panel.ts'
import { emptyPostgres } from '../support/postgres.ts'
import { app, messageOf, svc } from './start.ts'

/** Functions as a host in JavaScript may call them. */
type Loose = Readonly<Record<string, (...args: unknown[]) => unknown>>

const adapters: readonly [string, Loose][] = Object.entries({
  express,
  fastify,
  fetch,
  nestjs,
  node,
}).map(([name, adapter]) => [name, adapter as unknown as Loose])
const looseHono = hono as unknown as Loose
const config = { app, session_auth: { stateful: ['panel.example.com'] }, svc, spa: { off: true } }
const options = { config, stores: memoryStores(), users: fakeUsers([]) }
const auth = createPanelAuth(options)
const login = '/admin/main/login'

describe('A wrong argument of an adapter is refused before the first request', () => {
  describe.each([...adapters, ['hono', looseHono] as const])('of %s', (_name, adapter) => {
    it.each<[string, unknown, RegExp]>([
      ['nothing', undefined, /is missing; give the service that createPanelAuth returns/],
      ['the options', options, /is the configuration; .*createPanelAuth/],
      ['the configuration', config, /is the configuration; .*createPanelAuth/],
      ['a promise', Promise.resolve(auth), /is a promise: await it/],
      ['a request', { headers: {} }, /is a request, .*without being called/],
    ])('mount, guard and pageGuard of %s', (_what, given, remedy) => {
      for (const call of ['mount', 'guard', 'pageGuard']) {
        const rest = adapter === looseHono ? [() => ({ remote: {} })] : []
        const message = messageOf(() => adapter[call]?.(given, ...rest, { login }))
        expect(message).toMatch(new RegExp(`^${call}: `))
        expect(message).toMatch(remedy)
      }
    })
  })

  it.each(['mount', 'guard', 'pageGuard'])('%s of Hono without getConnInfo', (call) => {
    expect(messageOf(() => looseHono[call]?.(auth, { access: 'security' }))).toMatch(
      new RegExp(`^${call}: .*getConnInfo.*@hono/node-server/conninfo`),
    )
  })

  describe.each(adapters)('guard of %s', (_name, adapter) => {
    it.each<[string, unknown, RegExp]>([
      ['an unknown access', { access: 'admin' }, /access is "admin".*panel, security, session/],
      ['a misspelt option', { acess: 'security' }, /acess is not an option; did you mean access\?/],
      ['another option', { role: 'admin' }, /role is not an option; .*access, passive, csrf/],
      ['a text for passive', { passive: 'false' }, /passive .*true or false/],
      ['an unknown proof', { csrf: false }, /csrf .*token, same-origin/],
      ['a text for the options', 'security', /the options are not an object/],
    ])('refuses %s', (_what, given, remedy) => {
      const message = messageOf(() => adapter['guard']?.(auth, given))
      expect(message).toMatch(/^guard: /)
      expect(message).toMatch(remedy)
    })

    it.each<[string, unknown]>([
      ['no options', undefined],
      ['a path instead of options', login],
      ['an address of another site', { login: 'https://id.example.com/login' }],
      ['no login page', { access: 'security' }],
    ])('pageGuard with %s', (_what, given) => {
      const message = messageOf(() => adapter['pageGuard']?.(auth, given))
      expect(message).toMatch(/^pageGuard: .*"\/admin\/main\/login"/)
    })
  })
})

describe('A wrong argument of a handler for web requests is named at the first request', () => {
  const handlers: Loose = {
    mount: fetch.mount(auth) as Loose[string],
    guard: fetch.guard(auth) as Loose[string],
    pageGuard: fetch.pageGuard(auth, { login }) as Loose[string],
    'auth.fetch': async (...args) => (auth as unknown as Loose)['fetch']?.(...args),
    toPlainRequest: async (...args) => (fetch.toPlainRequest as Loose[string])?.(...args),
  }
  const request = new Request('https://panel.example.com/svc/api/user')
  const address = '203.0.113.9'

  describe.each(Object.entries(handlers))('%s', (_name, handle) => {
    it.each<[string, readonly unknown[], RegExp]>([
      ['no second argument', [request], /second argument is missing; give \{ address \}/],
      ['an address alone', [request, address], /second argument is not an object; .*\{ address \}/],
      ['an object as the address', [request, { address: {} }], /address is not a text; .*or null/],
      ['a request of Node', [{ headers: {} }, { address }], /not a web Request; .*auth\/node/],
      ['nothing', [], /first argument is not a web Request/],
    ])('refuses %s', async (_what, args, remedy) => {
      const refused = Promise.resolve(handle(...args))
      await expect(refused).rejects.toMatchObject({
        name: 'ConfigError',
        message: expect.stringMatching(remedy),
      })
    })
  })

  it('takes an address that the platform does not know', async () => {
    const info = { address: undefined } as unknown as fetch.FetchInfo
    expect(fetch.toPlainRequest(request, info).address).toBeNull()
  })
})

describe('A server of a wrong argument', () => {
  const listener = (): undefined => undefined

  it.each<[string, readonly unknown[], RegExp]>([
    ['no service', [], /first argument is missing; give the service that createPanelAuth returns/],
    ['a promise of the service', [Promise.resolve(auth), listener], /is a promise: await it/],
    ['a port', [auth, listener, 4000], /the options are not an object/],
    ['no listener', [auth], /second argument is neither a listener .*mount\(auth\)/],
    ['an instance of Fastify', [auth, fastifyApp()], /second .*`server` of a Fastify instance/],
    ['a server of HTTP/2', [auth, createHttp2Server()], /second .*without HTTP\/2/],
    [
      'one that also takes HTTP/1',
      [auth, createSecureServer({ allowHTTP1: true })],
      /second .*without HTTP\/2/,
    ],
    [
      'a misspelt option',
      [auth, listener, { drainSecond: 5 }],
      /drainSecond: no such option; did you mean drainSeconds\?/,
    ],
  ])('is not started with %s', async (_what, args, remedy) => {
    const serve = (node as unknown as Loose)['serve']
    await expect(async () => serve?.(...args)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(new RegExp(`^serve: .*${remedy.source}`)),
    })
  })

  it('is not stopped at signals with a promise of the service', () => {
    const message = messageOf(() =>
      (node as unknown as Loose)['closeOnSignals']?.(Promise.resolve()),
    )
    expect(message).toMatch(/^closeOnSignals: its first argument is a promise: await it/)
  })
})

describe('redisStores of a wrong argument', () => {
  const open = redisStores as unknown as (...args: readonly unknown[]) => unknown
  const client = (): Redis => {
    const redis = new Redis({ lazyConnect: true })
    onTestFinished(() => redis.disconnect())
    return redis
  }
  const beside = memoryStores()

  it.each<[string, () => readonly unknown[], RegExp]>([
    [
      'a client that is not set',
      () => [undefined, beside],
      /first .*is missing; .*ioredis or redis/,
    ],
    ['an address', () => ['redis://:secret@localhost', beside], /first .*openRedisStores/],
    ['a client that still connects', () => [Promise.resolve(client()), beside], /first .*await it/],
    ['the function that makes a client', () => [() => client(), beside], /first .*call it/],
    ['the options of a client', () => [{ host: 'localhost' }, beside], /first .*is not a client/],
    ['the arguments in another order', () => [beside, client()], /first .*come second/],
    ['no stores beside', () => [client()], /second .*is missing; .*await postgresStores/],
    ['stores that open', () => [client(), Promise.resolve(beside)], /second .*await it/],
    ['the function that makes stores', () => [client(), memoryStores], /second .*call it/],
    ['a second client', () => [client(), client()], /second .*notifications/],
    [
      'the address of PostgreSQL',
      () => [client(), 'postgres://a:secret@b/c'],
      /second .*await post/,
    ],
    [
      'a prefix without its name',
      () => [client(), beside, 'panel:'],
      /options are not an object; give each by its name/,
    ],
    [
      'a misspelt option',
      () => [client(), beside, { prefx: 'a:' }],
      /prefx: no such option; did you mean prefix\?/,
    ],
    ['a number as the prefix', () => [client(), beside, { prefix: 1 }], /prefix: give a text/],
  ])('%s', (_what, args, remedy) => {
    const message = messageOf(() => open(...args()))
    expect(message).toMatch(/^stores: redisStores: /)
    expect(message).toMatch(remedy)
    expect(message).not.toContain('secret')
  })
})

describe('openRedisStores of a wrong argument', () => {
  const open = openRedisStores as (...args: readonly unknown[]) => Promise<unknown>

  it.each<[string, readonly unknown[], RegExp]>([
    ['a variable that is not set', [undefined, memoryStores()], /takes redis:\/\/host/],
    ['a client', [{}, memoryStores()], /takes redis:\/\/host/],
    ['no stores beside', ['redis://127.0.0.1:1'], /second argument is missing; .*postgresStores/],
    [
      'stores that open',
      ['redis://127.0.0.1:1', Promise.resolve(memoryStores())],
      /second argument is a promise; await it/,
    ],
  ])('%s', async (_what, args, remedy) => {
    await expect(open(...args)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(remedy),
    })
  })
})

describe('sqliteStores of a wrong argument', () => {
  const open = sqliteStores as (database: unknown) => unknown
  it.each<[string, () => unknown, RegExp]>([
    ['a variable that is not set', () => undefined, /is missing.*sqliteStores\('panel\.db'\)/],
    ['an empty path', () => '', /name a file/],
    ['a URI', () => 'file:panel.db', /name a path/],
    ['the address of PostgreSQL', () => 'postgres://a:secret@localhost/b', /postgresStores/],
    ['a pool of PostgreSQL', () => new Pool(), /postgresStores/],
    ['a promise', () => Promise.resolve('panel.db'), /promise.*await/],
    ['options', () => ({ file: 'panel.db' }), /sqliteStores\('panel\.db'\)/],
    [
      'a missing folder',
      () => join(temporaryFolder(), 'no', 'panel.db'),
      /does not exist; make it/,
    ],
    ['a folder', () => temporaryFolder(), /is a folder; name a file/],
  ])('%s', (_what, database, remedy) => {
    const message = messageOf(() => open(database()))
    expect(message).toMatch(/^stores: sqliteStores/)
    expect(message).toMatch(remedy)
    expect(message).not.toContain('secret')
  })
})

describe('The options of stores in a server', () => {
  const calls: Loose = { mysqlStores, postgresStores } as unknown as Loose
  const addresses = {
    mysqlStores: 'mysql://a@127.0.0.1:1/b',
    postgresStores: 'postgres://a@127.0.0.1:1/b',
  }

  it.each(['mysqlStores', 'postgresStores'] as const)(
    'stop the start of %s when they are misspelt or of another type',
    async (call) => {
      for (const [options, remedy] of [
        [{ migrat: false }, /migrat: no such option; did you mean migrate\?/],
        [{ migrate: 'false' }, /migrate: give true or false/],
        [false, /the options are not an object/],
        [Promise.resolve({ migrate: false }), /the options are not an object/],
      ] as const)
        await expect(calls[call]?.(addresses[call], options)).rejects.toMatchObject({
          name: 'ConfigError',
          message: expect.stringMatching(remedy),
        })
    },
  )
})

describe('postgresStores that cannot start', () => {
  const open = postgresStores as (database: unknown) => Promise<unknown>
  const refusalOf = async (database: unknown): Promise<string> =>
    open(database).then(
      () => 'started',
      (error: unknown) => (error instanceof Error ? `${error.name} ${error.message}` : ''),
    )
  const address = (changes: Partial<URL>): string =>
    Object.assign(new URL(inject('postgresUrl')), changes).href

  it.each<[string, () => unknown, RegExp]>([
    ['a variable that is not set', () => undefined, /^ConfigError .*is missing.*postgres:\/\//],
    ['an empty address', () => '', /^ConfigError .*is empty.*postgres:\/\//],
    ['another scheme', () => 'mysql://a:secret@localhost/b', /^ConfigError .*postgres:\/\//],
    ['a file', () => 'panel.db', /^ConfigError .*sqliteStores/],
    ['options of a pool', () => ({ host: 'localhost' }), /^ConfigError .*new Pool/],
    ['a promise', () => Promise.resolve(new Pool()), /^ConfigError .*promise.*await/],
    [
      'no such database',
      () => address({ pathname: '/nowhere' }),
      /^ConfigError .*"nowhere".*create/,
    ],
    ['no such role', () => address({ username: 'nobody' }), /^ConfigError .*role/],
    [
      'an unknown host',
      () => 'postgres://a:secret@nowhere.invalid/b',
      /^StoreError .*nowhere\.invalid.*host/,
    ],
  ])('%s', async (_what, database, remedy) => {
    const message = await refusalOf(database())
    expect(message).toMatch(/^\w+ stores: postgresStores/)
    expect(message).toMatch(remedy)
    expect(message).not.toContain('secret')
  })

  it.each<[string, readonly unknown[], RegExp]>([
    ['a variable that is not set', [undefined], /its first argument is missing; give an address/],
    ['an empty address', [''], /its first argument is empty; give an address/],
    ['a pool', [{ connect() {}, on() {} }], /its first argument is not a text; give an address/],
    [
      'a misspelt option',
      ['postgres://a@b/c', { connection: 5 }],
      /connection: no such option; did you mean connections\?/,
    ],
  ])('%s for openPostgres', async (_what, args, remedy) => {
    const open = openPostgres as unknown as (...args: readonly unknown[]) => Promise<unknown>
    await expect(open(...args)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringMatching(new RegExp(`^openPostgres: ${remedy.source}`)),
    })
  })

  it('a server that is down', async () => {
    const port = await freePort()
    const message = await refusalOf(`postgres://a:secret@127.0.0.1:${port}/b`)
    expect(message).toMatch(
      new RegExp(`^StoreError stores: postgresStores: .*127\\.0\\.0\\.1:${port}.*container`),
    )
  })

  it('a role that may not create tables', async () => {
    const url = await emptyPostgres()
    const pool = new Pool({ connectionString: url })
    onTestFinished(() => pool.end())
    const role = `reader_${Date.now()}`
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`)
    await pool.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    const message = await refusalOf(
      Object.assign(new URL(url), { username: role, password: 'secret' }).href,
    )
    expect(message).toMatch(/^ConfigError stores: postgresStores: .*GRANT.*migratePostgres/)
  })
})
