import type { HashFormat } from '../../contracts/hash-format.ts'

const JOINED = /^([0-9a-f]{16,128}):(pbkdf2-sha256-v1:)?([0-9a-f]{64,2048})$/
const CURRENT_ITERATIONS = 600_000
const LEGACY_ITERATIONS = 25_000
const LEGACY_KEY_BYTES = 512
const CURRENT_KEY_BYTES = 32

/**
 * Joins a hash and its salt, which Payload and passport-local-mongoose store in two fields.
 *
 * @returns the hash alone once this service has replaced it; its salt has no meaning then.
 *
 * @example
 * ```ts
 * import { payload, saltedHash } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [payload] } }
 * const passwordHash = (row: { hash: string; salt: string }) => saltedHash(row.hash, row.salt)
 * ```
 */
export function saltedHash(
  hash: string | null | undefined,
  salt: string | null | undefined,
): string | null {
  if (hash === null || hash === undefined || hash === '') return null
  if (hash.startsWith('$') || salt === null || salt === undefined) return hash
  return `${salt}:${hash}`
}

/**
 * Reads the hashes of Payload, old and new, joined by `saltedHash`.
 *
 * @example
 * ```ts
 * import { payload } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [payload] } }
 * ```
 */
export const payload: HashFormat = saltedFormat(
  'Payload',
  `${'0'.repeat(64)}:pbkdf2-sha256-v1:${'0'.repeat(64)}`,
)

/**
 * Reads the hashes of passport-local-mongoose with its default parameters, joined by `saltedHash`.
 *
 * @example
 * ```ts
 * import { passportLocalMongoose } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [passportLocalMongoose] } }
 * ```
 */
export const passportLocalMongoose: HashFormat = saltedFormat(
  'passport-local-mongoose',
  `${'0'.repeat(64)}:${'0'.repeat(1024)}`,
)

function saltedFormat(name: string, typical: string): HashFormat {
  return {
    name,
    typical,
    read(hash) {
      const [, salt, version, hex] = JOINED.exec(hash) ?? []
      if (salt === undefined || hex === undefined) return null
      const key = Buffer.from(hex, 'hex')
      // One that was cut off would match as well.
      const keyBytes = version === undefined ? LEGACY_KEY_BYTES : CURRENT_KEY_BYTES
      if (hex.length !== keyBytes * 2) return null
      return {
        algorithm: 'pbkdf2',
        digest: 'sha256',
        iterations: version === undefined ? LEGACY_ITERATIONS : CURRENT_ITERATIONS,
        // The text of the salt is hashed, not the bytes that it encodes.
        salt: Buffer.from(salt),
        key,
      }
    },
  }
}
