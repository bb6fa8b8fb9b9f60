import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSealer } from '@svc/auth'
import { fakeClock } from '@svc/auth/testing'
import { totp } from '@svc/auth/totp'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import type { Database } from '../../build/panel/database.js'
import { migratePeople } from '../../build/panel/schema.js'
import { sqliteDatabase } from '../../build/panel/sqlite-database.js'
import { createUsers, type Person } from '../../build/panel/users.js'
import { databases, kinds, type TestDatabase } from './databases.ts'

const LATEST = 8

let place: TestDatabase
let database: Database

afterEach(async () => {
  await database.close()
  place.remove()
})

async function newer(oldest: number | null): Promise<void> {
  const version = LATEST + 1
  await database.tables.insertInto('panel_schema').values({ version, oldest }).execute()
}

describe.each(kinds)('the tables of the panel on %s', (kind) => {
  beforeEach(async () => {
    place = await databases[kind]()
    database = await place.open()
  })

  it('are created, and left unchanged by the next start', async () => {
    expect(await migratePeople(database)).toEqual({ from: 0, to: LATEST })
    expect(await migratePeople(database)).toEqual({ from: LATEST, to: LATEST })
  })

  it('may be newer, as after a rollback, and are left unchanged', async () => {
    await migratePeople(database)
    await newer(null)
    const before = await place.stored()
    const version = LATEST + 1
    expect(await migratePeople(database)).toEqual({ from: version, to: version })
    if (kind === 'PostgreSQL') expect(await place.stored()).toBe(before)
  })

  it('stop the start when they have lost what this version needs, and are left unchanged', async () => {
    await migratePeople(database)
    await newer(LATEST + 1)
    const before = await place.stored()
    await expect(migratePeople(database)).rejects.toThrow(
      `the panel's tables are of version ${LATEST + 1}, and this program knows ${LATEST}: start the newer program`,
    )
    if (kind === 'PostgreSQL') expect(await place.stored()).toBe(before)
  })

  it('serve nodes of the version before, whose recovery codes work once in all', async () => {
    await migratePeople(database)
    const exec = async (statement: string) => sql.raw(statement).execute(database.tables)
    const [used, kept, table] = ['used', 'kept', 'people_recovery_codes']
    for (const statement of [
      `INSERT INTO people (id, email, password_hash) VALUES ('1', 'rex@x.test', 'hash')`,
      `INSERT INTO people_two_factor (person, sealed_secret, last_step, recovery_codes)
        VALUES ('1', 'secret', 0, '["${used}", "${kept}"]')`,
      `INSERT INTO ${table} VALUES ('${used}', '1'), ('${kept}', '1')`,
      // A node of the version before deletes a code when it is used.
      `DELETE FROM ${table} WHERE hash = '${used}' AND person = '1'`,
    ])
      await exec(statement)
    const factors = sql<{
      readonly codes: string
    }>`SELECT recovery_codes AS codes FROM people_two_factor`
    const { rows } = await factors.execute(database.tables)
    expect(rows.map(({ codes }) => JSON.parse(codes))).toEqual([[kept]])
    await exec('DELETE FROM people')
    expect((await sql`SELECT 1 FROM people_recovery_codes`.execute(database.tables)).rows).toEqual(
      [],
    )
  })

  it('are created all or not at all', async () => {
    await sql`CREATE VIEW people_counts AS SELECT 1 AS person`.execute(database.tables)
    await expect(migratePeople(database)).rejects.toThrow()
    await sql`DROP VIEW people_counts`.execute(database.tables)
    expect(await migratePeople(database)).toEqual({ from: 0, to: LATEST })
  })
})

describe('a file from before versions were stored', () => {
  const PEOPLE_OF_THE_FIRST = `CREATE TABLE people (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    name TEXT,
    password_hash TEXT NOT NULL,
    email_verified_at TEXT,
    must_verify_email INTEGER NOT NULL DEFAULT 0
  ) STRICT`
  // As version 0.1.0 made them; a copy, which does not change.
  const TABLES_OF_0_1_0 = `CREATE TABLE IF NOT EXISTS people (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT,
      password_hash TEXT NOT NULL,
      email_verified_at TEXT,
      must_verify_email INTEGER NOT NULL DEFAULT 0,
      two_factor_required INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE IF NOT EXISTS people_two_factor (
      person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
      sealed_secret TEXT NOT NULL,
      last_step INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS people_recovery_codes (
      hash TEXT PRIMARY KEY,
      person TEXT NOT NULL REFERENCES people_two_factor (person) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX IF NOT EXISTS people_recovery_codes_person ON people_recovery_codes (person);`
  const KEY = 'a key of the panel that nobody knows'
  // Hashed by its code: that of 24 characters by the first version, that of 12 for the user 1.
  const [LONG_CODE, CODE] = ['abcd-efgh-jkmn-pqrs-tvwx-yz23', 'abcd-efgh-jkmn']
  const LONG_HASH = createHash('sha256').update(LONG_CODE.replaceAll('-', '')).digest('base64url')
  const HASH = 'CXSG5zVFe5OgEz0ZHSCpsK99IjNUEChpnS7L6Ia4yTE'

  beforeEach(async () => {
    place = await databases.SQLite()
    database = await place.open()
  })

  it('keeps its users and their second factors', async () => {
    const clock = fakeClock()
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    const sealed = createSealer('panel.totp.v1', [KEY]).seal(secret, '1')
    const old = sqliteDatabase(place.address)
    old.handle.exec(`${TABLES_OF_0_1_0}
      INSERT INTO people VALUES ('1', 'rex@x.test', 'Rex', 'hash', '2026-01-01T00:00:00.000Z', 1, 1);
      INSERT INTO people_two_factor VALUES ('1', '${sealed}', 0);
      INSERT INTO people_recovery_codes VALUES ('${LONG_HASH}', '1'), ('${HASH}', '1')`)
    await old.close()
    expect(await migratePeople(database)).toEqual({ from: 2, to: LATEST })
    const rex = await createUsers(database).findById('1')
    expect(rex).toMatchObject({
      email: 'rex@x.test',
      passwordHash: 'hash',
      twoFactorRequired: 1,
    })
    const factor = totp<Person>({ keys: [KEY], issuer: 'X', factors: database.factors, clock })
    const code = new TOTP({ secret }).generate({ timestamp: clock.now() })
    expect(rex && (await factor.verify(rex, code))).toBe(true)
    expect(rex && (await factor.verify(rex, code))).toBe(false)
    for (const recovery of [LONG_CODE, CODE]) {
      expect(rex && (await factor.verify(rex, recovery))).toBe(true)
      expect(rex && (await factor.verify(rex, recovery))).toBe(false)
    }
  })

  it('gets the column of the second factor, which nobody needs, when it is of the first version', async () => {
    const old = sqliteDatabase(place.address)
    old.handle.exec(`${PEOPLE_OF_THE_FIRST};
      INSERT INTO people VALUES ('1', 'eve@x.test', NULL, 'hash', NULL, 1)`)
    await old.close()
    expect(await migratePeople(database)).toEqual({ from: 1, to: LATEST })
    const eve = await createUsers(database).findByEmail('eve@x.test')
    expect(eve).toMatchObject({ id: '1', twoFactorRequired: 0, emailVerifiedAt: null })
    expect(eve).toHaveProperty('hasVerifiedEmail')
  })
})
