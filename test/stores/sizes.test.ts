import { describe, expect, it } from 'vitest'
import { closedAfterTest } from '../support/after-test.ts'
import { storesOfOneNode } from '../support/databases.ts'
import { entry, record } from './records.ts'

const NOW = 1_800_000_000_000
const owner = { tenant: null, userId: 'ada' }

const { memory: _, ...kept } = storesOfOneNode

describe.each(Object.entries(kept))('the sizes of the stores of %s', (name, kind) => {
  it('count the records of each table, and those that pruning would remove', async () => {
    const stores = closedAfterTest(await kind.open())
    for (const expiresAt of [NOW - 1, NOW, NOW + 1000])
      await stores.sessions.create(`key ${expiresAt}`, {
        ...record,
        createdAt: NOW - 5000,
        lastSeenAt: NOW - 5000,
        expiresAt,
      })
    await stores.attempts.reserve('attempt', 1000, NOW)
    for (const [number, createdAt] of [NOW - 200, NOW - 100, NOW].entries())
      await stores.notifications.add(owner, { ...entry, id: `id ${number}`, createdAt })
    const place = { network: null, browser: null, system: null }
    await stores.activity?.add(owner, { event: 'login', at: NOW, ...place }, 5)

    const times = { expired: NOW, notifications: NOW - 100, activity: NOW }
    const sizes = (await stores.sizes?.(times)) ?? []
    const onRedis = name === 'Redis'
    const sessions = onRedis ? 'Redis: sessions' : 'svc_sessions'
    expect(sizes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: sessions, records: 3, due: 2 }),
        expect.objectContaining({ name: 'svc_bells', records: 1, due: 0, oldest: null }),
        expect.objectContaining({
          name: 'svc_notifications',
          records: 3,
          due: 1,
          oldest: NOW - 200,
        }),
        expect.objectContaining({ name: 'svc_activity', records: 1, due: 0, oldest: NOW }),
      ]),
    )
    const attempts = onRedis ? 'Redis: attempts' : 'svc_attempts'
    expect(sizes.find((one) => one.name === attempts)).toMatchObject({ records: 1, due: 0 })
    for (const { name: table, bytes } of sizes.filter((one) => one.name.startsWith('svc_')))
      expect(bytes, table).toBeGreaterThan(0)
    expect(await stores.sizes?.({ ...times, notifications: null })).toContainEqual(
      expect.objectContaining({ name: 'svc_notifications', due: 0 }),
    )
  })
})

describe.each(Object.entries(storesOfOneNode))(
  'a bound that is set later, on %s',
  (_name, kind) => {
    it('removes 50 notifications with each further one, so that no call takes long', async () => {
      const stores = closedAfterTest(await kind.open())
      const { notifications } = stores
      const add = async (number: number, keep?: number) =>
        notifications.add(owner, { ...entry, id: `id ${number}`, createdAt: NOW + number }, keep)
      for (let number = 0; number < 120; number += 1) await add(number)
      const left: number[] = []
      for (let number = 120; number < 123; number += 1) {
        const unread = await add(number, 20)
        left.push((await notifications.latest(owner, 1000)).length)
        expect(unread).toBe(left.at(-1))
      }
      expect(left).toEqual([71, 22, 20])
    })
  },
)
