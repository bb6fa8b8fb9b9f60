import { fakeClock, twoFactorCases, type TwoFactorStage } from '@svc/auth/testing'
import { totp, type FactorStore, type StoredFactor } from '@svc/auth/totp'
import { expect, it } from 'vitest'
import type { GuideApplication } from '../support/guide.ts'
import { codeFor, logInWithCode, userOf } from './old-users.ts'

interface FactorUser {
  readonly id: string
  readonly email: string
}

/** A second factor in the tables of another system. */
export interface FactorStage extends TwoFactorStage<FactorUser> {
  readonly factors: FactorStore
  readonly codeFor: (secret: string) => string
  readonly advance: (seconds: number) => void
}

/** Opens two instances of `totp` on the store of a guide, for two users without a factor. */
export function openTotpStage(
  factors: FactorStore,
  [user, otherUser]: readonly [FactorUser, FactorUser],
): FactorStage {
  const clock = fakeClock()
  const keys = ['a key of the tests of 32 characters or more']
  const open = () => totp<FactorUser>({ issuer: 'Panel', factors, keys, clock })
  return {
    factors,
    first: open(),
    second: open(),
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
/** A step after all that the tests use. */
const LATE_STEP = 2 ** 31 - 1

/** Tests that hold for the tables of every system. */
export function testFactor(stage: () => Promise<FactorStage>): void {
  for (const { name, run } of twoFactorCases) it(name, async () => run({ open: stage }))

  it('refuses the code of a secret that was replaced while the code was checked', async () => {
    const { first, user, factors } = await stage()
    const useLateStep = async (factor: StoredFactor | null) =>
      factor !== null &&
      factors.useStep(user.id, factor, { lastStep: LATE_STEP, secret: factor.secret ?? '' })
    await first.enable(user, SECRET)
    const before = await factors.read(user.id)
    await first.disable(user)
    await first.enable(user, OTHER_SECRET)
    expect(await useLateStep(before)).toBe(false)
    expect(await useLateStep(await factors.read(user.id))).toBe(true)
  })
}
