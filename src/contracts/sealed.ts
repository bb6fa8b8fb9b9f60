import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError } from './errors.ts'

/**
 * Encrypts text for storage and binds it to its owner.
 *
 * @see `createSealer` of `@svc/auth`
 */
export interface Sealer {
  /** Encrypts a text with the first key. It opens only for the same owner, such as a user's id. */
  seal(text: string, owner: string): string
  /**
   * Decrypts a sealed text with any of the keys; `null` if it was altered, belongs to another owner
   * or purpose, or if its key is missing.
   */
  open(sealed: string, owner: string): string | null
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OWN_PURPOSES = 'svc.'

/**
 * Creates a sealer for secrets that a host stores, such as the secrets of a second factor.
 *
 * @param purpose A label that separates keys: a text that was sealed for one purpose does not open
 *   for another. Labels that begin with `svc.` are the service's own.
 * @param appKeys As in `app.keys`. The first key seals, all keys open. To rotate, put the new key
 *   first, and keep the old one while texts that were sealed with it exist.
 * @throws {ConfigError} No key, no purpose, or a purpose of the service.
 *
 * @example
 * ```ts
 * const sealer = createSealer('my-panel.totp.v1', ['the new application key', 'the old one'])
 * const stored = sealer.seal('JBSWY3DPEHPK3PXP', user.id)
 * const secret = sealer.open(stored, user.id)
 * if (secret === null) throw new Error('the secret of this user does not open')
 * ```
 */
export function createSealer(purpose: string, appKeys: readonly string[]): Sealer {
  if (appKeys.length === 0) throw new ConfigError('createSealer: give at least one key')
  // The service derives its other keys from the same application keys with labels of this form.
  if (purpose === '' || purpose.startsWith(OWN_PURPOSES))
    throw new ConfigError(
      `createSealer: give a purpose of your own that does not begin with "${OWN_PURPOSES}"`,
    )
  return sealerFor(purpose, appKeys)
}

/**
 * Creates a sealer, also for a purpose of the service.
 *
 * @see NIST SP 800-38D (AES-GCM); RFC 5869 (HKDF)
 */
export function sealerFor(purpose: string, appKeys: readonly string[]): Sealer {
  const keys = appKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)))
  const [first] = keys
  if (first === undefined) throw new Error('a sealer needs a key')
  return {
    seal(text, owner) {
      // A random nonce is safe for 2^32 texts under one key.
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first, nonce).setAAD(Buffer.from(owner))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of keys) {
        const text = openWith(key, bytes, owner)
        if (text !== null) return text
      }
      return null
    },
  }
}

function openWith(key: Buffer, bytes: Buffer, owner: string): string | null {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  // GCM would also accept a shorter tag, which can be guessed.
  if (tag.length !== TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
