import type { TwoFactorAuthenticator } from '@svc/auth'
import type { FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../support/logins.ts'
import { FACTOR } from '../../support/paths.ts'
import {
  loggedInWithCode,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { atDeadline } from '../../support/time.ts'
import { verdict } from '../../support/verdicts.ts'

const ON = { enabled: true, required: false, pending: false, codes_unseen: false }
const FAILED = 'the number of recovery codes left is not shown, because it could not be counted'

type Count = NonNullable<TwoFactorAuthenticator<FakeUser>['recoveryCodesLeft']>

/** Starts the service with a second factor that counts recovery codes in this way. */
async function counting(count: Count): Promise<FactorService> {
  return startWithFactor({
    instead: (factor) => ({ ...factor, recoveryCodesLeft: count }),
  })
}

async function statusIn(service: FactorService): Promise<unknown> {
  const answer = await (await loggedInWithCode(service)).get(FACTOR)
  expect(verdict(answer)).toBe('ok')
  return answer.json
}

describe('Recovery codes: recovery_codes_left', () => {
  it.each([0, 1, 10])('is the count of the authenticator: %i', async (left) => {
    const users: FakeUser[] = []
    const service = await counting((user) => {
      users.push(user)
      return left
    })
    expect(await statusIn(service)).toEqual({ ...ON, recovery_codes_left: left })
    expect(users.map(({ id }) => id)).toEqual(['u2'])
  })

  it('is missing where the authenticator does not count them', async () => {
    expect(await statusIn(await startWithFactor())).toEqual(ON)
  })

  it('is missing, and not counted, for a user who has not enabled the second factor', async () => {
    const service = await counting(() => {
      throw new Error('this user has none')
    })
    const una = await loggedIn(service)
    expect((await una.get(FACTOR)).json).toEqual({ ...ON, enabled: false })
    expect(service.log).toEqual([])
  })

  it.each<[string, Count]>([
    [
      'throws',
      () => {
        throw new Error('no such table')
      },
    ],
    ['rejects', async () => Promise.reject(new Error('no such table'))],
  ])('is missing, with a line in the log, where the count %s', async (_how, count) => {
    const service = await counting(count)
    expect(await statusIn(service)).toEqual(ON)
    expect(service.log.map(({ level, message }) => [level, message])).toEqual([['warn', FAILED]])
  })

  it('is missing, with a line in the log, where the count does not answer within five seconds', async () => {
    let isCounting = false
    const service = await counting(async () => {
      isCounting = true
      return new Promise<number>(() => {})
    })
    const status = await atDeadline(
      async () => statusIn(service),
      () => isCounting,
    )
    expect(status).toEqual(ON)
    expect(service.log.map(({ level, message }) => [level, message])).toEqual([['warn', FAILED]])
  })

  it.each([-1, 1.5, NaN, Infinity, '8', null, undefined, [8], 2 ** 53])(
    'is missing, with a line in the log, where the count is %j',
    async (answer) => {
      // The host's code may not be typed.
      const service = await counting(() => answer as number)
      expect(await statusIn(service)).toEqual(ON)
      expect(service.log).toMatchObject([
        { level: 'warn', fields: { err: { name: 'ContractError' } }, message: FAILED },
      ])
    },
  )
})
