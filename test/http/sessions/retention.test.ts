import { expect, it } from 'vitest'
import { activityOf, startActivity } from '../../support/activity.ts'
import { notifyMany } from '../../support/bell.ts'
import { loggedIn } from '../../support/logins.ts'
import { BELL } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'

const DAY = { hours: 24 } as const

it('keeps as many notifications of a user as retention allows, and counts no other', async () => {
  const service = await startService({ config: { retention: { notification_count: 25 } } })
  await notifyMany(service, 'u1', 40)
  const una = await loggedIn(service, 'u1@x.test')
  const { json } = await una.get(`${BELL}/unread-count`)
  expect(json).toMatchObject({ unread_count: 25 })
  await una.post(`${BELL}/read-all`)
  await notifyMany(service, 'u1', 30)
  expect((await una.get(`${BELL}/unread-count`)).json).toMatchObject({ unread_count: 25 })
})

it('refuses to keep fewer notifications than the bell shows', async () => {
  const start = async (count: number) =>
    startService({ config: { retention: { notification_count: count } } })
  await expect(start(19)).rejects.toThrow('it must be at least 20, which the bell shows')
  await start(20)
})

it('keeps 1000 notifications of a user by default', async () => {
  const service = await startService()
  await notifyMany(service, 'u1', 1010)
  const owner = { tenant: null, userId: 'u1' }
  expect(await service.stores.notifications.latest(owner, 2000)).toHaveLength(1000)
})

it('prunes notifications after the days of retention, and keeps them for ever by default', async () => {
  const one = await startService({ config: { retention: { notification_days: 2 } } })
  const other = await startService()
  for (const service of [one, other]) {
    await notifyMany(service, 'u1', 3)
    service.clock.advance(DAY)
    await notifyMany(service, 'u1', 1)
    service.clock.advance(DAY)
    service.clock.advance({ ms: 1 })
  }
  expect(await one.auth.prune()).toBe(3)
  expect(await one.stores.notifications.unreadCount({ tenant: null, userId: 'u1' })).toBe(1)
  expect(await other.auth.prune()).toBe(0)
  expect(await other.auth.prune({ keepNotificationsDays: 2 })).toBe(3)
})

it('shows and keeps the activity of the days of retention', async () => {
  const service = await startActivity({ config: { retention: { activity_days: 1 } } })
  await loggedIn(service, 'u1@x.test')
  service.clock.advance(DAY)
  service.clock.advance({ ms: 1 })
  const una = await loggedIn(service, 'u1@x.test')
  expect(await activityOf(una)).toHaveLength(1)
  await service.auth.prune()
  const owner = { tenant: null, userId: 'u1' }
  expect(await service.stores.activity?.latest(owner, 100)).toHaveLength(1)
})
