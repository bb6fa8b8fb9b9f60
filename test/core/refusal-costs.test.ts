import {
  adonis,
  aspNetIdentity,
  betterAuth,
  django,
  lucia,
  lucia1,
  passlib,
  passportLocalMongoose,
  payload,
  phoenix,
  spring,
  werkzeug,
  wordpress,
} from '@svc/auth/hashes'
import type { HashFormat } from '@svc/auth/hashes'
import { describe, expect, it } from 'vitest'
import type { HashJob } from '../../build/src/core/passwords/hashing.js'
import { workOf } from '../../build/src/core/passwords/hash-work.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import type { VerificationOptions } from '../../build/src/core/passwords/passwords.js'

const TODAY =
  '$argon2id$v=19$m=1024,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$a0jhC7/NnOLgLeI/zk0hSw2jHapJUoQyclNcBpylGug'
const BCRYPT_12 = `$2y$12$${'.'.repeat(53)}`
const BCRYPT_10 = `$2y$10$${'.'.repeat(53)}`
const djangoOf = (iterations: number) =>
  `pbkdf2_sha256$${iterations}$GtSMttzHbyDhvLnYlbaAwi$T+RUFegjl4aSZ7pSmzds8DKrKR+HluH6WMxpugV5dQU=`

/** Opens a service whose hashing process answers at once, and returns the work of each refusal. */
function open(options: VerificationOptions = {}, outcome: 'match' | 'mismatch' = 'mismatch') {
  let jobs: string[] = []
  const run = async (job: HashJob) => {
    const { algorithm, units } = workOf(job)
    jobs.push(`${algorithm} ${units}`)
    return { outcome }
  }
  const runner = { pid: null, alive: () => true, run, ping: async () => undefined, end() {} }
  const passwords = createPasswords(
    { memoryKiB: 1024, passes: 1, ...options },
    { start: () => runner, canStart: () => true },
  )
  async function workFor(hash: string | null, isRefused = false) {
    jobs = []
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    const check = await slot.verify('password', hash)
    if (isRefused || check.outcome !== 'match') await slot.refuse('password')
    slot.release()
    return jobs.toSorted()
  }
  return { workFor }
}

const FOREIGN = [
  adonis,
  aspNetIdentity,
  betterAuth,
  django,
  lucia,
  lucia1,
  passlib,
  passportLocalMongoose,
  payload,
  phoenix,
  spring,
  werkzeug,
  wordpress,
] as const satisfies readonly HashFormat[]

describe('a refused login', () => {
  it('costs one hash while all hashes are current', async () => {
    const { workFor } = open()
    const usual = await workFor(null)
    expect(usual).toEqual(['argon2 1024'])
    expect(await workFor(TODAY)).toEqual(usual)
    expect(await workFor('broken')).toEqual(usual)
  })

  it.each(FOREIGN)(
    'costs the same from the start for a user of $name, for a renewed hash and for nobody',
    async (format) => {
      const { workFor } = open({ formats: [format] })
      const usual = await workFor(null)
      expect(usual).toHaveLength(2)
      expect(await workFor(TODAY)).toEqual(usual)
      expect(await workFor('broken')).toEqual(usual)
      expect(await workFor(format.typical ?? expect.fail('no typical hash'))).toEqual(usual)
    },
  )

  it.each([
    ['more iterations of Django', [django], djangoOf(1_200_000)],
    ['bcrypt, which needs no format', [], BCRYPT_12],
    ['argon2 with more memory', [], TODAY.replace('m=1024', 'm=65536')],
  ])(
    'costs what a user has cost, once a login has read the hash: %s',
    async (_kind, formats, hash) => {
      const { workFor } = open({ formats })
      const usual = await workFor(hash)
      expect(usual.length).toBeGreaterThan(1)
      expect(await workFor(null)).toEqual(usual)
      expect(await workFor(TODAY)).toEqual(usual)
    },
  )

  it('costs the most expensive hash of a kind, whatever was read last', async () => {
    const { workFor } = open()
    await workFor(BCRYPT_12)
    await workFor(BCRYPT_10)
    expect(await workFor(null)).toEqual(['argon2 1024', 'bcrypt 4096'])
  })

  it('costs the typical hash of the options from the start', async () => {
    const { workFor } = open({ typicalHash: BCRYPT_12 })
    expect(await workFor(null)).toEqual(['argon2 1024', 'bcrypt 4096'])
    expect(await workFor(TODAY)).toEqual(['argon2 1024', 'bcrypt 4096'])
  })

  it('costs the same with a right password that is refused afterwards', async () => {
    const { workFor } = open({ formats: [django] }, 'match')
    const wrong = await open({ formats: [django] }).workFor(null)
    expect(await workFor(TODAY)).toEqual(['argon2 1024'])
    expect(await workFor(TODAY, true)).toEqual(wrong)
    expect(await workFor(django.typical ?? '', true)).toEqual(wrong)
  })
})
