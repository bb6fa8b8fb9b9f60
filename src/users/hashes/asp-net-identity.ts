import type { HashFormat, Pbkdf2Hash } from '../../contracts/hash-format.ts'

const BASE64 = /^[A-Za-z0-9+/]{60,1400}={0,2}$/
const DIGESTS = ['sha1', 'sha256', 'sha512'] as const
const VERSION_2_BYTES = 1 + 16 + 32
/** The version, the digest, the iterations and the length of the salt. */
const HEADER_BYTES = 13
/** ASP.NET itself refuses a shorter salt. */
const MIN_SALT_BYTES = 16

/**
 * Reads the hashes of ASP.NET Core Identity, version 3, and those of version 2, which older
 * applications stored.
 *
 * @example
 * ```ts
 * import { aspNetIdentity } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [aspNetIdentity] } }
 * ```
 */
export const aspNetIdentity: HashFormat = {
  name: 'ASP.NET Core Identity',
  // Version 3: 100,000 iterations of SHA-512, a salt of 16 bytes and a key of 32.
  typical: `AQAAAAIAAYagAAAAE${'A'.repeat(65)}==`,
  read(hash) {
    if (!BASE64.test(hash)) return null
    const bytes = Buffer.from(hash, 'base64')
    if (bytes.toString('base64') !== hash) return null
    if (bytes[0] === 0 && bytes.length === VERSION_2_BYTES) return version2(bytes)
    return bytes[0] === 1 ? version3(bytes) : null
  },
}

function version2(bytes: Buffer): Pbkdf2Hash {
  const salt = bytes.subarray(1, 17)
  return { algorithm: 'pbkdf2', digest: 'sha1', iterations: 1000, salt, key: bytes.subarray(17) }
}

function version3(bytes: Buffer): Pbkdf2Hash | null {
  const digest = DIGESTS[bytes.readUInt32BE(1)]
  const saltBytes = bytes.readUInt32BE(9)
  const saltEnd = HEADER_BYTES + saltBytes
  // A salt that is longer than the text leaves no key, which is refused afterwards.
  if (digest === undefined || saltBytes < MIN_SALT_BYTES) return null
  return {
    algorithm: 'pbkdf2',
    digest,
    iterations: bytes.readUInt32BE(5),
    salt: bytes.subarray(HEADER_BYTES, saltEnd),
    key: bytes.subarray(saltEnd),
  }
}
