import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it, vi } from 'vitest'
import {
  openStream,
  type OpenStream,
  unread,
  entry,
  withStream,
  PER_USER,
  PER_STREAM,
} from '../../support/bell-stream.ts'
import { notify } from '../../support/bell.ts'
import { loggedIn } from '../../support/logins.ts'
import { BELL } from '../../support/paths.ts'
import { startService } from '../../support/service.ts'
import { settled, stopTime, pass } from '../../support/time.ts'
import { watchedBus } from '../../support/watched-stores.ts'

stopTime()

describe('The stream of the bell: events', () => {
  it('is an event stream that proxies neither buffer nor compress', async () => {
    const { stream } = await withStream()
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
  })

  it('sends the count at once and with each change, and each new entry as in the list', async () => {
    const service = await startService()
    await notify(service, 'old')
    const una = await loggedIn(service, 'u1@x.test')
    const stream = await openStream(service.url, una)
    expect(await stream.next()).toEqual(unread(1))
    await notify(service, 'new')
    const told = await stream.next()
    expect(told).toEqual(entry('new'))
    expect(await stream.next()).toEqual(unread(2))
    const { json } = await una.get(BELL)
    expect(told?.data).toEqual(json.data[0])
    await una.post(`${BELL}/${json.data[1].id}/read`)
    expect(await stream.next()).toEqual(unread(1))
    await una.post(`${BELL}/read-all`)
    expect(await stream.next()).toEqual(unread(0))
  })

  it('sends concurrent entries in the order of sending, each once', async () => {
    const { service, stream } = await withStream()
    await Promise.all(['1', '2', '3'].map(async (title) => notify(service, title)))
    await notify(service, '4')
    const titles: string[] = []
    for (let told = await stream.next(); told?.data.unread_count !== 4; told = await stream.next())
      if (told?.event === 'notification') titles.push(told.data.data.title)
    expect(titles).toEqual(['1', '2', '3', '4'])
  })

  it('sends nothing of other users', async () => {
    const { service, una, stream } = await withStream()
    const duo = await loggedIn(service, 'u2@x.test')
    await notify(service, 'his', { id: 'u2' })
    await duo.post(`${BELL}/read-all`)
    await settled()
    await notify(service, 'hers')
    expect([await stream.next(), await stream.next()]).toEqual([entry('hers'), unread(1)])
    await una.post('/svc/api/logout')
    expect(await stream.rest()).toEqual([])
  })

  it('sends to every window of a user on every node', async () => {
    const shared = memoryStores()
    const nodes = [await startService({ stores: shared }), await startService({ stores: shared })]
    const streams: OpenStream[] = []
    for (const node of nodes) {
      const una = await loggedIn(node, 'u1@x.test')
      streams.push(await openStream(node.url, una), await openStream(node.url, una))
    }
    for (const stream of streams) expect(await stream.next()).toEqual(unread(0))
    for (const node of nodes) await notify(node, node.url)
    for (const stream of streams) {
      const titles: string[] = []
      for (
        let told = await stream.next();
        told?.data.unread_count !== 2;
        told = await stream.next()
      )
        if (told?.event === 'notification') titles.push(told.data.data.title)
      expect(titles).toEqual(nodes.map(({ url }) => url))
    }
  })

  it('sends a heartbeat every 25 seconds', async () => {
    const { service, stream } = await withStream()
    await pass(24.9)
    expect(stream.told).toHaveLength(1)
    await pass(0.2)
    expect(await stream.next()).toEqual({ event: 'comment', data: null })
    await pass(25)
    expect(await stream.next()).toEqual({ event: 'comment', data: null })
    await notify(service, 'still there')
    expect(await stream.next()).toEqual(entry('still there'))
  })

  it('blanks unsafe addresses', async () => {
    const { stores, service, stream } = await withStream()
    const stored = { id: '00000000-0000-4000-8000-000000000000', type: 't', title: 't', body: null }
    const owner = { tenant: null, userId: 'u1' }
    await stores.notifications.add(owner, { ...stored, url: 'javascript:alert(1)', createdAt: 0 })
    await notify(service, 'rings')
    expect((await stream.next())?.data.data).toEqual({ title: 't', body: null, url: null })
  })
})

describe('The stream of the bell: resources', () => {
  it('removes its listeners when the client disconnects', async () => {
    const { service, stores, una, stream } = await withStream()
    const second = await openStream(service.url, una)
    await second.next()
    expect(stores.listeners()).toBe(PER_USER + 2 * PER_STREAM)
    stream.leave()
    await vi.waitFor(() => expect(stores.listeners()).toBe(PER_USER + PER_STREAM))
    await notify(service, 'for who is left')
    expect(await second.next()).toEqual(entry('for who is left'))
    second.leave()
    await vi.waitFor(() => expect(stores.listeners()).toBe(0))
    await settled()
    expect(service.log).toEqual([])
  })

  it('closes a stream whose client has not read for 30 seconds, and keeps the others', async () => {
    const { service, stores, una, stream } = await withStream()
    const other = await openStream(service.url, una)
    expect(await other.next()).toEqual(unread(0))
    stream.pause()
    // More than the buffers of both ends hold.
    const body = 'x'.repeat(8_000_000)
    for (let sent = 1; sent <= 4; sent += 1) {
      await notify(service, 'large', { body })
      expect((await other.next())?.event).toBe('notification')
      expect(await other.next()).toEqual(unread(sent))
    }
    await settled()
    await pass(29)
    expect(stores.listeners()).toBe(PER_USER + 2 * PER_STREAM)
    await pass(2)
    await vi.waitFor(() => expect(stores.listeners()).toBe(PER_USER + PER_STREAM))
    await notify(service, 'small')
    expect((await other.next())?.event).toMatch(/comment|notification/)
    expect(service.log).toEqual([])
  })

  it('survives a lost message of the bus, and sends the missed entries with the next', async () => {
    const { service, stores, stream } = await withStream()
    stores.deafen(true)
    await notify(service, 'missed')
    stores.deafen(false)
    await notify(service, 'heard')
    const told = [await stream.next(), await stream.next(), await stream.next()]
    expect(told).toEqual([entry('missed'), entry('heard'), unread(2)])
  })

  it('shows an entry whose message the bus refused, once the bus takes it', async () => {
    const shared = memoryStores()
    const { service, stream } = await withStream({ stores: shared })
    const publish = vi.spyOn(shared.bus, 'publish')
    for (let failures = 0; failures < 2; failures += 1)
      publish.mockRejectedValueOnce(new Error('the bus is down'))
    await notify(service, 't')
    await pass(1)
    expect(stream.told).toEqual([unread(0)])
    await pass(5)
    expect([await stream.next(), await stream.next()]).toEqual([entry('t'), unread(1)])
    await pass(60)
    expect(publish).toHaveBeenCalledTimes(3)
  })

  it('ends with the next heartbeat when the bus has lost the end of its session', async () => {
    const { stores, una, stream } = await withStream()
    stores.deafen(true)
    await una.post('/svc/api/logout')
    await pass(25)
    expect((await stream.rest()).filter(({ event }) => event !== 'comment')).toEqual([])
  })

  it('leaves no listener when subscribing fails half-way', async () => {
    const stores = watchedBus()
    let calls = 0
    const { bus } = stores
    const failing: typeof bus = {
      publish: async (topic, message) => bus.publish(topic, message),
      async subscribe(topic, listener) {
        calls += 1
        if (calls === PER_STREAM) throw new Error('the bus is down')
        return bus.subscribe(topic, listener)
      },
    }
    const service = await startService({ stores: { ...stores, bus: failing } })
    const una = await loggedIn(service, 'u1@x.test')
    const stream = await openStream(service.url, una)
    expect(await stream.rest()).toEqual([])
    expect(stores.listeners()).toBe(0)
  })

  it('ends when the store fails, so that the client reconnects', async () => {
    const { service, stores, una, stream, setDown } = await withBreakableBell()
    setDown(true)
    await notify(service, 't')
    expect(await stream.rest()).toEqual([])
    expect(stores.listeners()).toBe(0)
    expect(service.log.map(({ message }) => message)).toEqual(['a stream of the bell failed'])
    setDown(false)
    expect(await (await openStream(service.url, una)).next()).toEqual(unread(1))
  })

  it('opens after the failure of another one, while an earlier one goes on', async () => {
    const { service, una, setDown } = await withBreakableBell()
    setDown(true)
    expect(await (await openStream(service.url, una)).rest()).toEqual([])
    setDown(false)
    expect(await (await openStream(service.url, una)).next()).toEqual(unread(0))
  })
})

/** Opens a stream on a bell whose reads fail while it is down. */
async function withBreakableBell() {
  const shared = memoryStores()
  let isDown = false
  const latest: typeof shared.notifications.latest = (owner, limit) => {
    if (isDown) throw new Error('SELECT: disk I/O error')
    return shared.notifications.latest(owner, limit)
  }
  const opened = await withStream({
    stores: { ...shared, notifications: { ...shared.notifications, latest } },
  })
  return { ...opened, setDown: (down: boolean) => void (isDown = down) }
}
