import assert from 'node:assert/strict'
import { keptNotificationRules } from './kept-notification-cases.ts'
import {
  ada,
  addMany,
  ALL,
  entry,
  instants,
  listed,
  LISTED,
  numbersOf,
  range,
} from './notification-entries.ts'
import { NOW, OWNERS, closed, asStoreCases, removedInSteps } from './store-case.ts'

/**
 * Cases that every NotificationStore must pass.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of notificationStoreCases) test(name, () => run(subject))
 * ```
 */
export const notificationStoreCases = asStoreCases({
  'an entry is listed as it was sent, unread': async ({ notifications }) => {
    const odd = { title: "<b>o'brien</b> 💥\n", body: '', url: '/a?b=%20', type: '' }
    const strange = { ...entry(2), ...odd }
    assert.equal(await notifications.add(ada, entry(1)), 1)
    assert.equal(await notifications.add(ada, strange), 2)
    assert.deepEqual(await listed(notifications), [
      { ...strange, readAt: null },
      { ...entry(1), readAt: null },
    ])
  },
  'a user without entries has an empty list': async ({ notifications }) => {
    await notifications.markAllRead(ada, LISTED, NOW)
    assert.equal(await notifications.markRead(ada, entry(1).id, NOW), null)
    assert.deepEqual(await listed(notifications), [])
    assert.equal(await notifications.unreadCount(ada), 0)
    assert.equal(await notifications.add(ada, entry(1)), 1)
  },
  'the order is that of sending, whatever createdAt says': async ({ notifications }) => {
    for (const [number, createdAt] of [NOW, NOW, NOW, NOW - 9, NOW + 9, NOW].entries()) {
      await notifications.add(ada, { ...entry(number), createdAt })
    }
    assert.deepEqual(await numbersOf(notifications), [5, 4, 3, 2, 1, 0])
  },
  'latest returns at most the limit, and the count is of all': async ({ notifications }) => {
    await addMany(notifications, 45)
    assert.deepEqual(
      await numbersOf(notifications, LISTED),
      range(LISTED).map((it) => 44 - it),
    )
    assert.deepEqual(await numbersOf(notifications, 1), [44])
    assert.equal((await notifications.latest(ada, ALL)).length, 45)
    assert.equal(await notifications.unreadCount(ada), 45)
  },
  'every owner has a bell of its own, in every tenant': async ({ notifications }) => {
    for (const [number, owner] of OWNERS.entries()) {
      assert.equal(await notifications.add(owner, entry(number)), 1)
    }
    for (const [number, owner] of OWNERS.entries()) {
      assert.deepEqual(await listed(notifications, owner), [{ ...entry(number), readAt: null }])
    }
    await notifications.markAllRead(ada, LISTED, NOW + 1)
    for (const owner of OWNERS.slice(1)) {
      assert.equal(await notifications.unreadCount(owner), 1)
      assert.equal((await listed(notifications, owner))[0]?.readAt, null)
    }
  },

  'markRead marks one and returns how many are unread then': async ({ notifications }) => {
    await addMany(notifications, 3)
    assert.equal(await notifications.markRead(ada, entry(1).id, NOW + 7), 2)
    assert.deepEqual(await instants(notifications), [null, NOW + 7, null])
    assert.equal(await notifications.unreadCount(ada), 2)
  },
  'the first instant is kept, and counted once': async ({ notifications }) => {
    await addMany(notifications, 2)
    for (const later of [1, 2, 3]) {
      assert.equal(await notifications.markRead(ada, entry(0).id, NOW + later), 1)
    }
    assert.deepEqual(await instants(notifications), [null, NOW + 1])
  },
  'an unknown, malformed or foreign id is null': async ({ notifications }) => {
    await notifications.add(ada, entry(1))
    for (const [index, owner] of OWNERS.slice(1).entries()) {
      await notifications.add(owner, entry(index + 2))
      assert.equal(await notifications.markRead(owner, entry(1).id, NOW), null)
      assert.equal(await notifications.markRead(ada, entry(index + 2).id, NOW), null)
      assert.equal(await notifications.unreadCount(owner), 1)
    }
    const stranger = { tenant: null, userId: 'eve' }
    assert.equal(await notifications.markRead(stranger, entry(1).id, NOW), null)
    for (const id of [entry(99).id, '', '%', '1', `${entry(1).id} `, 'ü', "' OR '1' = '1"]) {
      assert.equal(await notifications.markRead(ada, id, NOW), null, id)
    }
    assert.deepEqual(await instants(notifications), [null])
    assert.equal(await notifications.unreadCount(ada), 1)
  },
  'markAllRead marks all, listed or not': async ({ notifications }) => {
    await addMany(notifications, 45)
    await notifications.markAllRead(ada, LISTED, NOW + 1)
    assert.equal(await notifications.unreadCount(ada), 0)
    assert.deepEqual(
      await instants(notifications),
      range(45).map(() => NOW + 1),
    )
  },
  'what is sent after markAllRead is unread': async ({ notifications }) => {
    await addMany(notifications, 2)
    await notifications.markAllRead(ada, LISTED, NOW + 1)
    assert.equal(await notifications.add(ada, { ...entry(2), createdAt: NOW }), 1)
    assert.deepEqual(await instants(notifications), [null, NOW + 1, NOW + 1])
    assert.equal(await notifications.markRead(ada, entry(2).id, NOW + 2), 0)
  },
  'the last entry that was marked keeps its instant': async ({ notifications }) => {
    await addMany(notifications, 2)
    await notifications.markAllRead(ada, 0, NOW + 1)
    await notifications.add(ada, entry(2))
    await notifications.markAllRead(ada, 3, NOW + 2)
    assert.deepEqual(await instants(notifications), [NOW + 2, NOW + 1, NOW + 1])
  },
  'markAllRead keeps the first instants, also the second time': async ({ notifications }) => {
    await addMany(notifications, 3)
    await notifications.markRead(ada, entry(1).id, NOW + 1)
    await notifications.markAllRead(ada, LISTED, NOW + 2)
    await notifications.markAllRead(ada, LISTED, NOW + 3)
    assert.deepEqual(await instants(notifications), [NOW + 2, NOW + 1, NOW + 2])
    await notifications.add(ada, entry(3))
    await notifications.markAllRead(ada, LISTED, NOW + 4)
    assert.deepEqual(await instants(notifications), [NOW + 4, NOW + 2, NOW + 1, NOW + 2])
  },
  'an entry below the list keeps the instant at which all were marked': async ({
    notifications,
  }) => {
    await addMany(notifications, 5)
    await notifications.markAllRead(ada, 2, NOW + 1)
    await notifications.markAllRead(ada, 2, NOW + 2)
    assert.equal(await notifications.markRead(ada, entry(0).id, NOW + 3), 0)
    assert.deepEqual(
      await instants(notifications),
      range(5).map(() => NOW + 1),
    )
  },
  'an entry that has come up into the list keeps its instant': async ({ notifications }) => {
    await addMany(notifications, 3)
    await notifications.add(ada, { ...entry(3), createdAt: NOW - 9 })
    await notifications.markAllRead(ada, 1, NOW + 1)
    await notifications.deleteOlder(NOW, 10)
    await notifications.add(ada, entry(4))
    await notifications.markAllRead(ada, 2, NOW + 2)
    const expected = [NOW + 2, NOW + 1]
    assert.deepEqual((await instants(notifications)).slice(0, 2), expected)
  },

  '100 marks of one entry at once lower the count once': async ({ notifications }) => {
    await addMany(notifications, 3)
    const marks = range(100).map(async (it) => notifications.markRead(ada, entry(1).id, NOW + it))
    assert.deepEqual(new Set(await Promise.all(marks)), new Set([2]))
    assert.equal(await notifications.unreadCount(ada), 2)
  },
  '100 entries sent at once are all stored and counted': async ({ notifications }) => {
    const told = await Promise.all(range(100).map(async (it) => notifications.add(ada, entry(it))))
    assert.deepEqual(new Set(told), new Set(range(100).map((it) => it + 1)))
    const stored = (await numbersOf(notifications)).toSorted((a, b) => a - b)
    assert.deepEqual(stored, range(100))
    assert.equal(await notifications.unreadCount(ada), 100)
  },
  'the count is right after sends and marks at the same moment': async ({ notifications }) => {
    const step = async (it: number): Promise<void> => {
      if (it % 40 === 39) await notifications.markAllRead(ada, LISTED, NOW + it)
      await notifications.add(ada, entry(it))
      if (it % 3 === 0) await notifications.markRead(ada, entry(it - (it % 2)).id, NOW + it)
      if (it % 50 === 49) await notifications.deleteOlder(NOW + it - 25, 5)
    }
    // A busy server may not serve hundreds at once within the deadline of a store.
    for (const round of range(25))
      await Promise.all(range(16).map(async (it) => step(round * 16 + it)))
    const byHand = (await instants(notifications)).filter((it) => it === null).length
    assert.equal(await notifications.unreadCount(ada), byHand)
    await notifications.markAllRead(ada, LISTED, NOW)
    assert.equal(await notifications.unreadCount(ada), 0)
    assert.equal((await instants(notifications)).includes(null), false)
  },

  'deleteOlder removes at most the limit, and no later entry': async ({ notifications }) => {
    for (const number of range(7)) {
      const owner = OWNERS[number % 2] ?? ada
      await notifications.add(owner, { ...entry(number), createdAt: NOW - 1 - number })
    }
    await notifications.add(ada, { ...entry(7), createdAt: NOW })
    const steps = await removedInSteps(async (limit) => notifications.deleteOlder(NOW, limit))
    assert.deepEqual(steps, [3, 3, 1, 0])
    assert.deepEqual(await numbersOf(notifications), [7])
    assert.equal(await notifications.unreadCount(ada), 1)
    assert.equal(await notifications.unreadCount(OWNERS[1] ?? ada), 0)
  },
  'deleteOlder lowers the count by what was unread only': async ({ notifications }) => {
    await addMany(notifications, 4)
    await notifications.markAllRead(ada, 2, NOW)
    for (const number of [4, 5, 6, 7]) await notifications.add(ada, entry(number))
    await notifications.markRead(ada, entry(5).id, NOW + 9)
    assert.equal(await notifications.unreadCount(ada), 3)
    // Read by the mark: two of the list, two below it.
    assert.equal(await notifications.deleteOlder(NOW + 4, 10), 4)
    assert.equal(await notifications.unreadCount(ada), 3)
    // One unread, one read by itself.
    assert.equal(await notifications.deleteOlder(NOW + 6, 10), 2)
    assert.equal(await notifications.unreadCount(ada), 2)
    assert.equal(await notifications.markRead(ada, entry(4).id, NOW), null)
    assert.equal(await notifications.add(ada, entry(8)), 3)
  },
  'what is removed leaves its place empty: the order stays': async ({ notifications }) => {
    await addMany(notifications, 2)
    await notifications.markAllRead(ada, LISTED, NOW)
    await notifications.deleteOlder(NOW + 9, 10)
    assert.equal(await notifications.add(ada, entry(2)), 1)
    assert.deepEqual(await instants(notifications), [null])
  },
  ...keptNotificationRules,
  'once closed every method of the notifications throws a StoreError': closed((stores) => ({
    add: () => stores.notifications.add(ada, entry(1)),
    latest: () => stores.notifications.latest(ada, LISTED),
    unreadCount: () => stores.notifications.unreadCount(ada),
    markRead: () => stores.notifications.markRead(ada, entry(1).id, NOW),
    markAllRead: () => stores.notifications.markAllRead(ada, LISTED, NOW),
    deleteOlder: () => stores.notifications.deleteOlder(NOW, 10),
    deleteOf: () => stores.notifications.deleteOf?.(ada),
  })),
})
