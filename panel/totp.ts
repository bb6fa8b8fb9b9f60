import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Clock, EpochMs, TwoFactorAuthenticator } from '@svc/auth'
import type { Database } from './database.ts'
import { secretBox } from './secret-box.ts'
import { totpStore } from './totp-store.ts'
import type { Person } from './users.ts'

const SECRET_BYTES = 20
const STEP_MS = 30_000
/** How far a phone's clock may be off, in steps. */
const DRIFT_STEPS = 1
const RECOVERY_CODES = 10
/** Crockford's: i, l, o and u are missing, so that nothing is read for something else. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_GROUPS = 6
const GROUP_CHARACTERS = 4

/** What the binding has to be told. */
export interface TotpOptions {
  /** The first seals secrets, all open them: put a new one in front, and remove the old one never or late. */
  readonly keys: readonly string[]
  /** Shown by the app on the phone, next to the email. */
  readonly issuer: string
  /** Who has to enable it before entering the panel. */
  readonly isRequired: (person: Person) => boolean
  /** Default: the system's. */
  readonly clock?: Clock
}

/**
 * Binds the second factor to the codes of an app on the phone, kept in the database of the people. To use it
 * elsewhere, take this file, secret-box.ts, totp-store.ts and one database, and replace `Person` and its table.
 *
 * @see RFC 6238 (TOTP), section 5.2: a code is accepted once
 */
export function totp(database: Database, options: TotpOptions): TwoFactorAuthenticator<Person> {
  const { keys, issuer, isRequired, clock = { now: () => Date.now() } } = options
  const store = totpStore(database)
  const box = secretBox('panel.totp.v1', keys)
  const confirmed = confirmedSteps()

  return {
    isEnabledFor: async ({ id }) => (await store.read(id)) !== null,
    isRequiredFor: isRequired,
    async verify({ id }, code) {
      const typed = readCode(code)
      if (!isTimeCode(typed)) return store.useRecoveryCode(id, hashOf(readRecoveryCode(typed)))
      const factor = await store.read(id)
      if (factor === null) return false
      const step = stepOf(typed, box.open(factor.sealedSecret, id), clock.now())
      return step !== null && store.useStep(id, factor, step)
    },
    newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
    async qrCode({ email }, secret) {
      // Loaded when it is needed: most panels draw one once in a while.
      const { toDataURL } = await import('qrcode')
      return toDataURL(new TOTP({ issuer, label: email, secret }).toString())
    },
    verifySetup(secret, code) {
      const typed = readCode(code)
      const step = isTimeCode(typed) ? stepOf(typed, secret, clock.now()) : null
      if (step !== null) confirmed.add(secret, step)
      return step !== null
    },
    async enable({ id }, secret) {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      // The code of the set-up is used up. When another process accepted it, all that it can have been are.
      const lastStep = confirmed.take(secret) ?? currentStep(clock.now()) + DRIFT_STEPS
      const factor = { sealedSecret: box.seal(secret, id), lastStep }
      const hashes = codes.map((code) => hashOf(readRecoveryCode(readCode(code))))
      if (!(await store.insert(id, factor, hashes))) {
        throw new Error('the second factor is enabled already: disable it first')
      }
      return codes
    },
    disable: async ({ id }) => store.remove(id),
  }
}

/** What a person means: capitals, spaces, hyphens and the digits of another keyboard make no difference. */
function readCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Dash}]/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .toLowerCase()
}

/** Takes the letters that are not in the alphabet for the digits that they look like. */
function readRecoveryCode(typed: string): string {
  return typed.replaceAll('o', '0').replaceAll(/[il]/g, '1')
}

function isTimeCode(typed: string): boolean {
  return /^\d{6}$/.test(typed)
}

/** Which time step the code belongs to, within the drift; `null`: to none. */
function stepOf(code: string, secret: string, now: EpochMs): number | null {
  const drift = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: DRIFT_STEPS,
  })
  return drift === null ? null : currentStep(now) + drift
}

function currentStep(now: EpochMs): number {
  return Math.floor(now / STEP_MS)
}

/** 120 random bits, in groups that can be read aloud. */
function newRecoveryCode(): string {
  return Array.from({ length: RECOVERY_GROUPS }, newGroup).join('-')
}

function newGroup(): string {
  return Array.from(randomBytes(GROUP_CHARACTERS), (byte) => ALPHABET[byte % 32]).join('')
}

/**
 * A plain hash is enough for a code that nobody can guess: from 112 random bits on no salt and no slow hash is
 * asked for. Unlike an HMAC it does not die with the app key, which recovery codes are there to outlive.
 *
 * @see OWASP ASVS 5.0, 6.5.2
 */
function hashOf(recoveryCode: string): string {
  return createHash('sha256').update(recoveryCode).digest('base64url')
}

/** Remembers, between `verifySetup` and the `enable` that follows it, which step was used. */
function confirmedSteps() {
  const steps = new Map<string, number>()
  return {
    add(secret: string, step: number) {
      // What was confirmed and never enabled is of no use once its codes are over.
      for (const [old, used] of steps) if (used < step - 2 * DRIFT_STEPS) steps.delete(old)
      steps.set(secret, Math.max(step, steps.get(secret) ?? step))
    },
    take(secret: string): number | null {
      const step = steps.get(secret) ?? null
      steps.delete(secret)
      return step
    },
  }
}
