import type { NotificationStore, Owner } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { openStream, PER_STREAM, PER_USER, type OpenStream } from '../../support/bell-stream.ts'
import { notify } from '../../support/bell.ts'
import type { Browser } from '../../support/browser.ts'
import { loggedIn } from '../../support/logins.ts'
import { startService, type Changes, type TestService } from '../../support/service.ts'
import { barrier, settled } from '../../support/time.ts'
import { watchedBus } from '../../support/watched-stores.ts'

const replaced = { event: 'replaced', data: {}, retry: 300_000 }

/** Opens streams one after the other; each has told its first count. */
async function openStreams(
  { url }: TestService,
  browser: Browser,
  count: number,
): Promise<readonly OpenStream[]> {
  const streams: OpenStream[] = []
  for (let opened = 0; opened < count; opened += 1) {
    const stream = await openStream(url, browser)
    expect((await stream.next())?.event).toBe('unread')
    streams.push(stream)
  }
  return streams
}

async function countAfter(streams: readonly OpenStream[]): Promise<readonly unknown[]> {
  return Promise.all(
    streams.map(async (stream) => {
      let told = await stream.next()
      while (told !== null && told.event !== 'unread') told = await stream.next()
      return told?.data.unread_count
    }),
  )
}

describe('The streams of a session and of a user', () => {
  it('are limited to 8 for each session: the ninth replaces the oldest', async () => {
    const service = await startService()
    const una = await loggedIn(service, 'u1@x.test')
    const streams = await openStreams(service, una, 9)
    expect(await streams[0]?.rest()).toEqual([replaced])
    await notify(service, 'for the others')
    expect(await countAfter(streams.slice(1))).toEqual(Array.from({ length: 8 }, () => 1))
  })

  it('are limited to 32 for each user over all sessions: the oldest ends', async () => {
    const service = await startService()
    const streams: OpenStream[] = []
    for (let sessions = 0; sessions < 5; sessions += 1) {
      const una = await loggedIn(service, 'u1@x.test')
      streams.push(...(await openStreams(service, una, sessions === 4 ? 1 : 8)))
    }
    expect(await streams[0]?.rest()).toEqual([replaced])
    await notify(service, 'for the others')
    expect(await countAfter(streams.slice(1))).toEqual(Array.from({ length: 32 }, () => 1))
  })

  it('are limited by the numbers of the host', async () => {
    const service = await startService({ config: { streams: { per_session: 2, per_user: 3 } } })
    const [one, two] = [await loggedIn(service, 'u1@x.test'), await loggedIn(service, 'u1@x.test')]
    const [first, second] = await openStreams(service, one, 3)
    expect(await first?.rest()).toEqual([replaced])
    await openStreams(service, two, 2)
    expect(await second?.rest()).toEqual([replaced])
  })

  it('do not count those of other users', async () => {
    const service = await startService({ config: { streams: { per_session: 1, per_user: 1 } } })
    const una = await loggedIn(service, 'u1@x.test')
    const duo = await loggedIn(service, 'u2@x.test')
    const streams = [
      ...(await openStreams(service, una, 1)),
      ...(await openStreams(service, duo, 1)),
    ]
    await notify(service, 'for U1')
    await notify(service, 'for U2', { id: 'u2' })
    expect(await countAfter(streams)).toEqual([1, 1])
  })

  it('are limited when they are opened at once', async () => {
    const stores = watchedBus()
    const service = await startService({ stores })
    const una = await loggedIn(service, 'u1@x.test')
    const opening = Array.from({ length: 20 }, async () => openStream(service.url, una))
    const streams = await Promise.all(opening)
    await expect
      .poll(() => streams.filter(({ told }) => told.at(-1)?.event === 'replaced').length)
      .toBe(12)
    await expect.poll(() => stores.listeners()).toBe(PER_USER + 8 * PER_STREAM)
  })

  it('tell a client to reconnect after a random time', async () => {
    const service = await startService()
    const una = await loggedIn(service, 'u1@x.test')
    const retries: (number | undefined)[] = []
    for (let count = 0; count < 8; count += 1) {
      const stream = await openStream(service.url, una)
      retries.push((await stream.next())?.retry)
    }
    for (const retry of retries) {
      expect(retry).toBeGreaterThanOrEqual(1000)
      expect(retry).toBeLessThanOrEqual(10_000)
    }
    expect(new Set(retries).size).toBeGreaterThan(4)
  })
})

describe('The reads of the store for the streams of a user', () => {
  it('load the list once for each change, however many streams there are', async () => {
    const { service, reads, una } = await withReads()
    const streams = await openStreams(service, una, 8)
    await settled()
    for (const title of ['one', 'other']) {
      const before = reads.count()
      await notify(service, title)
      await countAfter(streams)
      expect(reads.count() - before).toBe(1)
    }
  })

  it('load the list again when it changes during a read, so that no stream is outdated', async () => {
    const { service, reads, una } = await withReads()
    const streams = await openStreams(service, una, 4)
    const { reached, release } = reads.hold()
    await notify(service, 'one')
    await reached
    await notify(service, 'two')
    release()
    for (const stream of streams) {
      let told = await stream.next()
      while (told?.data.unread_count !== 2) told = await stream.next()
    }
  })

  it('load the list again for a new stream, as the bus may have lost a message', async () => {
    const stores = watchedBus()
    const service = await startService({ stores })
    const una = await loggedIn(service, 'u1@x.test')
    await openStreams(service, una, 1)
    stores.deafen(true)
    await notify(service, 'nobody is told')
    const later = await openStream(service.url, una)
    expect((await later.next())?.data).toEqual({ unread_count: 1 })
  })

  it('load only the list of that user', async () => {
    const { service, una } = await withReads()
    const duo = await loggedIn(service, 'u2@x.test')
    const [hers] = await openStreams(service, una, 1)
    const [his] = await openStreams(service, duo, 1)
    await Promise.all([notify(service, 'for U1'), notify(service, 'for U2', { id: 'u2' })])
    const titles = async (stream?: OpenStream) => (await stream?.next())?.data.data.title
    expect([await titles(hers), await titles(his)]).toEqual(['for U1', 'for U2'])
  })
})

describe('Streams that are opened together', () => {
  it('are judged a few at once and in order, and delay no other request', async () => {
    const judged = new Set<string>()
    const held: (() => void)[] = []
    const changes: Changes = {
      config: {
        svc: {
          prefix: 'admin',
          panels: ['main'],
          middleware: [
            async ({ request }, next) => {
              const number = request.header('x-number')
              // What is judged again later is not held.
              if (number !== null && !judged.has(number)) {
                judged.add(number)
                await new Promise<void>((resolve) => void held.push(resolve))
              }
              return next()
            },
          ],
        },
        streams: { per_session: 100, per_user: 100 },
      },
    }
    const service = await startService(changes)
    const una = await loggedIn(service, 'u1@x.test')
    const numbers = Array.from({ length: 20 }, (_, index) => String(index + 1))
    const opening: Promise<OpenStream>[] = []
    for (const number of numbers) {
      opening.push(openStream(service.url, una, { 'x-number': number }))
      if (opening.length <= 4) await expect.poll(() => judged.size).toBe(opening.length)
      // The request has arrived when one that was sent later is answered.
      expect((await una.get('/svc/api/user')).status).toBe(200)
    }
    expect([...judged]).toEqual(['1', '2', '3', '4'])
    for (let released = 1; released <= 20; released += 1) {
      held.shift()?.()
      await expect.poll(() => judged.size).toBe(Math.min(released + 4, 20))
    }
    expect([...judged]).toEqual(numbers)
    const streams = await Promise.all(opening)
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  })
})

/** A service whose reads of the bell's list are counted, and can be held. */
async function withReads() {
  const stores = memoryStores()
  let count = 0
  let held: { readonly reach: () => void; readonly released: Promise<void> } | null = null
  const latest: NotificationStore['latest'] = async (owner: Owner, limit: number) => {
    count += 1
    const list = await stores.notifications.latest(owner, limit)
    const hold = held
    held = null
    hold?.reach()
    await hold?.released
    return list
  }
  const notifications: NotificationStore = { ...stores.notifications, latest }
  const service = await startService({ stores: { ...stores, notifications } })
  const una = await loggedIn(service, 'u1@x.test')
  const reads = {
    count: () => count,
    hold() {
      const [reached, released] = [barrier(), barrier()]
      held = { reach: reached.open, released: released.passed }
      return { reached: reached.passed, release: released.open }
    },
  }
  return { service, reads, una }
}
