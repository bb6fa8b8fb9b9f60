import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ActivityItem } from '../../src/rules/routes/activity-rows.ts'
import { SecurityPage } from '../../web/react/react.ts'
import { draw } from './draw.tsx'
import { ada, button, closeAndRestore, eventually, one, openPanel, settled } from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'

const AT = '2026-11-20T09:30:00.000Z'
const BEFORE = '2026-11-18T07:15:00.000Z'

function event(name: ActivityItem['event'], changes: Partial<ActivityItem> = {}): ActivityItem {
  const place = { network: '203.0.113.x', browser: 'Firefox', system: 'Linux' }
  return { event: name, at: AT, ...place, ...changes }
}

const EVENTS = [
  event('login'),
  event('failed', { browser: 'Chrome', system: null }),
  event('login', { at: BEFORE, browser: 'Safari', system: 'iOS', network: '2001:db8::/48' }),
  event('session.revoked', { network: null, browser: null, system: null }),
]

/** Opens the panel of a service that keeps the activity of users. */
async function openBound(activity: readonly ActivityItem[], opening: Opening = {}) {
  const opened = await openPanel({
    user: ada,
    ...opening,
    page: { activity: true, twoFactor: 'bound', ...opening.page },
    prepare(service) {
      service.activity = [...activity]
      opening.prepare?.(service)
    },
  })
  await settled()
  return opened
}

async function openSecurity(activity: readonly ActivityItem[], opening: Opening = {}) {
  const opened = await openBound(activity, { at: '/security', ...opening })
  await eventually(() => {
    expect(headings()).not.toEqual([])
    expect(document.querySelector('[data-svc-part=skeleton]')).toBeNull()
  })
  await settled()
  return opened
}

const headings = () => [...document.querySelectorAll('h2')].map(({ textContent }) => textContent)
const rows = () =>
  [...document.querySelectorAll('[data-svc-part=activity-event]')].map((row) => row.textContent)

function dateIn(locale: string, at: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  )
}

afterEach(closeAndRestore)

describe('the recent activity on the security page', () => {
  it('is the last section, and lists the events with their times and places', async () => {
    await openSecurity(EVENTS)
    expect(headings().at(-1)).toBe('Recent activity')
    const date = dateIn('en', AT)
    expect(rows()).toEqual([
      `Logged in${date}Firefox on Linux203.0.113.x`,
      `Failed login${date}Chrome203.0.113.x`,
      `Logged in${dateIn('en', BEFORE)}Safari on iOS2001:db8::/48`,
      `Sessions were ended${date}`,
    ])
  })

  it.each([
    ['fr', 'Activité récente', 'Connexion', 'Firefox sur Linux'],
    ['ar', 'النشاط الأخير', 'تسجيل دخول', 'Firefox على Linux'],
  ])('is in the language of the page: %s', async (locale, title, login, browser) => {
    await openSecurity([event('login')], { locale })
    await eventually(() => expect(headings()).toContain(title))
    expect(rows()[0]).toContain(login)
    expect(rows()[0]).toContain(browser)
  })

  it('says that nothing has happened yet', async () => {
    await openSecurity([])
    expect(one('[data-svc-part=hint]').textContent).toBe('Nothing has happened yet.')
  })

  it('offers to try again when it cannot be loaded, and leaves the rest of the page', async () => {
    vi.stubGlobal('reportError', vi.fn())
    await openSecurity(EVENTS, { prepare: (service) => service.fail('activity') })
    await eventually(() => button('Try again'))
    await settled()
    expect(headings()).toContain('Two-factor authentication')
    expect(document.activeElement).toBe(one('h1'))
    await eventually(() => expect(document.title).toBe('Error: Security · Acme Panel'))
    button('Try again').click()
    await eventually(() => expect(rows()).toHaveLength(EVENTS.length))
    await eventually(() => expect(document.title).toBe('Security · Acme Panel'))
    await eventually(() => expect(document.activeElement?.textContent).toBe('Recent activity'))
  })

  it('takes the focus when a retry fails, too', async () => {
    vi.stubGlobal('reportError', vi.fn())
    const { service } = await openSecurity(EVENTS, { prepare: (one) => one.fail('activity') })
    await eventually(() => button('Try again'))
    service.fail('activity')
    button('Try again').click()
    await eventually(() => expect(document.activeElement?.getAttribute('role')).toBe('alert'))
  })

  it('is absent, and is not requested, where the service keeps none', async () => {
    const { service } = await openPanel({
      at: '/security',
      user: ada,
      page: { twoFactor: 'bound' },
    })
    await settled()
    expect(headings()).not.toContain('Recent activity')
    expect(service.calls).not.toContain('activity')
  })

  it('is the only section where nothing else is bound', async () => {
    await openSecurity([event('login')], { page: { twoFactor: 'absent' } })
    expect(headings()).toEqual(['Recent activity'])
  })

  it('is part of the page of a host whose session has it', async () => {
    await draw(<SecurityPage panel="Shop" />, {
      activity: true,
      prepare(service) {
        service.user = ada
        service.activity = [event('logout')]
      },
    })
    await eventually(() => expect(rows()[0]).toContain('Logged out'))
  })
})

describe('the home page', () => {
  const facts = () => [...document.querySelectorAll('.svc-facts dt')].map((it) => it.textContent)

  it('shows the login before the current one, with its time and place', async () => {
    await openBound(EVENTS)
    await eventually(() => expect(facts()).toContain('Last login'))
    const [, login] = document.querySelectorAll('.svc-facts dd')
    expect(login?.textContent).toBe(`${dateIn('en', BEFORE)}Safari on iOS2001:db8::/48`)
  })

  it('shows none after the first login', async () => {
    await openBound([event('login')])
    await eventually(() => expect(facts()).toEqual(['Email address', 'Two-factor authentication']))
  })

  it('shows the rest while the activity cannot be loaded', async () => {
    await openBound(EVENTS, { prepare: (service) => service.fail('activity') })
    await eventually(() => expect(facts()).toEqual(['Email address', 'Two-factor authentication']))
    expect(document.querySelectorAll('[role=alert]:not(:empty)')).toHaveLength(0)
  })

  it('does not request it where the service keeps none', async () => {
    const { service } = await openPanel({ user: ada })
    expect(service.calls).not.toContain('activity')
  })
})
