import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { replaceKeys, type Stores } from '@svc/auth'
import { NEW_KEY } from '../support/keys.ts'
import { entry, login, record } from './records.ts'

/** A server with a database of the running test. */
export interface StoreServer {
  /** Opens the stores of a node, which are closed after the test. */
  readonly open: () => Promise<Stores>
  /** Opens the stores of a node, which the caller closes. */
  readonly openNode: () => Promise<Stores>
  /** Acts while another transaction has run `sql`, and commits that transaction afterwards. */
  readonly meanwhile: (sql: string, act: () => Promise<void>) => Promise<void>
}

/** Tests what nodes do at the same moment. */
export function describeRaces(server: StoreServer): void {
  describeNodes(server)
  describePruning(server)
  describeEnding(server)
}

function describeEnding({ open, meanwhile }: StoreServer): void {
  it('ends a session of everybody also when a request holds it locked at that moment', async () => {
    const stores = await open()
    await stores.sessions.create('held', record)
    await stores.sessions.create('free', record)
    let ending = Promise.resolve(0)
    await meanwhile(`SELECT * FROM svc_sessions WHERE user_id = 'ada' FOR UPDATE`, async () => {
      ending = replaceKeys(stores, [NEW_KEY])
      await setTimeout(1000)
    })
    expect(await ending).toBe(2)
    expect(await stores.sessions.read('held', 0)).toBeNull()
  })
}

function describeNodes({ open, openNode }: StoreServer): void {
  /** Does something a hundred times at the same moment, by turns on two nodes. */
  async function atOnce<Result>(
    act: (stores: Stores, number: number) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const [one, other] = [await openNode(), await openNode()]
    try {
      return await Promise.all(
        Array.from({ length: 100 }, async (_, number) => act(number % 2 ? one : other, number)),
      )
    } finally {
      await one.close()
      await other.close()
    }
  }

  describe('a hundred calls at once from two nodes', () => {
    it('create a session once', async () => {
      const created = await atOnce(async ({ sessions }, number) =>
        sessions.create('key', { ...record, stamp: String(number) }),
      )
      expect(created.filter(Boolean)).toHaveLength(1)
      const { sessions } = await open()
      expect((await sessions.read('key', 0))?.stamp).toBe(String(created.indexOf(true)))
    })

    it('update a pending secret once', async () => {
      const { sessions } = await open()
      await sessions.create('key', record)
      const updated = await atOnce(async ({ sessions }, number) =>
        sessions.update('key', { from: null, to: String(number) }),
      )
      expect(updated.filter(Boolean)).toHaveLength(1)
      expect((await sessions.read('key', 0))?.pendingSecret).toBe(String(updated.indexOf(true)))
    })

    it('destroy a session once, and never revive it by a touch', async () => {
      const { sessions } = await open()
      await sessions.create('key', record)
      const destroyed = await atOnce(async ({ sessions }, number) => {
        if (number % 2 === 0) return sessions.destroy('key')
        await sessions.touch('key', { lastSeenAt: 3, expiresAt: 10 })
        return false
      })
      expect(destroyed.filter(Boolean)).toHaveLength(1)
      expect(await sessions.read('key', 0)).toBeNull()
    })

    it('consume a pending login once', async () => {
      const { pendingLogins } = await open()
      await pendingLogins.create('key', login)
      const consumed = await atOnce(async ({ pendingLogins }) => pendingLogins.consume('key', 0))
      expect(consumed.filter(Boolean)).toHaveLength(1)
    })

    it('reserve distinct numbers, and release them one by one', async () => {
      const reserved = await atOnce(async ({ attempts }) => attempts.reserve('key', 1000, 0))
      const numbers = reserved.map(({ number }) => number).toSorted((a, b) => a - b)
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
      expect(new Set(reserved.map(({ endsAt }) => endsAt))).toEqual(new Set([1000]))
      await atOnce(async ({ attempts }, number) => {
        if (number < 60) await attempts.release('key', 0)
      })
      const { attempts } = await open()
      expect(await attempts.count('key', 0)).toBe(40)
    })

    it('start a window anew once', async () => {
      const { attempts } = await open()
      for (const now of [0, 1, 2]) await attempts.reserve('key', 10, now)
      const reserved = await atOnce(async ({ attempts }) => attempts.reserve('key', 10, 10))
      expect(reserved.filter(({ number }) => number === 1)).toHaveLength(1)
      expect(await attempts.count('key', 10)).toBe(100)
    })

    it('rename and end the sessions of one user without a deadlock', async () => {
      const { sessions, pendingLogins } = await open()
      for (let round = 0; round < 8; round += 1) {
        const keys = Array.from({ length: 50 }, (_, index) => `key ${round} ${index}`)
        await Promise.all(keys.map(async (key) => sessions.create(key, record)))
        await Promise.all(keys.map(async (key) => pendingLogins.create(key, login)))
        await atOnce(async ({ sessions, pendingLogins }, number) => {
          const key = keys[(number * 7) % 50] ?? ''
          if (number % 3 === 0) await sessions.touch(key, { lastSeenAt: 3, expiresAt: 10 + number })
          else if (number % 3 === 1) await sessions.restamp(record, 'the stamp', 'the stamp')
          else if (number > 80) await sessions.destroyOthers(record, key)
          else await pendingLogins.destroyOf(login)
        })
      }
    })

    it('prune expired records once, and report each session once', async () => {
      const { sessions, attempts, pendingLogins } = await open()
      for (let number = 0; number < 100; number += 1) {
        await sessions.create(`key ${number}`, { ...record, userId: `user ${number}` })
        await attempts.reserve(`key ${number}`, 9, 0)
        await pendingLogins.create(`key ${number}`, login)
      }
      const over = await atOnce(async (stores) => ({
        owners: await stores.sessions.deleteExpired(9, 7),
        windows: await stores.attempts.deleteExpired(9, 7),
        logins: await stores.pendingLogins.deleteExpired(9, 7),
      }))
      const users = over.flatMap(({ owners }) => owners.map(({ userId }) => userId))
      expect(users).toHaveLength(100)
      expect(new Set(users).size).toBe(100)
      expect(Math.max(...over.map(({ owners }) => owners.length))).toBeLessThanOrEqual(7)
      expect(over.reduce((sum, { windows }) => sum + windows, 0)).toBe(100)
      expect(over.reduce((sum, { logins }) => sum + logins, 0)).toBe(100)
    })

    it('send, mark and remove entries of many bells, and keep every count correct', async () => {
      const owners = Array.from({ length: 8 }, (_, index) => ({
        tenant: null,
        userId: `u${index}`,
      }))
      for (let round = 0; round < 4; round += 1) {
        await atOnce(async ({ notifications }, number) => {
          const owner = owners[(number * 3) % 8] ?? record
          const id = `${round} ${number}`
          const createdAt = round * 100 + ((number * 37) % 100)
          await notifications.add(owner, { ...entry, id, createdAt })
          if (number % 3 === 0) await notifications.markRead(owner, id, createdAt)
          if (number % 11 === 0) await notifications.markAllRead(owner, 20, createdAt)
          if (number % 5 === 0) await notifications.deleteOlder(createdAt, 10)
        })
      }
      const { notifications } = await open()
      for (const owner of owners) {
        const kept = await notifications.latest(owner, 1000)
        const unread = kept.filter(({ readAt }) => readAt === null)
        expect(await notifications.unreadCount(owner)).toBe(unread.length)
      }
    })
  })
}

function describePruning({ open, meanwhile }: StoreServer): void {
  describe('pruning', () => {
    it('keeps a window that is started anew at that moment, and waits for no lock', async () => {
      const { attempts } = await open()
      await attempts.reserve('renewed', 9, 0)
      await attempts.reserve('over', 9, 0)
      await meanwhile(
        `UPDATE svc_attempts SET ends_at = 99 WHERE svc_attempts.key = 'renewed'`,
        async () => {
          expect(await attempts.deleteExpired(9, 10)).toBe(1)
        },
      )
      expect(await attempts.count('renewed', 9)).toBe(1)
    })

    it('skips a pending login that is being consumed', async () => {
      const { pendingLogins } = await open()
      await pendingLogins.create('key', login)
      await meanwhile(`DELETE FROM svc_pending_logins`, async () => {
        expect(await pendingLogins.deleteExpired(9, 10)).toBe(0)
      })
    })

    it('keeps a session that is used at that moment', async () => {
      const { sessions } = await open()
      await sessions.create('key', record)
      await meanwhile(`UPDATE svc_sessions SET expires_at = 99`, async () => {
        expect(await sessions.deleteExpired(9, 10)).toEqual([])
      })
      expect(await sessions.read('key', 9)).toEqual({ ...record, expiresAt: 99 })
    })

    it('finds expired records before the end of the last step', async () => {
      const { attempts } = await open()
      await attempts.reserve('first', 5, 0)
      await attempts.reserve('second', 6, 0)
      expect(await attempts.deleteExpired(9, 1)).toBe(1)
      await attempts.reserve('late', 1, 0)
      expect(await attempts.deleteExpired(9, 2)).toBe(2)
      expect(await attempts.deleteExpired(9, 2)).toBe(0)
    })

    it('skips a bell that is being marked, and removes entries of the others', async () => {
      const { notifications } = await open()
      const [ada, eve] = [record, { tenant: null, userId: 'eve' }]
      await notifications.add(ada, entry)
      await notifications.add(eve, entry)
      await meanwhile(`UPDATE svc_bells SET unread = unread WHERE owner LIKE '%ada%'`, async () => {
        expect(await notifications.deleteOlder(9, 10)).toBe(1)
      })
      expect(await notifications.unreadCount(eve)).toBe(0)
      expect(await notifications.deleteOlder(9, 10)).toBe(1)
      expect(await notifications.unreadCount(ada)).toBe(0)
    })
  })
}
