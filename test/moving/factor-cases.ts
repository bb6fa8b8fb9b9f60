import { twoFactorCases, type TwoFactorStage } from '@svc/auth/testing'
import { expect, it } from 'vitest'
import type { FactorRows } from './old-users.ts'

/** A second factor on the rows of another system. */
export interface FactorStage extends TwoFactorStage<{
  readonly id: string
  readonly email: string
}> {
  readonly rows: FactorRows
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
