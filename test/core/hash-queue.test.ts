import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HashAnswer, HashJob } from '../../dist/src/core/passwords/hashing.js'
import { createPasswords } from '../../dist/src/core/passwords/passwords.js'
import type { PasswordOptions, Passwords } from '../../dist/src/core/passwords/passwords.js'

const BCRYPT_12 = `$2b$12$abcdefghijklmnopqrstuub.ZjCeFtaHcVNO3csJiht1Oa5O89F5e`
const DEFAULTS = { concurrency: 1, queue: 1000 } as const satisfies PasswordOptions

afterEach(() => void vi.useRealTimers())

/** A service whose hashes are answered by hand. */
function open(options: PasswordOptions = DEFAULTS) {
  const jobs: { job: HashJob; answer: (answer: HashAnswer) => void }[] = []
  const passwords = createPasswords(options, {
    start: () => ({
      pid: null,
      alive: () => true,
      ping: async () => undefined,
      run: async (job) => new Promise((answer) => void jobs.push({ job, answer })),
      end: () => undefined,
    }),
    canStart: () => true,
  })

  /** Computes hashes that take so long, one after the other. */
  async function compute(count: number, milliseconds: number, hash: string | null = null) {
    for (let computed = 0; computed < count; computed += 1) {
      const place = passwords.tryAcquire() ?? expect.fail('no place')
      const checked = place.verify('password', hash)
      vi.advanceTimersByTime(milliseconds)
      jobs.at(-1)?.answer({ outcome: 'mismatch' })
      await checked
      place.release()
    }
  }

  return { passwords, jobs, compute }
}

/** Takes places until there are none. @returns how many there were. */
function fill(passwords: Passwords): number {
  const places = []
  for (let place = passwords.tryAcquire(); place !== null; place = passwords.tryAcquire())
    places.push(place)
  for (const place of places) place.release()
  return places.length
}

describe('the hashing queue', () => {
  it('admits the jobs that can be computed in half of the deadline', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords, compute } = open()
    await compute(30, 100)
    // 2.5 seconds, and the one that exceeds them.
    expect(fill(passwords)).toBeGreaterThanOrEqual(25)
    expect(fill(passwords)).toBeLessThanOrEqual(27)
  })

  it('admits 250 logins at once before the first measurement', () => {
    expect(fill(open().passwords)).toBeGreaterThanOrEqual(250)
  })

  it('does not learn from the first hash, which includes the start of the process', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords, compute } = open()
    await compute(1, 3_000)
    expect(fill(passwords)).toBeGreaterThanOrEqual(250)
  })

  it('admits fewer jobs while the machine is slow, and more when it is fast again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords, compute } = open()
    await compute(30, 10)
    const before = fill(passwords)
    await compute(30, 500)
    expect(fill(passwords)).toBeLessThanOrEqual(7)
    await compute(60, 10)
    expect(fill(passwords)).toBeGreaterThan(before * 0.9)
  })

  it('stays open after one slow hash', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords, compute } = open()
    await compute(30, 10)
    await compute(1, 4_000)
    expect(fill(passwords)).toBeGreaterThan(50)
  })

  it('always admits a job when it is empty', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords, compute } = open()
    await compute(30, 4_000)
    expect(fill(passwords)).toBe(1)
  })

  it('refuses bcrypt hashes that would be late, although argon2 hashes would not be', async () => {
    const { passwords, jobs } = open()
    const places = Array.from(
      { length: 200 },
      () => passwords.tryAcquire() ?? expect.fail('no place'),
    )
    const checks = places.map(async (place) => place.verify('password', BCRYPT_12))
    // They have places, and are refused at once all the same: 40 hashes of this kind take nine seconds.
    const refused = await Promise.all(checks.slice(40))
    expect(new Set(refused.map(({ outcome }) => outcome))).toEqual(new Set(['not-started']))
    expect(jobs).toHaveLength(1)
  })

  it('admits no job while a hash does not end', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { passwords } = open()
    void passwords.tryAcquire()?.verify('password', null)
    vi.advanceTimersByTime(3_000)
    expect(passwords.tryAcquire()).toBeNull()
  })

  it('starts no job that has waited for four seconds', async () => {
    const { passwords, jobs } = open()
    void passwords.tryAcquire()?.verify('first', null)
    const began = performance.now()
    expect(await passwords.tryAcquire()?.verify('second', null)).toEqual({ outcome: 'not-started' })
    expect(performance.now() - began).toBeLessThan(5_000)
    jobs[0]?.answer({ outcome: 'mismatch' })
    expect(jobs).toHaveLength(1)
  })

  it('computes the second hash of a login before the first of others', async () => {
    const { passwords, jobs } = open()
    const place = passwords.tryAcquire() ?? expect.fail('no place')
    const first = place.verify('a', null)
    void passwords.tryAcquire()?.verify('b', null)
    void passwords.tryAcquire()?.verify('c', null)
    jobs[0]?.answer({ outcome: 'mismatch' })
    await first
    void place.verify('a again', null)
    jobs[1]?.answer({ outcome: 'mismatch' })
    await expect.poll(() => jobs.map(({ job }) => job.password)).toEqual(['a', 'b', 'a again'])
  })

  it('is full while the process keeps ending', () => {
    const passwords = createPasswords(DEFAULTS, {
      start: () => expect.fail('started'),
      canStart: () => false,
    })
    expect(passwords.tryAcquire()).toBeNull()
  })
})
