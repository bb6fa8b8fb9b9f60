import { createHash } from 'node:crypto'
import type { HashFormat } from '../hash-format.ts'

const PBKDF2 = /^pbkdf2_(sha1|sha256)\$(\d{1,8})\$([^$]+)\$([A-Za-z0-9+/]+=*)$/
const SCRYPT = /^scrypt\$(\d{1,7})\$([^$]+)\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9+/]+=*)$/
const BCRYPT_SHA256 = 'bcrypt_sha256$'
/** Prefixes of hashes that are otherwise standard. */
const NAMED = /^(?:bcrypt\$|bcrypt_sha256\$|argon2(?=\$argon2))/

const readDerived: HashFormat['read'] = (hash) => {
  const [, digest, iterations, salt, key] = PBKDF2.exec(hash) ?? []
  if (salt !== undefined && key !== undefined) {
    return {
      algorithm: 'pbkdf2',
      digest: digest === 'sha1' ? 'sha1' : 'sha256',
      iterations: Number(iterations),
      salt: Buffer.from(salt),
      key: Buffer.from(key, 'base64'),
    }
  }
  const [, cost, scryptSalt, blockSize, parallelization, scryptKey] = SCRYPT.exec(hash) ?? []
  if (scryptSalt === undefined || scryptKey === undefined) return null
  return {
    algorithm: 'scrypt',
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(scryptSalt),
    key: Buffer.from(scryptKey, 'base64'),
  }
}

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
  read(hash) {
    const prefix = NAMED.exec(hash)?.[0]
    if (prefix === undefined) return readDerived(hash)
    const algorithm = prefix === 'argon2' ? 'argon2' : 'bcrypt'
    return { algorithm, hash: hash.slice(prefix.length) }
  },
  // bcrypt of a digest, so that its limit of 72 bytes does not matter.
  prepare: (password, hash) =>
    hash.startsWith(BCRYPT_SHA256) ? createHash('sha256').update(password).digest('hex') : password,
}
