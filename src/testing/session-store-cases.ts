import assert from 'node:assert/strict'
import type { Owner, SessionStore } from '../contracts/store-contracts.ts'
import { HOUR, record, sessionReadingCases, strangers } from './session-reading-cases.ts'
import {
  NOW,
  asStoreCases,
  closed,
  createAll,
  removedInSteps,
  stored,
  type StoreCase,
} from './store-case.ts'

const seenLater = { lastSeenAt: NOW + 1, expiresAt: NOW + 2 * HOUR }

/**
 * Cases that every SessionStore, and `check` and `close` of its stores, must pass.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of sessionStoreCases) test(name, () => run(subject))
 * ```
 */
export const sessionStoreCases: readonly StoreCase[] = [
  ...sessionReadingCases,
  ...asStoreCases({
    'touch moves lastSeenAt and expiresAt and nothing else': async ({ sessions }) => {
      await sessions.create('key', record)
      await sessions.create('other', record)
      assert.equal(await sessions.touch('key', seenLater), true)
      assert.deepEqual(await stored(sessions, 'key'), { ...record, ...seenLater })
      assert.deepEqual(await stored(sessions, 'other'), record)
    },
    'touch replaces the details that it is given and keeps them otherwise': async ({
      sessions,
    }) => {
      const details = '{"name":"Zoë 💥"}'
      await createAll(sessions, { key: record, other: record })
      assert.equal(await sessions.touch('key', { ...seenLater, details }), true)
      assert.equal(await sessions.touch('key', seenLater), true)
      assert.deepEqual(await stored(sessions, 'key'), { ...record, ...seenLater, details })
      assert.equal(await sessions.touch('key', { ...seenLater, details: '{}' }), true)
      assert.deepEqual(await stored(sessions, 'key'), { ...record, ...seenLater, details: '{}' })
      assert.deepEqual(await stored(sessions, 'other'), record)
    },
    'update, restamp and touch leave the details and what each other set': async ({ sessions }) => {
      const detailed = { ...record, details: '{"kept":1}' }
      await sessions.create('key', detailed)
      await sessions.update('key', { from: null, to: 'secret' })
      await sessions.restamp(record, 'first stamp', 'second stamp')
      await sessions.touch('key', seenLater)
      const changed = { ...seenLater, pendingSecret: 'secret', stamp: 'second stamp' }
      assert.deepEqual(await stored(sessions, 'key'), { ...detailed, ...changed })
    },
    'touch of an unknown session is false and makes none': async ({ sessions }) => {
      assert.equal(await sessions.touch('key', seenLater), false)
      assert.equal(await sessions.read('key', NOW), null)
      assert.deepEqual(await sessions.deleteExpired(NOW + 9 * HOUR, 10), [])
    },
    'touch of a destroyed session is false and it stays gone': async ({ sessions }) => {
      await sessions.create('key', record)
      await sessions.destroy('key')
      assert.equal(await sessions.touch('key', seenLater), false)
      assert.equal(await sessions.read('key', NOW), null)
    },
    'touch of an expired session returns false and does not revive it': async ({ sessions }) => {
      const detailed = { ...record, details: '{"kept":1}' }
      await sessions.create('key', detailed)
      const late = { lastSeenAt: record.expiresAt, expiresAt: record.expiresAt + HOUR }
      assert.equal(await sessions.touch('key', late), false)
      assert.equal(await sessions.touch('key', { ...late, details: '{}' }), false)
      assert.equal(await sessions.read('key', record.expiresAt), null)
      assert.deepEqual(await stored(sessions, 'key'), detailed)
    },
    'restamp changes the named stamp of the named owner only': async ({ sessions }) => {
      const others = { ...strangers, 'other stamp': { ...record, stamp: 'older stamp' } }
      await createAll(sessions, { one: record, two: record, ...others })
      await sessions.restamp(record, 'first stamp', 'second stamp')
      assert.deepEqual(await stored(sessions, 'one'), { ...record, stamp: 'second stamp' })
      assert.deepEqual(await stored(sessions, 'two'), { ...record, stamp: 'second stamp' })
      for (const [key, other] of Object.entries(others)) {
        assert.deepEqual(await stored(sessions, key), other, key)
      }
    },
    'restamp reaches the sessions of a tenant and not those without one': async ({ sessions }) => {
      const inTenant = { ...record, tenant: 'acme' }
      await createAll(sessions, { key: inTenant, without: record })
      await sessions.restamp(inTenant, 'first stamp', 'second stamp')
      assert.deepEqual(await stored(sessions, 'key'), { ...inTenant, stamp: 'second stamp' })
      assert.deepEqual(await stored(sessions, 'without'), record)
    },

    'update sets the pending secret and nothing else': async ({ sessions }) => {
      await createAll(sessions, { key: record, other: record })
      for (const [from, to] of [
        [null, 'first secret'],
        ['first secret', 'second secret'],
        ['second secret', ''],
        ['', null],
      ] as const) {
        assert.equal(await sessions.update('key', { from, to }), true)
        assert.deepEqual(await stored(sessions, 'key'), { ...record, pendingSecret: to })
      }
      assert.deepEqual(await stored(sessions, 'other'), record)
    },
    'update from another secret is false and changes nothing': async ({ sessions }) => {
      const waiting = { ...record, pendingSecret: 'the secret' }
      await createAll(sessions, { waiting, without: record })
      for (const from of [null, '', 'null', 'The secret', 'the secret ']) {
        assert.equal(await sessions.update('waiting', { from, to: 'other' }), false, String(from))
      }
      for (const from of ['', 'null', 'the secret']) {
        assert.equal(await sessions.update('without', { from, to: 'other' }), false, from)
      }
      assert.deepEqual(await stored(sessions, 'waiting'), waiting)
      assert.deepEqual(await stored(sessions, 'without'), record)
    },
    'of 100 updates at once from the same secret one is true': async ({ sessions }) => {
      const secrets = Array.from({ length: 100 }, (_, index) => `new ${index}`)
      for (const [key, from] of Object.entries({ without: null, waiting: 'the secret' })) {
        await sessions.create(key, { ...record, pendingSecret: from })
        const updating = secrets.map(async (to) => sessions.update(key, { from, to }))
        const updated = await Promise.all(updating)
        assert.equal(updated.filter(Boolean).length, 1)
        const kept = (await sessions.read(key, NOW))?.pendingSecret
        assert.equal(kept, secrets[updated.indexOf(true)])
      }
    },
    'update of a session that is gone is false and makes none': async ({ sessions }) => {
      await sessions.create('destroyed', record)
      await sessions.destroy('destroyed')
      for (const key of ['destroyed', 'unknown', '']) {
        assert.equal(await sessions.update(key, { from: null, to: 'secret' }), false, key)
        assert.equal(await sessions.read(key, NOW), null, key)
      }
    },

    'destroy ends one session, idempotently': async ({ sessions }) => {
      await createAll(sessions, { key: record, other: record })
      assert.equal(await sessions.destroy('key'), true)
      assert.equal(await sessions.destroy('key'), false)
      assert.equal(await sessions.destroy('unknown'), false)
      assert.equal(await sessions.read('key', NOW), null)
      assert.deepEqual(await stored(sessions, 'other'), record)
    },
    'a destroyed key can be created again': async ({ sessions }) => {
      await sessions.create('key', record)
      await sessions.destroy('key')
      assert.equal(await sessions.create('key', record), true)
    },
    'destroyOthers ends the sessions of the owner but the one named': async ({ sessions }) => {
      await createAll(sessions, { kept: record, one: record, two: record, ...strangers })
      assert.equal(await sessions.destroyOthers(record, 'kept'), 2)
      assert.deepEqual(await keysOf(sessions), ['kept', ...Object.keys(strangers)])
      assert.equal(await sessions.destroyOthers(record, 'kept'), 0)
    },
    'destroyOthers ends every session of the owner when none is named': async ({ sessions }) => {
      await createAll(sessions, { one: record, two: record, ...strangers })
      assert.equal(await sessions.destroyOthers(record, null), 2)
      assert.deepEqual(await keysOf(sessions), Object.keys(strangers))
    },
    'destroyOthers ends the sessions of one tenant and not of another': async ({ sessions }) => {
      const owner: Owner = { tenant: 'acme', userId: 'ada' }
      const inTenant = { ...record, ...owner }
      await createAll(sessions, { kept: inTenant, one: inTenant, without: record })
      assert.equal(await sessions.destroyOthers(owner, 'kept'), 1)
      assert.equal(await sessions.destroyOthers({ tenant: 'Acme', userId: 'ada' }, null), 0)
      assert.equal(await sessions.destroyOthers(owner, null), 1)
      assert.deepEqual(await stored(sessions, 'without'), record)
    },
    'deleteExpired removes expired sessions and returns their owners': async ({ sessions }) => {
      const over = { ...record, userId: 'eve', tenant: 'acme', expiresAt: NOW }
      await createAll(sessions, { over, running: { ...record, expiresAt: NOW + 1 } })
      const removed = await sessions.deleteExpired(NOW, 10)
      assert.deepEqual(
        removed.map(({ tenant, userId }) => ({ tenant, userId })),
        [{ tenant: 'acme', userId: 'eve' }],
      )
      assert.deepEqual(await sessions.deleteExpired(NOW, 10), [])
      assert.notEqual(await sessions.read('running', NOW), null)
      assert.equal(await sessions.create('over', record), true)
    },
    'deleteExpired removes at most the limit, one owner for each': async ({ sessions }) => {
      for (let index = 0; index < 7; index += 1) {
        await sessions.create(`key ${index}`, { ...record, expiresAt: NOW - index })
      }
      const steps = await removedInSteps(
        async (limit) => (await sessions.deleteExpired(NOW, limit)).length,
      )
      assert.deepEqual(steps, [3, 3, 1, 0])
    },
    'once closed every method of the sessions throws a StoreError': closed(({ sessions }) => ({
      create: () => sessions.create('key', record),
      read: () => sessions.read('key', NOW),
      list: () => sessions.list(record, NOW),
      touch: () => sessions.touch('key', seenLater),
      update: () => sessions.update('key', { from: null, to: 'secret' }),
      restamp: () => sessions.restamp(record, 'first stamp', 'second stamp'),
      destroy: () => sessions.destroy('key'),
      destroyOthers: () => sessions.destroyOthers(record, null),
      deleteExpired: () => sessions.deleteExpired(NOW, 10),
    })),
    'check resolves while the stores answer, and close is idempotent': async (stores) => {
      await stores.check()
      await stores.close()
      await stores.close()
      await assert.rejects(async () => stores.check(), { name: 'StoreError' })
    },
  }),
]

async function keysOf(sessions: SessionStore): Promise<readonly string[]> {
  const keys = ['kept', 'one', 'two', ...Object.keys(strangers)]
  const found = await Promise.all(keys.map(async (key) => sessions.read(key, NOW)))
  return keys.filter((_, index) => found[index] !== null)
}
