import { afterAll, describe, expect, it } from 'vitest'
import {
  adonis,
  aspNetIdentity,
  betterAuth,
  django,
  passlib,
  payload,
  saltedHash,
  spring,
  werkzeug,
  wordpress,
} from '@svc/auth/hashes'
import type { HashFormat } from '@svc/auth/hashes'
import { readStoredHash } from '../../build/src/core/passwords/password-hashes.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import { right, vectors } from './hash-vectors.ts'

const today = { memoryKiB: 1024, passes: 1, lanes: 1 } as const
const cheap = { ...today, concurrency: 1 } as const
const all: readonly HashFormat[] = [
  betterAuth,
  adonis,
  django,
  werkzeug,
  aspNetIdentity,
  wordpress,
  payload,
  passlib,
  spring,
]
const opened: ReturnType<typeof createPasswords>[] = []
afterAll(() => opened.forEach((passwords) => passwords.close()))

/** Opens formats that have no typical hash: a refusal costs nothing that it does not need. */
function openPasswords(formats: readonly HashFormat[]) {
  const untypical = formats.map(({ typical: _typical, ...format }) => format)
  const passwords = createPasswords({ ...cheap, formats: untypical })
  opened.push(passwords)
  return passwords
}

function open(formats: readonly HashFormat[]) {
  const passwords = openPasswords(formats)
  return async (password: string, hash: string) => {
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    const { outcome } = await slot.verify(password, hash)
    slot.release()
    return outcome
  }
}

// On a busy machine one of them takes seconds.
describe('hashes of other systems', { timeout: 120_000 }, () => {
  it.each(vectors)(
    'INP-06: %s: matches its password, and not with a NUL behind it, which HMAC would ignore; is replaced',
    async (_name, format, password, hash) => {
      const passwords = openPasswords([format])
      const slot = passwords.tryAcquire() ?? expect.fail('no slot')
      expect(await slot.verify(password, hash)).toEqual({ outcome: 'match', outdated: true })
      expect(await slot.verify(`${password}\0`, hash)).toEqual({ outcome: 'mismatch' })
      slot.release()
    },
  )

  it('are replaced even if their parameters are current, as the format may go', async () => {
    const own =
      '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$a0jhC7/NnOLgLeI/zk0hSw2jHapJUoQyclNcBpylGug'
    const passwords = openPasswords([django])
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    expect(await slot.verify(right, own)).toEqual({ outcome: 'match', outdated: false })
    expect(await slot.verify(right, `argon2${own}`)).toEqual({ outcome: 'match', outdated: true })
    slot.release()
  })

  it.each(vectors.filter(([, format]) => format === wordpress))(
    '%s: matches with white space around the password, which WordPress removes',
    async (_name, format, password, hash) => {
      const verify = open([format])
      expect(await verify(` \t${password}\r\n`, hash)).toBe('match')
      expect(await verify(`\u00a0${password}`, hash)).toBe('mismatch')
    },
  )

  it.each(vectors)(
    '%s: matches nothing once its end was cut off',
    async (name, format, ...rest) => {
      const [password, hash] = rest
      const verify = open([format])
      // The key of ASP.NET has any length from 16 bytes; the end of others may be padding.
      const lengths = name.startsWith('ASP') ? [1, 2, 3, hash.length - 56] : [3, 4, 8]
      for (const length of lengths)
        expect(await verify(password, hash.slice(0, -length)), `${length}`).not.toBe('match')
    },
  )

  it('are recognised with all formats at once', () => {
    for (const [name, format, , hash] of vectors) {
      if (name === 'Lucia 1') continue
      const read = readStoredHash(hash, today, all) ?? expect.fail(name)
      expect(read.job(right), name).toEqual(readStoredHash(hash, today, [format])?.job(right))
    }
  })

  it('cannot be read without their format', async () => {
    const verify = open([])
    for (const [name, , password, hash] of vectors) {
      const isStandard = /^\$(?:argon2|2)/.test(hash)
      if (!isStandard) expect(await verify(password, hash), name).toBe('unreadable')
    }
  })
})

const key = (bytes: number) => Buffer.alloc(bytes, 7).toString('hex')

describe('hashes that no row may contain', () => {
  it.each([
    ['scrypt of 256 MiB', `scrypt:262144:8:1$salt$${key(64)}`],
    ['scrypt with a cost that is not a power of two', `scrypt:16383:8:1$salt$${key(64)}`],
    ['scrypt with a cost of 0', `scrypt:0:8:1$salt$${key(64)}`],
    ['scrypt with a cost of 1', `scrypt:1:8:1$salt$${key(64)}`],
    ['scrypt with a block size of 0', `scrypt:16384:0:1$salt$${key(64)}`],
    ['scrypt in no lane', `scrypt:16384:8:0$salt$${key(64)}`],
    ['scrypt in a hundred lanes', `scrypt:16384:8:100$salt$${key(64)}`],
    ['PBKDF2 with ten million iterations', `pbkdf2:sha256:10000000$salt$${key(32)}`],
    ['PBKDF2 with no iteration', `pbkdf2:sha256:0$salt$${key(32)}`],
    ['PBKDF2 with a million iterations of SHA-512', `pbkdf2:sha512:1000000$salt$${key(64)}`],
    ['PBKDF2 with a key of fifty blocks', `pbkdf2:sha256:100000$salt$${key(1600)}`],
    ['a key of 2 kB', `scrypt:16384:8:1$salt$${key(2000)}`],
    ['a key of 8 bytes', `pbkdf2:sha256:1000$salt$${key(8)}`],
    ['an odd hexadecimal key of one digit', 'pbkdf2:sha256:1000$salt$a'],
    [
      'PBKDF2 of passlib with ten million iterations',
      `$pbkdf2-sha256$10000000$c2FsdHNhbHQ$${Buffer.alloc(32, 7).toString('base64').slice(0, -1)}`,
    ],
    [
      'scrypt of 256 MiB in the name of Spring',
      `{scrypt}$120801$c2FsdA==$${Buffer.alloc(32, 7).toString('base64')}`,
    ],
    ['bcrypt with a cost of 31 in the name of Spring', `{bcrypt}$2a$31$${'.'.repeat(53)}`],
    ['plain text in the name of Spring', '{noop}password'],
    ['phpass with 2^30 iterations', `$P$S${'a'.repeat(30)}`],
    [
      'bcrypt with a cost of 31 in the name of Django',
      'bcrypt$$2b$31$1pHoy4p/.DWEOJ/7.e4MPugWsNv7PKegzc4HgUe7/UobpUQYbkuA.',
    ],
    [
      'argon2 of 4 GiB in the name of Django',
      'argon2$argon2id$v=19$m=4194304,t=2,p=8$TFJpUXBNMjNMZUUzYVByYkIyNXdHdw$3RnP6sAqrbWOWyKq8jl49tTBOTuXGW7gcKXJiRu84c0',
    ],
    [
      'a salt longer than its text, in the form of ASP.NET',
      Buffer.from(`01000000010000271000001000${key(48)}`, 'hex').toString('base64'),
    ],
    [
      'a salt of 8 bytes, in the form of ASP.NET',
      Buffer.from(`01000000010000271000000008${key(48)}`, 'hex').toString('base64'),
    ],
    [
      'no key, in the form of ASP.NET',
      Buffer.from(`01000000010000271000000030${key(48)}`, 'hex').toString('base64'),
    ],
    ['a password that Django calls unusable', '!zoBebY75brDU4g5Orf7EERzoBebY75brDU4g5Orf'],
    ['plain MD5, as WordPress stored it once', '5f4dcc3b5aa765d61d8327deb882cf99'],
  ])('%s: cannot be read', async (_name, hash) => {
    const verify = open(all)
    expect(await verify('', hash)).toBe('unreadable')
    expect(await verify('password', hash)).toBe('unreadable')
  })
})

describe('a format of the host that fails', () => {
  const own =
    '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$a0jhC7/NnOLgLeI/zk0hSw2jHapJUoQyclNcBpylGug'
  const fails = (): never => {
    throw new TypeError('this hash has no third part')
  }
  const nothing = () => undefined as never

  it.each([
    ['throws', fails],
    ['returns nothing', nothing],
    ['returns an unknown algorithm', () => ({ algorithm: 'md5' }) as never],
    ['returns no key', () => ({ algorithm: 'pbkdf2', digest: 'sha256' }) as never],
  ])('because it %s for a hash leaves hashes of this service valid', async (_name, read) => {
    const verify = open([{ name: 'of the host', read }])
    expect(await verify(right, own)).toBe('match')
    expect(await verify(right, 'abc:def')).toBe('unreadable')
  })

  it('because it throws for a password refuses it like an unknown hash', async () => {
    const hash = 'bcrypt$$2b$04$1pHoy4p/.DWEOJ/7.e4MPugWsNv7PKegzc4HgUe7/UobpUQYbkuA.'
    const verify = open([{ ...django, prepare: fails }])
    expect(await verify(right, hash)).toBe('unreadable')
    const onlyEmpty = (password: string) => (password === '' ? fails() : password)
    expect(await open([{ ...django, prepare: onlyEmpty }])(right, hash)).toBe('match')
  })
})

describe('saltedHash', () => {
  it('joins a hash and its salt, until the hash has been replaced', () => {
    expect(saltedHash('abc', 'def')).toBe('def:abc')
    expect(saltedHash('$argon2id$…', 'def')).toBe('$argon2id$…')
  })

  it('returns null without a hash', () => {
    expect(saltedHash(undefined, 'def')).toBeNull()
    expect(saltedHash(null, null)).toBeNull()
    expect(saltedHash('', 'def')).toBeNull()
  })
})
