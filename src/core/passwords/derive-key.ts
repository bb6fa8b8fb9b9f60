import { createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { DerivedKey, Pbkdf2Hash, PhpassHash, ScryptHash } from '../../contracts/hash-format.ts'

/*
 * Runs in the hashing process only.
 */

const derivePbkdf2 = promisify(pbkdf2)

/** Returns whether a password has this key. */
export async function hasKey(password: string, stored: DerivedKey): Promise<boolean> {
  const key = await derive(password, stored)
  // HMAC fills its key, which is the password, up with NUL: with more of them it would match, too.
  const isPadded = stored.algorithm !== 'phpass' && password.endsWith('\0')
  return !isPadded && key.length === stored.key.length && timingSafeEqual(key, stored.key)
}

async function derive(password: string, stored: DerivedKey): Promise<Buffer> {
  if (stored.algorithm === 'scrypt') return deriveScrypt(password, stored)
  if (stored.algorithm === 'phpass') return derivePhpass(password, stored)
  const { salt, iterations, key, digest }: Pbkdf2Hash = stored
  return derivePbkdf2(password, salt, iterations, key.length, digest)
}

async function deriveScrypt(
  password: string,
  { cost, blockSize, parallelization, salt, key }: ScryptHash,
): Promise<Buffer> {
  // Twice what RFC 7914 needs: OpenSSL counts a little more.
  const maxmem = 2 * 128 * blockSize * (cost + parallelization)
  const options = { cost, blockSize, parallelization, maxmem }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, key.length, options, (error, derived) => {
      if (error === null) resolve(derived)
      else reject(error)
    })
  })
}

function derivePhpass(password: string, { iterations, salt }: PhpassHash): Buffer {
  const text = Buffer.from(password)
  const md5 = (start: Uint8Array): Buffer => createHash('md5').update(start).update(text).digest()
  let key = md5(salt)
  for (let round = 0; round < iterations; round += 1) key = md5(key)
  return key
}
