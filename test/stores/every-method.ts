import { expect } from 'vitest'
import type { Stores } from '@svc/auth'
import { answersWithin } from '../support/time.ts'
import { entry, login, record as stored } from './records.ts'

/** Longer than any call may take. */
export const SOON_MS = 2000

export const owner = { tenant: null, userId: 'ada' }
const record = { ...stored, ...owner }
const event = { event: 'login', at: 1, network: null, browser: null, system: null }

/** Every method that asks the server something. */
const calls: Readonly<Record<string, (stores: Stores) => unknown>> = {
  'sessions.create': ({ sessions }) => sessions.create('key', record),
  'sessions.read': ({ sessions }) => sessions.read('key', 0),
  'sessions.list': ({ sessions }) => sessions.list(owner, 0),
  'sessions.touch': ({ sessions }) => sessions.touch('key', record),
  'sessions.update': ({ sessions }) => sessions.update('key', { from: null, to: 'sealed' }),
  'sessions.restamp': ({ sessions }) => sessions.restamp(owner, 'the stamp', 'another'),
  'sessions.destroy': ({ sessions }) => sessions.destroy('key'),
  'sessions.destroyOthers': ({ sessions }) => sessions.destroyOthers(owner, null),
  'sessions.deleteExpired': ({ sessions }) => sessions.deleteExpired(0, 10),
  'pendingLogins.create': ({ pendingLogins }) => pendingLogins.create('key', login),
  'pendingLogins.read': ({ pendingLogins }) => pendingLogins.read('key', 0),
  'pendingLogins.consume': ({ pendingLogins }) => pendingLogins.consume('key', 0),
  'pendingLogins.destroy': ({ pendingLogins }) => pendingLogins.destroy('key'),
  'pendingLogins.destroyOf': ({ pendingLogins }) => pendingLogins.destroyOf(owner),
  'pendingLogins.deleteExpired': ({ pendingLogins }) => pendingLogins.deleteExpired(0, 10),
  'attempts.reserve': ({ attempts }) => attempts.reserve('key', 1000, 0),
  'attempts.release': ({ attempts }) => attempts.release('key', 0),
  'attempts.count': ({ attempts }) => attempts.count('key', 0),
  'attempts.clear': ({ attempts }) => attempts.clear('key'),
  'attempts.deleteExpired': ({ attempts }) => attempts.deleteExpired(0, 10),
  'notifications.add': ({ notifications }) => notifications.add(owner, entry),
  'notifications.latest': ({ notifications }) => notifications.latest(owner, 20),
  'notifications.unreadCount': ({ notifications }) => notifications.unreadCount(owner),
  'notifications.markRead': ({ notifications }) => notifications.markRead(owner, 'entry', 1),
  'notifications.markAllRead': ({ notifications }) => notifications.markAllRead(owner, 20, 1),
  'notifications.deleteOlder': ({ notifications }) => notifications.deleteOlder(0, 10),
  'activity.add': ({ activity }) => activity?.add(owner, event, 5),
  'activity.latest': ({ activity }) => activity?.latest(owner, 20),
  'activity.deleteOlder': ({ activity }) => activity?.deleteOlder(0, 10),
  'activity.deleteOf': ({ activity }) => activity?.deleteOf(owner),
  'bus.publish': ({ bus }) => bus.publish('topic', ''),
  check: (stores) => stores.check(),
}

/** Expects that no method throws. */
export async function everyMethodAnswers(stores: Stores): Promise<void> {
  await stores.sessions.destroyOthers(owner, null)
  await stores.pendingLogins.destroyOf(owner)
  await stores.notifications.deleteOlder(9, 100)
  for (const [method, call] of Object.entries(calls)) {
    await expect(Promise.resolve(call(stores)), method).resolves.not.toThrow()
  }
}

/**
 * Expects that every method throws a StoreError soon, all called at once.
 *
 * @param elsewhere The parts of the stores that the server does not hold.
 */
export async function everyMethodFails(
  stores: Stores,
  elsewhere: readonly (keyof Stores)[] = [],
): Promise<void> {
  const all = Object.entries(calls).filter(
    ([method]) => !elsewhere.some((part) => method.startsWith(`${part}.`)),
  )
  await Promise.all(all.map(async ([method, call]) => failsSoon(method, () => call(stores))))
}

/** Expects that a call throws a StoreError soon. */
export async function failsSoon(method: string, call: () => unknown): Promise<void> {
  await answersWithin(SOON_MS, async () =>
    expect(async () => call(), method).rejects.toMatchObject({ name: 'StoreError' }),
  )
}
