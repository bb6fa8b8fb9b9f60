// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createBell, createPanelSession, openPanelChannel } from '../../src/client/client.ts'
import type { Bell, PanelSession } from '../../src/client/client.ts'
import { fakeBrowser } from './fake-browser.ts'
import type { FakeBrowser } from './fake-browser.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', email_verified_at: null }

let service: FakeService
let browser: FakeBrowser

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  service = fakeService()
  service.user = ada
  browser = fakeBrowser()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

interface Tab {
  readonly session: PanelSession
  readonly bell: Bell
  readonly close: () => void
}

/** Opens the panel in a tab; it follows the bell until it is closed. */
async function openTab(): Promise<Tab> {
  const channel = openPanelChannel('main')
  const session = createPanelSession({ client: service.client, channel })
  const bell = createBell({ session })
  const stops = [session.start(), bell.start()]
  const close = () => {
    for (const stop of stops.splice(0)) stop()
  }
  onTestFinished(close)
  await settled()
  return { session, bell, close }
}

/** Lets messages between tabs arrive, which no clock counts. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await vi.advanceTimersByTimeAsync(0)
    await new Promise(setImmediate)
  }
}

async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await settled()
}

function show(visibility: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

const asked = (name: string) => service.calls.filter((call) => call === name).length
const COUNT = 'notifications.unread-count'

describe('the count', () => {
  it('is unknown until the service has said it', async () => {
    service.bell.add('one')
    const release = service.hold(COUNT)
    const { bell } = await openTab()
    expect(bell.getState()).toMatchObject({ unread: null, list: 'unasked' })
    release()
    await settled()
    expect(bell.getState()).toMatchObject({ unread: 1, arrivals: 0 })
  })

  it('follows the stream, and knows how many have come in', async () => {
    const { bell } = await openTab()
    expect(browser.streams.map(({ url }) => url)).toEqual(['/svc/api/notifications/stream'])
    browser.tell(2)
    expect(bell.getState()).toMatchObject({ unread: 2, arrivals: 2 })
    browser.tell(1)
    browser.tell(2)
    expect(bell.getState()).toMatchObject({ unread: 2, arrivals: 3 })
  })

  it('is asked for again when somebody comes back to the tab', async () => {
    const { bell } = await openTab()
    const before = asked(COUNT)
    show('hidden')
    service.bell.add('while nobody looked')
    await settled()
    expect(asked(COUNT)).toBe(before)
    show('visible')
    await settled()
    expect(bell.getState().unread).toBe(1)
  })

  it('is not what was asked for before the stream has told more', async () => {
    const release = service.hold(COUNT)
    const { bell } = await openTab()
    const other = await openTab()
    release()
    await settled()
    const late = service.hold(COUNT)
    show('visible')
    browser.tell(7)
    late()
    await settled()
    expect([bell, other.bell].map((bell) => bell.getState().unread)).toEqual([7, 7])
  })
})

describe('only whoever is in has a bell', () => {
  it('nothing is asked for a guest', async () => {
    service.user = null
    await openTab()
    expect(asked(COUNT)).toBe(0)
    expect(browser.opened()).toBe(0)
  })

  it('the end of the session ends the stream and forgets what was known', async () => {
    const { bell, session } = await openTab()
    service.bell.add('for Ada alone')
    await bell.open()
    await session.logout()
    expect(browser.streams).toEqual([])
    expect(bell.getState()).toEqual({
      unread: null,
      arrivals: 0,
      list: 'unasked',
      entries: [],
      arrived: [],
    })
  })

  it('an answer that comes after the end is for nobody', async () => {
    const { bell, session } = await openTab()
    service.bell.add('for Ada alone')
    const release = service.hold('notifications')
    void bell.open()
    const before = asked(COUNT)
    await session.logout()
    release()
    await settled()
    expect(bell.getState()).toMatchObject({ unread: null, entries: [] })
    expect(asked(COUNT)).toBe(before)
  })

  it('a stream that ends because the session has ended leads to the login', async () => {
    const { session } = await openTab()
    browser.tell(0)
    service.user = null
    browser.network = 'without streams'
    browser.breakOff()
    await pass(3)
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
    await pass(120)
    expect(browser.opened()).toBe(2)
  })

  it('a gate that the bell meets is where the panel goes', async () => {
    const { session, bell } = await openTab()
    service.unverified = 'ada@example.com'
    service.refuse('notifications', { status: 403, key: 'svc::auth.email_verification_required' })
    await bell.open()
    expect(session.getState()).toMatchObject({ state: 'gated', gate: 'email' })
  })
})

describe('the tabs of a browser', () => {
  it('share one stream, and its count', async () => {
    const [one, two] = [await openTab(), await openTab()]
    expect(browser.streams).toHaveLength(1)
    browser.tell(3)
    await settled()
    expect([one, two].map(({ bell }) => bell.getState().unread)).toEqual([3, 3])
  })

  it('hand the stream on when the tab that leads is closed', async () => {
    const [one, two] = [await openTab(), await openTab()]
    one.close()
    await settled()
    expect(browser.streams).toHaveLength(1)
    browser.tell(4)
    expect(two.bell.getState().unread).toBe(4)
  })

  it('are in step without a stream: what is marked in one is asked for in the other', async () => {
    browser.network = 'without streams'
    const id = service.bell.add('one')
    const [one, two] = [await openTab(), await openTab()]
    await Promise.all([one.bell.open(), two.bell.open()])
    await one.bell.read(id)
    await settled()
    expect(two.bell.getState()).toMatchObject({ unread: 0, entries: [{ id }] })
    expect(two.bell.getState().entries[0]?.read_at).not.toBeNull()
  })
})

describe('a stream that fails', () => {
  it('is opened again after a random time of at most 3 s, so that clients do not come back together', async () => {
    const random = vi.spyOn(Math, 'random')
    await openTab()
    for (const [chosen, seconds] of [
      [0, 0],
      [0.5, 1.5],
      [0.999, 2.997],
    ] as const) {
      random.mockReturnValue(chosen)
      const before = browser.opened()
      browser.tell(0)
      browser.breakOff()
      await settled()
      if (seconds > 0) {
        expect(browser.opened()).toBe(before)
        await pass(seconds - 0.01)
        expect(browser.opened()).toBe(before)
      }
      await pass(0.02)
      expect(browser.opened()).toBe(before + 1)
    }
  })

  it('that told its count is opened again without a question in between', async () => {
    await openTab()
    browser.tell(0)
    const before = asked(COUNT)
    browser.breakOff()
    await pass(3)
    expect(browser.opened()).toBe(2)
    expect(asked(COUNT)).toBe(before)
  })

  it('is tried less and less often', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    browser.network = 'without streams'
    await openTab()
    const opened: number[] = []
    for (const seconds of [3, 6, 12, 24, 30, 30]) {
      await pass(seconds)
      opened.push(browser.opened())
    }
    expect(opened).toEqual([2, 3, 4, 5, 6, 7])
  })

  it('as the service has replaced it by a newer one is not opened again: its tabs ask every 30 s', async () => {
    const [one, two] = [await openTab(), await openTab()]
    browser.tell(1)
    browser.replace()
    await settled()
    expect(browser.streams).toEqual([])
    service.bell.add('one')
    service.bell.add('two')
    show('hidden')
    await pass(30)
    expect([one, two].map(({ bell }) => bell.getState().unread)).toEqual([2, 2])
    await pass(300)
    expect(browser.opened()).toBe(1)
    // Whoever opens another tab later has the newest stream.
    show('visible')
    one.close()
    await settled()
    expect(browser.opened()).toBe(2)
    expect(two.bell.getState().unread).toBe(2)
  })

  it('again and again is a question every 30 s on average, for all tabs', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    browser.network = 'without streams'
    const [one, two] = [await openTab(), await openTab()]
    await pass(120)
    const before = asked(COUNT)
    service.bell.add('one')
    await pass(30)
    expect([one, two].map(({ bell }) => bell.getState().unread)).toEqual([1, 1])
    await pass(60)
    expect(asked(COUNT) - before).toBe(3)
  })

  it('is not tried while nobody looks', async () => {
    await openTab()
    show('hidden')
    browser.network = 'without streams'
    browser.breakOff()
    await pass(300)
    expect(browser.opened()).toBe(1)
    show('visible')
    await settled()
    expect(browser.opened()).toBe(2)
  })

  it('says nothing of an answer that does not come', async () => {
    const { bell } = await openTab()
    browser.tell(2)
    service.fail(COUNT)
    browser.breakOff()
    await settled()
    expect(bell.getState().unread).toBe(2)
  })
})

describe.each(['locks', 'EventSource', 'BroadcastChannel'])('a browser without %s', (missing) => {
  beforeEach(() => {
    vi.stubGlobal(missing === 'locks' ? 'navigator' : missing, {})
    if (missing !== 'locks') Reflect.deleteProperty(globalThis, missing)
  })

  it('asks every 30 s, and not while nobody looks', async () => {
    const { bell } = await openTab()
    expect(asked(COUNT)).toBe(1)
    service.bell.add('one')
    await pass(30)
    expect(bell.getState()).toMatchObject({ unread: 1, arrivals: 1 })
    expect(browser.opened()).toBe(0)
    const before = asked(COUNT)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await pass(300)
    expect(asked(COUNT)).toBe(before)
    vi.restoreAllMocks()
  })
})

describe('the list', () => {
  it('is loaded when it is opened: the 20 latest, newest first', async () => {
    for (let number = 1; number <= 21; number += 1) service.bell.add(`number ${number}`)
    const { bell } = await openTab()
    expect(asked('notifications')).toBe(0)
    const opened = bell.open()
    expect(bell.getState()).toMatchObject({ list: 'loading', entries: [] })
    await opened
    const { list, entries, unread } = bell.getState()
    expect(list).toBe('loaded')
    expect(entries.map(({ data }) => data.title)).toEqual(
      Array.from({ length: 20 }, (_, index) => `number ${21 - index}`),
    )
    expect(unread).toBe(21)
  })

  it('keeps back what comes in while it is looked at, until it is asked for', async () => {
    const first = service.bell.add('first')
    const { bell } = await openTab()
    await bell.open()
    const second = service.bell.add('second')
    browser.tell(2)
    await settled()
    expect(bell.getState()).toMatchObject({ entries: [{ id: first }], arrived: [{ id: second }] })
    bell.showArrived()
    expect(bell.getState()).toMatchObject({
      entries: [{ id: second }, { id: first }],
      arrived: [],
    })
  })

  it('stays at 20 when what has come in is put into it', async () => {
    for (let number = 1; number <= 20; number += 1) service.bell.add(`number ${number}`)
    const { bell } = await openTab()
    await bell.open()
    service.bell.add('number 21')
    browser.tell(21)
    await settled()
    bell.showArrived()
    expect(bell.getState().entries.map(({ data }) => data.title)).toEqual(
      Array.from({ length: 20 }, (_, index) => `number ${21 - index}`),
    )
  })

  it('is not loaded again for nobody', async () => {
    const { bell } = await openTab()
    await bell.open()
    bell.close()
    browser.tell(1)
    await settled()
    expect(asked('notifications')).toBe(1)
  })

  it('has failed when it cannot be had, keeps what it had, and can be tried again', async () => {
    service.bell.add('one')
    const { bell } = await openTab()
    service.fail('notifications')
    await bell.open()
    expect(bell.getState()).toMatchObject({ list: 'failed', entries: [] })
    await bell.open()
    service.refuse('notifications', { status: 503, key: 'svc::auth.unavailable' })
    await bell.open()
    expect(bell.getState()).toMatchObject({ list: 'failed', entries: [{ read_at: null }] })
    await bell.open()
    expect(bell.getState().list).toBe('loaded')
  })

  it('stays as it is when news of it cannot be had', async () => {
    service.bell.add('one')
    const { bell } = await openTab()
    await bell.open()
    service.fail('notifications')
    browser.tell(2)
    await settled()
    expect(bell.getState()).toMatchObject({ list: 'loaded', unread: 2, entries: [{}] })
  })
})

describe('marking', () => {
  const LATEST = 'the latest'

  /** The list of three unread ones, open. */
  async function withThree() {
    const ids = ['oldest', 'middle', LATEST].map((title) => service.bell.add(title))
    const tab = await openTab()
    await tab.bell.open()
    const readAt = () => tab.bell.getState().entries.map(({ read_at }) => read_at !== null)
    return { ...tab, id: ids[2] ?? '', readAt }
  }

  it('shows at once, whatever the service takes', async () => {
    const { bell, id, readAt } = await withThree()
    const release = service.hold('notifications.read')
    const marked = bell.read(id)
    expect(readAt()).toEqual([true, false, false])
    expect(bell.getState().unread).toBe(2)
    release()
    expect(await marked).toEqual({ outcome: 'ok' })
    await settled()
    expect(service.bell.unread()).toBe(2)
    expect(readAt()).toEqual([true, false, false])
  })

  it('is not undone by news of before', async () => {
    const { bell, id, readAt } = await withThree()
    const release = service.hold('notifications.read')
    const marked = bell.read(id)
    browser.tell(3)
    await settled()
    expect(bell.getState().unread).toBe(2)
    expect(readAt()).toEqual([true, false, false])
    release()
    await marked
    await settled()
    expect(bell.getState()).toMatchObject({ unread: 2, arrivals: 0 })
  })

  it('is not undone by a list that was asked for before', async () => {
    const { bell, id, readAt } = await withThree()
    const releaseList = service.hold('notifications')
    browser.tell(3)
    const release = service.hold('notifications.read')
    const marked = bell.read(id)
    releaseList()
    await settled()
    expect(readAt()).toEqual([true, false, false])
    release()
    await marked
  })

  it.each(['unreachable', 'refused'] as const)('is taken back when it is %s', async (outcome) => {
    const { bell, id, readAt } = await withThree()
    if (outcome === 'unreachable') service.fail('notifications.read')
    else service.refuse('notifications.read', { status: 503, key: 'svc::auth.unavailable' })
    service.fail('notifications')
    expect(await bell.read(id)).toMatchObject({ outcome })
    expect(readAt()).toEqual([false, false, false])
    expect(bell.getState()).toMatchObject({ unread: 3, arrivals: 0 })
  })

  it('one that is read already changes no count', async () => {
    const { bell, id } = await withThree()
    await bell.read(id)
    const release = service.hold('notifications.read')
    const again = bell.read(id)
    expect(bell.getState().unread).toBe(2)
    release()
    await again
  })

  it('all is for those too that are not listed', async () => {
    for (let number = 0; number < 30; number += 1) service.bell.add(`number ${number}`)
    const { bell, readAt } = await withThree()
    const release = service.hold('notifications.read-all')
    const marked = bell.readAll()
    expect(bell.getState().unread).toBe(0)
    expect(readAt()).not.toContain(false)
    release()
    expect(await marked).toEqual({ outcome: 'ok' })
    expect(service.bell.unread()).toBe(0)
  })

  it('all is taken back when it fails', async () => {
    const { bell, readAt } = await withThree()
    await bell.read(bell.getState().entries[1]?.id ?? '')
    await settled()
    service.fail('notifications.read-all')
    service.fail('notifications')
    expect(await bell.readAll()).toEqual({ outcome: 'unreachable' })
    expect(readAt()).toEqual([false, true, false])
    expect(bell.getState().unread).toBe(2)
  })

  it('tells of what has come in meanwhile', async () => {
    const { bell, id } = await withThree()
    const release = service.hold('notifications.read')
    const marked = bell.read(id)
    service.bell.add('meanwhile')
    browser.tell(4)
    release()
    await marked
    await settled()
    expect(bell.getState()).toMatchObject({ unread: 3, arrivals: 1, arrived: [{}] })
  })
})
