import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  base,
  button,
  closeAndRestore,
  eventually,
  one,
  openPanel,
  press,
  settled,
  statusText,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { FORCED, HERE, PHONE } from './security-page.tsx'

afterEach(closeAndRestore)

const UNKNOWN = { ...PHONE, id: '9c1a2b3c4d5e', browser: null, system: null, network: null }

async function openSessions(
  sessions: FakeService['sessions'] = [HERE, PHONE, UNKNOWN],
  { page, prepare, ...opening }: Opening = {},
) {
  const opened = await openPanel({
    at: '/security',
    user: ada,
    page: { twoFactor: 'absent', sessions: true, ...page },
    ...opening,
    prepare(service) {
      service.sessions = sessions
      prepare?.(service)
    },
  })
  await eventually(() => expect(opened.service.calls).toContain('sessions'))
  await settled()
  return opened
}

/** Returns the name of the button that ends a session of this browser and network. */
function endOf(place: string, { created_at: began } = HERE): string {
  const format = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
  return `End: ${place}, ${format.format(new Date(began))}`
}

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-svc-part=session]')]
const names = () => rows().map((row) => row.querySelector('strong')?.textContent)
const alert = () => one('[role=alert] [data-svc-part=alert-message]').textContent

describe('the sessions on the security page', () => {
  it('are gone for another user, before the page has reloaded', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const { service, session } = await openSessions()
    service.user = { ...ada, id: '2', name: 'Bea' }
    await session.refresh()
    await eventually(() => expect(reload).toHaveBeenCalledOnce())
    reload.mockRestore()
    expect(rows()).toEqual([])
  })

  it('name browser, system, network and times, and mark the current one', async () => {
    await openSessions()
    expect(names()).toEqual(['Firefox on Linux', 'Safari on iOS', 'Unknown'])
    const [here, phone] = rows()
    expect(here?.textContent).toContain('This one')
    expect(phone?.textContent).not.toContain('This one')
    expect(phone?.querySelector('bdi')?.textContent).toBe('2001:db8:12::/48')
    const times = [...(here?.querySelectorAll('time') ?? [])].map((time) => time.dateTime)
    expect(times).toEqual([HERE.created_at, HERE.last_seen_at])
  })

  it('say until when a remembered one stays logged in', async () => {
    const end = '2026-12-20T09:30:00.000Z'
    await openSessions([HERE, { ...PHONE, remembered_until: end }])
    const [here, phone] = rows()
    expect(here?.textContent).not.toContain('Stays logged in until')
    expect(phone?.textContent).toContain('Stays logged in untilDec 20, 2026')
    const times = [...(phone?.querySelectorAll('time') ?? [])].map((time) => time.dateTime)
    expect(times.at(-1)).toBe(end)
  })

  it('are the only section where nothing else is bound, whose page the menu then has', async () => {
    await openSessions()
    expect([...document.querySelectorAll('h2')].map((h2) => h2.textContent)).toEqual(['Sessions'])
    expect(one(`.svc-user-menu a[href="${base}/security"]`).textContent).toBe('Security')
  })

  it('are counted on the home page, which links to them', async () => {
    await openPanel({ user: ada, page: { sessions: true } })
    const link = () => one(`.svc-facts a[href="${base}/security"]`)
    await eventually(() => expect(link().textContent).toBe('Review sessions'))
    expect(link().parentElement?.textContent).toMatch(/^\d+ · Review sessions$/)
  })

  it('are absent where the service lists none', async () => {
    const page = { twoFactor: 'bound' } as const
    const { service } = await openPanel({ at: '/security', user: ada, page })
    await eventually(() => one('section:not([aria-busy])'))
    expect(service.calls).not.toContain('sessions')
  })

  it('are absent at the gate of a required second factor', async () => {
    const { service } = await openPanel({
      user: ada,
      page: { twoFactor: 'bound', sessions: true },
      prepare: (one) => (one.factor = FORCED),
    })
    await eventually(() => one('section:not([aria-busy])'))
    expect(service.calls).not.toContain('sessions')
  })

  it('say that there are no others, and offer no button', async () => {
    await openSessions([HERE])
    expect(one('[data-svc-part=hint]').textContent).toBe('You are logged in nowhere else.')
    expect(document.querySelectorAll('section button')).toHaveLength(0)
  })

  it('can be requested again after an outage', async () => {
    const { service } = await openSessions([HERE], { prepare: (one) => one.fail('sessions') })
    await eventually(() => expect(alert()).toContain('We could not reach the server'))
    // The user has not asked for the list: the heading of the page keeps the focus.
    expect(document.activeElement).toBe(one('h1'))
    await eventually(() => expect(document.title).toBe('Error: Security · Acme Panel'))
    service.fail('sessions')
    await press('Try again')
    expect(document.activeElement?.getAttribute('role')).toBe('alert')
    await press('Try again')
    expect(names()).toEqual(['Firefox on Linux'])
    await eventually(() => expect(document.title).toBe('Security · Acme Panel'))
    expect(document.activeElement?.textContent).toBe('Sessions')
    expect(service.calls.filter((name) => name === 'sessions')).toHaveLength(3)
  })
})

describe('ending a session', () => {
  it('removes it, announces it, and focuses the heading', async () => {
    const { service } = await openSessions()
    await press(endOf('Safari on iOS, 2001:db8:12::/48'))
    await eventually(() => expect(names()).toEqual(['Firefox on Linux', 'Unknown']))
    expect(service.calls).toContain('sessions.end')
    expect(statusText()).toBe('The session has ended.')
    expect(document.activeElement?.textContent).toBe('Sessions')
  })

  it('has a button of its own name beside another session of that browser and network', async () => {
    const earlier = { ...PHONE, id: '4a1b2c3d4e5f', created_at: '2026-11-19T17:45:00.000Z' }
    const { service } = await openSessions([HERE, PHONE, earlier])
    await press(endOf('Safari on iOS, 2001:db8:12::/48', earlier))
    await eventually(() => expect(service.sessions).toEqual([HERE, PHONE]))
  })

  it('announces a second one in the same words', async () => {
    await openSessions()
    await press(endOf('Safari on iOS, 2001:db8:12::/48'))
    await eventually(() => expect(names()).toHaveLength(2))
    const changes: string[] = []
    const observer = new MutationObserver((records) =>
      changes.push(
        ...records.flatMap(({ addedNodes }) =>
          [...addedNodes].map(({ textContent }) => textContent ?? ''),
        ),
      ),
    )
    observer.observe(one('[role=status]'), { childList: true, subtree: true })
    await press(endOf('Unknown, Unknown'))
    await eventually(() => expect(names()).toHaveLength(1))
    observer.disconnect()
    expect(changes).toEqual(['The session has ended.'])
  })

  it('that has ended elsewhere removes it, too', async () => {
    const { service } = await openSessions([HERE, PHONE])
    service.refuse('sessions.end', { status: 404, key: 'svc::auth.not_found' })
    service.sessions = [HERE]
    await press(endOf('Safari on iOS, 2001:db8:12::/48'))
    await eventually(() => expect(names()).toEqual(['Firefox on Linux']))
    expect(document.querySelector('[data-svc-part=alert-message]')).toBeNull()
  })

  it.each([
    [7, 'Wait 7 seconds'],
    [3000, 'Wait 50 minutes'],
  ])('that is refused for %i seconds says why, and leaves the list', async (seconds, wait) => {
    const { service } = await openSessions([HERE, PHONE])
    const key = 'svc::auth.too_many_requests'
    service.refuse('sessions.end', { status: 429, key, retry_after: seconds })
    await press(endOf('Safari on iOS, 2001:db8:12::/48'))
    await eventually(() => expect(alert()).toContain(wait))
    expect(names()).toEqual(['Firefox on Linux', 'Safari on iOS'])
  })

  it('sends one request for two quick presses', async () => {
    const { service } = await openSessions([HERE, PHONE])
    const pressed = button(endOf('Safari on iOS, 2001:db8:12::/48'))
    pressed.click()
    pressed.click()
    await eventually(() => expect(names()).toEqual(['Firefox on Linux']))
    expect(service.calls.filter((name) => name === 'sessions.end')).toHaveLength(1)
  })
})

describe('ending all other sessions', () => {
  it('is not confirmed by a double click on the button that asks', async () => {
    const { service } = await openSessions()
    await press('End all others')
    const second = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 })
    one('[data-svc-part=danger]').dispatchEvent(second)
    await settled()
    expect(service.calls).not.toContain('sessions.end-others')
    expect(document.querySelector('[role=alertdialog]')).not.toBeNull()
  })

  it('asks first, and keeps them when the answer is no', async () => {
    const { service } = await openSessions()
    await press('End all others')
    expect(one('[role=alertdialog]').textContent).toContain('End all other sessions?')
    await press('Keep them')
    expect(document.querySelector('[role=alertdialog]')).toBeNull()
    expect(service.calls).not.toContain('sessions.end-others')
  })

  it('leaves this one, and announces it', async () => {
    const { service } = await openSessions()
    await press('End all others')
    await press('End them')
    await eventually(() => expect(names()).toEqual(['Firefox on Linux']))
    expect(service.calls).toContain('sessions.end-others')
    expect(statusText()).toBe('All other sessions have ended.')
  })
})
