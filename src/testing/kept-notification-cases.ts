import assert from 'node:assert/strict'
import {
  ada,
  addMany,
  entry,
  instants,
  listed,
  LISTED,
  numbersOf,
  range,
} from './notification-entries.ts'
import { NOW, OWNERS, type Rule } from './store-case.ts'

const AT_ONCE = 16

/** Rules about the number of entries that a bell keeps, and about removing a bell. */
export const keptNotificationRules: Readonly<Record<string, Rule>> = {
  'an entry that enough later ones follow is removed, read or not': async ({ notifications }) => {
    await addMany(notifications, 5)
    await notifications.markAllRead(ada, 2, NOW)
    for (const number of range(4))
      assert.equal(await notifications.add(ada, entry(5 + number), 6), number + 1)
    assert.deepEqual(await numbersOf(notifications), [8, 7, 6, 5, 4, 3])
    // From now on unread entries are removed, too.
    const told: number[] = []
    for (const number of range(4)) told.push(await notifications.add(ada, entry(9 + number), 3))
    assert.deepEqual(told, [3, 3, 3, 3])
    assert.deepEqual(await numbersOf(notifications), [12, 11, 10])
    assert.equal(await notifications.unreadCount(ada), 3)
    assert.equal(await notifications.markRead(ada, entry(9).id, NOW), null)
    await notifications.markAllRead(ada, LISTED, NOW + 1)
    assert.equal(await notifications.unreadCount(ada), 0)
  },
  'a bell with far too many entries loses them over several sends': async ({ notifications }) => {
    await addMany(notifications, 300)
    for (const number of range(60)) await notifications.add(ada, entry(300 + number), 30)
    assert.deepEqual(
      await numbersOf(notifications),
      range(30).map((it) => 359 - it),
    )
    assert.equal(await notifications.unreadCount(ada), 30)
  },
  'a bell that is full takes nothing from the bell of another': async ({ notifications }) => {
    for (const owner of OWNERS) {
      for (const number of range(3)) await notifications.add(owner, entry(number), 3)
    }
    for (const number of range(5)) await notifications.add(ada, entry(3 + number), 3)
    for (const owner of OWNERS.slice(1)) {
      assert.equal((await listed(notifications, owner)).length, 3)
      assert.equal(await notifications.unreadCount(owner), 3)
    }
  },
  'the count of a full bell is right after sends and marks at once': async ({ notifications }) => {
    const step = async (it: number): Promise<void> => {
      if (it % 40 === 39) await notifications.markAllRead(ada, 10, NOW + it)
      const count = await notifications.add(ada, entry(it), 10)
      // Another call may have marked the entry as read before this one ends.
      assert.ok(count <= 10 + AT_ONCE, `${count} unread`)
      if (it % 3 === 0) await notifications.markRead(ada, entry(it - (it % 2)).id, NOW + it)
      if (it % 50 === 49) await notifications.deleteOlder(NOW + it - 5, 5)
    }
    for (const round of range(12))
      await Promise.all(range(AT_ONCE).map(async (it) => step(round * AT_ONCE + it)))
    await notifications.add(ada, entry(999), 10)
    const times = await instants(notifications)
    assert.ok(times.length <= 10, `${times.length} entries`)
    const byHand = times.filter((it) => it === null).length
    assert.equal(await notifications.unreadCount(ada), byHand)
    await notifications.markAllRead(ada, 10, NOW)
    assert.equal(await notifications.unreadCount(ada), 0)
  },
  'deleteOf removes the bell of one owner, and of nobody else': async ({ notifications }) => {
    for (const owner of OWNERS) {
      for (const number of range(3)) await notifications.add(owner, entry(number))
    }
    assert.equal(await notifications.deleteOf?.(ada), 3)
    assert.equal(await notifications.deleteOf?.(ada), 0)
    assert.equal(await notifications.unreadCount(ada), 0)
    assert.deepEqual(await listed(notifications), [])
    for (const owner of OWNERS.slice(1)) {
      assert.equal((await listed(notifications, owner)).length, 3)
      assert.equal(await notifications.unreadCount(owner), 3)
    }
    assert.equal(await notifications.add(ada, entry(9)), 1)
  },
  'a bell that is removed while entries are sent counts what it has': async ({ notifications }) => {
    for (const round of range(30)) {
      // Half of the rounds begin without a bell.
      if (round % 2 === 0) await notifications.deleteOf?.(ada)
      await Promise.all([
        ...range(8).map(async (it) => notifications.add(ada, entry(round * 8 + it), 20)),
        notifications.deleteOf?.(ada),
      ])
      const unread = (await instants(notifications)).length
      assert.equal(await notifications.unreadCount(ada), unread)
    }
    const left = (await instants(notifications)).length
    assert.equal(await notifications.add(ada, entry(999)), left + 1)
  },
}
