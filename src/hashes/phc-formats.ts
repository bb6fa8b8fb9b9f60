import type { HashFormat, Pbkdf2Hash } from '../hash-format.ts'

const ADONIS = /^\$scrypt\$n=(\d{1,7}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Reads the scrypt hashes of AdonisJS, in PHC form. Its argon2 hashes need no format.
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
  read(hash) {
    const [, cost, blockSize, parallelization, salt, key] = ADONIS.exec(hash) ?? []
    if (salt === undefined || key === undefined) return null
    return {
      algorithm: 'scrypt',
      cost: Number(cost),
      blockSize: Number(blockSize),
      parallelization: Number(parallelization),
      salt: Buffer.from(salt, 'base64'),
      key: Buffer.from(key, 'base64'),
    }
  },
}

const WERKZEUG_SCRYPT = /^scrypt:(\d{1,7}):(\d{1,3}):(\d{1,3})\$([^$]+)\$([0-9a-f]+)$/
const WERKZEUG_PBKDF2 = /^pbkdf2:(sha1|sha256|sha512):(\d{1,8})\$([^$]+)\$([0-9a-f]+)$/

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
  read: (hash) => readScrypt(hash) ?? readPbkdf2(hash),
}

const readScrypt: HashFormat['read'] = (hash) => {
  const [, cost, blockSize, parallelization, salt, key] = WERKZEUG_SCRYPT.exec(hash) ?? []
  if (salt === undefined || key === undefined) return null
  return {
    algorithm: 'scrypt',
    cost: Number(cost),
    blockSize: Number(blockSize),
    parallelization: Number(parallelization),
    salt: Buffer.from(salt),
    key: Buffer.from(key, 'hex'),
  }
}

const readPbkdf2: HashFormat['read'] = (hash) => {
  const [, digest, iterations, salt, key] = WERKZEUG_PBKDF2.exec(hash) ?? []
  if (!isDigest(digest) || salt === undefined || key === undefined) return null
  return {
    algorithm: 'pbkdf2',
    digest,
    iterations: Number(iterations),
    salt: Buffer.from(salt),
    key: Buffer.from(key, 'hex'),
  }
}

function isDigest(name: string | undefined): name is Pbkdf2Hash['digest'] {
  return name === 'sha1' || name === 'sha256' || name === 'sha512'
}
