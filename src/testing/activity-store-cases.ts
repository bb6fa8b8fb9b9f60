import assert from 'node:assert/strict'
import type { ActivityEntry, ActivityStore, Owner, Stores } from '../contracts/store-contracts.ts'
import { asStoreCases, closed, NOW, OWNERS, type Rule } from './store-case.ts'

const ada: Owner = { tenant: null, userId: 'ada' }
const KEEP = 5
const ALL = 1000

/** Returns an entry that its time tells apart. */
function entry(number: number, event = 'login'): ActivityEntry {
  const at = NOW + number
  return { event, at, network: '203.0.113.x', browser: 'Firefox', system: 'Linux' }
}

/**
 * Cases that every ActivityStore must pass. The stores of the subject must have `activity`.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of activityStoreCases) test(name, () => run(subject))
 * ```
 */
export const activityStoreCases = asStoreCases({
  'an entry is listed as it was added': about(async (activity) => {
    const unknown = { ...entry(2, ''), network: null, browser: null, system: null }
    const odd = { ...entry(3, "o'brien 💥"), network: '2001:db8::/48' }
    for (const one of [entry(1), unknown, odd]) await activity.add(ada, one, KEEP)
    assert.deepEqual(await listed(activity), [odd, unknown, entry(1)])
  }),
  'a user without entries has an empty list': about(async (activity) => {
    assert.deepEqual(await listed(activity), [])
    assert.equal(await activity.deleteOf(ada), 0)
  }),
  'the order is that of adding, whatever the time of an entry is': about(async (activity) => {
    for (const number of [5, 5, 1, 9]) await activity.add(ada, entry(number), KEEP)
    assert.deepEqual(await timesOf(activity), [9, 1, 5, 5])
  }),
  'the list has at most as many entries as the limit': about(async (activity) => {
    for (const number of [1, 2, 3]) await activity.add(ada, entry(number), KEEP)
    assert.deepEqual(await timesOf(activity, 2), [3, 2])
  }),
  'an event keeps its latest entries, and displaces no other event': about(async (activity) => {
    await activity.add(ada, entry(0, 'password.changed'), KEEP)
    for (let number = 1; number <= 12; number += 1)
      await activity.add(ada, entry(number, number === 11 ? 'password.changed' : 'failed'), KEEP)
    assert.deepEqual(await timesOf(activity), [12, 11, 10, 9, 8, 7, 0])
  }),
  'concurrent entries of an event stay within its number': about(async (activity) => {
    const numbers = Array.from({ length: 8 }, (_, number) => number)
    await Promise.all(numbers.map(async (number) => activity.add(ada, entry(number), KEEP)))
    await activity.add(ada, entry(9), KEEP)
    const found = await timesOf(activity)
    assert.equal(found.length, KEEP)
    assert.equal(found[0], 9)
  }),
  'every owner has a list of its own, in every tenant': about(async (activity) => {
    for (const [number, owner] of OWNERS.entries()) await activity.add(owner, entry(number), 1)
    for (const [number, owner] of OWNERS.entries())
      assert.deepEqual(await listed(activity, owner), [entry(number)])
  }),
  'entries before a time are removed, at most as many as the limit': about(async (activity) => {
    const bob = { tenant: 'acme', userId: 'bob' }
    for (const number of [1, 2, 5]) await activity.add(ada, entry(number), KEEP)
    for (const number of [3, 6]) await activity.add(bob, entry(number), KEEP)
    assert.equal(await activity.deleteOlder(NOW + 5, 2), 2)
    assert.equal(await activity.deleteOlder(NOW + 5, 2), 1)
    assert.equal(await activity.deleteOlder(NOW + 5, 2), 0)
    assert.deepEqual([await timesOf(activity), (await listed(activity, bob)).length], [[5], 1])
  }),
  'the entries of one owner are removed, and of nobody else': about(async (activity) => {
    for (const owner of OWNERS) {
      await activity.add(owner, entry(1), KEEP)
      await activity.add(owner, entry(2, 'logout'), KEEP)
    }
    const [first = ada, ...others] = OWNERS
    assert.equal(await activity.deleteOf(first), 2)
    assert.deepEqual(await listed(activity, first), [])
    for (const owner of others) assert.equal((await listed(activity, owner)).length, 2)
  }),
  'after close every method rejects with a StoreError': closed((stores) => {
    const activity = activityOf(stores)
    return {
      add: () => activity.add(ada, entry(1), KEEP),
      latest: () => activity.latest(ada, ALL),
      deleteOlder: () => activity.deleteOlder(NOW, ALL),
      deleteOf: () => activity.deleteOf(ada),
    }
  }),
})

/** Creates a rule about the activity of empty stores. */
function about(rule: (activity: ActivityStore) => Promise<void>): Rule {
  return async (stores) => rule(activityOf(stores))
}

function activityOf({ activity }: Stores): ActivityStore {
  assert.ok(activity, 'the stores have no `activity`')
  return activity
}

/** Returns copies of the entries, because rows of some drivers have no prototype. */
async function listed(
  activity: ActivityStore,
  owner: Owner = ada,
  limit = ALL,
): Promise<readonly ActivityEntry[]> {
  return structuredClone(await activity.latest(owner, limit))
}

async function timesOf(activity: ActivityStore, limit = ALL): Promise<readonly number[]> {
  return (await listed(activity, ada, limit)).map(({ at }) => at - NOW)
}
