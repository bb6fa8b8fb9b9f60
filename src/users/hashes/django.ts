import { createHash } from 'node:crypto'
import type { HashFormat } from '../../contracts/hash-format.ts'
import { readPbkdf2, readScrypt } from './read-hash.ts'

const PBKDF2 =
  /^pbkdf2_(?<digest>\w+)\$(?<iterations>\d{1,8})\$(?<salt>[^$]+)\$(?<key>[A-Za-z0-9+/]+=*)$/
const SCRYPT =
  /^scrypt\$(?<cost>\d{1,7})\$(?<salt>[^$]+)\$(?<block>\d{1,3})\$(?<lanes>\d{1,3})\$(?<key>[A-Za-z0-9+/]+=*)$/
const ENCODINGS = { salt: 'utf8', key: 'base64' } as const
const SCRYPT_KEY = { ...ENCODINGS, keyBytes: 64 } as const
const BCRYPT_SHA256 = 'bcrypt_sha256$'
/** Prefixes of hashes that are otherwise standard. */
const NAMED = /^(?:bcrypt\$|bcrypt_sha256\$|argon2(?=\$argon2))/

/**
 * Reads the hashes of Django: `pbkdf2_sha256`, `pbkdf2_sha1`, `scrypt`, `bcrypt_sha256`, `bcrypt`
 * and `argon2`.
 *
 * @example
 * ```ts
 * import { django } from '@svc/auth/hashes'
 *
 * const config = { passwords: { formats: [django] } }
 * ```
 */
export const django: HashFormat = {
  name: 'Django',
  // That of Django 5.2.
  typical: `pbkdf2_sha256$1000000$${'0'.repeat(22)}$${'A'.repeat(43)}=`,
  read(hash) {
    const prefix = NAMED.exec(hash)?.[0]
    if (prefix === undefined)
      return readPbkdf2(PBKDF2, hash, ENCODINGS) ?? readScrypt(SCRYPT, hash, SCRYPT_KEY)
    const algorithm = prefix === 'argon2' ? 'argon2' : 'bcrypt'
    return { algorithm, hash: hash.slice(prefix.length) }
  },
  // bcrypt of a digest, so that its limit of 72 bytes does not matter.
  prepare: (password, hash) =>
    hash.startsWith(BCRYPT_SHA256) ? createHash('sha256').update(password).digest('hex') : password,
}
