/** An scrypt hash. @see RFC 7914 */
export interface ScryptHash {
  readonly algorithm: 'scrypt'
  /** N, a power of two. */
  readonly cost: number
  /** Parameter r. */
  readonly blockSize: number
  /** Parameter p. */
  readonly parallelization: number
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

/** The output of each digest of PBKDF2, in bytes. */
export const digestBytes = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 } as const

/** A PBKDF2 hash. @see RFC 8018, section 5.2 */
export interface Pbkdf2Hash {
  readonly algorithm: 'pbkdf2'
  readonly digest: keyof typeof digestBytes
  readonly iterations: number
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

/** A portable hash of phpass: repeated MD5. */
export interface PhpassHash {
  readonly algorithm: 'phpass'
  readonly iterations: number
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

/** A hash that consists of a derived key and the parameters of its derivation. */
export type DerivedKey = ScryptHash | Pbkdf2Hash | PhpassHash

/** An argon2 hash in PHC form, or a bcrypt hash in the form of crypt(3). */
export interface EncodedHash {
  readonly algorithm: 'argon2' | 'bcrypt'
  readonly hash: string
  /** The secret key that was given to argon2, as a pepper. Default: none was. */
  readonly secret?: Uint8Array
}

/**
 * A form in which another system stores password hashes. `@svc/auth/hashes` has those of common
 * systems.
 *
 * @example
 * ```ts
 * const hex: HashFormat = {
 *   name: 'hex',
 *   read(hash) {
 *     const [, salt, key] = /^([0-9a-f]{32})\.([0-9a-f]{64})$/.exec(hash) ?? []
 *     if (salt === undefined || key === undefined) return null
 *     const bytes = { salt: Buffer.from(salt, 'hex'), key: Buffer.from(key, 'hex') }
 *     return { algorithm: 'pbkdf2', digest: 'sha256', iterations: 100_000, ...bytes }
 *   },
 * }
 * ```
 */
export interface HashFormat {
  readonly name: string
  /**
   * A hash as the system stores it by default. A refused login costs its verification, too, until a
   * login has read one that costs more. Default: unknown until a user with this form logs in.
   */
  readonly typical?: string
  /**
   * Parses a stored hash; `null` when it has another form. Hashes that cost too much, or whose key
   * is shorter than 16 bytes, are refused afterwards.
   */
  read(hash: string): DerivedKey | EncodedHash | null
  /** Returns what this hash was made of in place of the password, such as a digest of it. */
  prepare?(password: string, hash: string): string
}
