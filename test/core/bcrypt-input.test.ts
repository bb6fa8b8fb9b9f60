import { afterAll, describe, expect, it } from 'vitest'
import type { HashFormat } from '@svc/auth/hashes'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'

/*
 * Made by libxcrypt's crypt(3), whose code PHP and the gem bcrypt use, and by bcryptjs 3.0.2. The
 * pepper has the form of Devise's generator: SecureRandom.hex(64).
 */
const PEPPER =
  '8c2f0f0b3f6f1d9a4b7e5c6d1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4df1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff01'
const [WORD, LONG_WORD] = ['correct horse é', 'é'.repeat(40)]
const PEPPERED = '$2a$04$abcdefghijklmnopqrstuuRz91S.ykJNBGM7xkXIPO9tc7W7WJExu'
const PEPPERED_LONG = '$2a$04$abcdefghijklmnopqrstuuKiIlCeXB6chNXkLyAo8C7XcLPzh6zUe'

/** 71 bytes, then a letter of two bytes, of which bcrypt reads the first, and more. */
const OVER_72_BYTES = `${'p'.repeat(71)}é and more`
const OF_72_BYTES = 'abcdefghijklmnopqrstuujoFcYfWxT3TLcbxrGFB.ouXE8mxin3i'

const PHP_RIGHT = '$2y$04$abcdefghijklmnopqrstuuFmEfrkTQnczNzw475xE2VhDrK1uwJiC'
const BCRYPTJS_WITH_NUL = '$2b$04$abcdefghijklmnopqrstuu9jtJr/YMP.mHKv2dWuPCa/qkS08oyWq'

const devise: HashFormat = {
  name: 'Devise with a pepper',
  read: (hash) => (hash.startsWith('$2') ? { algorithm: 'bcrypt', hash } : null),
  prepare: (password) => `${password}${PEPPER}`,
}

const cheap = { memoryKiB: 1024, passes: 1, concurrency: 1 } as const
const opened: ReturnType<typeof createPasswords>[] = []
afterAll(() => opened.forEach((passwords) => passwords.close()))

function open(formats: readonly HashFormat[] = []) {
  const passwords = createPasswords({ ...cheap, formats })
  opened.push(passwords)
  const slot = passwords.tryAcquire() ?? expect.fail('no slot')
  return {
    outcome: async (password: string, hash: string) => (await slot.verify(password, hash)).outcome,
    hash: async (password: string) => slot.hash(password),
  }
}

describe('a password with the pepper that Devise generates', () => {
  it.each([
    ['of ordinary length', WORD, PEPPERED],
    ['that alone is longer than bcrypt reads', LONG_WORD, PEPPERED_LONG],
  ])('matches, if it is %s', async (_length, word, hash) => {
    const { outcome } = open([devise])
    expect(await outcome(word, hash)).toBe('match')
    expect(await outcome(`!${word}`, hash)).toBe('mismatch')
    expect(await outcome(word.slice(0, -10), hash)).toBe('mismatch')
  })

  it('is renewed as a whole, without the pepper', async () => {
    const { outcome, hash } = open([devise])
    const renewed = await hash(LONG_WORD)
    expect(await outcome(LONG_WORD, renewed)).toBe('match')
    expect(await outcome(`${LONG_WORD}é`, renewed)).toBe('mismatch')
    expect(await outcome(`${LONG_WORD}${PEPPER}`, renewed)).toBe('mismatch')
  })
})

describe('a password of more than 72 bytes', () => {
  it.each(['$2a$', '$2b$', '$2y$'])('matches by its first 72 bytes with %s', async (prefix) => {
    const { outcome } = open()
    const hash = `${prefix}04$${OF_72_BYTES}`
    expect(await outcome(OVER_72_BYTES, hash)).toBe('match')
    expect(await outcome(`${'p'.repeat(71)}é`, hash)).toBe('match')
    // Its 72nd byte is that of another letter.
    expect(await outcome(`${'p'.repeat(71)}日`, hash)).toBe('mismatch')
    expect(await outcome('p'.repeat(71), hash)).toBe('mismatch')
  })
})

describe('a password with NUL', () => {
  it('ends there for $2y$, as in PHP', async () => {
    const { outcome } = open()
    expect(await outcome('right\0x', PHP_RIGHT)).toBe('match')
    expect(await outcome('right', PHP_RIGHT)).toBe('match')
    expect(await outcome('righ\0t', PHP_RIGHT)).toBe('mismatch')
  })

  it('INP-06: does not match as a repetition of another password, which bcrypt hashes alike', async () => {
    const { outcome } = open()
    const hash = `$2b$${PHP_RIGHT.slice(4)}`
    expect(await outcome('right', hash)).toBe('match')
    for (const other of ['right\0right', 'right\0right\0right', `${'right\0'.repeat(12)}x`])
      expect(await outcome(other, hash)).toBe('mismatch')
  })

  it('counts as a whole for $2b$, as in bcryptjs', async () => {
    const { outcome } = open()
    expect(await outcome('right\0x', BCRYPTJS_WITH_NUL)).toBe('match')
    expect(await outcome('right', BCRYPTJS_WITH_NUL)).toBe('mismatch')
    expect(await outcome('right\0y', BCRYPTJS_WITH_NUL)).toBe('mismatch')
  })
})
