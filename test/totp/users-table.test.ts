import { Secret } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { twoFactorCases } from '@svc/auth/testing'
import { sqliteFactors, totp, type StoredForm } from '@svc/auth/totp'
import { closedAfterTest } from '../support/after-test.ts'
import { temporaryDatabase } from '../support/databases.ts'
import { openHandle } from '../support/sqlite.ts'
import { KEY, openStage } from './factor-stage.ts'

const hexadecimal: StoredForm<string> = {
  read: (stored) => Secret.fromHex(stored).base32,
  write: (secret) => Secret.fromBase32(secret).hex,
}
const plainList: StoredForm<readonly string[]> = {
  read: (stored) => stored.split(' '),
  write: (codes) => codes.join(' '),
}

const columns = { userId: 'id', secret: 'secret', recoveryCodes: 'codes', lastStep: 'step' }

/** Opens columns of a users table in the forms of another system. */
async function openHost() {
  const database = closedAfterTest(openHandle(temporaryDatabase()))
  database.exec(`create table users (id text primary key, secret text, codes text, step bigint,
    confirmed_at text); insert into users (id) values ('u1'), ('u2')`)
  const factors = () =>
    sqliteFactors(database, {
      table: 'users',
      inUsersTable: true,
      columns: { ...columns, confirmedAt: 'confirmed_at' },
      secrets: hexadecimal,
      recoveryCodes: plainList,
    })
  return {
    first: factors(),
    second: factors(),
    run: async (sql: string) => {
      database.exec(sql)
      return []
    },
  }
}

describe('a second factor in columns of the users', () => {
  for (const { name, run } of twoFactorCases)
    it(name, async () => run({ open: async () => openStage(openHost) }))

  it('accepts the old codes of another system, once', async () => {
    const { host, first, user, codeFor } = await openStage(openHost)
    await host.run(`update users set secret = '57a1d3c0e94b2f68aa1b2c3d4e5f60718293a4b5',
      codes = 'pR88uRDmUf-hccQ Tgm4MC0jZM-2k4A 314159', confirmed_at = '2026-01-01'
      where id = 'u1'`)
    const secret = hexadecimal.read('57a1d3c0e94b2f68aa1b2c3d4e5f60718293a4b5', user.id)
    for (const code of [codeFor(secret), 'pR88uRDmUf-hccQ', 'Tgm4MC0jZM-2k4A', '314159']) {
      expect(await first.verify(user, code)).toBe(true)
      expect(await first.verify(user, code)).toBe(false)
    }
    // The form of this test reads an emptied list as one empty code.
    for (const empty of ['', ' ', '-']) expect(await first.verify(user, empty)).toBe(false)
  })

  it('accepts codes of a secret and of recovery codes that are stored with a space at the end, once', async () => {
    const { host, first, user, codeFor } = await openStage(openHost)
    const stored = '57a1d3c0e94b2f68aa1b2c3d4e5f60718293a4b5'
    await host.run(`update users set secret = '${stored} ', codes = 'one-code other-code ',
      confirmed_at = '2026-01-01' where id = 'u1'`)
    for (const code of [codeFor(hexadecimal.read(stored, user.id)), 'one-code', 'other-code']) {
      expect(await first.verify(user, code)).toBe(true)
      expect(await first.verify(user, code)).toBe(false)
    }
  })

  it('has the secrets that the other system makes, where its form holds no others', async () => {
    const { host, bind, user, codeFor } = await openStage(openHost)
    const newSecret = () => Secret.fromUTF8('7gtWRCKGf74-xTTaRTowsY1_dEAtVKZI').base32
    const binding = bind({ factors: { ...host.first, newSecret } })
    const secret = await binding.newSecret()
    expect(secret).toBe(newSecret())
    expect(await binding.verifySetup(secret, codeFor(secret))).toBe(true)
    await binding.enable(user, secret)
    expect(await host.first.read(user.id)).toMatchObject({ secret: Secret.fromBase32(secret).hex })
  })

  it('is not enabled before it was confirmed, and replaced by the next set-up', async () => {
    const { host, first, user } = await openStage(openHost)
    await host.run(`update users set secret = 'ab', codes = 'old' where id = 'u1'`)
    expect(await first.isEnabledFor(user)).toBe(false)
    expect(await first.verify(user, 'old')).toBe(false)
    await first.enable(user, await first.newSecret())
    expect(await first.isEnabledFor(user)).toBe(true)
    expect(await first.verify(user, 'old')).toBe(false)
  })

  it('names a column of `confirmedAt` that holds a flag instead of a time', async () => {
    const { host, first, user } = await openStage(openHost)
    await host.run(`update users set secret = 'ab', codes = 'old', confirmed_at = 0
      where id = 'u1'`)
    await expect(async () => first.isEnabledFor(user)).rejects.toThrow(
      '`confirmedAt` must hold a time',
    )
  })

  it('accepts no code of an empty secret', async () => {
    const { host, first, user, codeFor } = await openStage(openHost)
    await host.run(`update users set secret = '', codes = '', confirmed_at = '2026-01-01'
      where id = 'u1'`)
    const verifying = async () => first.verify(user, codeFor(''))
    await expect(verifying).rejects.toThrow('is empty')
  })

  it.each([true, false])(
    'stays when an id is erased that the database converts to its own, in columns of the users: %s',
    async (inUsersTable) => {
      const database = closedAfterTest(openHandle(temporaryDatabase()))
      database.exec(
        'create table users (id integer primary key, secret text, codes text, step int)',
      )
      if (inUsersTable) database.exec('insert into users (id) values (12)')
      const factors = sqliteFactors(database, { table: 'users', inUsersTable, columns })
      const twoFactor = totp({ issuer: 'Acme', factors, keys: [KEY] })
      const user = { id: 12, email: 'u12@x.test' }
      await twoFactor.enable(user, await twoFactor.newSecret())
      for (const id of ['012', ' 12', '12.0', '+12']) await twoFactor.erase?.(id)
      expect(await twoFactor.isEnabledFor(user)).toBe(true)
      await twoFactor.erase?.('12')
      expect(await twoFactor.isEnabledFor(user)).toBe(false)
    },
  )

  it('is given to no other user whose id the database takes for the same', async () => {
    const database = closedAfterTest(openHandle(temporaryDatabase()))
    database.exec(`create table users
      (id text collate nocase, secret text, codes text, step int, tenant text);
      insert into users (id, tenant) values ('ann', null), ('Ann', null), ('1', 'a'), ('1', 'b')`)
    const factors = sqliteFactors(database, { table: 'users', inUsersTable: true, columns })
    const factor = { secret: 's', recoveryCodes: '[]', lastStep: 1 }
    for (const id of ['ann', '1', 'nobody'])
      await expect(factors.enable(id, factor)).rejects.toThrow('not one row with exactly this id')
    expect(database.prepare('select id from users where secret is not null').all()).toEqual([])
  })

  it('is taken from no other user whose id the database takes for the same', async () => {
    const database = closedAfterTest(openHandle(temporaryDatabase()))
    database.exec(`create table users (id text collate nocase, secret text, codes text, step int);
      insert into users values ('ann', 's', '[]', 1), ('Ann', 's', '[]', 1)`)
    for (const inUsersTable of [true, false]) {
      const factors = sqliteFactors(database, { table: 'users', inUsersTable, columns })
      await expect(factors.disable('ann')).rejects.toThrow('not one row with exactly this id')
    }
    expect(database.prepare('select id from users where secret is not null').all()).toHaveLength(2)
  })
})

it('A set-up that another system began and did not confirm is replaced in a table of factors', async () => {
  const database = closedAfterTest(openHandle(temporaryDatabase()))
  database.exec(`create table factors (id text primary key, secret text not null, codes text,
    step bigint, confirmed_at text); insert into factors (id, secret) values ('u1', 'begun')`)
  const factors = sqliteFactors(database, {
    table: 'factors',
    columns: { ...columns, confirmedAt: 'confirmed_at' },
  })
  const binding = totp<{ readonly id: string; readonly email: string }>({
    issuer: 'Acme',
    factors,
    keys: [KEY],
  })
  const user = { id: 'u1', email: 'ada@example.com' }
  expect(await binding.isEnabledFor(user)).toBe(false)
  await binding.enable(user, await binding.newSecret())
  expect(await binding.isEnabledFor(user)).toBe(true)
})
