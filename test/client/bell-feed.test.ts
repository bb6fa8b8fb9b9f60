// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openPanelChannel } from '../../web/client/client.ts'
import { forbidChannels } from './fake-browser.ts'
import {
  service,
  browser,
  openTab,
  settled,
  pass,
  show,
  asked,
  COUNT,
  makeBrowserBeforeEach,
} from './tested-bell.ts'
import { ada } from './tested-session.ts'

makeBrowserBeforeEach()

describe('the tabs of a browser', () => {
  it('share one stream and its count', async () => {
    const [one, two] = [await openTab(), await openTab()]
    expect(browser.streams).toHaveLength(1)
    browser.tell(3)
    await settled()
    expect([one, two].map(({ bell }) => bell.getState().unread)).toEqual([3, 3])
  })

  it('ignore a message that is no count, as of another version of the panel', async () => {
    const { bell } = await openTab()
    const channel = openPanelChannel(`bell::${ada.id}`)
    channel.send('logged-in')
    await settled()
    expect(bell.getState().unread).toBe(0)
    // The bells of other tabs send their counts on the same channel.
    channel.send(3 as never)
    await settled()
    expect(bell.getState().unread).toBe(3)
  })

  it('do not request their open lists again when another tab opens', async () => {
    const { bell } = await openTab()
    await bell.open()
    const before = asked('notifications')
    await openTab()
    expect(asked('notifications')).toBe(before)
  })

  it('open the stream in another tab when the tab that holds it is closed', async () => {
    const [one, two] = [await openTab(), await openTab()]
    one.close()
    await settled()
    expect(browser.streams).toHaveLength(1)
    browser.tell(4)
    expect(two.bell.getState().unread).toBe(4)
  })

  it('show the same count without a stream: marking in one makes the other ask again', async () => {
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

describe('bells of two services on one site', () => {
  it('have a stream each, although their users have the same id', async () => {
    await openTab()
    await openTab('https://blog.example')
    expect(browser.streams).toHaveLength(2)
  })
})

describe('a tab that may not open a channel', () => {
  it('polls by itself, as where the user blocks cookies', async () => {
    forbidChannels()
    service.bell.add('one')
    const { bell } = await openTab()
    expect(bell.getState().unread).toBe(1)
    expect(browser.opened()).toBe(0)
    service.bell.add('two')
    await pass(30)
    expect(bell.getState().unread).toBe(2)
  })
})

describe('a stream that fails', () => {
  it('is opened again after a random time of at most 3 s', async () => {
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

  it('is opened again without a request in between when it had sent a count', async () => {
    await openTab()
    browser.tell(0)
    const before = asked(COUNT)
    browser.breakOff()
    await pass(3)
    expect(browser.opened()).toBe(2)
    expect(asked(COUNT)).toBe(before)
  })

  it('is retried with backoff', async () => {
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

  it('is closed and polled for where a proxy holds back its events for 30 s', async () => {
    const { bell } = await openTab()
    service.bell.add('one')
    await pass(29)
    expect(bell.getState().unread).toBe(0)
    await pass(1)
    expect(bell.getState().unread).toBe(1)
    expect(browser.streams).toEqual([])
    await pass(6)
    browser.tell(2)
    await pass(300)
    expect(browser.opened()).toBe(2)
  })

  it('is not opened again when the service replaced it by a newer one: the tabs poll every 30 s', async () => {
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
    show('visible')
    one.close()
    await settled()
    expect(browser.opened()).toBe(2)
    expect(two.bell.getState().unread).toBe(2)
  })

  it('repeatedly makes one tab poll every 30 s on average', async () => {
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

  it('is not retried while the tab is hidden', async () => {
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

  it('reports no error while an answer is missing', async () => {
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

  it('polls every 30 s, and not while the tab is hidden', async () => {
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
