import { digestBytes, type Pbkdf2Hash, type ScryptHash } from '../../contracts/hash-format.ts'

/** The encodings of the two parts of a stored hash; `utf8`: the text itself was hashed. */
export interface Encodings {
  readonly salt: 'utf8' | 'base64'
  readonly key: 'hex' | 'base64'
  /** The length of the key. Default for scrypt: any, for PBKDF2: that of the digest. */
  readonly keyBytes?: number
}

/**
 * Reads an scrypt hash by a pattern with the groups `cost`, `block`, `lanes`, `salt` and `key`;
 * `null` if it does not match.
 */
export function readScrypt(pattern: RegExp, hash: string, encodings: Encodings): ScryptHash | null {
  const groups = pattern.exec(hash)?.groups
  if (groups === undefined) return null
  const bytes = bytesOf(groups, encodings)
  if (bytes === null) return null
  return {
    algorithm: 'scrypt',
    cost: Number(groups['cost']),
    blockSize: Number(groups['block']),
    parallelization: Number(groups['lanes']),
    ...bytes,
  }
}

/**
 * Reads a PBKDF2 hash by a pattern with the groups `digest`, `iterations`, `salt` and `key`; `null`
 * if it does not match, or has another digest.
 */
export function readPbkdf2(pattern: RegExp, hash: string, encodings: Encodings): Pbkdf2Hash | null {
  const groups = pattern.exec(hash)?.groups
  const digest = groups?.['digest']
  if (groups === undefined || !isDigest(digest)) return null
  const bytes = bytesOf(groups, { keyBytes: digestBytes[digest], ...encodings })
  if (bytes === null) return null
  return { algorithm: 'pbkdf2', digest, iterations: Number(groups['iterations']), ...bytes }
}

/**
 * Decodes both parts. Returns `null` for a key that was cut off: the other system compares the
 * whole of it, and the rest would match as well.
 */
function bytesOf(groups: Readonly<Record<string, string>>, { salt, key, keyBytes }: Encodings) {
  const text = groups['key'] ?? ''
  const bytes = Buffer.from(text, key)
  if (withoutPadding(bytes.toString(key)) !== withoutPadding(text)) return null
  if (keyBytes !== undefined && bytes.length !== keyBytes) return null
  return { salt: Buffer.from(groups['salt'] ?? '', salt), key: bytes }
}

function withoutPadding(text: string): string {
  return text.replace(/=+$/, '')
}

function isDigest(name: string | undefined): name is Pbkdf2Hash['digest'] {
  return name !== undefined && Object.hasOwn(digestBytes, name)
}
