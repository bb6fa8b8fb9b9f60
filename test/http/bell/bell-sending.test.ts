import { randomUUID } from 'node:crypto'
import {
  NotificationError,
  type BellData,
  type Notification,
  type NotificationChannel,
} from '@svc/auth'
import { type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import { BELL } from '../../support/paths.ts'
import { startService, payloadsOf } from '../../support/service.ts'
import { bell, userOf, withBells } from '../../support/bell.ts'
import { settled } from '../../support/time.ts'

describe('Notifications: sending', () => {
  /** A service with channels of the host, and what came over them, in its order. */
  async function withChannels() {
    const delivered: string[] = []
    let failing = false
    const channel =
      (name: string): NotificationChannel<FakeUser> =>
      async (user, { type }) => {
        if (failing) throw new Error('the gateway is down')
        const unread = await service.stores.notifications.unreadCount({
          tenant: null,
          userId: user.id,
        })
        delivered.push(`${name} ${type} to ${user.id}, ${unread} unread`)
      }
    const channels = { sms: channel('sms'), post: channel('post') }
    const service = await startService({ channels })
    const una = await userOf(service, 'u1')
    const unread = async () =>
      service.stores.notifications.unreadCount({ tenant: null, userId: 'u1' })
    return { service, una, delivered, unread, fail: () => (failing = true) }
  }
  const note = (via: readonly string[], data?: BellData): Notification<FakeUser> => ({
    type: 'note',
    via: () => via,
    ...(data && { toDatabase: () => data }),
  })

  it('stores the entry first, then calls each other channel once, by name (AU-7)', async () => {
    const { service, una, delivered } = await withChannels()
    await service.auth.notify(una, note(['post', 'sms', 'database', 'sms'], { title: 't' }))
    expect(delivered).toEqual(['post note to u1, 1 unread', 'sms note to u1, 1 unread'])
    await settled()
    expect(payloadsOf(service, 'notification.sent')).toEqual([
      { userId: 'u1', tenant: null, type: 'note' },
    ])
  })

  it('stores nothing when via does not name the bell', async () => {
    const { service, una, delivered, unread } = await withChannels()
    await service.auth.notify(una, note(['sms'], { title: 't' }))
    await service.auth.notify(una, note([], { title: 't' }))
    expect(delivered).toEqual(['sms note to u1, 0 unread'])
    expect(await unread()).toBe(0)
    await settled()
    expect(payloadsOf(service, 'notification.sent')).toEqual([])
  })

  it('calls via and toDatabase with the user that it is sent to', async () => {
    const { service, una } = await withChannels()
    const asked: string[] = []
    await service.auth.notify(una, {
      type: 'note',
      via: ({ id }) => (asked.push(`via ${id}`), ['database']),
      toDatabase: ({ id }) => (asked.push(`toDatabase ${id}`), { title: id }),
    })
    expect(asked).toEqual(['via u1', 'toDatabase u1'])
  })

  const title = 't'
  /** As an async method of plain JavaScript. A rejection that nobody handles fails the run. */
  const refusing = (): never => Promise.reject(new Error('the host has failed')) as never
  it.each<readonly [string, Notification<FakeUser>, string]>([
    ['names an unknown channel', note(['database', 'fax'], { title }), '"fax"'],
    ['names a channel of Object', note(['database', 'toString'], { title }), '"toString"'],
    ['has no toDatabase', note(['database', 'sms']), 'toDatabase'],
    ['names one channel as a text', { ...note([]), via: () => 'sms' as never }, 'via'],
    ['returns no channels', { ...note([]), via: () => null as never }, 'via'],
    ['names a channel by a number', note(['sms', 7 as never]), 'via'],
    ['has an async via', { ...note([]), via: refusing }, 'via'],
    ['has an async toDatabase', { ...note(['database', 'sms']), toDatabase: refusing }, 'at once'],
    ['has no title', note(['database', 'sms'], {} as BellData), 'title'],
    ['has an empty title', note(['database', 'sms'], { title: ' \n ' }), 'title'],
    ['has a title that is not a text', note(['database'], { title: 7 } as never), 'title'],
    ['has a body that is not a text', note(['database'], { title, body: {} } as never), 'body'],
    ['has a title with U+0000', note(['database', 'sms'], { title: 'a\0' }), 'title'],
    ['has a body with U+0000', note(['database', 'sms'], { title, body: '\0' }), 'body'],
    ['leads to an address with U+0000', note(['database'], { title, url: '/\0' }), 'url'],
    ['has a type with U+0000', { ...note(['database'], { title }), type: 'a\0' }, 'type'],
    ['has half of a character in its title', note(['database'], { title: '\ud83d' }), 'title'],
    ['has half of a character in its body', note(['database'], { title, body: 'a\ud83d' }), 'body'],
    [
      'has half of a character in its address',
      note(['database'], { title, url: '/\ud83d' }),
      'url',
    ],
    [
      'has half of a character in its type',
      { ...note(['database'], { title }), type: '\ud83d' },
      'type',
    ],
    ['has no type', { ...note(['database'], { title }), type: '' }, 'type'],
    ['leads to a script', note(['database', 'sms'], { title, url: 'javascript:alert(1)' }), 'url'],
  ])('throws and does nothing when it %s', async (_, notification, message) => {
    const { service, una, delivered, unread } = await withChannels()
    const sent = service.auth.notify(una, notification)
    await expect(sent).rejects.toThrow(NotificationError)
    await expect(sent).rejects.toThrow(message)
    expect([await unread(), delivered]).toEqual([0, []])
    expect(payloadsOf(service, 'notification.sent')).toEqual([])
  })

  it('keeps the stored entry when a channel of the host fails, and rejects', async () => {
    const { service, una, unread, fail } = await withChannels()
    fail()
    const sent = service.auth.notify(una, note(['database', 'sms'], { title }))
    await expect(sent).rejects.toThrow('the gateway is down')
    expect(await unread()).toBe(1)
  })
})

describe('Notifications: addresses', () => {
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\tjavascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://a.test',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.test/x',
    'file:///etc/passwd',
    '//evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/\t/evil.test',
    'https:evil',
    'https:/evil',
    'https:///evil',
    'https://',
    'http://[',
    'orders/7',
    '',
    'mailto:a@x.test',
    `https://a.test/${'x'.repeat(3000)}`,
    123,
    {},
  ]
  const good = ['https://a.test/x', 'HTTP://a.test', '/panel/x', '/x?y=//z#a:b', '/']

  it('NOT-06 are refused when they are sent, unless they are https:, http: or a path', async () => {
    const service = await withBells(0, 0)
    const una = await userOf(service, 'u1')
    for (const url of bad) {
      const sent = service.auth.notify(una, bell({ title: 't', url: url as string }))
      await expect(sent, JSON.stringify(url)).rejects.toThrow(NotificationError)
    }
    for (const url of good) await service.auth.notify(una, bell({ title: 't', url }))
    const { json } = await service.una.get(BELL)
    expect(json.data.map(({ data }: { data: BellData }) => data.url)).toEqual(good.toReversed())
  })

  it('NOT-06 are blanked when they are read, where they were stored by other means', async () => {
    const service = await withBells(0, 0)
    const urls = [...bad, ...good]
    const shown: unknown[] = []
    for (const url of urls) {
      await service.stores.notifications.add(
        { tenant: null, userId: 'u1' },
        { id: randomUUID(), type: 't', title: 't', body: null, url: url as string, createdAt: 0 },
      )
      shown.push((await service.una.get(BELL)).json.data[0].data.url)
    }
    expect(shown).toEqual([...bad.map(() => null), ...good])
  })
})
