import assert from 'node:assert/strict'
import type { Owner, PendingLogin } from '../contracts/store-contracts.ts'
import {
  NOW,
  asStoreCases,
  closed,
  createAll,
  removedInSteps,
  stored,
  strangersTo,
  wrongKeys,
} from './store-case.ts'

const MINUTE = 60 * 1000

const login: PendingLogin = {
  tenant: null,
  userId: 'ada',
  stamp: 'the stamp',
  createdAt: NOW,
  expiresAt: NOW + 5 * MINUTE,
  details: null,
}
const strangers = strangersTo(login)

/**
 * Cases that every PendingLoginStore must pass.
 *
 * @example
 * ```ts
 * import { test } from 'node:test'
 * import { memoryStores } from '@svc/auth/memory'
 *
 * const subject: StoreSubject = { open: async () => memoryStores() }
 * for (const { name, run } of pendingLoginStoreCases) test(name, () => run(subject))
 * ```
 */
export const pendingLoginStoreCases = asStoreCases({
  'a pending login is read as it was created': async ({ pendingLogins }) => {
    const details = '{"name":"Zoë 💥"}'
    const strange = { ...login, tenant: 'Ünï "1" ', userId: "o'brien %_\\ 💥", stamp: '', details }
    assert.equal(await pendingLogins.create('plain', login), true)
    assert.equal(await pendingLogins.create('strange', strange), true)
    assert.deepEqual(await stored(pendingLogins, 'plain'), login)
    assert.deepEqual(await stored(pendingLogins, 'strange'), strange)
  },
  'an unknown or malformed key is null': async ({ pendingLogins }) => {
    await pendingLogins.create('known', login)
    for (const key of wrongKeys) assert.equal(await pendingLogins.read(key, NOW), null, key)
  },
  'a pending login has expired from expiresAt on': async ({ pendingLogins }) => {
    await pendingLogins.create('key', login)
    assert.deepEqual({ ...(await pendingLogins.read('key', login.expiresAt - 1)) }, login)
    assert.equal(await pendingLogins.read('key', login.expiresAt), null)
  },
  'a pending login is not a session, nor is a session a pending login': async (stores) => {
    const session = { ...login, lastSeenAt: NOW, pendingSecret: null }
    await stores.pendingLogins.create('pending', login)
    await stores.sessions.create('session', session)
    assert.equal(await stores.sessions.read('pending', NOW), null)
    assert.equal(await stores.pendingLogins.read('session', NOW), null)
  },
  'create refuses an existing key and changes nothing': async ({ pendingLogins }) => {
    await pendingLogins.create('key', login)
    assert.equal(await pendingLogins.create('key', { ...login, userId: 'eve' }), false)
    assert.deepEqual(await stored(pendingLogins, 'key'), login)
  },
  'create refuses the key of an expired pending login that is still stored': async (stores) => {
    const { pendingLogins } = stores
    await pendingLogins.create('key', { ...login, expiresAt: NOW })
    assert.equal(await pendingLogins.create('key', login), false)
    assert.equal(await pendingLogins.read('key', NOW), null)
  },

  'consume removes one, once, and no other': async ({ pendingLogins }) => {
    await createAll(pendingLogins, { key: login, other: login })
    assert.equal(await pendingLogins.consume('key', NOW), true)
    assert.equal(await pendingLogins.consume('key', NOW), false)
    assert.equal(await pendingLogins.consume('unknown', NOW), false)
    assert.equal(await pendingLogins.read('key', NOW), null)
    assert.deepEqual(await stored(pendingLogins, 'other'), login)
  },
  'of 100 calls of consume at once one returns true': async ({ pendingLogins }) => {
    await pendingLogins.create('key', login)
    const asking = Array.from({ length: 100 }, async () => pendingLogins.consume('key', NOW))
    assert.equal((await Promise.all(asking)).filter(Boolean).length, 1)
    assert.equal(await pendingLogins.read('key', NOW), null)
  },
  'consume is false from the instant of expiresAt on': async ({ pendingLogins }) => {
    await createAll(pendingLogins, { late: login, inTime: login })
    assert.equal(await pendingLogins.consume('late', login.expiresAt), false)
    assert.equal(await pendingLogins.consume('inTime', login.expiresAt - 1), true)
  },
  'consume of a destroyed one is false': async ({ pendingLogins }) => {
    await pendingLogins.create('key', login)
    await pendingLogins.destroy('key')
    assert.equal(await pendingLogins.consume('key', NOW), false)
  },

  'destroy ends one, idempotently': async ({ pendingLogins }) => {
    await createAll(pendingLogins, { key: login, other: login })
    await pendingLogins.destroy('key')
    await pendingLogins.destroy('key')
    await pendingLogins.destroy('unknown')
    assert.equal(await pendingLogins.read('key', NOW), null)
    assert.deepEqual(await stored(pendingLogins, 'other'), login)
  },
  'destroyOf ends all of the owner and returns how many': async ({ pendingLogins }) => {
    await createAll(pendingLogins, { one: login, two: login, ...strangers })
    assert.equal(await pendingLogins.destroyOf(login), 2)
    assert.equal(await pendingLogins.destroyOf(login), 0)
    for (const key of ['one', 'two']) assert.equal(await pendingLogins.read(key, NOW), null)
    for (const [key, it] of Object.entries(strangers)) {
      assert.deepEqual(await stored(pendingLogins, key), it, key)
    }
  },
  'destroyOf ends those of one tenant and not of another': async ({ pendingLogins }) => {
    const owner: Owner = { tenant: 'acme', userId: 'ada' }
    await createAll(pendingLogins, { key: { ...login, ...owner }, without: login })
    assert.equal(await pendingLogins.destroyOf({ tenant: 'Acme', userId: 'ada' }), 0)
    assert.equal(await pendingLogins.destroyOf(owner), 1)
    assert.equal(await pendingLogins.read('key', NOW), null)
    assert.deepEqual(await stored(pendingLogins, 'without'), login)
  },
  'destroyOf leaves the sessions of the owner': async (stores) => {
    const session = { ...login, lastSeenAt: NOW, pendingSecret: null }
    await stores.sessions.create('key', session)
    await stores.pendingLogins.create('key', login)
    assert.equal(await stores.pendingLogins.destroyOf(login), 1)
    assert.notEqual(await stores.sessions.read('key', NOW), null)
  },
  'deleteExpired removes at most the limit, and none that has not expired': async ({
    pendingLogins,
  }) => {
    for (let index = 0; index < 7; index += 1) {
      await pendingLogins.create(`over ${index}`, { ...login, expiresAt: NOW - index })
    }
    await pendingLogins.create('waiting', { ...login, expiresAt: NOW + 1 })
    const steps = await removedInSteps(async (limit) => pendingLogins.deleteExpired(NOW, limit))
    assert.deepEqual(steps, [3, 3, 1, 0])
    assert.notEqual(await pendingLogins.read('waiting', NOW), null)
    assert.equal(await pendingLogins.create('over 0', login), true)
  },
  'once closed every method of the pending logins throws a StoreError': closed((stores) => ({
    create: () => stores.pendingLogins.create('key', login),
    read: () => stores.pendingLogins.read('key', NOW),
    consume: () => stores.pendingLogins.consume('key', NOW),
    destroy: () => stores.pendingLogins.destroy('key'),
    destroyOf: () => stores.pendingLogins.destroyOf(login),
    deleteExpired: () => stores.pendingLogins.deleteExpired(NOW, 10),
  })),
})
