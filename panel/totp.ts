import { createHash, randomBytes, scrypt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { createSealer } from '@svc/auth'
import type { Clock, EpochMs, Sealer, TwoFactorAuthenticator } from '@svc/auth'
import type { Database } from './database.ts'
import { TotpStore } from './totp-store.ts'
import type { Person } from './users.ts'

const SECRET_BYTES = 20
const STEP_MS = 30_000
/** Tolerated drift of a phone's clock, in time steps. */
const DRIFT_STEPS = 1
const RECOVERY_CODES = 10
/** Crockford's base32: i, l, o and u are missing, because they are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_GROUPS = 3
const GROUP_CHARACTERS = 4
/** 1 MiB and about 3 ms per guess: all codes of 60 bits take one core over 10 million years. */
const SCRYPT = { N: 2 ** 10, r: 8, p: 1 } as const
const SCRYPT_BYTES = 32
const UNOPENED = 'a secret of the second factor does not open: was a key removed too early?'

/** Options of the binding. */
export interface TotpOptions {
  /**
   * The first key seals secrets, all keys open them. Prepend a new key; keep the old ones while
   * secrets sealed with them exist.
   */
  readonly keys: readonly string[]
  /** Shown by the app on the phone, next to the email. */
  readonly issuer: string
  /** Returns `true` for users who must enable it before entering the panel. */
  readonly isRequired: (person: Person) => boolean
  /** Called after a login with a recovery code; the login does not wait for it. */
  readonly onRecoveryCodeUsed?: (person: Person) => Promise<void>
  /** Default: the system's clock. */
  readonly clock?: Clock
}

/**
 * Binds the second factor to TOTP codes, stored in the users' database. To use it elsewhere, copy
 * this file, totp-store.ts and one database, and replace `Person` and its table.
 *
 * @see RFC 6238 (TOTP), section 5.2: a code is accepted once
 */
export function totp(database: Database, options: TotpOptions): TwoFactorAuthenticator<Person> {
  const { keys, issuer, isRequired, onRecoveryCodeUsed, clock = Date } = options
  const store = new TotpStore(database)
  const parts = { store, sealer: createSealer('panel.totp.v1', keys), clock }
  const isTimeCodeValid = createTimeCodeCheck(parts)

  async function useRecoveryCode(person: Person, typed: string): Promise<boolean> {
    const hash = await hashOf(readRecoveryCode(typed), person.id)
    const isUsed = hash !== null && (await store.useRecoveryCode(person.id, hash))
    if (isUsed) void onRecoveryCodeUsed?.(person)
    return isUsed
  }

  return {
    isEnabledFor: async ({ id }) => (await store.read(id)) !== null,
    isRequiredFor: isRequired,
    async verify(person, code) {
      const typed = readCode(code)
      return isTimeCode(typed) ? isTimeCodeValid(person, typed) : useRecoveryCode(person, typed)
    },
    newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
    qrCode: async ({ email }, secret) => qrCodeOf(new TOTP({ issuer, label: email, secret })),
    ...createSetup(parts),
    disable: async ({ id }) => store.remove(id),
  }
}

interface TotpParts {
  readonly store: TotpStore
  readonly sealer: Sealer
  readonly clock: Clock
}

/** Creates the check of a login's time code, which consumes the code. */
function createTimeCodeCheck({ store, sealer, clock }: TotpParts) {
  return async ({ id }: Person, code: string): Promise<boolean> => {
    const factor = await store.read(id)
    if (factor === null) return false
    const secret = sealer.open(factor.sealedSecret, id)
    if (secret === null) throw new Error(UNOPENED)
    const step = stepOf(code, secret, clock.now())
    return step !== null && store.useStep(id, factor, step)
  }
}

/** Creates the methods that confirm and store a new secret. */
function createSetup({ store, sealer, clock }: TotpParts) {
  const confirmed = confirmedSteps()
  return {
    verifySetup(secret: string, code: string): boolean {
      const typed = readCode(code)
      const step = isTimeCode(typed) ? stepOf(typed, secret, clock.now()) : null
      if (step !== null) confirmed.add(secret, step)
      return step !== null
    },
    async enable({ id }: Person, secret: string): Promise<readonly string[]> {
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      // The code of the set-up is consumed. If another process accepted it, consume every step it
      // can have had.
      const lastStep = confirmed.take(secret) ?? currentStep(clock.now()) + DRIFT_STEPS
      const factor = { sealedSecret: sealer.seal(secret, id), lastStep }
      const hashes = await Promise.all(codes.map(async (code) => slowHashOf(readCode(code), id)))
      if (await store.insert(id, factor, hashes)) return codes
      throw new Error('the second factor is enabled already: disable it first')
    },
  }
}

async function qrCodeOf(code: TOTP): Promise<string> {
  // Loaded on demand, because QR codes are rare.
  const { toDataURL } = await import('qrcode')
  return toDataURL(code.toString())
}

/** Normalises a code: case, spaces, hyphens and digits of other scripts make no difference. */
function readCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Dash}]/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .toLowerCase()
}

/** Replaces letters outside the alphabet by the digits that they resemble. */
function readRecoveryCode(typed: string): string {
  return typed.replaceAll('o', '0').replaceAll(/[il]/g, '1')
}

function isTimeCode(typed: string): boolean {
  return /^\d{6}$/.test(typed)
}

/** Returns the code's time step, within the drift; `null` if it matches none. */
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

/**
 * Returns 60 random bits, in three groups that can be written down and read aloud. An attacker who
 * has the password may try 100 codes a day (limits `two-factor.user`): against ten codes, the
 * chance is one in 10^15 a day.
 */
function newRecoveryCode(): string {
  return Array.from({ length: RECOVERY_GROUPS }, newGroup).join('-')
}

function newGroup(): string {
  return Array.from(randomBytes(GROUP_CHARACTERS), (byte) => ALPHABET[byte % 32]).join('')
}

/** Returns the stored form of a recovery code; `null` if it is malformed. */
async function hashOf(recoveryCode: string, person: string): Promise<string | null> {
  if (/^[0-9a-z]{12}$/.test(recoveryCode)) return slowHashOf(recoveryCode, person)
  return /^[0-9a-z]{24}$/.test(recoveryCode) ? hashOfLongCode(recoveryCode) : null
}

/**
 * Returns a slow, salted hash, because 60 random bits are too few against an attacker with a copy
 * of the database. The salt is the user's id, so that one statement finds and consumes a code.
 * Unlike an HMAC, the hash survives the loss of the application key, which recovery codes must
 * outlive.
 *
 * @see OWASP ASVS 5.0, 6.5.2: below 112 random bits
 */
async function slowHashOf(recoveryCode: string, person: string): Promise<string> {
  const salt = `panel.recovery-code.v2:${person}`
  return (await derive(recoveryCode, salt)).toString('base64url')
}

async function derive(recoveryCode: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(recoveryCode, salt, SCRYPT_BYTES, SCRYPT, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}

/** Hashes a code of 120 random bits from an earlier version; for them a plain hash is enough. */
function hashOfLongCode(recoveryCode: string): string {
  return createHash('sha256').update(recoveryCode).digest('base64url')
}

/** Remembers which step was used between `verifySetup` and the following `enable`. */
function confirmedSteps() {
  const steps = new Map<string, number>()
  return {
    add(secret: string, step: number) {
      // A confirmation without `enable` is useless once its codes have expired.
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
