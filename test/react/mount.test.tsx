import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mountBell, mountPanel, mountScreens, mountSecurity } from '../../web/spa/mount.ts'
import type { ScreensOptions } from '../../web/spa/mount.ts'
import { createPanelSession } from '../../web/client/client.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { fakeService } from '../client/fake-service.ts'
import { ada, eventually, field, logIn, one, settled, type } from './open-panel.tsx'
import { HERE, PHONE } from './security-page.tsx'

it('mounts a bell for a logged-in user on a page without a framework, and unmounts it', async () => {
  const browser = fakeBrowser()
  const service = fakeService()
  service.user = ada
  service.bell.add('Backup completed')
  const element = document.body.appendChild(document.createElement('div'))
  const session = createPanelSession({ client: service.client })
  const takeAway = mountBell(element, { session, locale: 'en' })
  await vi.waitFor(() => one('[aria-label="Notifications, 1 unread"]'))
  expect(browser.streams).toHaveLength(1)
  takeAway()
  await vi.waitFor(() => expect(browser.streams).toEqual([]))
  expect(element.childElementCount).toBe(0)
})

it.each([
  ['mountBell', () => mountBell(document.querySelector('#nowhere'))],
  ['mountPanel', () => mountPanel(document.querySelector('#nowhere'), { base: '/admin/main' })],
  ['mountScreens', () => mountScreens(document.querySelector('#nowhere'), guestOptions())],
  ['mountSecurity', () => mountSecurity(document.querySelector('#nowhere'), guestOptions())],
])('%s names the missing element', (name, mount) => {
  expect(mount).toThrow(`${name}: there is no element to render into; pass one that is on the page`)
})

it.each(['', 'admin/main', '/admin/main/', 'https://panel.example.com/admin'])(
  'refuses a panel whose base is %j, with an example',
  (base) => {
    expect(() => mountPanel(document.body, { base })).toThrow(
      `mountPanel: base is "${base}"; give the path of the panel, such as /admin/main`,
    )
  },
)

describe('the screens in an element of the host', () => {
  it('are removed for a user who has passed every gate, and return when the session ends', async () => {
    const { element, service, session } = await openScreens()
    expect(one('h1').textContent).toBe('Log in')
    expect(one('[data-svc-root]').contains(one('h1'))).toBe(true)
    await logIn('ada@example.com', 'right')
    await eventually(() => expect(element.querySelector('h1, [data-svc-root]')).toBeNull())
    service.user = null
    await session.refresh()
    await eventually(() => expect(one('h1').textContent).toBe('Log in'))
  })

  it('change their language and keep what was typed', async () => {
    const { element, options } = await openScreens()
    type('Email address', 'ada@example.com')
    mountScreens(element, { ...options, locale: 'fr' })
    await eventually(() => expect(one('h1').textContent).toBe('Connexion'))
    expect(field('Adresse e-mail').value).toBe('ada@example.com')
  })

  it('show the brand of the host, and clean it up', async () => {
    const cleanUp = vi.fn<() => void>()
    const { remove } = await openScreens({
      brand(element) {
        element.textContent = 'Acme'
        return cleanUp
      },
    })
    expect(one('main').textContent).toMatch(/^Acme/)
    remove()
    await settled()
    expect(cleanUp).toHaveBeenCalledOnce()
  })

  it('reload the page when another user logs in', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    onTestFinished(() => reload.mockRestore())
    const { service, session } = await openScreens()
    await logIn('ada@example.com', 'right')
    expect(reload).not.toHaveBeenCalled()
    service.user = { ...ada, id: '2' }
    await session.refresh()
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('the security page in an element of the host', () => {
  function openSecurity() {
    history.replaceState(null, '', '/account')
    const { service, ...options } = guestOptions({ sessions: true })
    const element = document.body.appendChild(document.createElement('main'))
    const remove = mountSecurity(element, options)
    onTestFinished(() => {
      remove()
      element.remove()
    })
    return { service, element, session: options.session }
  }

  it('is shown to a user, and to nobody else', async () => {
    const { service, element, session } = openSecurity()
    await settled()
    expect(element.querySelector('h1')).toBeNull()
    service.user = ada
    await session.refresh()
    await eventually(() => expect(one('h1').textContent).toBe('Security'))
  })

  it('lists the sessions of another user who logs in', async () => {
    const { service, element, session } = openSecurity()
    service.user = ada
    service.sessions = [HERE, PHONE]
    await session.refresh()
    await eventually(() => expect(element.textContent).toContain('Safari on iOS'))
    service.user = { ...ada, id: '2' }
    service.sessions = [HERE]
    await session.refresh()
    await eventually(() => expect(element.textContent).toContain('nowhere else'))
    expect(element.textContent).not.toContain('Safari on iOS')
  })
})

function guestOptions(settings: { readonly sessions?: true } = {}) {
  const service = fakeService()
  const session = createPanelSession({ client: service.client, ...settings })
  return { service, session, name: 'Shop', locale: 'en' }
}

/** Mounts the screens for a guest until the end of the test. */
async function openScreens(slots: Pick<ScreensOptions, 'brand'> = {}) {
  const { service, ...rest } = guestOptions()
  const options = { ...rest, ...slots }
  const element = document.body.appendChild(document.createElement('div'))
  const remove = mountScreens(element, options)
  onTestFinished(() => {
    remove()
    element.remove()
  })
  await eventually(() => one('h1'))
  return { element, options, remove, service, session: options.session }
}
