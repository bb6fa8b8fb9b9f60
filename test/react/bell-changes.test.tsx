import { afterEach, describe, expect, it, vi } from 'vitest'
import { button, closeAndRestore, one, pass, settled, statusText } from './open-panel.tsx'
import { withBell, withList, bellButton, dialog, rows, item, names, press } from './bell-page.tsx'

afterEach(closeAndRestore)

describe('B5 marking one', () => {
  it('moves the focus to the row, announces the count, and removes "Unread"', async () => {
    const { service } = await withList((bell) => {
      bell.add('Backup completed')
      bell.add('Export finished')
    })
    button('Mark as read: Export finished').click()
    await settled()
    expect(document.activeElement).toBe(item(0))
    expect(statusText()).toBe('Marked as read. 1 unread.')
    expect(names()).toEqual(['Export finished  now', 'Unread: Backup completed  now'])
    expect(service.bell.unread()).toBe(1)
  })

  it('marks an entry without a url on click, and keeps the list open', async () => {
    const { service } = await withList((bell) => void bell.add('Backup completed'))
    item(0).click()
    await settled()
    expect(service.bell.unread()).toBe(0)
    expect(dialog()).toBeDefined()
    expect(statusText()).toBe('Marked as read. 0 unread.')
  })

  it('ignores the second click of a double click, which was meant for what opened the list', async () => {
    const { service } = await withList((bell) => void bell.add('Backup completed'))
    item(0).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
    await settled()
    expect(names()[0]).toMatch(/^Unread: /)
    expect(service.bell.unread()).toBe(1)
  })

  it('shows the reason when it fails, and the entry is unread again', async () => {
    const { service } = await withList((bell) => void bell.add('Backup completed'))
    service.fail('notifications.read')
    button('Mark as read: Backup completed').click()
    await settled()
    expect(one('dialog [role=alert]').textContent).toContain('could not reach the server')
    expect(names()[0]).toMatch(/^Unread: /)
  })
})

describe('B6 marking all', () => {
  it('announces it, and is disabled at zero', async () => {
    const { service } = await withList((bell) => {
      bell.add('Backup completed')
      bell.add('Export finished')
    })
    const all = button('Mark all as read')
    expect(all.getAttribute('aria-disabled')).toBeNull()
    all.click()
    await settled()
    expect(statusText()).toBe('All notifications marked as read.')
    expect(service.bell.unread()).toBe(0)
    expect(all.getAttribute('aria-disabled')).toBe('true')
    const reason = document.getElementById(all.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('You are up to date')
    const before = service.calls.length
    all.click()
    await settled()
    expect(service.calls).toHaveLength(before)
  })
})

describe('B7 new entries', () => {
  it('changes the count and is announced while the list is closed', async () => {
    const { browser } = await withBell()
    browser.tell(1)
    await vi.waitFor(() => expect(statusText()).toBe('1 new notification'))
    expect(bellButton().getAttribute('aria-label')).toBe('Notifications, 1 unread')
  })

  it('is announced at most once in 30 s, all together', async () => {
    const { browser } = await withBell()
    vi.useFakeTimers({ shouldAdvanceTime: true })
    browser.tell(1)
    await pass(200)
    expect(statusText()).toBe('1 new notification')
    browser.tell(2)
    browser.tell(3)
    await pass(29_000)
    expect(statusText()).toBe('1 new notification')
    await pass(1500)
    expect(statusText()).toBe('2 new notifications')
  })

  it('moves no row while the list is open: a button adds the entries and moves the focus', async () => {
    const { service, browser } = await withList((bell) => void bell.add('Backup completed'))
    service.bell.add('Export finished')
    browser.tell(2)
    await settled()
    expect(names()).toEqual(['Unread: Backup completed  now'])
    button('1 new notification').click()
    await settled()
    expect(names()[0]).toContain('Export finished')
    expect(document.activeElement).toBe(item(0))
    expect(document.querySelector('[data-svc-part=bell-new]')).toBeNull()
  })
})

describe('B8 loading', () => {
  it('shows that it is loading', async () => {
    const { service } = await withBell((bell) => void bell.add('Backup completed'))
    const release = service.hold('notifications')
    await press()
    expect(one('[data-svc-part=bell-list]').getAttribute('aria-busy')).toBe('true')
    await vi.waitFor(() => expect(statusText()).toBe('Loading notifications…'))
    release()
    await settled()
    expect(statusText()).toBe('')
    expect(one('[data-svc-part=bell-list]').getAttribute('aria-busy')).toBeNull()
  })

  it('shows that it has failed, keeps older rows, and offers another try', async () => {
    const { service } = await withList((bell) => void bell.add('Backup completed'))
    await press()
    service.fail('notifications')
    await press()
    expect(one('dialog [data-svc-part=alert-message]').textContent).toBe(
      'Could not load notifications.',
    )
    expect(rows()).toHaveLength(1)
    button('Try again').click()
    await settled()
    expect(one('dialog [role=alert]').textContent).toBe('')
  })
})
