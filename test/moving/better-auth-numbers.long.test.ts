import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin } from '../support/postgres.ts'
import { betterAuthStage } from './better-auth-stage.ts'
import { testCodeOfApp, testFactor } from './factor-cases.ts'
import { followOnPostgres, logIn, type MovedApplication } from './old-users.ts'

// As in the header of the dump.
const BETTER_AUTH_SECRET = 'the secret that Better Auth had from its first day'
const ADAS_SECRET = 'OFDVA6LRLBUFIVZXMN3FSX2VLEZG24TCGJEXQ5JRNVFFMNKHMZBQ'

let application: MovedApplication
let url: string

beforeAll(async () => {
  ;({ url, application } = await followOnPostgres(
    'better-auth',
    { BETTER_AUTH_SECRET },
    'better-auth-serial',
  ))
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Better Auth, where the ids are numbers,', () => {
  let pool: pg.Pool
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url })
  })
  afterAll(async () => pool.end())

  testCodeOfApp(() => application, ADAS_SECRET)
  testFactor(async () => betterAuthStage(application, pool, { secret: BETTER_AUTH_SECRET }))

  it('replaces the hashes in the end', { timeout: 120_000 }, async () => {
    await application.finish()
    await logIn(application, 'eve@example.com')
    const read = `select password from account where "userId" = 3`
    expect(await admin(url, read)).toEqual([[expect.stringMatching(/^\$argon2id\$/)]])
  })
})
