import { Component, useState } from 'react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PanelScreens, useUser } from '../../web/react/react.ts'
import type { FakeService } from '../client/fake-service.ts'
import { draw } from './draw.tsx'
import { ada, button, eventually, one, refresh, settled, statusText } from './open-panel.tsx'

beforeEach(() => {
  document.title = 'The shop'
})

const orders = <h1>Orders</h1>
const asAda = (service: FakeService) => (service.user = ada)
const heading = () => one('h1').textContent

describe('the screens of a panel around an application', () => {
  it.each<[string, (service: FakeService) => unknown]>([
    ['Log in', () => {}],
    ['Enter your code', (service) => (service.codeOwed = { seconds: 300 })],
    [
      'Verify your email',
      (service) => {
        asAda(service)
        service.unverified = 'ada@example.com'
      },
    ],
    [
      'Security',
      (service) => {
        asAda(service)
        service.refuse('user', { status: 403, key: 'svc::auth.two_factor_setup_required' })
      },
    ],
    ['The panel cannot be opened', (service) => service.fail('user')],
  ])('render "%s" in place of the application while it is due', async (title, prepare) => {
    await draw(<PanelScreens name="Shop">{orders}</PanelScreens>, { prepare })
    expect(heading()).toBe(title)
    expect(one('.svc-brand').textContent).toContain('Shop')
  })

  it('render the application after a login, and the login after a logout', async () => {
    const { service, session } = await draw(<PanelScreens name="Shop">{orders}</PanelScreens>)
    await eventually(() => expect(document.title).toBe('Log in · Shop'))
    service.user = ada
    await refresh(session)
    expect(heading()).toBe('Orders')
    expect(document.querySelector('.svc-brand')).toBeNull()
    await session.logout()
    await settled()
    expect(heading()).toBe('Log in')
  })

  it('render the application anew for another user, who sees nothing that it keeps of the first', async () => {
    const Orders = () => <h1>{useState(useUser()?.name)[0]}</h1>
    const screens = (
      <PanelScreens name="Shop">
        <Orders />
      </PanelScreens>
    )
    const { service, session } = await draw(screens, { prepare: asAda })
    service.user = { ...ada, name: 'Ada Byron' }
    await refresh(session)
    expect(heading()).toBe('Ada')
    service.user = { ...ada, id: '2', name: 'Bea' }
    await refresh(session)
    expect(heading()).toBe('Bea')
  })

  it('restore the title of the application, unless it has set another', async () => {
    const { service, session } = await draw(<PanelScreens name="Shop">{orders}</PanelScreens>)
    service.user = ada
    await refresh(session)
    await eventually(() => expect(document.title).toBe('The shop'))
    await session.logout()
    await settled()
    document.title = 'The shop (3)'
    service.user = ada
    await refresh(session)
    expect(document.title).toBe('The shop (3)')
  })

  it('have the brand and the help of the host', async () => {
    const slots = { brand: <p>A logo</p>, help: <a href="/help">Call us</a> }
    await draw(
      <PanelScreens name="Shop" {...slots}>
        {orders}
      </PanelScreens>,
    )
    expect(one('main').textContent).toContain('A logo')
    expect(one('form a').textContent).toBe('Call us')
    expect(document.querySelector('.svc-brand')).toBeNull()
  })

  it('show the security page where the host asks for it, and its question to the host', async () => {
    const onQuestion = vi.fn<(question: string | null) => void>()
    function Shop() {
      const [page, setPage] = useState<'content' | 'security'>('content')
      return (
        <PanelScreens name="Shop" page={page} onQuestion={onQuestion}>
          <button onClick={() => setPage('security')}>Security</button>
        </PanelScreens>
      )
    }
    await draw(<Shop />, { prepare: asAda })
    expect(onQuestion).not.toHaveBeenCalled()
    button('Security').click()
    await eventually(() => expect(heading()).toBe('Security'))
    await eventually(() => expect(document.title).toBe('Security · Shop'))
    await eventually(() => expect(onQuestion).toHaveBeenLastCalledWith(null))
  })

  it('show the loading screen while the application loads', async () => {
    await draw(
      <PanelScreens name="Shop" isLoading>
        {orders}
      </PanelScreens>,
      { prepare: asAda },
    )
    await eventually(() => expect(heading()).toBe('Loading…'))
  })

  it.each(['en', 'fr'])(
    'announce a verified address, even if the texts load late (%s)',
    async (locale) => {
      const screens = <PanelScreens name="Shop">{orders}</PanelScreens>
      const arrival = { link: 'verified', locale, prepare: asAda } as const
      await draw(screens, arrival)
      await eventually(() => expect(heading()).toBe('Orders'))
      await eventually(() =>
        expect(statusText()).toContain(locale === 'fr' ? 'vérifiée' : 'verified'),
      )
    },
  )

  it('leave errors of the application to the application', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    class Boundary extends Component<{ readonly children: ReactNode }> {
      override state = { failed: false }
      static getDerivedStateFromError = () => ({ failed: true })
      override render = () => (this.state.failed ? <h1>Our own error</h1> : this.props.children)
    }
    const Broken = (): ReactNode => {
      throw new Error('broken')
    }
    await draw(
      <Boundary>
        <PanelScreens name="Shop">
          <Broken />
        </PanelScreens>
      </Boundary>,
      { prepare: asAda },
    )
    expect(heading()).toBe('Our own error')
    logged.mockRestore()
  })

  it('share no id with the screens of another session on the page', async () => {
    await draw(<PanelScreens name="Shop">{orders}</PanelScreens>)
    await draw(<PanelScreens name="Stock">{orders}</PanelScreens>)
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
    expect(ids).toContain('svc-login-email')
    const [first, second] = document.querySelectorAll('form')
    expect(second?.querySelector('label')?.control).toBe(second?.querySelector('input'))
    second?.requestSubmit()
    await settled()
    second?.querySelector<HTMLElement>('[role=alert] a')?.click()
    expect(document.activeElement).toBe(second?.querySelector('input'))
    expect(first?.querySelector('[aria-invalid]')).toBeNull()
  })
})
