import { afterAll, describe, expect, it } from 'vitest'
import type { HashFormat } from '@svc/auth/hashes'
import { readStoredHash } from '../../build/src/core/passwords/password-hashes.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'

const today = { memoryKiB: 1024, passes: 1, lanes: 1 } as const
const right = 'correct horse é'

const opened: ReturnType<typeof createPasswords>[] = []
afterAll(() => opened.forEach((passwords) => passwords.close()))

function open(formats: readonly HashFormat[]) {
  const passwords = createPasswords({ ...today, concurrency: 1, formats })
  opened.push(passwords)
  return async (password: string, hash: string) => {
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    const { outcome } = await slot.verify(password, hash)
    slot.release()
    return outcome
  }
}

/* Made by node-argon2 0.45.1, which writes `p` before `t`; the last with associated data. */
const PLAIN = [
  '$argon2id$v=19$m=1024,p=1,t=1$BLzsj7ulNuG7MY8a8Nw1Gg$CRlNkYdLQT2qs4saElYekC+Qo65JXN+aMzrcG9vbLns',
  '$argon2i$v=19$m=1024,p=1,t=1$uxfJILHINFX673P6KEcopg$NjXZxbLh51BQafZT2TdUoqiCzoYqAIVYKCS2TZSH8bs',
  '$argon2id$v=19$m=1024,p=1,t=1,data=YWQ$LC/KH7FeEc34++ZE/L60Eg$KcFzYRn2Nf2GlAqwlkMEtBTsDLf2uZx0Eev/6ic84xQ',
] as const
const keyed = Buffer.from('0123456789abcdef0123456789abcdef')
const byNodeArgon2 = {
  plain: PLAIN,
  keyed: [
    '$argon2id$v=19$m=1024,p=1,t=1$fjSbolTvt0PYrw7JDdw/+Q$KbtnV6tyNfI8usaYC2UagHINQZo5F3FN19GF2mX+/qI',
    '$argon2i$v=19$m=1024,p=1,t=1$qPUNf+GKRHUoRrH1Cg9OZg$0tj7E47oiDE5i8IDrvBWSp/cKZE4pKasAkpAk413QvQ',
    '$argon2id$v=19$m=1024,p=1,t=2,data=YWQ$ADb9TyTSE4ceM091O0uZVQ$yOqSzMCCQfX6I6iRWmIGF4JeHYrM5+D6ME9BNR76URQ',
  ],
} as const

describe('argon2 of node-argon2', () => {
  it('is verified, and its work counts in any order of the parameters', async () => {
    const verify = open([])
    for (const hash of byNodeArgon2.plain) {
      expect(await verify(right, hash)).toBe('match')
      expect(await verify('wrong', hash)).toBe('mismatch')
    }
    const units = byNodeArgon2.keyed.map((hash) => readStoredHash(hash, today)?.units)
    expect(units).toEqual([1024, 1024, 2048])
  })

  it('is verified with the secret that a format gives', async () => {
    const secret = (one: Uint8Array): HashFormat => ({
      name: 'argon2 with a secret',
      read: (hash) =>
        hash.startsWith('$argon2') ? { algorithm: 'argon2', hash, secret: one } : null,
    })
    const [verify, withOther, without] = [
      open([secret(keyed)]),
      open([secret(Buffer.alloc(32))]),
      open([]),
    ]
    for (const hash of byNodeArgon2.keyed) {
      expect(await verify(right, hash)).toBe('match')
      expect(await withOther(right, hash)).toBe('mismatch')
      expect(await without(right, hash)).toBe('mismatch')
    }
  })

  it.each([
    'm=1024,t=1',
    'm=1024,t=1,p=1,m=8',
    'm=1024,t=1,p=1,x=1',
    'm=01024,t=1,p=1',
    'm=1024,t=1,p=1,keyid=YWQ',
    'm=4194304,p=1,t=1',
    'm=8,p=2,t=1',
    'm=1024,p=1,t=99',
    'm=1024,p=1,t=1,',
  ])('is not verified with the parameters %s', async (parameters) => {
    const hash = PLAIN[0].replace('m=1024,p=1,t=1', parameters)
    expect(hash).not.toBe(PLAIN[0])
    expect(await open([])(right, hash)).toBe('unreadable')
  })
})

describe('argon2 without a version', () => {
  it('is verified as version 16', async () => {
    const verify = open([])
    // Of the tests of phc-winner-argon2.
    const hash = '$argon2i$m=65536,t=2,p=1$c29tZXNhbHQ$9sTbSlTio3Biev89thdrlKKiCaYsjjYVJxGAL3swxpQ'
    expect(await verify('password', hash)).toBe('match')
    expect(await verify('passwore', hash)).toBe('mismatch')
    expect(readStoredHash(hash, today)).toMatchObject({ outdated: true, units: 131_072 })
  })
})
