import { sqliteFactors, type CreatedFactorTable } from '@svc/auth/totp'
import { Secret } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHandle, type HostHandle } from '../support/sqlite.ts'
import { oldSqlite } from './old-sqlite.ts'
import { followGuide, importFrom, logIn, type MovedApplication } from './old-users.ts'
import { openTotpStage, testCodeOfApp, testFactor, type FactorStage } from './factor-cases.ts'

const ADAS_SECRET = Secret.fromHex('8c1f6d2ab37e904512d3f0a96b7c5e18429d3a77').base32
const REX = 'k2m7xw3v5t9ry6na'
const MAX = 'd4h8jq6n2c5sv7wb'

const old = oldSqlite('lucia')
let application: MovedApplication

beforeAll(async () => {
  application = await followGuide('lucia', { env: { DATABASE_FILE: old.file }, ...old })
}, 120_000)
afterAll(async () => application.close())

describe('the guide from Lucia ends with a panel that', () => {
  testCodeOfApp(() => application, ADAS_SECRET)

  it('verifies the argon2id hashes of oslo', async () => {
    const { browser } = await logIn(application, 'max@example.com')
    expect((await browser.get('/api/orders')).status).toBe(200)
  })

  it('makes a user verify the email that was not verified', async () => {
    const { browser } = await logIn(application, 'rex@example.com')
    expect((await browser.get('/api/orders')).status).toBe(403)
  })
})

describe("the second factor on the columns of Lucia's guide", () => {
  let handle: HostHandle
  beforeAll(() => {
    handle = openHandle(old.file)
  })
  afterAll(() => handle.close())

  testFactor(stage)

  it('stores a secret as Lucia does', async () => {
    const { first, user } = await stage()
    await first.enable(user, ADAS_SECRET)
    expect(old.read(`select two_factor_secret as secret from user where id = '${REX}'`)).toEqual([
      { secret: '8c1f6d2ab37e904512d3f0a96b7c5e18429d3a77' },
    ])
  })

  it.each([
    ['disabled', 'null'],
    ['replaced', `'3132333435363738393031323334353637383930'`],
  ])('loses its recovery codes when the application has %s it', async (_how, secret) => {
    const { first, user } = await stage()
    const [code = ''] = await first.enable(user, ADAS_SECRET)
    await old.runSql(`update user set two_factor_secret = ${secret} where id = '${REX}'`)
    await old.runSql(`update user set two_factor_secret = 'aabb' where id = '${REX}'`)
    expect(await first.verify(user, code)).toBe(false)
  })

  /** Opens two instances, and users without a second factor. */
  async function stage(): Promise<FactorStage> {
    const { luciaFactors } = await importFrom<FactorsFile>(application, 'lucia-factors.js')
    const factors = sqliteFactors(handle, luciaFactors)
    await Promise.all([REX, MAX].map(async (id) => factors.disable(id)))
    return openTotpStage(factors, [
      { id: REX, email: 'rex@example.com' },
      { id: MAX, email: 'max@example.com' },
    ])
  }
})

it('replaces the hashes once Lucia logs nobody in any more', { timeout: 120_000 }, async () => {
  await application.finish()
  await logIn(application, 'rex@example.com')
  expect(old.read(`select password_hash from user where id = '${REX}'`)).toEqual([
    { password_hash: expect.stringMatching(/^\$argon2id\$/) },
  ])
})

interface FactorsFile {
  readonly luciaFactors: CreatedFactorTable
}
