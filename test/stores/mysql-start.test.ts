import { createPool as createCallbackPool, createPoolCluster } from 'mysql2'
import { createPool } from 'mysql2/promise'
import { describe, expect, inject, it } from 'vitest'
import { migrateMysql, mysqlStores } from '@svc/auth/mysql'
import { freePort } from '../../scripts/free-port.mjs'

const open = mysqlStores as (database: unknown) => Promise<unknown>

const refusalOf = async (database: unknown): Promise<string> =>
  open(database).then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? `${error.name} ${error.message}` : ''),
  )

describe('mysqlStores that cannot start', () => {
  const callbacks = createCallbackPool('mysql://localhost/b')
  const pool = createPool(inject('mariadbUrl'))

  it.each<[string, () => unknown, RegExp]>([
    ['a variable that is not set', () => undefined, /^ConfigError .*is missing.*mysql:\/\//],
    ['an empty address', () => '', /^ConfigError .*is empty.*mysql:\/\//],
    ['another scheme', () => 'postgres://a:secret@localhost/b', /^ConfigError .*mysql:\/\//],
    ['a file', () => 'panel.db', /^ConfigError .*mysql:\/\//],
    ['no database', () => 'mysql://a:secret@localhost', /^ConfigError .*names no database/],
    ['a broken address', () => 'mysql://a:secret%@[/b', /^ConfigError .*percent-encode/],
    ['a parameter', () => 'mysql://a:secret@h/b?flags=X', /^ConfigError .*"flags".*give a pool/],
    ['a profile of TLS', () => 'mysql://a:secret@h/b?ssl=Amazon%20RDS', /^ConfigError .*ssl=true/],
    ['a number for TLS', () => 'mysql://a:secret@h/b?ssl=1', /^ConfigError .*ssl=true/],
    ['options of a pool', () => ({ host: 'localhost' }), /^ConfigError .*createPool/],
    ['a promise', () => Promise.resolve(pool), /^ConfigError .*promise.*await/],
    ['a pool with callbacks', () => callbacks, /^ConfigError .*pool\.promise\(\)/],
    ['that of a cluster', () => createPoolCluster().of('*'), /^ConfigError .*a cluster with/],
    ['a pool without a database', () => pool, /^ConfigError .*name a database/],
    [
      'no such database',
      () => new URL('nowhere', inject('mariadbUrl')).href,
      /^ConfigError .*'nowhere'.*create/,
    ],
    [
      'an unknown host',
      () => 'mysql://a:secret@nowhere.invalid/b',
      /^StoreError .*nowhere\.invalid.*host/,
    ],
    [
      'no such socket',
      () => 'mysql://a:secret@localhost/b?socketPath=/no/socket',
      /^StoreError .*socket at \/no\/socket/,
    ],
  ])('%s', async (_what, database, remedy) => {
    const message = await refusalOf(database())
    expect(message).toMatch(/^\w+ stores: mysqlStores/)
    expect(message).toMatch(remedy)
    expect(message).not.toContain('secret')
  })

  it('a server that is down', async () => {
    const port = await freePort()
    const message = await refusalOf(`mysql://a:secret@127.0.0.1:${port}/b`)
    expect(message).toMatch(
      new RegExp(`^StoreError stores: mysqlStores: .*127\\.0\\.0\\.1:${port}.*container`),
    )
  })

  it('a migration of a server that is down', async () => {
    const migrating = migrateMysql(`mysql://a:secret@127.0.0.1:${await freePort()}/b`)
    await expect(migrating).rejects.toThrow(/^stores: migrateMysql: .*refuses connections/)
  })
})
