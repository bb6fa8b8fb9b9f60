// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
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

describe('the count', () => {
  it('is unknown until the first answer', async () => {
    service.bell.add('one')
    const release = service.hold(COUNT)
    const { bell } = await openTab()
    expect(bell.getState()).toMatchObject({ unread: null, list: 'unasked' })
    release()
    await settled()
    expect(bell.getState()).toMatchObject({ unread: 1, arrivals: 0 })
  })

  it('follows the stream and counts new entries', async () => {
    const { bell } = await openTab()
    expect(browser.streams.map(({ url }) => url)).toEqual(['/svc/api/notifications/stream'])
    browser.tell(2)
    expect(bell.getState()).toMatchObject({ unread: 2, arrivals: 2 })
    browser.tell(1)
    browser.tell(2)
    expect(bell.getState()).toMatchObject({ unread: 2, arrivals: 3 })
  })

  it('is requested again when the tab becomes visible', async () => {
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

  it('ignores an answer that is older than an event of the stream', async () => {
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
  it('requests nothing for a guest', async () => {
    service.user = null
    await openTab()
    expect(asked(COUNT)).toBe(0)
    expect(browser.opened()).toBe(0)
  })

  it('closes the stream and clears the list when the session ends', async () => {
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

  it('ignores an answer that arrives after the session has ended', async () => {
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

  it('ignores a count that arrives after the session has ended', async () => {
    const { bell, session } = await openTab()
    service.bell.add('for Ada alone')
    const release = service.hold(COUNT)
    show('visible')
    await session.logout()
    service.user = ada
    release()
    await settled()
    expect(bell.getState().unread).toBeNull()
  })

  it('leads to the login when the stream ends with the session', async () => {
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

  it('moves the panel to the gate that refuses the bell', async () => {
    const { session, bell } = await openTab()
    service.unverified = 'ada@example.com'
    service.refuse('notifications', { status: 403, key: 'svc::auth.email_verification_required' })
    await bell.open()
    expect(session.getState()).toMatchObject({ state: 'gated', gate: 'email' })
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

  it('holds back new entries while it is open, until the user asks for them', async () => {
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

  it('arrives although counts come faster than its answers, and is then requested once more', async () => {
    service.bell.add('one')
    const { bell } = await openTab()
    const release = service.hold('notifications')
    void bell.open()
    browser.tell(2)
    browser.tell(3)
    await settled()
    expect(asked('notifications')).toBe(1)
    const releaseNext = service.hold('notifications')
    release()
    await settled()
    expect(bell.getState()).toMatchObject({ list: 'loaded', entries: [{}], unread: 3, arrivals: 2 })
    expect(asked('notifications')).toBe(2)
    service.bell.add('two')
    service.bell.add('three')
    releaseNext()
    await settled()
    expect(bell.getState()).toMatchObject({ entries: [{}], arrived: [{}, {}], unread: 3 })
    expect(asked('notifications')).toBe(2)
  })

  it('keeps a newer count that came after it was closed, and is not requested again', async () => {
    service.bell.add('one')
    const { bell } = await openTab()
    const release = service.hold('notifications')
    const opening = bell.open()
    bell.close()
    browser.tell(5)
    release()
    await opening
    await settled()
    expect(bell.getState()).toMatchObject({ list: 'loaded', unread: 5 })
    expect(asked('notifications')).toBe(1)
  })

  it('stays at 20 entries when new entries are added', async () => {
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

  it('is not loaded again after it was closed', async () => {
    const { bell } = await openTab()
    await bell.open()
    bell.close()
    browser.tell(1)
    await settled()
    expect(asked('notifications')).toBe(1)
  })

  it('reports a failure to load, keeps its entries, and can be loaded again', async () => {
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

  it('stays unchanged when an update fails', async () => {
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

  it('is shown at once, before the service answers', async () => {
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

  it('is not undone by an older event', async () => {
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

  it('is not undone by a list that was requested before', async () => {
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

  it('is not undone by a list that was requested and answered meanwhile', async () => {
    const { bell, id, readAt } = await withThree()
    const release = service.hold('notifications.read')
    const marked = bell.read(id)
    await bell.open()
    expect(readAt()).toEqual([true, false, false])
    release()
    await marked
    await settled()
    expect(bell.getState()).toMatchObject({ list: 'loaded', unread: 2 })
  })

  it.each(['unreachable', 'refused'] as const)(
    'is undone when the request is %s',
    async (outcome) => {
      const { bell, id, readAt } = await withThree()
      if (outcome === 'unreachable') service.fail('notifications.read')
      else service.refuse('notifications.read', { status: 503, key: 'svc::auth.unavailable' })
      service.fail('notifications')
      expect(await bell.read(id)).toMatchObject({ outcome })
      expect(readAt()).toEqual([false, false, false])
      expect(bell.getState()).toMatchObject({ unread: 3, arrivals: 0 })
    },
  )

  it('does not change the count for an entry that is read already', async () => {
    const { bell, id } = await withThree()
    await bell.read(id)
    const release = service.hold('notifications.read')
    const again = bell.read(id)
    expect(bell.getState().unread).toBe(2)
    release()
    await again
  })

  it('marks all, including entries that are not listed', async () => {
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

  it('undoes marking all when the request fails', async () => {
    const { bell, readAt } = await withThree()
    await bell.read(bell.getState().entries[1]?.id ?? '')
    await settled()
    service.fail('notifications.read-all')
    service.fail('notifications')
    expect(await bell.readAll()).toEqual({ outcome: 'unreachable' })
    expect(readAt()).toEqual([false, true, false])
    expect(bell.getState().unread).toBe(2)
  })

  it('reports entries that arrived meanwhile', async () => {
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
