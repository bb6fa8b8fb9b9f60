import { afterEach, describe, expect, it, vi } from 'vitest'
import { bellLink } from '../../web/react/bell/bell-link.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { ada, base, button, closeAndRestore, one, openPanel, pass, settled } from './open-panel.tsx'
import {
  withBell,
  withList,
  bellButton,
  dialog,
  rows,
  item,
  names,
  partOf,
  press,
} from './bell-page.tsx'

afterEach(closeAndRestore)

const MINUTE = 60_000

async function key(name: string, target: Element = document.activeElement ?? document.body) {
  target.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
  await settled()
}

/** Somebody clicks a link; the page is not left. */
async function follow(link: HTMLElement, how: MouseEventInit = {}): Promise<MouseEvent> {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how })
  const stay = (event: Event) => event.preventDefault()
  if (link.getAttribute('target') !== null || how.ctrlKey === true) {
    document.addEventListener('click', stay, { once: true })
  }
  link.dispatchEvent(event)
  await settled()
  return event
}

describe('a logged-in user only', () => {
  it('has a bell', async () => {
    fakeBrowser()
    const { session } = await openPanel({ user: ada })
    expect(bellButton()).toBeDefined()
    await session.logout()
    await settled()
    expect(document.querySelector('[data-svc-part=bell-button]')).toBeNull()
  })
})

describe('B1 the button', () => {
  it('has the number of unread entries and its purpose in its name', async () => {
    await withBell((bell) => {
      for (let number = 0; number < 3; number += 1) bell.add('one')
    })
    expect(bellButton().getAttribute('aria-label')).toBe('Notifications, 3 unread')
    expect(bellButton().getAttribute('aria-haspopup')).toBe('dialog')
    expect(bellButton().getAttribute('aria-expanded')).toBe('false')
    await press()
    expect(bellButton().getAttribute('aria-expanded')).toBe('true')
    expect(bellButton().getAttribute('aria-controls')).toBe(dialog().id)
  })

  it('shows a badge of 99+, and has the exact number in its name', async () => {
    await withBell((bell) => {
      for (let number = 0; number < 128; number += 1) bell.add('one')
    })
    const badge = one('[data-svc-part=bell-badge]')
    expect(badge.textContent).toBe('99+')
    expect(badge.getAttribute('aria-hidden')).toBe('true')
    expect(bellButton().getAttribute('aria-label')).toBe('Notifications, 128 unread')
  })

  it('has no badge when nothing is unread', async () => {
    await withBell()
    expect(bellButton().getAttribute('aria-label')).toBe('Notifications')
    expect(document.querySelector('[data-svc-part=bell-badge]')).toBeNull()
  })
})

describe('B2 the dialog', () => {
  it('opens with the focus on its heading, and is not modal', async () => {
    await withList()
    expect(document.activeElement?.textContent).toBe('Notifications')
    expect(dialog().getAttribute('aria-labelledby')).toBe(document.activeElement?.id)
    expect(dialog().getAttribute('aria-modal')).toBeNull()
  })

  it.each([
    ['Escape', async () => key('Escape')],
    ['a second click', press],
    [
      'Tab past its end',
      async () => {
        await key('Tab')
        button('Log out').focus()
        await settled()
      },
    ],
  ] as const)('closes by %s, and focuses the button', async (_, act) => {
    await withList()
    await act()
    expect(document.querySelector('dialog')).toBeNull()
    expect(document.activeElement).toBe(bellButton())
  })

  it('closes by a click outside, and keeps the focus on the clicked element', async () => {
    await withList()
    const elsewhere = button('Log out')
    elsewhere.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    elsewhere.focus()
    await settled()
    expect(document.querySelector('dialog')).toBeNull()
    expect(document.activeElement).toBe(elsewhere)
  })

  it('closes by a click on nothing focusable, and does not take the focus', async () => {
    await withList()
    one('main').dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await settled()
    expect(document.querySelector('dialog')).toBeNull()
    expect(document.activeElement).not.toBe(bellButton())
  })

  it('stays open while the focus is inside or on the button', async () => {
    await withList((bell) => void bell.add('one'))
    item(0).dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await key('Tab')
    item(0).focus()
    await key('Tab')
    bellButton().focus()
    await settled()
    expect(dialog()).toBeDefined()
  })
})

describe('B3 the list', () => {
  it('has a link for an entry with a url, and a button for one without', async () => {
    await withList((bell) => {
      bell.add('Backup completed')
      bell.add('Export finished', { body: 'It is ready.', url: '/admin/main/orders/7' })
    })
    expect(rows().map((row) => row.localName)).toEqual(['li', 'li'])
    expect(item(0)).toMatchObject({ localName: 'a', href: `${location.origin}${base}/orders/7` })
    expect(item(1).localName).toBe('button')
    expect(names()).toEqual([
      'Unread: Export finished It is ready. now',
      'Unread: Backup completed  now',
    ])
  })

  it('has a button beside the link that marks an unread entry', async () => {
    await withList((bell) => void bell.add('Export finished', { url: '/admin/main' }))
    const mark = button('Mark as read: Export finished')
    expect(mark.parentElement).toBe(rows()[0])
    expect(item(0).querySelector('button')).toBeNull()
  })

  it('shows the 20 latest, and says so', async () => {
    await withList((bell) => {
      for (let number = 1; number <= 21; number += 1) bell.add(`number ${number}`)
    })
    expect(rows()).toHaveLength(20)
    expect(names()[0]).toContain('number 21')
    expect(dialog().textContent).toContain('Showing the 20 latest')
  })

  it('shows that it is empty', async () => {
    await withList()
    expect(dialog().textContent).toContain('You are up to date')
    expect(document.querySelector('[data-svc-part=bell-mark-all]')).toBeNull()
  })
})

describe('the days of the list', () => {
  const headings = () =>
    [...document.querySelectorAll('[data-svc-part=bell-day-title]')].map(
      ({ textContent }) => textContent,
    )

  it('are those of the browser’s time zone, newest first', async () => {
    const midnight = new Date().setHours(0, 0, 0, 0)
    await withList((bell) => {
      bell.add('last week', { at: new Date(2020, 4, 5, 12) })
      bell.add('a minute before midnight', { at: new Date(midnight - MINUTE) })
      bell.add('at midnight', { at: new Date(midnight) })
      bell.add('from a fast clock', { at: new Date(Date.now() + 48 * 60 * MINUTE) })
    })
    expect(headings()).toEqual(['today', 'yesterday', 'Tuesday, May 5, 2020'])
    const days = [...document.querySelectorAll('[data-svc-part=bell-day]')]
    expect(days.map((day) => day.querySelectorAll('li').length)).toEqual([2, 1, 1])
    for (const day of days) {
      const list = day.querySelector('ul')
      expect(list?.getAttribute('aria-labelledby')).toBe(day.querySelector('h3')?.id)
    }
  })

  it('are named in the language of the panel', async () => {
    await withList((bell) => void bell.add('one'), 'fr')
    expect(headings()).toEqual(['aujourd’hui'])
  })
})

describe('B4 the time', () => {
  it.each([
    ['en', 0, 'now'],
    ['en', 2 * MINUTE, '2 minutes ago'],
    ['en', 61 * MINUTE, '1 hour ago'],
    ['en', 25 * 60 * MINUTE, 'yesterday'],
    ['en', 8 * 24 * 60 * MINUTE, 'last week'],
    ['en', 400 * 24 * 60 * MINUTE, 'last year'],
    ['en', -5 * MINUTE, 'now'],
    ['fr', 2 * MINUTE, 'il y a 2 minutes'],
  ])('is told in %s after %i ms as %s', async (locale, age, words) => {
    const at = new Date(Date.now() - age)
    await withList((bell) => void bell.add('one', { at }), locale)
    const time = partOf(0, 'bell-time')
    expect(time.textContent).toBe(words)
    expect(time.getAttribute('datetime')).toBe(at.toISOString())
    expect(time.title).toContain(String(at.getFullYear()))
  })

  it('is a date while the clock of the device is hours behind', async () => {
    const at = new Date(Date.now() + 7 * 60 * MINUTE)
    await withList((bell) => void bell.add('one', { at }))
    const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
    expect(partOf(0, 'bell-time').textContent).toBe(date.format(at))
  })

  it('is updated while the list is open', async () => {
    await withList((bell) => void bell.add('one'))
    vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.now() })
    await press()
    await press()
    await pass(5 * MINUTE)
    expect(partOf(0, 'bell-time').textContent).toBe('5 minutes ago')
  })
})

describe('B9 texts of users', () => {
  it('is shown as text, in its own direction', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    await withList((bell) => void bell.add(markup, { body: markup }))
    for (const part of ['bell-title', 'bell-body']) {
      expect(partOf(0, part).textContent).toBe(markup)
      expect(partOf(0, part).dir).toBe('auto')
    }
    expect(dialog().querySelector('img')).toBeNull()
  })
})

describe('B10 links', () => {
  it('open in a new tab without opener and referrer when they lead to another origin', async () => {
    const { service } = await withList(
      (bell) => void bell.add('Stock is low', { url: 'https://parts.example/7' }),
    )
    expect(item(0).getAttribute('target')).toBe('_blank')
    expect(item(0).getAttribute('rel')).toBe('noopener noreferrer')
    expect(item(0).textContent).toMatch(/\(opens in a new tab\)$/)
    await follow(item(0))
    expect(service.bell.unread()).toBe(0)
    expect(dialog()).toBeDefined()
  })

  it('have a mark only if they leave the site', async () => {
    await withList((bell) => {
      bell.add('Order 7', { url: `${base}/orders/7` })
      bell.add('Stock is low', { url: 'https://parts.example/7' })
    })
    const isMarked = [0, 1].map((row) => item(row).querySelector('[data-svc-part=bell-external]'))
    expect(isMarked.map((mark) => mark !== null)).toEqual([true, false])
  })

  it('navigate within the panel without a load, close the list and mark the entry', async () => {
    const { service } = await withList(
      (bell) => void bell.add('Order 7', { url: `${base}/orders/7` }),
    )
    const { defaultPrevented } = await follow(item(0))
    expect(defaultPrevented).toBe(true)
    expect(location.pathname).toBe(`${base}/orders/7`)
    expect(document.querySelector('dialog')).toBeNull()
    expect(document.activeElement).toBe(one('h1'))
    expect(service.bell.unread()).toBe(0)
  })

  it('close the list also when they lead to the current address', async () => {
    await withList((bell) => void bell.add('Welcome', { url: base }))
    await follow(item(0))
    expect(document.querySelector('dialog')).toBeNull()
  })

  it('opened with ctrl mark the entry, and keep the list open', async () => {
    const { service } = await withList(
      (bell) => void bell.add('Order 7', { url: `${base}/orders/7` }),
    )
    await follow(item(0), { ctrlKey: true })
    expect(service.bell.unread()).toBe(0)
    expect(dialog()).toBeDefined()
    expect(location.pathname).toBe(base)
  })

  it('opened with the middle button mark the entry', async () => {
    const { service } = await withList(
      (bell) => void bell.add('Order 7', { url: `${base}/orders/7` }),
    )
    item(0).dispatchEvent(new MouseEvent('auxclick', { bubbles: true, button: 1 }))
    await settled()
    expect(service.bell.unread()).toBe(0)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    'http://[',
  ])('are refused for %s', (url) => {
    expect(bellLink(url)).toBeNull()
  })
})
