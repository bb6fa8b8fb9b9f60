import { createHmac } from 'node:crypto'
import type { HashFormat, PhpassHash } from '../../contracts/hash-format.ts'

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PHPASS = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/
const BCRYPT = '$wp$2y$'
/** Without NUL, of which `addslashes` of PHP makes two characters before. */
const WHITE_SPACE = /^[ \t\n\r\v]+|[ \t\n\r\v]+$/g

/**
 * Reads the hashes of WordPress: bcrypt of a digest since 6.8, phpass before, and plain bcrypt, as
 * plugins store it. Passwords are compared as its login form does: without white space around
 * them, and with a backslash before quotes and backslashes.
 *
 * @example
 * ```ts
 * import { wordpress } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [wordpress] } }
 * ```
 */
export const wordpress: HashFormat = {
  name: 'WordPress',
  typical: `$wp$2y$10$${'.'.repeat(53)}`,
  read(hash) {
    if (hash.startsWith(BCRYPT)) return { algorithm: 'bcrypt', hash: hash.slice('$wp'.length) }
    if (hash.startsWith('$2')) return { algorithm: 'bcrypt', hash }
    return readPhpass(hash)
  },
  prepare(password, hash) {
    const escaped = addSlashes(password).replaceAll(WHITE_SPACE, '')
    if (!hash.startsWith(BCRYPT)) return escaped
    return createHmac('sha384', 'wp-sha384').update(escaped).digest('base64')
  },
}

/** Reads a portable hash of phpass; `null` if it has another form. */
export function readPhpass(hash: string): PhpassHash | null {
  const [, rounds, salt, key] = PHPASS.exec(hash) ?? []
  if (rounds === undefined || salt === undefined || key === undefined) return null
  return {
    algorithm: 'phpass',
    iterations: 2 ** ALPHABET.indexOf(rounds),
    salt: Buffer.from(salt),
    key: decode(key),
  }
}

function addSlashes(text: string): string {
  return text.replaceAll(/['"\\]/g, String.raw`\$&`).replaceAll('\0', String.raw`\0`)
}

/** Decodes the base64 of phpass, whose first character holds the lowest bits. */
function decode(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text) {
    bits += ALPHABET.indexOf(character) * 2 ** held
    held += 6
    if (held < 8) continue
    bytes.push(bits % 256)
    bits = Math.floor(bits / 256)
    held -= 8
  }
  return Buffer.from(bytes)
}
