import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Encrypts text that only the service can open, and only for the purpose that it was sealed for.
 */
export interface Sealer {
  seal(text: string, purpose: string): string
  /**
   * Decrypts a sealed text; `null` when it was tampered with, or sealed with another key or for
   * another purpose.
   */
  open(sealed: string, purpose: string): string | null
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Creates a sealer that encrypts with the first key and decrypts with any, so that keys can be
 * rotated.
 *
 * @see NIST SP 800-38D (AES-GCM); RFC 5869 (HKDF)
 */
export function sealerFor(appKeys: readonly string[]): Sealer {
  const keys = appKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'svc.sealed.v1', 32)))
  const [first] = keys
  if (first === undefined) throw new Error('a sealer needs a key')
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of keys) {
        const text = openWith(key, bytes, purpose)
        if (text !== null) return text
      }
      return null
    },
  }
}

function openWith(key: Buffer, bytes: Buffer, purpose: string): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
