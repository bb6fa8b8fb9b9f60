import type { HashFormat } from '../../contracts/hash-format.ts'

const HASH = /^(?:s2:)?([0-9a-z]{16,32}):([0-9a-f]{128})$/

/**
 * Reads the hashes of Better Auth: scrypt with N = 16384, r = 16 and p = 1, in the form
 * `salt:key`.
 *
 * @example
 * ```ts
 * import { betterAuth } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [betterAuth] } }
 * ```
 */
export const betterAuth: HashFormat = scryptFormat('Better Auth', 16)

/**
 * Reads the hashes of Lucia 2 and 3, which are those of Better Auth; Lucia 2 puts `s2:` before
 * them.
 *
 * @example
 * ```ts
 * import { lucia } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [lucia] } }
 * ```
 */
export const lucia: HashFormat = scryptFormat('Lucia', 16)

/**
 * Reads the hashes of Lucia 1: scrypt with r = 8. They look like those of Better Auth and Lucia 3,
 * so only one of the two can be used.
 *
 * @example
 * ```ts
 * import { lucia1 } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [lucia1] } }
 * ```
 */
export const lucia1: HashFormat = scryptFormat('Lucia 1', 8)

function scryptFormat(name: string, blockSize: number): HashFormat {
  return {
    name,
    typical: `${'0'.repeat(32)}:${'0'.repeat(128)}`,
    read(hash) {
      const [, salt, key] = HASH.exec(hash) ?? []
      if (salt === undefined || key === undefined) return null
      return {
        algorithm: 'scrypt',
        cost: 16_384,
        // `s2:` marks the larger block size.
        blockSize: hash.startsWith('s2:') ? 16 : blockSize,
        parallelization: 1,
        // The text of the salt is hashed, not the bytes that it encodes.
        salt: Buffer.from(salt),
        key: Buffer.from(key, 'hex'),
      }
    },
    prepare: (password) => password.normalize('NFKC'),
  }
}
