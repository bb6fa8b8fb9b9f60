import type { HashFormat, Pbkdf2Hash, ScryptHash } from '../../contracts/hash-format.ts'

const PREFIXED = /^\{(bcrypt|argon2|scrypt|pbkdf2)(@SpringSecurity_v5_8)?\}(.+)$/
const SCRYPT =
  /^\$([0-9a-f]{1,2})([0-9a-f]{2})([0-9a-f]{2})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/
/** The length of the keys that both of its derivations make by default. */
const KEY_BYTES = 32

/**
 * Reads the hashes of Spring Security's `DelegatingPasswordEncoder`: `{bcrypt}`, `{argon2}`,
 * `{scrypt}` and `{pbkdf2}` with its default parameters. Those without a prefix need no format.
 *
 * @example
 * ```ts
 * import { spring } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [spring] } }
 * ```
 */
export const spring: HashFormat = {
  name: 'Spring Security',
  typical: `{bcrypt}$2a$10$${'.'.repeat(53)}`,
  read(stored) {
    const [, algorithm, version, hash] = PREFIXED.exec(stored) ?? []
    if (hash === undefined) return null
    if (algorithm === 'bcrypt' || algorithm === 'argon2') return { algorithm, hash }
    return algorithm === 'scrypt' ? readScrypt(hash) : readPbkdf2(hash, version !== undefined)
  },
}

function readScrypt(hash: string): ScryptHash | null {
  const [, log = '', block = '', lanes = '', salt = '', encoded = ''] = SCRYPT.exec(hash) ?? []
  const key = Buffer.from(encoded, 'base64')
  // One that was cut off would match as well.
  if (key.length !== KEY_BYTES) return null
  return {
    algorithm: 'scrypt',
    cost: 2 ** Number.parseInt(log, 16),
    blockSize: Number.parseInt(block, 16),
    parallelization: Number.parseInt(lanes, 16),
    salt: Buffer.from(salt, 'base64'),
    key,
  }
}

/** Reads a salt and its key, without the parameters: Spring Security 5.8 changed all of them. */
function readPbkdf2(hash: string, isOf58: boolean): Pbkdf2Hash | null {
  const bytes = Buffer.from(hash, 'hex')
  const saltBytes = isOf58 ? 16 : 8
  if (bytes.length !== saltBytes + KEY_BYTES || bytes.toString('hex') !== hash) return null
  return {
    algorithm: 'pbkdf2',
    digest: isOf58 ? 'sha256' : 'sha1',
    iterations: isOf58 ? 310_000 : 185_000,
    salt: bytes.subarray(0, saltBytes),
    key: bytes.subarray(saltBytes),
  }
}
