import { createSealer, type Sealer } from '@svc/auth'
import { Secret } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHandle, type HostHandle } from '../support/sqlite.ts'
import { oldSqlite, type OldSqlite } from './old-sqlite.ts'
import {
  followGuide,
  importFrom,
  logIn,
  type FactorRows,
  type MovedApplication,
} from './old-users.ts'
import { openStage, testCodeOfApp, testFactor, type FactorStage } from './factor-cases.ts'

const ADAS_SECRET = Secret.fromHex('8c1f6d2ab37e904512d3f0a96b7c5e18429d3a77').base32
const REX = 'k2m7xw3v5t9ry6na'
const MAX = 'd4h8jq6n2c5sv7wb'

let application: MovedApplication
let old: OldSqlite

beforeAll(async () => {
  old = oldSqlite('lucia')
  application = await followGuide('lucia', { env: { DATABASE_FILE: old.file }, ...old })
}, 120_000)
afterAll(async () => {
  await application.close()
  old.remove()
})

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

describe("the guide's second factor on the columns of Lucia's guide", () => {
  const sealer = createSealer('panel.recovery-codes', ['a key of the tests'.repeat(3)])
  let handle: HostHandle
  beforeAll(() => {
    handle = openHandle(old.file)
  })
  afterAll(() => handle.close())

  testFactor(stage)

  it('refuses recovery codes that were sealed for another user', async () => {
    const { first, user, otherUser, rows } = await stage()
    await rows.enable(user.id, { secret: ADAS_SECRET, codes: ['a code'], lastStep: 0 })
    await rows.enable(otherUser.id, { secret: ADAS_SECRET, codes: ['another'], lastStep: 0 })
    handle.exec(`update user set recovery_codes =
      (select recovery_codes from user where id = '${MAX}') where id = '${REX}'`)
    await expect(async () => first.verify(user, 'another')).rejects.toThrow('do not open')
  })

  /** Opens two instances, and users without a second factor. */
  async function stage(): Promise<FactorStage> {
    const { luciaRows } = await importFrom<RowsFile>(application, 'lucia-rows.js')
    const rows = luciaRows(handle, sealer)
    await Promise.all([REX, MAX].map(async (id) => rows.disable(id)))
    return openStage(application, rows, [
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

interface RowsFile {
  readonly luciaRows: (database: HostHandle, sealer: Sealer) => FactorRows
}
