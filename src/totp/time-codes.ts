import type { Clock, EpochMs } from '../contracts/host.ts'
import { loadPackage } from '../contracts/optional-package.ts'

const STEP_MS = 30_000
const SECRET_BYTES = 20
/** Tolerated drift of a phone's clock, in time steps; RFC 6238, section 5.2. */
const DRIFT_STEPS = 1

/** The account of a user, as an app shows it. */
export interface AppAccount {
  readonly issuer: string
  readonly email: string
}

/** Codes of an authenticator app: SHA-1, a new one every 30 seconds. */
export type TimeCodes = ReturnType<typeof createTimeCodes>

/** Creates the codes. @param digits Of each code. */
export function createTimeCodes(digits: number, clock: Clock) {
  const form = new RegExp(String.raw`^\d{${digits}}$`)
  const confirmed = new Map<string, number>()
  return {
    load: async () => void (await Promise.all([loadOtpAuth(), loadQrCode()])),
    /** Returns whether a typed text has the form of a code. */
    isCode: (typed: string) => form.test(typed),
    /**
     * Returns the step of a code, within the drift; `null` if it matches none. A code of a step
     * farther away is refused like any wrong one: an answer that told them apart would tell a
     * guesser which code becomes right in some minutes.
     */
    async stepOf(token: string, secret: string) {
      if (!form.test(token)) return null
      const { TOTP } = await loadOtpAuth()
      const timestamp = clock.now()
      const key = await keyOf(secret)
      const drift = TOTP.validate({ token, secret: key, digits, timestamp, window: DRIFT_STEPS })
      return drift === null ? null : stepAt(timestamp) + drift
    },
    /** Rejects where no code can be computed by a secret. */
    checkSecret: async (secret: string) => void (await keyOf(secret)),
    /** Records the step that confirmed a set-up, for the `enable` that follows. */
    confirm(secret: string, step: number) {
      // A confirmation without `enable` is useless once its codes have expired.
      for (const [old, used] of confirmed) if (used < step - 2 * DRIFT_STEPS) confirmed.delete(old)
      confirmed.set(secret, Math.max(step, confirmed.get(secret) ?? step))
    },
    /**
     * Returns the step that confirmed a set-up. If another process confirmed it, it is the last of
     * the steps that the code can have had.
     */
    confirmedStep(secret: string) {
      const step = confirmed.get(secret) ?? stepAt(clock.now()) + DRIFT_STEPS
      confirmed.delete(secret)
      return step
    },
    async newSecret() {
      const { Secret } = await loadOtpAuth()
      return new Secret({ size: SECRET_BYTES }).base32
    },
    async qrCode({ issuer, email }: AppAccount, secret: string) {
      const { TOTP } = await loadOtpAuth()
      const { default: qrcode } = await loadQrCode()
      return qrcode.toDataURL(new TOTP({ issuer, label: email, secret, digits }).toString())
    },
  }
}

async function keyOf(secret: string) {
  const { Secret } = await loadOtpAuth()
  const key = Secret.fromBase32(secret)
  // Everybody can compute its codes. Other systems store an empty text for users without any.
  if (key.base32 === '') throw new Error('the secret of a second factor is empty')
  return key
}

function stepAt(now: EpochMs): number {
  return Math.floor(now / STEP_MS)
}

/** Returns the time at which a step begins. */
export function startOfStep(step: number): EpochMs {
  return step * STEP_MS
}

const neededBy = 'totp'

async function loadOtpAuth() {
  return loadPackage({ name: 'otpauth', neededBy, load: () => import('otpauth') })
}

async function loadQrCode() {
  return loadPackage({ name: 'qrcode', neededBy, load: () => import('qrcode') })
}
