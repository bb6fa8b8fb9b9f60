import { afterAll, describe, expect, it } from 'vitest'
import {
  adonis,
  aspNetIdentity,
  betterAuth,
  django,
  lucia,
  lucia1,
  passportLocalMongoose,
  payload,
  saltedHash,
  werkzeug,
  wordpress,
} from '@svc/auth/hashes'
import type { HashFormat } from '@svc/auth/hashes'
import { readStoredHash } from '../../build/src/core/passwords/password-hashes.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import { payloadHash, passportHash } from './salted-hashes.ts'

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
]
const right = 'correct horse é'
const quoted = String.raw`it's "a" \ test`
const microsofts = 'my password'

/*
 * Made by the published code of each system: better-auth 1.7.25, lucia 3.2.2, @adonisjs/hash 10.1.1,
 * argon2 (npm) as AdonisJS uses it, Django 5.2.17, Werkzeug 3.1.9, phpass and WordPress 6.8's
 * wp_hash_password on PHP 8.2, payload 3.90.2, passport-local-mongoose 9.2.0; those of ASP.NET Core
 * Identity are from its own tests.
 */
const vectors: readonly (readonly [string, HashFormat, string, string])[] = [
  [
    'Better Auth',
    betterAuth,
    right,
    '6336ecd267890777f485a9ee2cc49f3a:18b610921bcb1ae5d0b456e0c16e38c5998dbd0742abcbd1cd588dcd3c88e60d7f5fa0e9dec1e3daccdebbe92197a4519a836454c1833be242d7e7d11b29b5db',
  ],
  [
    'Lucia 3',
    lucia,
    right,
    'd9e1c8ff4b0ffb0b09aa64fdc5d8f1b3:1041037b92897fcf5be4edb28b7685996d7343c930427d85957417abadf57564feb2bcce21bb5d997ad1094c28bad687cf9c4b5b7ebfc3f568db98cb6e7c330c',
  ],
  [
    'Lucia 2',
    lucia,
    right,
    's2:2e8968c12199c5db164e056cfc43d88f:bcbab5fa295925522016c840292d3f3d40082e50423193d97bcc1323ef858185485eaae91471f611ec34ea066ee5b924e5deceb4a98576f52aa3f5263ccbe897',
  ],
  [
    'Lucia 2, with the format of Lucia 1',
    lucia1,
    right,
    's2:2e8968c12199c5db164e056cfc43d88f:bcbab5fa295925522016c840292d3f3d40082e50423193d97bcc1323ef858185485eaae91471f611ec34ea066ee5b924e5deceb4a98576f52aa3f5263ccbe897',
  ],
  [
    'Lucia 1',
    lucia1,
    right,
    '0123456789abcdef:bb1b5ae571a5dfbe30eb35dbd5c8753380cdecf784ffaa493533a9aaddd783dcf5d59fb5f582f163a73fb27f25ae3dd75cdb0b81320b7f62c8e6559ef76709b3',
  ],
  [
    'AdonisJS, scrypt',
    adonis,
    right,
    '$scrypt$n=16384,r=8,p=1$2odYSlFd1XKD/Ct10KCmHg$xUoITbL3sEMKk4eCtDeVx/HbxEwzJ/RJZPpdNwocAT6D9B5DMH5mcC7jksuFyhL80moRT4J26HUR8Qk/Sq4ZwA',
  ],
  [
    'AdonisJS, argon2',
    adonis,
    right,
    '$argon2id$v=19$m=4096,t=3,p=1$Y6Ch6OpPjYpSnA6EazPIBA$P33ngZdmeOJPVF0jyJSZFinTLHMJPTlvSUq/XwL/cOY',
  ],
  [
    'Django, pbkdf2_sha256',
    django,
    right,
    'pbkdf2_sha256$10000$L2CjHm3HWGxGgVRndzl2Rz$UyK6cHivCxSN1D7T/Byx3AYKdUTZYM4mNZ6VXxw81yk=',
  ],
  [
    'Django, pbkdf2_sha1',
    django,
    right,
    'pbkdf2_sha1$10000$RVrSNE79xEA6SCZ3uKF6Ii$+GJXUf8ojx4CLN3BLobM+i5uQ70=',
  ],
  [
    'Django, scrypt',
    django,
    right,
    'scrypt$16384$iD2WXenm6m1Jx4AziChdLv$8$5$F0LqENQZy8AJzvg6xQzokEcVXAteaC1bIuG6BQ9ytbj4HVeSmrEuHXGI0wuKcocd0bVQLbsfKs6J6kqcAN3C3Q==',
  ],
  [
    'Django, bcrypt_sha256',
    django,
    right,
    'bcrypt_sha256$$2b$04$eKA35LGD0DD2lyi92ivYBO8lTZOa2F5HMpZ9jZ3CbyzKFMz5iRPM2',
  ],
  [
    'Django, bcrypt',
    django,
    right,
    'bcrypt$$2b$04$1pHoy4p/.DWEOJ/7.e4MPugWsNv7PKegzc4HgUe7/UobpUQYbkuA.',
  ],
  [
    'Django, argon2',
    django,
    right,
    'argon2$argon2id$v=19$m=102400,t=2,p=8$TFJpUXBNMjNMZUUzYVByYkIyNXdHdw$3RnP6sAqrbWOWyKq8jl49tTBOTuXGW7gcKXJiRu84c0',
  ],
  [
    'Werkzeug, scrypt',
    werkzeug,
    right,
    'scrypt:32768:8:1$BhcYVnMh6UwvTbcG$7e4f9af26bf5d8ed3e7b377ea6845981b64333c281dce4fbb939127d24dcd99c2b3556eb0d6287aeff70464b77b69de51217fa60bca5fb84ea0e6417e7888e51',
  ],
  [
    'Werkzeug, scrypt in two lanes',
    werkzeug,
    right,
    'scrypt:16384:8:2$r9wxVxQRbmKZlVdR$0cc1c8641021e03ce29136334174534bfaccb626ff5c681d96f73c424844593e1d300f4049b85d6187b1f7aaf9fd27ecaa06a2fe01e2d32b630d832480bfbbb0',
  ],
  [
    'Werkzeug, SHA-256',
    werkzeug,
    right,
    'pbkdf2:sha256:10000$tGv35Si9zG9vT9Wv$30b768f88072208ea94f267b7fc028f6abb68b122aedcb47bf845d8fcdfdc48d',
  ],
  [
    'Werkzeug, SHA-512',
    werkzeug,
    right,
    'pbkdf2:sha512:1000$xmnU2V84BtUrFByy$8e69848cc55a2e42afa44176a88a366113058cb8a02773be170afd56c4121e502d8457c6929854690c077bb5d55e7a018d9575f6f52ec26317bcd9aa3e337bbe',
  ],
  [
    'Werkzeug, SHA-1',
    werkzeug,
    right,
    'pbkdf2:sha1:1000$KnYWda3rkd19cZ7m$9da93f8aee24473064988bd50c6c050bf8ce27b7',
  ],
  [
    'ASP.NET Core Identity 3, SHA-256',
    aspNetIdentity,
    microsofts,
    'AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
  ],
  [
    'ASP.NET Core Identity 3, SHA-1',
    aspNetIdentity,
    microsofts,
    'AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M',
  ],
  [
    'ASP.NET Core Identity 3, SHA-512',
    aspNetIdentity,
    microsofts,
    'AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
  ],
  [
    'ASP.NET Core Identity 3, 250,000 iterations',
    aspNetIdentity,
    microsofts,
    'AQAAAAEAA9CQAAAAIESkQuj2Du8Y+kbc5lcN/W/3NiAZFEm11P27nrSN5/tId+bR1SwV8CO1Jd72r4C08OLvplNlCDc3oQZ8efcW+jQ=',
  ],
  [
    'ASP.NET Core Identity 2',
    aspNetIdentity,
    microsofts,
    'ANXrDknc7fGPpigibZXXZFMX4aoqz44JveK6jQuwY3eH/UyPhvr5xTPeGYEckLxz9A==',
  ],
  ['WordPress, phpass', wordpress, right, '$P$BKexupjtcN8tkumHaZpvtqpRRJNSJ10'],
  [
    'WordPress 6.8',
    wordpress,
    right,
    '$wp$2y$04$QVg2Tk9ddekeZW50zB6fu.KZDPgou5hWXjh7F.eavpik.xBlp7vQ6',
  ],
  ['WordPress, phpass, with quotes', wordpress, quoted, '$P$B2jLg72wwPfPO9DN9iypsUolPsMVa31'],
  [
    'WordPress 6.8, with quotes',
    wordpress,
    quoted,
    '$wp$2y$04$FjdFHawGy0/kQkSUOfWqBuXCpRj3PrRZrwUNsk/rm/sNSlATZsRWG',
  ],
  [
    'WordPress with a plugin that stores bcrypt, with quotes',
    wordpress,
    quoted,
    '$2y$04$abcdefghijklmnopqrstuukxLNt0HA5/ibOXTNna9GAJyNx1/Sxzq',
  ],
  ['Payload', payload, right, saltedHash(payloadHash.hash, payloadHash.salt) ?? ''],
  [
    'passport-local-mongoose',
    passportLocalMongoose,
    right,
    saltedHash(passportHash.hash, passportHash.salt) ?? '',
  ],
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
