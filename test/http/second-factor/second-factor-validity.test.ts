import type { FakeTwoFactor, FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { userOf } from '../../support/bell.ts'
import { loggedIn } from '../../support/logins.ts'
import { CONFIRM_DEVICE, DEVICES, FACTOR } from '../../support/paths.ts'
import {
  CODE,
  confirm,
  disable,
  loggedInWithCode,
  setUp,
  startWithFactor,
  type FactorService,
} from '../../support/second-factor.ts'
import { GUEST, verdict } from '../../support/verdicts.ts'

/** Starts a service with something that happens during the next call of a method of the factor. */
async function startInterrupted(enabled: readonly string[], devices = false) {
  let happens = (): void => undefined
  const during =
    <Args extends readonly unknown[], Answer>(call: (...args: Args) => Answer) =>
    (...args: Args): Answer => {
      const answer = call(...args)
      happens()
      return answer
    }
  const instead = ({ devices: kept, ...factor }: FakeTwoFactor<FakeUser>) => ({
    ...factor,
    isRequiredFor: during((user: FakeUser) => factor.isRequiredFor(user)),
    verifySetup: during((secret: string, code: string) => factor.verifySetup(secret, code)),
    ...(kept && { devices: { ...kept, list: during((user: FakeUser) => kept.list(user)) } }),
  })
  const service = await startWithFactor({ factor: { enabled, devices }, instead })
  return { service, interrupt: (what: () => void) => (happens = what) }
}

/** Changes after which a session is worth nothing, although its record is still in the store. */
const ENDS: readonly (readonly [string, (service: FactorService, id: string) => void])[] = [
  ['has another password', ({ users }, id) => users.update(id, { passwordHash: null })],
  ['may no longer enter', ({ users }, id) => users.update(id, { active: false })],
]

describe.each(ENDS)('A change of the second factor of a user who %s meanwhile', (_what, ends) => {
  it('does not disable it', async () => {
    const { service, interrupt } = await startInterrupted(['u2'])
    const duo = await loggedInWithCode(service)
    interrupt(() => ends(service, 'u2'))
    expect(verdict(await disable(duo))).toBe(GUEST)
    expect(service.factor.calls.disable).toBe(0)
    expect(service.factor.row('u2').enabled).toBe(true)
  })

  it('does not enable it', async () => {
    const { service, interrupt } = await startInterrupted([])
    const una = await loggedIn(service)
    await setUp(una)
    interrupt(() => ends(service, 'u1'))
    expect(verdict(await confirm(una))).toBe(GUEST)
    expect(service.factor.calls.enable).toBe(0)
  })

  it('uses up no code, and begins no further device', async () => {
    const { service, interrupt } = await startInterrupted(['u2'], true)
    const duo = await loggedInWithCode(service)
    const verified = service.factor.calls.verify
    interrupt(() => ends(service, 'u2'))
    expect(verdict(await duo.post(DEVICES, { code: CODE }))).toBe(GUEST)
    expect(service.factor.calls.verify).toBe(verified)
  })

  it('adds no further device', async () => {
    const { service, interrupt } = await startInterrupted(['u2'], true)
    const duo = await loggedInWithCode(service)
    expect(verdict(await duo.post(DEVICES, { code: CODE }))).toBe('ok')
    interrupt(() => ends(service, 'u2'))
    expect(verdict(await duo.post(CONFIRM_DEVICE, { code: CODE, name: 'Pixel' }))).toBe(GUEST)
    expect(await service.factor.devices?.list(await userOf(service, 'u2'))).toHaveLength(1)
  })
})

describe('The set-up of a further device', () => {
  it('adds none when its ten minutes end while the code is checked', async () => {
    const { service, interrupt } = await startInterrupted(['u2'], true)
    const duo = await loggedInWithCode(service)
    expect(verdict(await duo.post(DEVICES, { code: CODE }))).toBe('ok')
    interrupt(() => service.clock.advance({ minutes: 10 }))
    const answer = await duo.post(CONFIRM_DEVICE, { code: CODE, name: 'Pixel' })
    expect(verdict(answer)).toBe('422 two_factor_setup_missing')
    interrupt(() => undefined)
    expect((await duo.get(FACTOR)).json.devices).toHaveLength(1)
  })
})
