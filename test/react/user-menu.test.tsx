import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HostPage } from '../../web/client/client.ts'
import {
  ada,
  alertText,
  base,
  button,
  closeAndRestore,
  one,
  openPanel,
  press,
  settled,
} from './open-panel.tsx'

const menuButton = () => button('Account menu: Ada')
const menu = () => one('.svc-user-menu')

async function openMenu(): Promise<void> {
  menuButton().click()
  await settled()
}

async function pressKey(key: string): Promise<void> {
  document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  await settled()
}

afterEach(() => {
  closeAndRestore()
  delete document.documentElement.dataset['svcTheme']
})

describe('the menu of the user', () => {
  it('is closed until its button is pressed, and names the user', async () => {
    await openPanel({ user: ada, page: { twoFactor: 'bound' } })
    expect(menu().hidden).toBe(true)
    expect(menuButton().getAttribute('aria-expanded')).toBe('false')
    await openMenu()
    expect(menu().hidden).toBe(false)
    expect(menuButton().getAttribute('aria-expanded')).toBe('true')
    expect(menuButton().getAttribute('aria-controls')).toBe(menu().id)
    expect(one('.svc-user-who').textContent).toBe('Adaada@example.com')
    expect(menu().querySelector('a')?.textContent).toBe('Security')
  })

  it.each([
    ['ada', 'A'],
    ['“Ada” Lovelace', 'A'],
    ['(admin) Ada', 'A'],
    ['🦊 Ada', 'A'],
    ['\u200Fأدا', 'أ'],
    ['e\u0301mile', 'E\u0301'],
    ['2 Fast', '2'],
    ['🦊', '🦊'],
  ])('has the first letter of %s on its button: %s', async (name, letter) => {
    await openPanel({ user: { ...ada, name } })
    expect(one('.svc-user-button .svc-mark').textContent).toBe(letter)
  })

  it('closes by Escape, and focuses its button', async () => {
    await openPanel({ user: ada })
    await openMenu()
    button('Log out').focus()
    await pressKey('Escape')
    expect(menu().hidden).toBe(true)
    expect(document.activeElement).toBe(menuButton())
  })

  it('closes by a press outside, and does not take the focus', async () => {
    await openPanel({ user: ada })
    await openMenu()
    one('h1').focus()
    one('main').dispatchEvent(new Event('pointerdown', { bubbles: true }))
    await settled()
    expect(menu().hidden).toBe(true)
    expect(document.activeElement).toBe(one('h1'))
  })

  it('closes when the security page opens, whose heading has the focus', async () => {
    await openPanel({ user: ada, page: { twoFactor: 'bound' } })
    await openMenu()
    menu().querySelector('a')?.click()
    await settled()
    expect(menu().hidden).toBe(true)
    expect(document.activeElement).toBe(one('h1'))
    expect(one('h1').textContent).toBe('Security')
  })

  it('closes when the logout fails, and the error has the focus', async () => {
    const { service } = await openPanel({ user: ada })
    service.fail('logout')
    await openMenu()
    await press('Log out')
    expect(menu().hidden).toBe(true)
    expect(alertText()).toContain('We could not reach the server.')
    expect(document.activeElement).toBe(one('[role=alert]'))
  })
})

describe('the theme', () => {
  const choose = async (theme: string) => {
    await press(theme)
    expect(button(theme).getAttribute('aria-pressed')).toBe('true')
  }

  it('changes at once, and is kept in a cookie for the path of the panel', async () => {
    const cookie = vi.spyOn(document, 'cookie', 'set')
    await openPanel({ user: ada })
    await openMenu()
    await choose('Dark')
    expect(document.documentElement.dataset['svcTheme']).toBe('dark')
    expect(cookie).toHaveBeenLastCalledWith(
      `svc_theme=dark; Path=${base}; Max-Age=31536000; SameSite=Lax`,
    )
    await choose('Device')
    expect(document.documentElement.dataset['svcTheme']).toBeUndefined()
    expect(cookie).toHaveBeenLastCalledWith(
      `svc_theme=system; Path=${base}; Max-Age=0; SameSite=Lax`,
    )
  })

  it('is not offered where it is the host’s', async () => {
    await openPanel({ user: ada, page: { themeMenu: 'absent', languageMenu: 'absent' } })
    await openMenu()
    expect(document.querySelector('[role=group]')).toBeNull()
  })
})

describe('the language', () => {
  it('is kept in a cookie for the path of the panel, and the page is loaded again', async () => {
    const cookie = vi.spyOn(document, 'cookie', 'set')
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    await openPanel({ user: ada })
    await openMenu()
    expect(button('English').getAttribute('aria-pressed')).toBe('true')
    expect(button('Français').lang).toBe('fr')
    button('Français').click()
    expect(cookie).toHaveBeenLastCalledWith(
      `svc_language=fr; Path=${base}; Max-Age=31536000; SameSite=Lax`,
    )
    expect(reload).toHaveBeenCalledOnce()
  })

  it('asks before the page is loaded again and input is lost', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const ask = vi.fn(() => false)
    vi.stubGlobal('confirm', ask)
    const cookie = vi.spyOn(document, 'cookie', 'set')
    const form: HostPage = {
      path: '/form',
      title: 'Form',
      show: (element) => element.append(document.createElement('input')) as undefined,
    }
    await openPanel({ user: ada, at: '/form', pages: Promise.resolve([form]) })
    const input = one('.svc-host-page input') as HTMLInputElement
    input.focus()
    input.value = 'Half a na'
    await openMenu()
    button('Français').click()
    expect(ask).toHaveBeenCalledWith('What you entered is not saved. Reload the page and lose it?')
    expect([cookie, reload].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    ask.mockReturnValue(true)
    button('Français').click()
    expect(reload).toHaveBeenCalledOnce()
  })
})

describe('the link that skips the header', () => {
  it('focuses the main content, and leaves the address as it is', async () => {
    await openPanel({ user: ada, at: '/orders' })
    const [first] = document.querySelectorAll('a')
    expect(first?.textContent).toBe('Skip to the content')
    first?.click()
    await settled()
    expect(document.activeElement).toBe(one('main'))
    expect(location.pathname + location.hash).toBe(`${base}/orders`)
  })
})
