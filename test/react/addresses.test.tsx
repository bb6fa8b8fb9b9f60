import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HostPage, PanelOfPage } from '../../web/client/client.ts'
import { returnPath } from '../../web/spa/history-router.ts'
import {
  ada,
  address,
  alertText,
  base,
  closePanel,
  logIn,
  one,
  openPanel,
  refresh,
  settled,
} from './open-panel.tsx'

afterEach(closePanel)

const loginTo = (next: string) => `/login?next=${encodeURIComponent(next)}`

describe('where a login leads back to', () => {
  it.each([
    [base, base],
    [`${base}/orders?page=2#row-9`, `${base}/orders?page=2#row-9`],
    [`${base}/a/../b`, `${base}/b`],
    [`${base}//evil.example`, `${base}//evil.example`],
  ])('%s is kept', (next, kept) => {
    expect(returnPath(next, base)).toBe(kept)
  })

  it.each([
    'https://evil.example/admin/main',
    '//evil.example/admin/main',
    '/\\evil.example/admin/main',
    '\\\\evil.example/admin/main',
    '\t//evil.example/admin/main',
    'https:evil.example',
    'javascript:alert(1)//admin/main',
    'data:text/html,x',
    'http://localhost:3000@evil.example/admin/main',
    '/',
    '/admin',
    '/admin/main2',
    `${base}/../other`,
    `${base}/%2e%2e/other`,
    `${base}/..\\other`,
    'http://[',
    '',
  ])('%s is dropped', (next) => {
    expect(returnPath(next, base)).toBeNull()
  })
})

describe('guests', () => {
  it('are redirected to the login, which keeps the address with query and hash', async () => {
    await openPanel({ at: '/orders?page=2#row-9' })
    expect(address()).toBe(base + loginTo(`${base}/orders?page=2#row-9`))
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(`${base}/orders?page=2#row-9`)
    expect(one('h1').textContent).toBe('Page not found')
    expect(document.activeElement).toBe(one('h1'))
  })

  it('get no return address for the home of the panel', async () => {
    await openPanel()
    expect(address()).toBe(`${base}/login`)
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(base)
  })

  it('leave an entry in the history when they log in, for password managers', async () => {
    await openPanel({ at: '/login' })
    const push = vi.spyOn(history, 'pushState')
    await logIn('ada@example.com', 'right')
    expect(push).toHaveBeenCalledOnce()
    push.mockRestore()
  })

  it.each(['https://evil.example/', '//evil.example', `${base}/login?next=x`, 'elsewhere'])(
    'are not redirected to %s',
    async (next) => {
      await openPanel({ at: loginTo(next) })
      await logIn('ada@example.com', 'right')
      expect(address()).toBe(base)
    },
  )

  it('are led from the login to the home when its address ends with a slash', async () => {
    await openPanel({ at: '/login/' })
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(base)
  })
})

describe('a logged-in user', () => {
  it('skips the form, without an entry in the history', async () => {
    const push = vi.spyOn(history, 'pushState')
    await openPanel({ user: ada, at: loginTo(`${base}/orders`) })
    expect(address()).toBe(`${base}/orders`)
    expect(push).not.toHaveBeenCalled()
    push.mockRestore()
  })

  it('returns to the same address after the session has ended', async () => {
    const { service, session } = await openPanel({ user: ada, at: '/orders?page=3' })
    service.user = null
    await refresh(session)
    expect(address()).toBe(base + loginTo(`${base}/orders?page=3`))
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(`${base}/orders?page=3`)
  })

  it('follows the link of the panel without loading a page', async () => {
    await openPanel({ user: ada, at: '/nowhere' })
    one('.svc-action').click()
    await settled()
    expect(address()).toBe(base)
    expect(one('h1').textContent).toBe('Welcome, Ada')
    expect(document.activeElement).toBe(one('h1'))
  })

  it('is at the address of the gate while it refuses, and then at the requested address', async () => {
    const { service, session } = await openPanel({
      user: ada,
      at: '/orders?page=3#row-9',
      prepare: (service) => (service.unverified = 'ada@example.com'),
    })
    expect(address()).toBe(
      `${base}/verify-email?next=${encodeURIComponent(`${base}/orders?page=3#row-9`)}`,
    )
    service.unverified = null
    await refresh(session)
    expect(address()).toBe(`${base}/orders?page=3#row-9`)
  })

  it.each(['/login', '/login/code', '/verify-email', '/security?next=x'])(
    'is redirected from %s',
    async (at) => {
      await openPanel({ user: ada, at, page: { twoFactor: 'bound' } })
      expect(address()).toBe(base)
    },
  )

  it('finds the security page only when a second factor is bound (DO-5, EN-9)', async () => {
    await openPanel({ user: ada, at: '/security', page: { twoFactor: 'bound' } })
    expect(one('h1').textContent).toBe('Security')
    expect(one('header [href$="/security"]').getAttribute('aria-current')).toBe('page')
    await openPanel({ user: ada, at: '/security/', page: { twoFactor: 'bound' } })
    expect(one('h1').textContent).toBe('Security')
    await openPanel({ user: ada, at: '/security' })
    expect(one('h1').textContent).toBe('Page not found')
    expect(document.querySelector('header [href$="/security"]')).toBeNull()
  })
})

describe('a user who passes the gates', () => {
  it('keeps the requested address through code, email and second factor', async () => {
    const next = `?next=${encodeURIComponent(`${base}/orders`)}`
    const { service, session } = await openPanel({ at: '/orders' })
    service.codeOwed = { seconds: 300 }
    service.unverified = 'ada@example.com'
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(`${base}/login/code${next}`)
    await session.submitCode('123456')
    await settled()
    expect(address()).toBe(`${base}/verify-email${next}`)
    service.unverified = null
    service.refuse('user', { status: 403, key: 'svc::auth.two_factor_setup_required' })
    await refresh(session)
    expect(address()).toBe(`${base}/security${next}`)
    await refresh(session)
    expect(address()).toBe(`${base}/orders`)
  })

  it('is never redirected to a gate by the requested address', async () => {
    await openPanel({ at: loginTo(`${base}/verify-email?next=${base}/login`) })
    await logIn('ada@example.com', 'right')
    expect(address()).toBe(base)
  })
})

describe('pages of the host', () => {
  const people: HostPage = {
    path: '/people',
    title: 'People',
    show(element, { session, locale }) {
      const user = session.getState()
      element.append(`${user.state === 'ready' ? user.user.name : ''} in ${locale}`)
      return undefined
    },
  }

  it('are in the navigation, and are drawn below their heading', async () => {
    const onRemove = vi.fn<() => void>()
    const show: HostPage['show'] = (...args) => {
      people.show(...args)
      return onRemove
    }
    await openPanel({ user: ada, at: '/people', pages: Promise.resolve([{ ...people, show }]) })
    expect(one('h1').textContent).toBe('People')
    expect(document.title).toBe('People · Acme Panel')
    expect(one('.svc-host-page').textContent).toBe('Ada in en')
    expect(one('nav a').getAttribute('href')).toBe(`${base}/people`)
    one('.svc-to-home').click()
    await settled()
    expect(one('h1').textContent).toBe('Welcome, Ada')
    expect(onRemove).toHaveBeenCalledOnce()
  })

  it('are in the document, below an alert, as soon as they are drawn', async () => {
    const early: HostPage = {
      path: '/early',
      title: 'Early',
      show(element, { announce, showProblem }) {
        element.append(Object.assign(document.createElement('input'), { id: 'first' }))
        showProblem(element.isConnected ? 'Nothing works.' : 'Nowhere.')
        announce('Drawn')
        return undefined
      },
    }
    const left = vi.fn<(isThere: boolean) => void>()
    const show: HostPage['show'] = (element, panel) => {
      early.show(element, panel)
      return () => left(element.childElementCount === 1)
    }
    await openPanel({ user: ada, at: '/early', pages: Promise.resolve([{ ...early, show }]) })
    expect(alertText()).toBe('There is a problemNothing works.')
    expect(one('[role=status]').textContent).toBe('Drawn')
    expect(one('#first').isConnected).toBe(true)
    one('.svc-to-home').click()
    await settled()
    expect(left).toHaveBeenCalledExactlyOnceWith(true)
  })

  it.each([
    ['/people', '/people/'],
    ['/people/', '/people'],
  ])('are found at their path %s by the address %s', async (path, at) => {
    await openPanel({ user: ada, at, pages: Promise.resolve([{ ...people, path }]) })
    expect(one('h1').textContent).toBe('People')
    expect(one('nav a').getAttribute('aria-current')).toBe('page')
  })

  it('scroll by links to their own parts, as the browser does', async () => {
    await openPanel({ user: ada, at: '/people?page=2', pages: Promise.resolve([people]) })
    const link = Object.assign(document.createElement('a'), { href: '#row-9' })
    one('.svc-host-page').append(link)
    const click = new MouseEvent('click', { bubbles: true, cancelable: true })
    link.dispatchEvent(click)
    expect(click.defaultPrevented).toBe(false)
  })

  it('may replace the home page', async () => {
    await openPanel({ user: ada, pages: Promise.resolve([{ ...people, path: '/' }]) })
    expect(one('h1').textContent).toBe('People')
  })

  it('are awaited only after the login', async () => {
    let arrive: (pages: readonly HostPage[]) => void = () => {}
    const pages = new Promise<readonly HostPage[]>((resolve) => (arrive = resolve))
    await openPanel({ at: '/people?page=2#row-9', pages })
    expect(one('h1').textContent).toBe('Log in')
    await logIn('ada@example.com', 'right')
    expect(one('main').getAttribute('aria-busy')).toBe('true')
    arrive([people])
    await settled()
    expect(one('h1').textContent).toBe('People')
    expect(address()).toBe(`${base}/people?page=2#row-9`)
    expect(document.activeElement).toBe(one('h1'))
  })

  it('show errors in the alert of the screen, with links to the fields', async () => {
    let showProblem: PanelOfPage['showProblem'] = () => {}
    const form: HostPage = {
      path: '/form',
      title: 'Form',
      show(element, panel) {
        element.append(Object.assign(document.createElement('input'), { id: 'name' }))
        showProblem = panel.showProblem
        return undefined
      },
    }
    await openPanel({ user: ada, at: '/form', pages: Promise.resolve([form]) })
    showProblem('Nothing works.')
    await settled()
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(document.title).toBe('Error: Form · Acme Panel')
    one('#name').focus()
    showProblem('Nothing works.')
    await settled()
    expect(document.activeElement).toBe(one('[role=alert]'))
    showProblem([{ id: 'name', message: 'Enter a name.' }])
    await settled()
    expect(alertText()).toBe('There is a problemEnter a name.')
    one('[role=alert] a').click()
    expect(document.activeElement).toBe(one('#name'))
    showProblem(null)
    await settled()
    expect([alertText(), document.title]).toEqual(['', 'Form · Acme Panel'])
  })
})
