import type { NotificationStore } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { expect, it, vi } from 'vitest'
import { openStream, type OpenStream } from '../../support/bell-stream.ts'
import { bell, userOf } from '../../support/bell.ts'
import { loggedIn } from '../../support/logins.ts'
import { startService, somePeople } from '../../support/service.ts'
import { watchedStores } from '../../support/watched-stores.ts'

const TABS = 1000
const USERS = 300

async function unreadAfter(stream: OpenStream): Promise<unknown> {
  let told = await stream.next()
  while (told !== null && told.event !== 'unread') told = await stream.next()
  return told?.data.unread_count
}

it('reads the session, the user and the bell once for each change in a thousand tabs', async () => {
  const stores = watchedStores()
  const users = somePeople()
  let usersRead = 0
  const findById: typeof users.findById = async (...asked) => {
    usersRead += 1
    return users.findById(...asked)
  }
  let bellsRead = 0
  const latest: NotificationStore['latest'] = async (...asked) => {
    bellsRead += 1
    return stores.notifications.latest(...asked)
  }
  const service = await startService({
    stores: { ...stores, notifications: { ...stores.notifications, latest } },
    users: { ...users, findById },
    config: { streams: { per_session: TABS, per_user: TABS } },
  })
  const una = await loggedIn(service, 'u1@x.test')
  const user = await userOf(service, 'u1')
  const tabs: OpenStream[] = []
  for (let opened = 0; opened < TABS; opened += 1) {
    const tab = await openStream(service.url, una)
    await tab.next()
    tabs.push(tab)
  }
  stores.counts()
  ;[usersRead, bellsRead] = [0, 0]
  await service.auth.notify(user, bell({ title: 'one change' }))
  expect(await Promise.all(tabs.map(unreadAfter))).toEqual(Array.from({ length: TABS }, () => 1))
  expect({ ...stores.counts(), usersRead, bellsRead }).toEqual({
    'sessions.read': 1,
    usersRead: 1,
    bellsRead: 1,
  })
})

it('answers requests while a host notifies its users one after the other', async () => {
  const service = await startService()
  const una = await loggedIn(service, 'u1@x.test')
  const duo = await userOf(service, 'u2')
  let sent = 0
  const sendAll = async (): Promise<void> => {
    for (; sent < USERS; sent += 1) await service.auth.notify(duo, bell({ title: 'news' }))
  }
  const sending = sendAll()
  expect((await una.get('/svc/api/user')).status).toBe(200)
  expect(sent).toBeLessThan(USERS)
  await sending
})

it('stores four notifications at once when a host notifies its users together', async () => {
  const stores = memoryStores()
  const running = { now: 0, most: 0 }
  const add: NotificationStore['add'] = async (...asked) => {
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running.now -= 1
    return stores.notifications.add(...asked)
  }
  const service = await startService({
    stores: { ...stores, notifications: { ...stores.notifications, add } },
  })
  const una = await userOf(service, 'u1')
  const all = Array.from({ length: 40 }, async () => service.auth.notify(una, bell({ title: 't' })))
  await Promise.all(all)
  const owner = { tenant: null, userId: 'u1' }
  expect([running.most, await stores.notifications.unreadCount(owner)]).toEqual([4, 40])
})

it('warns of nothing when many streams are open', async () => {
  const warn = vi.spyOn(process, 'emitWarning')
  const service = await startService({ config: { streams: { per_session: 20, per_user: 20 } } })
  const una = await loggedIn(service, 'u1@x.test')
  for (let opened = 0; opened < 20; opened += 1) {
    const stream = await openStream(service.url, una)
    await stream.next()
  }
  expect(warn.mock.calls.map(String)).toEqual([])
})
