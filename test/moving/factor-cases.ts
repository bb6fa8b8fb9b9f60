import type { Clock, TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, twoFactorCases, type TwoFactorStage } from '@svc/auth/testing'
import { totp, type FactorStore, type StoredFactor } from '@svc/auth/totp'
import { expect, it } from 'vitest'
import type { GuideApplication } from '../support/guide.ts'
import {
  codeFor,
  importFrom,
  logInWithCode,
  userOf,
  type FactorRows,
  type SecondFactorFile,
} from './old-users.ts'

interface FactorUser {
  readonly id: string
  readonly email: string
}

type StageUsers = readonly [FactorUser, FactorUser]

/** A second factor on the rows of another system. */
export interface FactorStage extends TwoFactorStage<FactorUser> {
  readonly rows: Pick<FactorRows, 'read' | 'useStep' | 'enable'>
}

/** Opens two instances of a guide's second factor, for two users without one. */
export async function openStage(
  application: GuideApplication,
  rows: FactorRows,
  users: StageUsers,
): Promise<FactorStage> {
  const { secondFactor } = await importFrom<SecondFactorFile>(application, 'second-factor.js')
  return stageOf(rows, users, (clock) => secondFactor({ rows, issuer: 'Panel', clock }))
}

/** Opens two instances of `totp` on the columns of a guide, for two users without a factor. */
export function openTotpStage(factors: FactorStore, users: StageUsers): FactorStage {
  const rows: FactorStage['rows'] = {
    read: async (id) => factors.read(id),
    useStep: async (id, read, lastStep) => {
      const factor = read as StoredFactor
      return factors.useStep(id, factor, { lastStep, secret: factor.secret ?? '' })
    },
    enable: async (id, { secret, codes, lastStep }) =>
      factors.enable(id, {
        secret: factors.secrets?.write(secret, id) ?? secret,
        recoveryCodes: factors.recoveryCodes?.write(codes, id) ?? '[]',
        lastStep,
      }),
  }
  const keys = ['a key of the tests of 32 characters or more']
  return stageOf(rows, users, (clock) => totp({ issuer: 'Panel', factors, keys, clock }))
}

function stageOf(
  rows: FactorStage['rows'],
  [user, otherUser]: StageUsers,
  open: (clock: Clock) => TwoFactorAuthenticator<FactorUser>,
): FactorStage {
  const clock = fakeClock()
  return {
    rows,
    first: open(clock),
    second: open(clock),
    user,
    otherUser,
    codeFor: (secret: string) => codeFor(secret, { now: clock.now() }),
    advance: (seconds: number) => clock.advance({ seconds }),
  }
}

/** Tests that Ada of every dump logs in by the code of her app. */
export function testCodeOfApp(application: () => GuideApplication, secret: string): void {
  it('logs a user in by the code of the app, once for each code', async () => {
    const code = codeFor(secret)
    const { browser, status } = await logInWithCode(application(), 'ada@example.com', code)
    expect(status).toBe(204)
    expect(await userOf(browser)).toBe('ada@example.com')
    const again = await logInWithCode(application(), 'ada@example.com', code)
    expect(again.status).toBe(422)
    expect(await userOf(again.browser)).toBeNull()
  })
}

const SECRET = 'KRUGS4ZANFZSA33OMUQHGZLDOJSXI'
const OTHER_SECRET = 'KRUGS4ZANFZSAYLON52GQZLSEBZWK'

/** Tests that hold for the rows of every system. */
export function testFactor(stage: () => Promise<FactorStage>): void {
  for (const { name, run } of twoFactorCases) it(name, async () => run({ open: stage }))

  it('refuses the code of a secret that was replaced while the code was checked', async () => {
    const { first, user, rows } = await stage()
    const enabled = { secret: SECRET, codes: ['a recovery code'], lastStep: 0 }
    await rows.enable(user.id, enabled)
    const factor = await rows.read(user.id)
    await first.disable(user)
    await rows.enable(user.id, { ...enabled, secret: OTHER_SECRET })
    expect(await rows.useStep(user.id, factor, 1)).toBe(false)
    expect(await rows.useStep(user.id, await rows.read(user.id), 1)).toBe(true)
  })
}
