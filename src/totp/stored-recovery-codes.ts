import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Awaitable } from '../contracts/host.ts'
import type { StoredForm } from './factor-store.ts'
import { quietForm } from './foreign-form.ts'
import { bareCode } from './bare-code.ts'

const COUNT = 10
/** Crockford's base32: i, l, o and u are missing, because they are easily misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const GROUPS = 3
const GROUP_CHARACTERS = 4
/** 1 MiB and about 3 ms for each guess: all codes of 60 bits take a core over 10 million years. */
const SCRYPT = { N: 2 ** 10, r: 8, p: 1 } as const
const SCRYPT_BYTES = 32

/** The recovery codes of a user, in their stored form. */
export type RecoveryCodes = ReturnType<typeof codesOf>

/** A kind of stored codes. */
interface StoredCodeKind {
  readonly form: StoredForm<readonly string[]>
  /** Returns the entry of a new code. */
  readonly entryOf: (code: string, userId: string) => Awaitable<string>
  /** Returns what a typed code is compared by; `null` if it is malformed. */
  readonly readTyped: (typed: string, userId: string) => Awaitable<string | null>
  /** Returns what an entry is compared by. */
  readonly readEntry: (entry: string) => string
}

/** Creates the codes in the form of another system; `undefined`: as a list of slow hashes. */
export function createRecoveryCodes(foreign?: StoredForm<readonly string[]>) {
  return codesOf(
    foreign === undefined
      ? { form: hashes, entryOf: hashOf, readTyped: hashOfTyped, readEntry: (hash) => hash }
      : {
          form: quietForm(foreign),
          entryOf: (code) => code,
          readTyped: nonEmptyCode,
          readEntry: bareCode,
        },
  )
}

/** Returns a typed code; `null` if it is empty: a form may read no codes as an empty one. */
function nonEmptyCode(typed: string): string | null {
  return bareCode(typed) || null
}

function codesOf({ form, entryOf, readTyped, readEntry }: StoredCodeKind) {
  return {
    /** Returns the stored form of new codes. */
    async write(codes: readonly string[], userId: string) {
      const entries = await Promise.all(codes.map(async (code) => entryOf(code, userId)))
      return form.write(entries, userId)
    },
    /** Counts the codes that are left. */
    count: (stored: string, userId: string) => form.read(stored, userId).length,
    /**
     * Prepares the removal of a typed code from stored ones.
     *
     * @returns a function, which returns the stored form of the rest; `null` if it is not among
     *   them.
     */
    async remove(typed: string, userId: string) {
      const wanted = await readTyped(typed, userId)
      return (stored: string) => {
        const all = form.read(stored, userId)
        const rest = all.filter((one) => wanted === null || !isSame(wanted, readEntry(one)))
        return rest.length === all.length ? null : form.write(rest, userId)
      }
    },
  }
}

/** Returns new codes of 60 random bits, in groups that can be written down and read aloud. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'))
}

function newGroup(): string {
  return Array.from(randomBytes(GROUP_CHARACTERS), (byte) => ALPHABET[byte % 32]).join('')
}

const list = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

const hashes: StoredForm<readonly string[]> = {
  read(stored, userId) {
    const { success, output } = v.safeParse(list, stored)
    if (success) return output
    // The text is left out of the error, which is logged.
    throw new Error(`the stored recovery codes of the user ${userId} are not a list of hashes`)
  },
  write: (codes) => JSON.stringify(codes),
}

/** Returns the hash of a typed code; `null` if it is malformed. */
async function hashOfTyped(typed: string, userId: string): Promise<string | null> {
  // The letters outside the alphabet resemble these digits.
  const code = bareCode(typed).toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  if (/^[0-9a-z]{12}$/.test(code)) return hashOf(code, userId)
  return /^[0-9a-z]{24}$/.test(code) ? hashOfLongCode(code) : null
}

/** Hashes a code of 120 random bits of the first reference panel; for it a plain hash is enough. */
function hashOfLongCode(code: string): string {
  return createHash('sha256').update(code).digest('base64url')
}

/**
 * Returns a slow, salted hash, because 60 random bits are too few against an attacker with a copy
 * of the database. The salt is the user's id, so that a code is hashed once for all ten. Unlike an
 * HMAC, the hash needs no key: recovery codes must outlive a key that is replaced or lost.
 *
 * The purpose is that of the binding which hosts copied from the reference panel, so that they keep
 * their codes.
 *
 * @see OWASP ASVS 5.0, 6.5.2: below 112 random bits
 */
async function hashOf(code: string, userId: string): Promise<string> {
  const salt = `panel.recovery-code.v2:${userId}`
  return new Promise((resolve, reject) => {
    scrypt(code.replaceAll('-', ''), salt, SCRYPT_BYTES, SCRYPT, (error, key) => {
      if (error === null) resolve(key.toString('base64url'))
      else reject(error)
    })
  })
}

/** Compares in a time that does not tell how much is equal. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
