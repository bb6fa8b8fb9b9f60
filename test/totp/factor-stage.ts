import { TOTP } from 'otpauth'
import { fakeClock } from '@svc/auth/testing'
import { totp, type FactorStore, type TotpOptions } from '@svc/auth/totp'
import type { OpenHost } from './factor-kinds.ts'

export const KEY = 'a key of the tests that has 32 characters or more'

/** A user of the tests. */
export interface TotpUser {
  readonly id: string
  readonly email: string
}

type Options = Partial<TotpOptions<TotpUser>>

/** Recovery codes that cost no hash, for tests of what a store does with them. */
export const PLAIN_CODES: Pick<FactorStore, 'recoveryCodes'> = {
  recoveryCodes: { read: (stored) => JSON.parse(stored), write: (codes) => JSON.stringify(codes) },
}

/** Opens the second factor over a store, as the published suite needs it. */
export async function openStage(open: OpenHost, codes: Pick<FactorStore, 'recoveryCodes'> = {}) {
  const host = await open()
  const clock = fakeClock()
  const bind = (factors: FactorStore, options: Options = {}) =>
    totp<TotpUser>({ issuer: 'Acme Panel', factors, keys: [KEY], clock, ...options })
  return {
    host,
    clock,
    first: bind({ ...host.first, ...codes }),
    second: bind({ ...host.second, ...codes }),
    /** Creates a binding of another node, such as with other keys. */
    bind: (options: Options) => bind(host.second, options),
    user: { id: 'u1', email: 'ada@example.com' },
    otherUser: { id: 'u2', email: 'bea@example.com' },
    codeFor: (secret: string, steps = 0) =>
      new TOTP({ secret }).generate({ timestamp: clock.now() + steps * 30_000 }),
    advance: (seconds: number) => clock.advance({ seconds }),
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** Enables the second factor, and waits until the code of the set-up has expired. */
export async function enabled({ first, user, codeFor, advance }: Stage) {
  const secret = await first.newSecret()
  if ((await first.verifySetup(secret, codeFor(secret))) !== true)
    throw new Error('the code of the set-up was refused')
  const recovery = await first.enable(user, secret)
  advance(60)
  return { secret, recovery }
}
