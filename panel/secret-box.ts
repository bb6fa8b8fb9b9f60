import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets for storage, bound to their owners. */
export interface SecretBox {
  /** Seals a text. @param owner Opens only for the same owner. */
  seal(text: string, owner: string): string
  /** Opens a sealed text. @throws {Error} The key is gone, the owner differs, or it was changed. */
  open(sealed: string, owner: string): string
}

/**
 * Creates a box that seals with the first key and opens with all, for key rotation.
 *
 * @param purpose Separates keys: a text sealed for one purpose does not open for another.
 * @see NIST SP 800-38D (GCM); RFC 5869 (HKDF)
 */
export function secretBox(purpose: string, appKeys: readonly string[]): SecretBox {
  const keys = appKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)))
  const [first] = keys
  if (first === undefined) throw new Error('a secret box needs a key')
  return {
    seal(text, owner) {
      // A random nonce is safe for 2^32 texts under one key, far more than a panel has users.
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
      throw new Error(`a sealed secret does not open: was a key of ${purpose} removed too early?`)
    },
  }
}

function openWith(key: Buffer, bytes: Buffer, owner: string): string | null {
  const [nonce, tag, body] = [
    bytes.subarray(0, NONCE_BYTES),
    bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    bytes.subarray(NONCE_BYTES + TAG_BYTES),
  ]
  // GCM would also accept a short tag, which can be guessed, so the length is fixed.
  if (tag.length !== TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
  try {
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
