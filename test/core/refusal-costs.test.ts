import * as hashes from '@svc/auth/hashes'
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

const argon2Of = (memoryKiB: number, passes: number) =>
  TODAY.replace('m=1024,t=1', `m=${memoryKiB},t=${passes}`)
const werkzeugOf = (cost: number) => `scrypt:${cost}:8:1$${'0'.repeat(16)}$${'0'.repeat(128)}`
const phpassOf = (cost: string) => `$P$${cost}${'.'.repeat(30)}`

/** Returns the work of one algorithm. */
function sumOf(work: readonly string[], algorithm: string): number {
  const ofOne = work
    .map((job) => job.split(' '))
    .filter(([name]) => name === algorithm.toLowerCase())
  return ofOne.reduce((sum, [, units]) => sum + Number(units), 0)
}

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
  async function workFor(hash: string | null, isRefused = false, comparisons = 1) {
    jobs = []
    const slot = passwords.tryAcquire() ?? expect.fail('no slot')
    let check = await slot.verify('password', hash)
    for (let made = 1; made < comparisons; made += 1) check = await slot.verify('password', hash)
    if (isRefused || check.outcome !== 'match') await slot.refuse('password')
    slot.release()
    return jobs.toSorted()
  }
  return { workFor }
}

/** The formats that the package exports; its other exports are functions. */
const FOREIGN: readonly HashFormat[] = Object.values(hashes).filter(
  (exported) => typeof exported === 'object',
)
const { django, werkzeug, wordpress } = hashes

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

  it.each([
    ['bcrypt', [], BCRYPT_12, BCRYPT_10],
    ['argon2', [], argon2Of(65_536, 2), argon2Of(4096, 1)],
    ['PBKDF2', [django], djangoOf(1_200_000), djangoOf(600_000)],
    ['scrypt', [werkzeug], werkzeugOf(2 ** 17), werkzeugOf(2 ** 15)],
    ['phpass', [wordpress], phpassOf('B'), phpassOf('9')],
  ] as const)(
    'costs the most expensive %s hash that was read, also for a user whose hash costs less',
    async (algorithm, formats, expensive, cheap) => {
      const { workFor } = open({ formats })
      const [usual, ofCheap] = [await workFor(expensive), await workFor(cheap)]
      expect(await workFor(null)).toEqual(usual)
      expect(sumOf(ofCheap, algorithm)).toBe(sumOf(usual, algorithm))
    },
  )

  it('costs the most expensive hash in all where several forms of a password are compared', async () => {
    const { workFor } = open()
    await workFor(BCRYPT_12)
    const unknown = sumOf(await workFor(null), 'bcrypt')
    expect(sumOf(await workFor(BCRYPT_10, true, 2), 'bcrypt')).toBe(unknown)
  })

  it('costs the other kinds where a format cannot prepare the password', async () => {
    const picky: HashFormat = { ...django, prepare: () => expect.fail('not this password') }
    const { workFor } = open({ formats: [picky], typicalHash: BCRYPT_12 })
    const usual = await workFor(null)
    expect(usual).toEqual(['argon2 1024', 'bcrypt 4096'])
    expect(await workFor(BCRYPT_12)).toEqual(usual)
    expect(await workFor(djangoOf(1_000_000))).toEqual(usual)
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
