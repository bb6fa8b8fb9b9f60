import { createPanelAuth } from '@svc/auth'
import { django, wordpress, type HashFormat } from '@svc/auth/hashes'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FakeUser } from '@svc/auth/testing'
import { warnings } from '../../config/start.ts'
import { PASSWORD } from '../../support/browser.ts'
import { countHashes } from '../../support/hashing.ts'
import { attempt, visitor } from '../../support/logins.ts'
import {
  CHEAP,
  peopleWithHash,
  rightOptions,
  somePeople,
  startService,
} from '../../support/service.ts'
import { FAILED, UNAVAILABLE } from '../../support/verdicts.ts'

// Made by Django 5.2.17.
const DJANGO =
  'pbkdf2_sha256$1000$GtSMttzHbyDhvLnYlbaAwi$T+RUFegjl4aSZ7pSmzds8DKrKR+HluH6WMxpugV5dQU='
// Made by phpass.
const WORDPRESS = '$P$BKexupjtcN8tkumHaZpvtqpRRJNSJ10'
const RIGHT = 'correct horse é'
const byNfkc: HashFormat = { ...django, prepare: (typed) => typed.normalize('NFKC') }
const TODAY = '$argon2id$v=19$m=64,t=1,p=1$'
const FOREIGN = 'ldap:u1'
const ASKED: unknown = expect.stringMatching(/^passwords\.typical_hash: is missing/)
const withDjango = { passwords: { ...CHEAP, formats: [django] } }

describe('Login session: a hash of another system', () => {
  it('is verified, and replaced by the login', async () => {
    const users = peopleWithHash(DJANGO)
    const service = await startService({ users, config: withDjango })
    const una = await visitor(service)
    expect(await attempt(una, 'u1@x.test')).toBe(FAILED)
    expect(users.row('u1')?.passwordHash).toBe(DJANGO)
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    expect(users.row('u1')?.passwordHash).toContain(TODAY)
    expect((await una.get('/svc/api/user')).json).toMatchObject({ id: 'u1' })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
    expect(users.calls.rehash).toBe(1)
  })

  it.each([
    ['white space', wordpress, WORDPRESS, RIGHT, `${RIGHT} `],
    ['letters by NFKC', byNfkc, DJANGO, PASSWORD, PASSWORD.replace('c', '\uFF43')],
  ])(
    'is not replaced by another spelling, where the other system changes %s',
    async (_what, format, hash, right, other) => {
      const users = peopleWithHash(hash)
      const config = { passwords: { ...CHEAP, formats: [format] } }
      const una = await visitor(await startService({ users, config }))
      for (const typed of [other, right])
        expect(await attempt(una, 'u1@x.test', typed), typed).toBe('ok')
      expect(users.row('u1')?.passwordHash).toContain(TODAY)
      expect(await attempt(una, 'u1@x.test', other)).toBe(FAILED)
    },
  )

  it('is refused, and logged with the remedy, while its format is not configured', async () => {
    const service = await startService({ users: peopleWithHash(DJANGO) })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe(FAILED)
    expect(service.log.map(({ message }) => message)).toEqual([
      expect.stringContaining('passwords.formats'),
    ])
  })
})

describe('Login session: a format of the host that throws for one hash', () => {
  const ODD = `${DJANGO}odd`
  const ensureEven = (hash: string): void => {
    if (hash === ODD) throw new Error('an odd hash')
  }
  const reading = (hash: string) => {
    ensureEven(hash)
    return django.read(hash)
  }
  const preparing = (password: string, hash: string) => {
    ensureEven(hash)
    return password
  }

  it.each([
    ['while it reads it', { ...django, read: reading }],
    [
      'while it prepares the password',
      { ...django, read: () => django.read(DJANGO), prepare: preparing },
    ],
  ])('%s tells nobody that the account exists', async (_when, format) => {
    const config = { passwords: { ...CHEAP, formats: [format] } }
    const service = await startService({ users: peopleWithHash(ODD), config })
    const browser = await visitor(service)
    expect(await attempt(browser, 'u1@x.test', PASSWORD)).toBe(FAILED)
    expect(await attempt(browser, 'nobody@x.test', PASSWORD)).toBe(FAILED)
    expect(service.log.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('cannot be verified'),
    )
  })
})

describe('Login session: a hash that only the host can verify', () => {
  const verifying = (verifyPassword: (user: FakeUser, password: string) => unknown) => {
    const users = peopleWithHash(FOREIGN)
    // Hosts in JavaScript return anything.
    return { ...users, verifyPassword: verifyPassword as () => boolean }
  }

  it('is verified by the host, awaited, and replaced by the login', async () => {
    const users = verifying(async ({ id }, password) => id === 'u1' && password === PASSWORD)
    const service = await startService({ users })
    const una = await visitor(service)
    expect(await attempt(una, 'u1@x.test')).toBe(FAILED)
    expect(await attempt(una, 'u1@x.test', PASSWORD)).toBe('ok')
    expect(users.row('u1')?.passwordHash).toContain(TODAY)
    expect((await una.get('/svc/api/user')).json).toMatchObject({ id: 'u1' })
    expect(service.log).toEqual([])
  })

  it.each([
    ['a text', 'yes'],
    ['a promise of a text', Promise.resolve('yes')],
    ['a promise of false', Promise.resolve(false)],
  ])('does not match when the host returns %s', async (_name, answer) => {
    const service = await startService({ users: verifying(() => answer) })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe(FAILED)
  })

  it('is an outage while the host cannot verify it', async () => {
    const users = verifying(() => Promise.reject(new Error('the directory is away')))
    const service = await startService({ users })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe(UNAVAILABLE)
    expect(users.row('u1')?.passwordHash).toBe(FOREIGN)
  })

  it('costs one verification like any other, so that a wrong password takes as long', async () => {
    const service = await startService({ users: verifying(() => false) })
    const una = await visitor(service)
    const hashes = countHashes()
    await attempt(una, 'u1@x.test')
    expect(hashes()).toBe(1)
  })

  it('is not asked about a hash that the service can read', async () => {
    const users = { ...somePeople(), verifyPassword: () => true }
    const service = await startService({ users })
    expect(await attempt(await visitor(service), 'u1@x.test')).toBe(FAILED)
    expect(await attempt(await visitor(service), 'nobody@x.test')).toBe(FAILED)
  })

  it('is not asked about a user without a password', async () => {
    const users = { ...somePeople(), passwordHash: () => null, verifyPassword: () => true }
    const service = await startService({ users })
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe(FAILED)
  })
})

describe('Enumeration: the hashes of a refused login', () => {
  const cheap = { ...django, typical: DJANGO }

  it.each([
    ['of a wrong password', 'u1@x.test', 'wrong'],
    ['of a hash that was replaced', 'u2@x.test', 'wrong'],
    ['of the right password of a refused user', 'u6@x.test', PASSWORD],
    ['of a user without a password', 'u7@x.test', PASSWORD],
    ['of a broken hash', 'u8@x.test', PASSWORD],
    ['of an unknown email', 'nobody@x.test', PASSWORD],
  ])('are as many while another system has hashes in use: %s', async (_what, email, password) => {
    const config = { passwords: { ...CHEAP, formats: [cheap] } }
    const service = await startService({ users: peopleWithHash(DJANGO), config })
    const hashes = countHashes()
    expect(await attempt(await visitor(service), email, password)).toBe(FAILED)
    expect(hashes()).toBe(2)
  })
})

describe('The option passwords.typical_hash', () => {
  const open = (passwords: object) => {
    const right = rightOptions()
    const auth = createPanelAuth({ ...right, config: { ...right.config, passwords } })
    onTestFinished(async () => auth.close())
  }

  it('must be a hash that can be read', () => {
    expect(() => open({ typical_hash: DJANGO })).toThrow(/passwords\.typical_hash.*formats/s)
    expect(() => open({ typical_hash: DJANGO, formats: [django] })).not.toThrow()
  })

  it('is asked for at the start, unless the format names its own', () => {
    const { typical: _typical, ...unknown } = django
    const named = { ...unknown, name: 'Our own', typical: 'not a hash' }
    expect(warnings({ config: { passwords: { formats: [django] } } })).not.toContainEqual(ASKED)
    expect(warnings({ config: { passwords: { formats: [unknown] } } })).toContainEqual(ASKED)
    expect(warnings({ config: { passwords: { formats: [named] } } })).toContainEqual(ASKED)
    const given = { formats: [unknown], typical_hash: DJANGO }
    expect(warnings({ config: { passwords: given } })).not.toContainEqual(ASKED)
  })

  it('takes part in the refusal of an unknown email, and matches nobody', async () => {
    const passwords = { ...withDjango.passwords, typical_hash: DJANGO }
    const service = await startService({ config: { passwords } })
    expect(await attempt(await visitor(service), 'nobody@x.test', PASSWORD)).toBe(FAILED)
    expect(await attempt(await visitor(service), 'u8@x.test', PASSWORD)).toBe(FAILED)
    expect(await attempt(await visitor(service), 'u1@x.test', PASSWORD)).toBe('ok')
  })
})
