import assert from 'node:assert/strict'
import type { Owner, SessionRecord, SessionStore } from '../contracts/store-contracts.ts'
import { NOW, asStoreCases, createAll, stored, strangersTo, wrongKeys } from './store-case.ts'

export const HOUR = 60 * 60 * 1000

/** A session that lives for an hour. */
export const record: SessionRecord = {
  tenant: null,
  userId: 'ada',
  stamp: 'first stamp',
  createdAt: NOW,
  lastSeenAt: NOW,
  expiresAt: NOW + HOUR,
  pendingSecret: null,
  details: null,
}
/** Sessions that resemble the record's owner. */
export const strangers = strangersTo(record)

/** Cases for reading sessions. */
export const sessionReadingCases = asStoreCases({
  'list returns every session of the owner with its key': async ({ sessions }) => {
    const waiting = { ...record, stamp: 'second stamp', pendingSecret: 'sealed', lastSeenAt: 7 }
    await createAll(sessions, { one: record, waiting, ...strangers })
    assert.deepEqual(await listed(sessions, record), { one: record, waiting })
    assert.deepEqual(await listed(sessions, { tenant: null, userId: 'nobody' }), {})
  },
  'list returns the sessions of a tenant and not those without one': async ({ sessions }) => {
    const inTenant = { ...record, tenant: 'acme' }
    await createAll(sessions, { within: inTenant, without: record })
    assert.deepEqual(await listed(sessions, inTenant), { within: inTenant })
    assert.deepEqual(await listed(sessions, record), { without: record })
  },
  'list omits sessions that have expired or ended': async ({ sessions }) => {
    await createAll(sessions, { one: record, ended: record, over: { ...record, expiresAt: NOW } })
    await sessions.destroy('ended')
    assert.deepEqual(await listed(sessions, record), { one: record })
    assert.deepEqual(await sessions.list(record, record.expiresAt), [])
  },
  'list returns a session as touch and update have left it': async ({ sessions }) => {
    await sessions.create('key', record)
    const seen = { lastSeenAt: NOW + 1, expiresAt: NOW + 9 * HOUR }
    await sessions.touch('key', seen)
    await sessions.update('key', { from: null, to: 'sealed' })
    const expected = { ...record, ...seen, pendingSecret: 'sealed' }
    assert.deepEqual(await listed(sessions, record), { key: expected })
  },
  'a session is read as it was created': async ({ sessions }) => {
    const strange = { ...record, tenant: 'Ünï "1" ', userId: "o'brien %_\\ 💥", stamp: '' }
    const waiting = { ...record, pendingSecret: 'sealed "secret" ' }
    assert.equal(await sessions.create('plain', record), true)
    assert.equal(await sessions.create('strange', strange), true)
    assert.equal(await sessions.create('waiting', waiting), true)
    assert.deepEqual(await stored(sessions, 'plain'), record)
    assert.deepEqual(await stored(sessions, 'strange'), strange)
    assert.deepEqual(await stored(sessions, 'waiting'), waiting)
  },
  'an unknown or malformed key is null': async ({ sessions }) => {
    await sessions.create('known', record)
    for (const key of wrongKeys) assert.equal(await sessions.read(key, NOW), null, key)
  },
  'a session has expired from expiresAt on': async ({ sessions }) => {
    await sessions.create('key', record)
    assert.deepEqual({ ...(await sessions.read('key', record.expiresAt - 1)) }, record)
    assert.equal(await sessions.read('key', record.expiresAt), null)
    assert.equal(await sessions.read('key', record.expiresAt + HOUR), null)
  },
  'of reads at once each finds its own session': async ({ sessions }) => {
    for (const userId of ['ada', 'bob', 'cleo'])
      await sessions.create(userId, { ...record, userId })
    await sessions.create('over', { ...record, expiresAt: NOW })
    const asked = ['cleo', 'unknown', 'ada', 'over', 'bob', 'ada', '']
    const found = await Promise.all(asked.map(async (key) => sessions.read(key, NOW)))
    assert.deepEqual(
      found.map((session) => session?.userId ?? null),
      ['cleo', null, 'ada', null, 'bob', 'ada', null],
    )
  },
  'a read compares the expiry with its own instant': async ({ sessions }) => {
    await sessions.create('key', record)
    const instants = [record.expiresAt, record.expiresAt - 1]
    const found = await Promise.all(instants.map(async (now) => sessions.read('key', now)))
    assert.deepEqual(
      found.map((session) => session !== null),
      [false, true],
    )
  },
  'create refuses an existing key and changes nothing': async ({ sessions }) => {
    await sessions.create('key', record)
    assert.equal(await sessions.create('key', { ...record, userId: 'eve' }), false)
    assert.deepEqual(await stored(sessions, 'key'), record)
  },
  'create refuses the key of an expired session that is still stored': async ({ sessions }) => {
    await sessions.create('key', { ...record, expiresAt: NOW })
    assert.equal(await sessions.create('key', record), false)
    assert.equal(await sessions.read('key', NOW), null)
  },
  'of many creations of one key at once one succeeds': async ({ sessions }) => {
    const owners = Array.from({ length: 20 }, (_, index) => ({
      ...record,
      userId: `user ${index}`,
    }))
    const created = await Promise.all(owners.map(async (it) => sessions.create('key', it)))
    assert.equal(created.filter(Boolean).length, 1)
    assert.deepEqual(await stored(sessions, 'key'), owners[created.indexOf(true)])
  },
})

/** Returns the listed sessions by key: stores list them in any order. */
async function listed(
  sessions: SessionStore,
  owner: Owner,
): Promise<Readonly<Record<string, SessionRecord>>> {
  const found = await sessions.list(owner, NOW)
  return Object.fromEntries(found.map(({ key, ...it }) => [key, it]))
}
