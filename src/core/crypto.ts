// As a whole, because Node 18 has no `hash`: the start then says which Node is needed.
import crypto, { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Returns 256 random bits as base64url: 43 characters. */
export function randomId(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the stored form of an id, so that a leaked store yields no usable session. */
export function hashOf(id: string): string {
  return crypto.hash('sha256', id, 'base64url')
}

/** One signed part. `null` differs from every text. */
export type SignedPart = string | null

/** Signs parts, also where nothing is verified. */
export type PartSigner = ReturnType<typeof signerWith>

/** Signs with the first key and verifies with all, so that keys can be rotated. */
export type Signer = ReturnType<typeof signerFor>

/** The number of characters of a signature's start. */
export const START_CHARACTERS = 21

/**
 * Derives the keys of a signer for one purpose, so that a MAC of one purpose is invalid for any
 * other.
 *
 * @see RFC 5869 (HKDF); RFC 2104 (HMAC)
 */
export function signerFor(purpose: string, appKeys: readonly string[]) {
  const signers = appKeys.map((key) => signerWith(deriveKey(purpose, key)))
  const [first] = signers
  if (first === undefined) throw new Error('a signer needs a key')
  return {
    ...first,
    verify: (signature: string, ...parts: readonly SignedPart[]) =>
      signers.some(({ sign }) => equal(signature, sign(...parts))),
    /** Verifies the first 21 characters of a signature: 126 bits. */
    verifyStart: (start: string, ...parts: readonly SignedPart[]) =>
      signers.some(({ sign }) => equal(start, sign(...parts).slice(0, START_CHARACTERS))),
  }
}

/** Derives the key of one purpose from an application key. */
export function deriveKey(purpose: string, appKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', appKey, '', `svc.${purpose}.v1`, 32))
}

/** Creates a signer with a derived key. */
export function signerWith(key: Buffer) {
  return { sign: (...parts: readonly SignedPart[]) => mac(key, parts).toString('base64url') }
}

function mac(key: Buffer, parts: readonly SignedPart[]): Buffer {
  const hmac = createHmac('sha256', key)
  // Each part is preceded by its length, so that no two lists of parts yield the same input.
  for (const part of parts) {
    hmac.update(part === null ? '-' : `${Buffer.byteLength(part)}:${part}`)
  }
  return hmac.digest()
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
