import { afterEach, describe, expect, it, vi } from 'vitest'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import type { FakeService } from '../client/fake-service.ts'
import { draw } from './draw.tsx'
import { ada, button, closeAndRestore, eventually, one, openPanel, settled } from './open-panel.tsx'

const bea = { ...ada, id: '2', name: 'Bea', email: 'bea@example.com' }
const BACK = 'Back to your own account'
const banner = () => document.querySelector('[data-svc-part="impersonation"]')

/** Lets Ada act as Bea. */
function acting(service: FakeService): void {
  service.user = { ...bea, impersonated_by: { name: 'Ada' } }
  service.person = ada
}

function watchReload() {
  return vi.spyOn(location, 'reload').mockImplementation(() => {})
}

afterEach(closeAndRestore)

describe('acting as another user', () => {
  it('is shown above the panel, with the way back', async () => {
    await openPanel({ prepare: acting })
    expect(banner()?.querySelector('p')?.textContent).toBe('You are acting as \u2068Bea\u2069.')
    expect(button(BACK).closest('[data-svc-part="impersonation"]')).toBe(banner())
    expect(banner()?.nextElementSibling?.className).toBe('svc-header')
  })

  it('is not shown to users in their own session', async () => {
    await openPanel({ user: ada })
    expect(banner()).toBeNull()
  })

  it('names a user without a name by the email', async () => {
    await openPanel({
      prepare: (service) => {
        acting(service)
        service.user = { ...bea, name: null, impersonated_by: { name: 'Ada' } }
      },
    })
    expect(banner()?.querySelector('p')?.textContent).toBe(
      'You are acting as \u2068bea@example.com\u2069.',
    )
  })

  it('is not turned around by the name', async () => {
    await openPanel({
      prepare: (service) => {
        acting(service)
        service.user = { ...bea, name: 'Bea \u2069\u202Eevil', impersonated_by: { name: 'Ada' } }
      },
    })
    const note = 'You are acting as \u2068Bea evil\u2069.'
    expect(banner()?.querySelector('p')?.textContent).toBe(note)
  })

  it('goes back to the own account, and reloads the page for it', async () => {
    const reload = watchReload()
    const { session } = await openPanel({ prepare: acting })
    button(BACK).click()
    await eventually(() => expect(reload).toHaveBeenCalledOnce())
    expect(session.getState()).toMatchObject({ state: 'ready', user: { id: ada.id } })
  })

  it('shows the login when the own session has ended', async () => {
    const { service } = await openPanel({ prepare: acting })
    service.user = null
    service.refuse('impersonation.end', { status: 401, key: 'svc::auth.unauthenticated' })
    button(BACK).click()
    await eventually(() => expect(one('h1').textContent).toBe('Log in'))
  })

  it('stays where it is in an outage, and says so', async () => {
    const { service } = await openPanel({ prepare: acting })
    service.fail('impersonation.end')
    button(BACK).click()
    await eventually(() =>
      expect(banner()?.querySelector('[data-svc-part=alert-message]')?.textContent).toBe(
        'We could not reach the server. Check your connection and try again.',
      ),
    )
    expect(one('h1').textContent).toBe('Welcome, Bea')
  })

  it('shows no page of the user while nobody answers whose session it is now', async () => {
    const reload = watchReload()
    const { service } = await openPanel({ prepare: acting })
    service.fail('user')
    button(BACK).click()
    await eventually(() => expect(one('h1').textContent).toBe('The panel cannot be opened'))
    await settled()
    button('Try again').click()
    await eventually(() => expect(reload).toHaveBeenCalledOnce())
  })

  it('shows no security page, and no link to it', async () => {
    await openPanel({ prepare: acting, page: { twoFactor: 'bound' }, at: '/security' })
    expect(one('h1').textContent).not.toBe('Security')
    expect([...document.querySelectorAll('a')].map((link) => link.textContent)).not.toContain(
      'Security',
    )
  })

  it('is shown below an application of a framework', async () => {
    const reload = watchReload()
    const shop = <PanelGate name="Shop">{<h1>Orders</h1>}</PanelGate>
    await draw(shop, { prepare: acting })
    await settled()
    expect(one('h1').textContent).toBe('Orders')
    expect(banner()?.getAttribute('data-place')).toBe('bottom')
    button(BACK).click()
    await eventually(() => expect(reload).toHaveBeenCalledOnce())
  })
})
