import assert from 'node:assert/strict'
import type { EpochMs } from '../contracts/host.ts'
import type { AttemptStore, Reservation } from '../contracts/store-contracts.ts'
import { NOW, closed, asStoreCases, removedInSteps } from './store-case.ts'

const WINDOW = 60_000

/**
 * Cases that every AttemptStore must pass.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of attemptStoreCases) test(name, () => run(subject))
 * ```
 */
export const attemptStoreCases = asStoreCases({
  'the store declares that reserve is atomic': async ({ attempts }) => {
    assert.equal(attempts.atomic, true)
  },
  'reserve numbers the attempts of a window from 1': async ({ attempts }) => {
    for (const number of [1, 2, 3]) {
      assert.deepEqual(await reserve(attempts, NOW), { number, endsAt: NOW + WINDOW })
    }
  },
  '100 reservations at once get the numbers 1 to 100': async ({ attempts }) => {
    const made = await Promise.all(Array.from({ length: 100 }, async () => reserve(attempts, NOW)))
    const numbers = made.map(({ number }) => number).toSorted((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: 100 }, (_, index) => index + 1),
    )
    assert.deepEqual([...new Set(made.map(({ endsAt }) => endsAt))], [NOW + WINDOW])
  },
  'the window starts at the first attempt and does not slide': async ({ attempts }) => {
    await reserve(attempts, NOW)
    for (const [index, later] of [1, WINDOW / 2, WINDOW - 1].entries()) {
      const expected = { number: index + 2, endsAt: NOW + WINDOW }
      assert.deepEqual(await reserve(attempts, NOW + later), expected)
    }
  },
  'from the instant of endsAt on the next attempt is the first again': async ({ attempts }) => {
    await reserve(attempts, NOW)
    await reserve(attempts, NOW)
    const restarted = { number: 1, endsAt: NOW + 2 * WINDOW }
    assert.deepEqual(await reserve(attempts, NOW + WINDOW), restarted)
    assert.deepEqual(await reserve(attempts, NOW + WINDOW), { ...restarted, number: 2 })
  },
  'a window that ends further away than windowMs is shortened and keeps its count': async ({
    attempts,
  }) => {
    await reserve(attempts, NOW)
    await reserve(attempts, NOW)
    const setBack = NOW - 24 * WINDOW
    assert.deepEqual(await reserve(attempts, setBack), { number: 3, endsAt: setBack + WINDOW })
    const nearlyOver = { number: 4, endsAt: setBack + WINDOW }
    assert.deepEqual(await reserve(attempts, setBack + WINDOW - 1), nearlyOver)
    const over = setBack + WINDOW
    assert.deepEqual(await reserve(attempts, over), { number: 1, endsAt: over + WINDOW })
  },
  'each key is counted by itself': async ({ attempts }) => {
    await reserve(attempts, NOW)
    await reserve(attempts, NOW)
    for (const key of ['KEY', 'key ', '', '%']) {
      assert.equal((await attempts.reserve(key, WINDOW, NOW)).number, 1, key)
    }
    assert.equal(await attempts.count('key', NOW), 2)
  },

  'release gives one attempt back and leaves the window': async ({ attempts }) => {
    await reserve(attempts, NOW)
    await reserve(attempts, NOW)
    await attempts.release('key', NOW + 1)
    assert.equal(await attempts.count('key', NOW + 1), 1)
    assert.deepEqual(await reserve(attempts, NOW + 1), { number: 2, endsAt: NOW + WINDOW })
  },
  'release never makes the count negative': async ({ attempts }) => {
    await attempts.release('key', NOW)
    assert.equal(await attempts.count('key', NOW), 0)
    await reserve(attempts, NOW)
    for (let times = 0; times < 3; times += 1) await attempts.release('key', NOW)
    assert.equal(await attempts.count('key', NOW), 0)
    assert.equal((await reserve(attempts, NOW)).number, 1)
  },
  'release changes nothing after the window has ended': async ({ attempts }) => {
    await reserve(attempts, NOW)
    await attempts.release('key', NOW + WINDOW)
    assert.equal(await attempts.count('key', NOW), 1)
  },
  'count adds no attempt': async ({ attempts }) => {
    assert.equal(await attempts.count('key', NOW), 0)
    assert.equal((await reserve(attempts, NOW)).number, 1)
    assert.equal(await attempts.count('key', NOW), 1)
    assert.equal(await attempts.count('key', NOW), 1)
    assert.equal((await reserve(attempts, NOW)).number, 2)
  },
  'count is 0 from the instant of endsAt on': async ({ attempts }) => {
    await reserve(attempts, NOW)
    assert.equal(await attempts.count('key', NOW + WINDOW - 1), 1)
    assert.equal(await attempts.count('key', NOW + WINDOW), 0)
  },
  'clear forgets the key and no other': async ({ attempts }) => {
    await attempts.clear('key')
    await reserve(attempts, NOW)
    await attempts.reserve('other', WINDOW, NOW)
    await attempts.clear('key')
    assert.equal(await attempts.count('key', NOW), 0)
    assert.equal(await attempts.count('other', NOW), 1)
    assert.deepEqual(await reserve(attempts, NOW + 1), { number: 1, endsAt: NOW + 1 + WINDOW })
  },
  'deleteExpired removes at most the limit, and no window that has not ended': async ({
    attempts,
  }) => {
    for (let index = 0; index < 7; index += 1) {
      await attempts.reserve(`over ${index}`, WINDOW, NOW - WINDOW - index)
    }
    await reserve(attempts, NOW - WINDOW + 1)
    const steps = await removedInSteps(async (limit) => attempts.deleteExpired(NOW, limit))
    assert.deepEqual(steps, [3, 3, 1, 0])
    assert.equal(await attempts.count('key', NOW), 1)
  },
  'once closed every method of the attempts throws a StoreError': closed(({ attempts }) => ({
    reserve: () => attempts.reserve('key', WINDOW, NOW),
    release: () => attempts.release('key', NOW),
    count: () => attempts.count('key', NOW),
    clear: () => attempts.clear('key'),
    deleteExpired: () => attempts.deleteExpired(NOW, 10),
  })),
})

// A copy, because rows of some drivers have no prototype.
async function reserve(attempts: AttemptStore, now: EpochMs): Promise<Reservation> {
  return { ...(await attempts.reserve('key', WINDOW, now)) }
}
