// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
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

makeBrowserBeforeEach()

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
