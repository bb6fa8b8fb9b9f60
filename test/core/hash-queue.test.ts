import timers from 'node:timers'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { HashAnswer, HashJob } from '../../build/src/core/passwords/hashing.js'
import { createPasswords } from '../../build/src/core/passwords/passwords.js'
import type { PasswordOptions, Passwords } from '../../build/src/core/passwords/passwords.js'
import { replaceTimer } from '../support/time.ts'

const BCRYPT_12 = `$2b$12$abcdefghijklmnopqrstuub.ZjCeFtaHcVNO3csJiht1Oa5O89F5e`
const DEFAULTS = { concurrency: 1, queue: 1000 } as const satisfies PasswordOptions

afterEach(() => void vi.useRealTimers())

/** Lets the waits of the queue take a twentieth of their time. @returns the longest that it has asked for. */
function hasten(): () => number {
  let longest = 0
  const restore = replaceTimer(timers, (wait) => (run: () => void, milliseconds: number) => {
    longest = Math.max(longest, milliseconds)
    return wait(run, milliseconds / 20)
  })
  onTestFinished(restore)
  return () => longest
}

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
    hasten()
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
    const longest = hasten()
    const { passwords, jobs } = open()
    void passwords.tryAcquire()?.verify('first', null)
    expect(await passwords.tryAcquire()?.verify('second', null)).toEqual({ outcome: 'not-started' })
    expect(longest()).toBeLessThanOrEqual(4_000)
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
    void place.hash('a again')
    await expect.poll(() => jobs.length).toBe(2)
    jobs[1]?.answer({ outcome: 'mismatch' })
    await expect.poll(() => jobs.length).toBe(3)
    const begun = jobs.map(({ job }) => job.password)
    expect(begun).toContain('a again')
    expect(begun).not.toContain('c')
  })

  it('is full while the process keeps ending', () => {
    const passwords = createPasswords(DEFAULTS, {
      start: () => expect.fail('started'),
      canStart: () => false,
    })
    expect(passwords.tryAcquire()).toBeNull()
  })
})

/** Origins of an attacker with one wide network, and of others. */
const flood = (host: number) => ['unknown browser', '2001:db8:1', `2001:db8:1:${host}`]
const QUIET = ['unknown browser', '192.0.2', '192.0.2.7']
const KNOWN = ['known browser', 'device']

/** Acquires slots for jobs of these origins until the queue is full. */
function flooded(passwords: Passwords, originOf: (host: number) => readonly string[]) {
  const checks: Promise<unknown>[] = []
  for (let host = 0; host < 2000; host += 1) {
    const slot = passwords.tryAcquire(originOf(host))
    if (slot === null) return checks
    checks.push(slot.verify('flood', null))
  }
  return expect.fail('the queue is never full')
}

describe('the hashing queue under a flood', () => {
  it.each([
    ['another network', QUIET],
    ['a known browser', KNOWN],
  ])('admits %s in place of one from the wide network that holds most', (_, origin) => {
    const { passwords } = open({ concurrency: 1, queue: 20 })
    void flooded(passwords, flood)
    expect(passwords.tryAcquire(flood(9999))).toBeNull()
    expect(passwords.tryAcquire(origin)).not.toBeNull()
  })

  it('computes the job of another network and of a known browser next', async () => {
    hasten()
    const { passwords, jobs } = open({ concurrency: 1, queue: 20 })
    const checks = flooded(passwords, flood)
    const late = [QUIET, KNOWN].map(async (origin, at) =>
      passwords.tryAcquire(origin)?.verify(`late ${at}`, null),
    )
    for (let computed = 0; computed < 3; computed += 1) {
      await expect.poll(() => jobs.length).toBe(computed + 1)
      jobs[computed]?.answer({ outcome: 'mismatch' })
    }
    await Promise.all(late)
    expect(jobs.map(({ job }) => job.password)).toEqual(
      expect.arrayContaining(['late 0', 'late 1']),
    )
    expect(await Promise.race(checks.slice(-1))).toEqual({ outcome: 'not-started' })
  })

  it('leaves known browsers half of the queue although many wide networks fill it', () => {
    const { passwords } = open({ concurrency: 1, queue: 19 })
    void flooded(passwords, (host) => ['unknown browser', `10.0.${host}`, `10.0.${host}.1`])
    const known = Array.from({ length: 20 }, (_, at) =>
      passwords.tryAcquire(['known browser', `device ${at}`]),
    )
    expect(known.filter((slot) => slot !== null)).toHaveLength(10)
  })

  it('leaves others half of the queue although known browsers fill it', () => {
    const { passwords } = open({ concurrency: 1, queue: 19 })
    void flooded(passwords, (host) => ['known browser', `device ${host}`])
    const others = Array.from({ length: 20 }, (_, at) =>
      passwords.tryAcquire(['unknown browser', `10.0.${at}`, `10.0.${at}.1`]),
    )
    expect(others.filter((slot) => slot !== null)).toHaveLength(10)
  })

  it('shares a wide network between its networks', () => {
    const { passwords } = open({ concurrency: 1, queue: 20 })
    void flooded(passwords, () => flood(1))
    expect(passwords.tryAcquire(flood(2))).not.toBeNull()
    expect(passwords.tryAcquire(flood(1))).toBeNull()
  })

  it('makes room for slow hashes of another network, too', async () => {
    const { passwords } = open()
    const slots = Array.from({ length: 100 }, (_, host) => passwords.tryAcquire(flood(host)))
    for (const slot of slots) void slot?.verify('flood', BCRYPT_12)
    const answer = passwords.tryAcquire(QUIET)?.verify('quiet', BCRYPT_12)
    const first = await Promise.race([
      answer,
      new Promise((wait) => setTimeout(wait, 100, 'waits')),
    ])
    expect(first).toBe('waits')
  })
})
