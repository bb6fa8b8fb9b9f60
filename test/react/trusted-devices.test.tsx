import { afterEach, describe, expect, it } from 'vitest'
import type { FakeService } from '../client/fake-service.ts'
import { ada, closePanel, eventually, one, openPanel, settled, statusText } from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'

afterEach(closePanel)

const HERE = {
  id: '4f6c1d0a9b3e',
  current: true,
  browser: 'Firefox',
  system: 'Linux',
  network: '203.0.113.x',
  created_at: '2026-11-20T09:30:00.000Z',
  expires_at: '2026-12-20T09:30:00.000Z',
}
const OTHER = { ...HERE, id: '0b77d31c52ee', current: false, browser: 'Safari', system: 'iOS' }

async function openDevices(
  devices: FakeService['trustedDevices'] = [HERE, OTHER],
  { page, prepare, ...opening }: Opening = {},
) {
  const opened = await openPanel({
    at: '/security',
    user: ada,
    page: { twoFactor: 'bound', trustDays: 30, ...page },
    ...opening,
    prepare(service) {
      service.trustedDevices = devices
      prepare?.(service)
    },
  })
  await eventually(() => expect(section()).toBeDefined())
  await settled()
  return opened
}

/** Returns the section of this title. */
function section(title = 'Trusted devices'): HTMLElement | undefined {
  const heading = [...document.querySelectorAll('h2')].find(
    ({ textContent }) => textContent === title,
  )
  return heading?.closest('section') ?? undefined
}

const rows = () =>
  [...(section()?.querySelectorAll('li') ?? [])].map(({ textContent }) => textContent)

describe('The trusted devices', () => {
  it('are listed with browser, network, begin and end, and the current one is marked', async () => {
    await openDevices()
    const [here = '', other = ''] = rows()
    expect(here).toContain('Firefox on Linux')
    expect(here).toContain('This browser')
    expect(here).toContain('203.0.113.x')
    expect(other).toContain('Safari on iOS')
    expect(other).not.toContain('This browser')
    const times = [...(section()?.querySelectorAll('time') ?? [])].map(({ dateTime }) => dateTime)
    expect(times).toEqual([HERE, OTHER].flatMap((one) => [one.created_at, one.expires_at]))
  })

  it('end one by one, with an announcement, and the heading takes the focus', async () => {
    const { service } = await openDevices()
    one('[aria-label^="Ask for a code again: Safari on iOS, 203.0.113.x, Nov 20, 2026"]').click()
    await eventually(() => expect(rows()).toHaveLength(1))
    await settled()
    expect(service.trustedDevices).toEqual([HERE])
    expect(statusText()).toBe('The next login in that browser asks for a code.')
    expect(document.activeElement?.textContent).toBe('Trusted devices')
  })

  it('stay in the list if the request fails, which an alert says', async () => {
    const { service } = await openDevices()
    service.fail('trusted-devices.end')
    one('[aria-label^="Ask for a code again: Safari on iOS, 203.0.113.x, Nov 20, 2026"]').click()
    await eventually(() => expect(document.title).toBe('Error: Security · Acme Panel'))
    expect(section()?.querySelector('[role=alert]')?.textContent).toContain('could not reach')
    expect(rows()).toHaveLength(2)
  })

  it('are said to be none before the first', async () => {
    await openDevices([])
    expect(section()?.textContent).toContain('You trust no browser.')
    expect(section()?.querySelector('ul')).toBeNull()
    expect(rows()).toEqual([])
  })

  it('are not requested where the service trusts no device', async () => {
    const { service } = await openPanel({
      at: '/security',
      user: ada,
      page: { twoFactor: 'bound' },
    })
    await eventually(() => expect(service.calls).toContain('two-factor'))
    await settled()
    expect(section()).toBeUndefined()
    expect(service.calls).not.toContain('trusted-devices')
  })

  it('are not requested before a required second factor is set up', async () => {
    const { service } = await openPanel({
      user: ada,
      page: { twoFactor: 'bound', trustDays: 30 },
      prepare(prepared) {
        prepared.factor = { ...prepared.factor, required: true }
      },
    })
    await eventually(() => expect(service.calls).toContain('two-factor'))
    await settled()
    expect(one('h1').textContent).not.toBe('')
    expect(service.calls).not.toContain('trusted-devices')
  })
})
