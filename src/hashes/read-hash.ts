import type { Pbkdf2Hash, ScryptHash } from '../hash-format.ts'

/** The encodings of the two parts of a stored hash; `utf8`: the text itself was hashed. */
export interface Encodings {
  readonly salt: 'utf8' | 'base64'
  readonly key: 'hex' | 'base64'
}

/**
 * Reads an scrypt hash by a pattern with the groups `cost`, `block`, `lanes`, `salt` and `key`;
 * `null` if it does not match.
 */
export function readScrypt(pattern: RegExp, hash: string, encodings: Encodings): ScryptHash | null {
  const groups = pattern.exec(hash)?.groups
  if (groups === undefined) return null
  return {
    algorithm: 'scrypt',
    cost: Number(groups['cost']),
    blockSize: Number(groups['block']),
    parallelization: Number(groups['lanes']),
    ...bytesOf(groups, encodings),
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
  const iterations = Number(groups['iterations'])
  return { algorithm: 'pbkdf2', digest, iterations, ...bytesOf(groups, encodings) }
}

function bytesOf(groups: Readonly<Record<string, string>>, { salt, key }: Encodings) {
  return {
    salt: Buffer.from(groups['salt'] ?? '', salt),
    key: Buffer.from(groups['key'] ?? '', key),
  }
}

function isDigest(name: string | undefined): name is Pbkdf2Hash['digest'] {
  return name === 'sha1' || name === 'sha256' || name === 'sha512'
}
