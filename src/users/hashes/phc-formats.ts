import type { HashFormat } from '../../contracts/hash-format.ts'
import { readPbkdf2, readScrypt } from './read-hash.ts'
import { readPhpass } from './wordpress.ts'

const ADONIS =
  /^\$scrypt\$n=(?<cost>\d{1,7}),r=(?<block>\d{1,3}),p=(?<lanes>\d{1,3})\$(?<salt>[A-Za-z0-9+/]+)\$(?<key>[A-Za-z0-9+/]+)$/
const IN_BASE64 = { salt: 'base64', key: 'base64' } as const
const ADONIS_BCRYPT = /^\$bcrypt\$v=9([78])\$r=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{31})$/
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The same digits in bcrypt's own order. */
const OF_BCRYPT = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** The option `keyLength` of its driver is at least so much. */
const ADONIS_KEY_BYTES = 64

/**
 * Reads the scrypt and bcrypt hashes of AdonisJS, in PHC form. Its argon2 hashes need no format.
 *
 * @example
 * ```ts
 * import { adonis } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [adonis] } }
 * ```
 */
export const adonis: HashFormat = {
  name: 'AdonisJS',
  typical: `$scrypt$n=16384,r=8,p=1$${'A'.repeat(22)}$${'A'.repeat(86)}`,
  read(hash) {
    const [, version, cost, salt = '', key = ''] = ADONIS_BCRYPT.exec(hash) ?? []
    if (cost !== undefined) {
      const digits = `${salt}${key}`.replaceAll(/./g, (one) =>
        OF_BCRYPT.charAt(BASE64.indexOf(one)),
      )
      const prefix = `$2${version === '7' ? 'a' : 'b'}$${cost.padStart(2, '0')}$`
      return { algorithm: 'bcrypt', hash: `${prefix}${digits}` }
    }
    const stored = readScrypt(ADONIS, hash, IN_BASE64)
    return stored !== null && stored.key.length >= ADONIS_KEY_BYTES ? stored : null
  },
}

const MODULAR =
  /^\$pbkdf2-(?<digest>sha1|sha256|sha512)\$(?<iterations>\d{1,8})\$(?<salt>[A-Za-z0-9+/]+)\$(?<key>[A-Za-z0-9+/]+)$/

/**
 * Reads the PBKDF2 and phpass hashes of passlib, such as those of FastAPI applications. Its bcrypt
 * and argon2 hashes need no format.
 *
 * @example
 * ```ts
 * import { passlib } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [passlib] } }
 * ```
 */
export const passlib: HashFormat = modularFormat('passlib', 25_000)

/**
 * Reads the hashes of `pbkdf2_elixir`, as Phoenix applications store them. Its bcrypt and argon2
 * hashes need no format.
 *
 * @example
 * ```ts
 * import { phoenix } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [phoenix] } }
 * ```
 */
export const phoenix: HashFormat = modularFormat('Phoenix', 160_000)

function modularFormat(name: string, iterations: number): HashFormat {
  return {
    name,
    typical: `$pbkdf2-sha512$${iterations}$${'A'.repeat(22)}$${'A'.repeat(86)}`,
    read(hash) {
      // Its base64 has a dot for the plus, and SHA-1 has no name.
      const text = hash.replace(/^\$pbkdf2\$/, () => '$pbkdf2-sha1$').replaceAll('.', '+')
      return readPbkdf2(MODULAR, text, IN_BASE64) ?? readPhpass(hash)
    },
  }
}

const WERKZEUG_SCRYPT =
  /^scrypt:(?<cost>\d{1,7}):(?<block>\d{1,3}):(?<lanes>\d{1,3})\$(?<salt>[^$]+)\$(?<key>[0-9a-f]+)$/
const WERKZEUG_PBKDF2 =
  /^pbkdf2:(?<digest>\w+):(?<iterations>\d{1,8})\$(?<salt>[^$]+)\$(?<key>[0-9a-f]+)$/

/**
 * Reads the hashes of Werkzeug, which Flask applications store: `scrypt:…` and `pbkdf2:…`.
 *
 * @example
 * ```ts
 * import { werkzeug } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [werkzeug] } }
 * ```
 */
export const werkzeug: HashFormat = {
  name: 'Werkzeug',
  typical: `scrypt:32768:8:1$${'0'.repeat(16)}$${'0'.repeat(128)}`,
  read: (hash) =>
    readScrypt(WERKZEUG_SCRYPT, hash, { ...IN_HEX, keyBytes: 64 }) ??
    readPbkdf2(WERKZEUG_PBKDF2, hash, IN_HEX),
}

const IN_HEX = { salt: 'utf8', key: 'hex' } as const
