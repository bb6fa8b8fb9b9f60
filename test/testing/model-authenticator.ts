import { setImmediate as nextTurn } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { TwoFactorAuthenticator } from '@svc/auth'
import { fakeClock, type TwoFactorStage, type TwoFactorSubject } from '@svc/auth/testing'

export interface ModelUser {
  readonly id: string
}

interface Factor {
  readonly secret: string
  lastStep: number
  readonly recovery: Set<string>
}

export interface Model {
  readonly factors: Map<string, Factor>
  readonly now: () => number
}

export type Authenticator = TwoFactorAuthenticator<ModelUser>

/** The differences between a binding and the model. */
export type Deviation = (
  model: Model,
  right: Authenticator,
) => Partial<Record<keyof Authenticator, unknown>>

/**
 * The smallest authenticator that keeps its word, over a database that is a map and answers in a later turn, so
 * that a deviation can be as wrong as the ones that are written.
 */
export function subjectOf(deviation: Deviation = () => ({})): TwoFactorSubject<ModelUser> {
  return { open: async () => stageOf(deviation) }
}

function stageOf(deviation: Deviation): TwoFactorStage<ModelUser> {
  const clock = fakeClock()
  const model = { factors: new Map<string, Factor>(), now: () => clock.now() }
  const right = modelAuthenticator(model)
  // A deviation may break the types as well: such bindings come from JavaScript.
  const instance = () => ({ ...right, ...deviation(model, right) }) as Authenticator
  return {
    first: instance(),
    second: instance(),
    user: { id: 'ada' },
    otherUser: { id: 'bea' },
    codeFor: (secret) => new TOTP({ secret }).generate({ timestamp: clock.now() }),
    advance: (seconds) => clock.advance({ seconds }),
  }
}

function modelAuthenticator({ factors, now }: Model): Authenticator {
  return {
    isEnabledFor: async ({ id }) => factors.has(id),
    isRequiredFor: () => false,
    async verify({ id }, code) {
      await nextTurn()
      const factor = factors.get(id)
      if (factor === undefined) return false
      const step = stepOf(factor.secret, code, now())
      if (step === null) return factor.recovery.delete(code)
      if (step <= factor.lastStep) return false
      factor.lastStep = step
      return true
    },
    newSecret: () => new Secret().base32,
    qrCode: () => 'data:image/png;base64,AAAA',
    verifySetup: (secret, code) => stepOf(secret, code, now()) !== null,
    async enable({ id }, secret) {
      await nextTurn()
      if (factors.has(id)) throw new Error('it is enabled already')
      const codes = Array.from({ length: 10 }, () => randomBytes(8).toString('hex'))
      factors.set(id, { secret, lastStep: stepAt(now()), recovery: new Set(codes) })
      return codes
    },
    disable: ({ id }) => {
      factors.delete(id)
    },
  }
}

export function stepOf(secret: string, token: string, now: number): number | null {
  // The library throws at other characters where there are as many.
  if (!/^\d{6}$/.test(token)) return null
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp: now })
  return delta === null ? null : stepAt(now) + delta
}

export function stepAt(now: number): number {
  return Math.floor(now / 30_000)
}
