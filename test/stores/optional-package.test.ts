import type { TwoFactorAuthenticator } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { packageError } from '../../build/src/contracts/optional-package.js'
import { startService } from '../support/service.ts'
import { importWithoutPeers } from './missing-driver.ts'

/** Functions of an entry, as a host in JavaScript may call them. */
type Loose = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

const KEY = 'a key of the tests of 32 characters or more'
const FROM = 'imported from /srv/node_modules/@svc/auth/dist/server/postgres.js'

const NOT_BUILT =
  'better-sqlite3 is installed and was not built; run `npm rebuild better-sqlite3`, with pnpm `pnpm approve-builds`, or with Yarn set `dependenciesMeta.better-sqlite3.built` in package.json and run `yarn`'

const errorOf = (code: string, message: string): Error =>
  packageError(
    { name: 'pg', neededBy: 'postgresStores' },
    Object.assign(new Error(message), { code }),
  )

describe('a package that the host may install', () => {
  it.each([
    ['by Node', 'ERR_MODULE_NOT_FOUND', `Cannot find package 'pg' ${FROM}`],
    ['by `require` and bundlers', 'MODULE_NOT_FOUND', "Cannot find module 'pg'\nRequire stack: …"],
    ['by Bun', 'ERR_MODULE_NOT_FOUND', "Cannot find package 'pg' from '/srv/postgres.js'"],
    [
      'by Yarn without node_modules',
      'MODULE_NOT_FOUND',
      "@svc/auth tried to access pg (a peer dependency) but it isn't provided by your application",
    ],
  ])('is to be installed where it is not found %s', (_by, code, message) => {
    const error = errorOf(code, message)
    expect(error.name).toBe('ConfigError')
    expect(error.message).toBe('postgresStores needs the package pg; run `npm install pg`')
  })

  it.each([
    [
      'one that it needs is missing',
      'ERR_MODULE_NOT_FOUND',
      "Cannot find package 'pg-types' imported from /srv/node_modules/pg/lib/index.js",
    ],
    [
      'one of its files is missing',
      'ERR_MODULE_NOT_FOUND',
      `Cannot find module '/srv/node_modules/pg/esm/index.mjs' ${FROM}`,
    ],
    [
      'the process has no descriptor left',
      'EMFILE',
      "EMFILE: too many open files, open '/srv/node_modules/pg/lib/index.js'",
    ],
  ])('is not to be installed again when %s', (_why, code, message) => {
    const error = errorOf(code, message)
    expect(error.name).toBe('Error')
    expect(error.message).not.toContain('npm install')
    expect(error.cause).toMatchObject({ code, message })
  })

  it('is to be built where a package manager ran no scripts', () => {
    const folder = '/srv/node_modules/.pnpm/better-sqlite3@12.11.1/node_modules/better-sqlite3'
    const tried = `Could not locate the bindings file. Tried:\n → ${folder}/build/better_sqlite3.node`
    const error = packageError({ name: 'better-sqlite3', neededBy: 'stores' }, new Error(tried))
    expect([error.name, error.message]).toEqual(['ConfigError', `stores: ${NOT_BUILT}`])
  })

  it.each<[string, string, string, readonly unknown[]]>([
    ['postgres', 'postgresStores', 'pg', ['postgres://localhost/panel']],
    ['mysql', 'mysqlStores', 'mysql2', ['mysql://localhost/panel']],
    ['redis', 'openRedisStores', 'ioredis', ['redis://localhost', memoryStores()]],
  ])(
    'is named where it is not installed, by the entry %s and its call %s',
    async (entry, call, name, args) => {
      const opened = await importWithoutPeers<Loose>(entry)
      await expect(async () => opened[call]?.(...args)).rejects.toMatchObject({
        name: 'ConfigError',
        message: `stores: ${call} needs the package ${name}; run \`npm install ${name}\``,
      })
    },
  )

  it.each([
    ['otpauth', { qrcode: '' }],
    ['qrcode', { otpauth: '' }],
  ])('is named before the first request where the second factor lacks %s', async (name, peers) => {
    const { totp } = await importWithoutPeers<Loose>('totp', peers)
    const options = { issuer: 'Acme', factors: { read: () => null }, keys: [KEY] }
    const twoFactor = totp?.(options) as TwoFactorAuthenticator<FakeUser>
    const { auth } = await startService({ twoFactor })
    await expect(auth.ready()).rejects.toThrow(
      `totp needs the package ${name}; run \`npm install ${name}\``,
    )
  })

  it('is called broken where it is installed', async () => {
    const { postgresStores } = await importWithoutPeers<Loose>('postgres', {
      pg: "require('pg-types')",
    })
    await expect(async () => postgresStores?.('postgres://localhost/panel')).rejects.toMatchObject({
      name: 'Error',
      message:
        'stores: postgresStores needs the package pg, which is installed, but cannot be loaded',
      cause: { message: expect.stringContaining('pg-types') },
    })
  })
})
