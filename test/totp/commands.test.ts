import { join } from 'node:path'
import { createPool } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  totp,
  mysqlFactors,
  postgresFactors,
  sqliteFactors,
  type FactorStore,
} from '@svc/auth/totp'
import { configOf } from '../cli/command.ts'
import { closedAfterTest } from '../support/after-test.ts'
import { svcHere } from '../support/svc-here.ts'
import { emptyMysql, mysqlAdmin } from '../support/mysql.ts'
import { temporaryFolder } from '../support/panel.ts'
import { admin, emptyPostgres } from '../support/postgres.ts'
import { openHandle } from '../support/sqlite.ts'
import { startService } from '../support/service.ts'
import { KEY } from './factor-stage.ts'

const HOST = configOf('totp-host.mjs')

/** A host with the users 1 and 2. */
function host() {
  const file = join(temporaryFolder(), 'panel.db')
  const database = openHandle(file)
  database.exec(`create table users (id integer primary key, email text, password text);
    insert into users values (1, 'ada@example.com', null), (2, 'bea@example.com', null)`)
  database.close()
  const given = { APP_KEY: KEY, FILE: file }
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const options = { env: { ...given, ...env } }
    const { code, stdout, stderr } = await svcHere(['--config', HOST, '--json', ...args], options)
    return { code, stderr, json: JSON.parse(stdout) as Record<string, unknown> }
  }
  return Object.assign(run, { file, env: given })
}

describe('svc, for a host that binds totp,', { timeout: 60_000 }, () => {
  it('creates the table by `migrate`, and tells who has a second factor', async () => {
    const run = host()
    // A command that only looks creates nothing.
    expect((await run(['doctor'], { LAZY: 'yes' })).stderr).toBe('')
    const { json } = await run(['migrate'])
    const factorTables = { tables: 'The table of second factors (svc_two_factor)' }
    expect(json['migrated']).toContainEqual({ ...factorTables, from: 0, to: 1 })
    const again = await run(['migrate'])
    expect(again.json['migrated']).toContainEqual({ ...factorTables, from: 1, to: 1 })
    expect((await run(['two-factor', 'none'])).json).toEqual({
      users: [
        { id: '1', email: 'ada@example.com', required: false },
        { id: '2', email: 'bea@example.com', required: true },
      ],
    })
    expect((await run(['two-factor', 'status', '--id', '2'])).json).toMatchObject({
      enabled: false,
      required: true,
    })
    expect((await run(['two-factor', 'reset', '--id', '2'])).code).toBe(0)
  })

  it('names a package that is missing by a check of its own', async () => {
    const run = host()
    await run(['migrate'])
    const text = 'totp needs the package otpauth; run `npm install otpauth`'
    const { json, code } = await run(['doctor'], { MISSING: text })
    expect(code).toBe(1)
    expect(json['checks']).toContainEqual({ name: 'packages', status: 'failed', text })
    const shared = expect.objectContaining({ name: 'shared keys', status: 'ok' })
    expect(json['checks']).toContainEqual(shared)
  })

  it('tells how many devices a user has, where users may have several', async () => {
    const run = host()
    const env = { LAZY: 'yes', DEVICES: 'yes' }
    const status = ['two-factor', 'status', '--id', '1']
    expect((await run(status, env)).json).not.toHaveProperty('devices')
    const factors = sqliteFactors(openHandle(run.file), { devices: true })
    const binding = totp({ issuer: 'X', factors, keys: [KEY] })
    const ada = { id: '1', email: 'ada@example.com' }
    await binding.enable(ada, await binding.newSecret())
    expect((await run(status, env)).json).toMatchObject({ enabled: true, devices: 1 })
    await binding.devices?.add(ada, { secret: await binding.newSecret(), name: 'Pixel' })
    expect((await run(status, env)).json).toMatchObject({ enabled: true, devices: 2 })
    expect((await run(status)).json).toMatchObject({ enabled: true })
    expect((await run(status)).json).not.toHaveProperty('devices')
  })

  it('resets no second factor while the sessions of its user cannot be ended', async () => {
    const run = host()
    await run(['migrate'])
    const database = closedAfterTest(openHandle(run.file))
    const binding = totp({ issuer: 'X', factors: sqliteFactors(database), keys: [KEY] })
    await binding.enable({ id: '1', email: 'ada@example.com' }, await binding.newSecret())
    database.exec(`insert into svc_sessions (key, user_id, stamp, created_at, last_seen_at, expires_at)
        values ('a key', '1', '', 0, 0, ${2 ** 52});
      create trigger refuse before delete on svc_sessions begin select raise(abort, 'down'); end`)
    const reset = ['two-factor', 'reset', '--id', '1']
    expect((await svcHere(['--config', HOST, ...reset], run)).code).toBe(1)
    const status = ['two-factor', 'status', '--id', '1']
    expect((await run(status)).json).toMatchObject({ enabled: true })
    database.exec('drop trigger refuse')
    expect((await run(reset)).json).toMatchObject({ ended: 1 })
    expect((await run(status)).json).toMatchObject({ enabled: false })
  })

  it('tells from when on the second factor is required', async () => {
    const run = host()
    const from = '2100-01-01T00:00:00.000Z'
    const env = { LAZY: 'yes', REQUIRED_FROM: from }
    const bea = { id: '2', email: 'bea@example.com', required: false, required_from: from }
    expect((await run(['two-factor', 'none'], env)).json).toEqual({
      users: [{ id: '1', email: 'ada@example.com', required: false }, bea],
    })
    const { json } = await run(['two-factor', 'status', '--id', '2'], env)
    expect(json).toMatchObject({ ...bea, enabled: false })
  })

  it('prints the statement of the table for migrations of the host', async () => {
    const [file, postgres, mysql] = [
      join(temporaryFolder(), 'panel.db'),
      await emptyPostgres(),
      await emptyMysql(),
    ]
    const database = openHandle(file)
    const [pool, mysqlPool] = [new pg.Pool({ connectionString: postgres }), createPool(mysql)]
    onTestFinished(async () => {
      database.close()
      await Promise.all([pool.end(), mysqlPool.end()])
    })
    const one = { migrate: false }
    const many = { migrate: false, devices: true }
    const run: readonly [string, (sql: string) => unknown, FactorStore, FactorStore][] = [
      [
        'sqlite',
        (sql) => database.exec(sql),
        sqliteFactors(database, one),
        sqliteFactors(database, many),
      ],
      [
        'postgres',
        async (sql) => admin(postgres, sql),
        postgresFactors(pool, one),
        postgresFactors(pool, many),
      ],
      [
        'mysql',
        async (sql) => mysqlAdmin(mysql, sql),
        mysqlFactors(mysqlPool, one),
        mysqlFactors(mysqlPool, many),
      ],
    ]
    for (const [dialect, execute, factors, several] of run) {
      const binding = totp<{ id: string; email: string }>({ issuer: 'X', factors, keys: [KEY] })
      const user = { id: 'u1', email: 'ada@example.com' }
      await expect(async () => binding.isEnabledFor(user)).rejects.toThrow('run `svc migrate`')
      const { stdout, code } = await svcHere(['totp', 'schema', '--dialect', dialect])
      expect(code).toBe(0)
      await execute(stdout)
      expect(await binding.isEnabledFor(user)).toBe(false)
      await binding.enable(user, await binding.newSecret())
      expect(await binding.isEnabledFor(user)).toBe(true)
      await execute((await svcHere(['totp', 'schema', '--dialect', dialect, '--devices'])).stdout)
      const both = totp<{ id: string; email: string }>({
        issuer: 'X',
        factors: several,
        keys: [KEY],
      })
      expect(await both.devices?.list(user)).toHaveLength(1)
    }
    expect((await svcHere(['totp', 'schema', '--dialect', 'oracle'])).code).toBe(2)
  })

  it('mentions the number of digits on the code page', async () => {
    const factors = sqliteFactors(openHandle(':memory:'))
    const twoFactor = totp({ issuer: 'X', factors, keys: [KEY], digits: 8 })
    const { browser } = await startService({ twoFactor, config: { spa: {} } })
    const { text } = await browser().get('/admin/main')
    expect(text).toContain('&quot;codeDigits&quot;:8')
  })
})
