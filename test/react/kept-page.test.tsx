import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HostPage, PanelOfPage } from '../../web/client/client.ts'
import {
  ada,
  alertText,
  base,
  button,
  closeAndRestore,
  eventually,
  logIn,
  one,
  openPanel,
  press,
  refresh,
  settled,
  statusText,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'

afterEach(closeAndRestore)

/** Opens the page of a host that has a field, and an editor of formatted text. */
async function openForm(page: Opening['page'] = {}) {
  const onRemove = vi.fn<() => void>()
  let panel: PanelOfPage | null = null
  const form: HostPage = {
    path: '/form',
    title: 'Form',
    lang: 'fr',
    show(element, given) {
      panel = given
      const editor = Object.assign(document.createElement('div'), { id: 'text', tabIndex: 0 })
      editor.setAttribute('contenteditable', 'true')
      element.append(Object.assign(document.createElement('input'), { id: 'name' }), editor)
      return onRemove
    },
  }
  const show = vi.spyOn(form, 'show')
  const pages = Promise.resolve([form])
  const opened = await openPanel({ user: ada, at: '/form', page, pages })
  const showProblem = (message: string) => panel?.showProblem(message)
  const announce = (message: string) => panel?.announce(message)
  return { ...opened, show, onRemove, showProblem, announce }
}

function typeName(name: string): void {
  const input = one('#name') as HTMLInputElement
  input.focus()
  input.value = name
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

const name = () => (one('#name') as HTMLInputElement).value

type Opened = Awaited<ReturnType<typeof openForm>>

async function endSession({ service, session }: Opened): Promise<void> {
  service.user = null
  await refresh(session)
}

describe('what a user has typed on a page of the host', () => {
  it('is still there when the session has ended and they log in again', async () => {
    const opened = await openForm()
    typeName('Half a na')
    await endSession(opened)
    expect(one('h1').textContent).toBe('Log in')
    expect(document.querySelector('#name')).toBeNull()
    await logIn('ada@example.com', 'right')
    expect(one('h1').textContent).toBe('Form')
    expect(name()).toBe('Half a na')
    expect(document.activeElement).toBe(one('h1'))
    expect(one('.svc-host-page').lang).toBe('fr')
    expect(opened.show).toHaveBeenCalledOnce()
    expect(opened.onRemove).not.toHaveBeenCalled()
    opened.showProblem('Nothing works.')
    await settled()
    expect(alertText()).toContain('Nothing works.')
    one('.svc-to-home').click()
    await settled()
    expect(opened.onRemove).toHaveBeenCalledOnce()
  })

  it('is still there in an editor of formatted text', async () => {
    const opened = await openForm()
    one('#text').focus()
    one('#text').append('Half a sen')
    one('#text').dispatchEvent(new Event('input', { bubbles: true }))
    await endSession(opened)
    await logIn('ada@example.com', 'right')
    expect(one('#text').textContent).toBe('Half a sen')
    expect(opened.show).toHaveBeenCalledOnce()
  })

  it('is still there when the page comes back from the cache of the browser', async () => {
    await openForm()
    typeName('Half a na')
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await settled()
    expect(name()).toBe('Half a na')
  })

  it('is drawn anew where nothing was typed', async () => {
    const opened = await openForm()
    await endSession(opened)
    expect(opened.onRemove).toHaveBeenCalledOnce()
    await logIn('ada@example.com', 'right')
    expect(opened.show).toHaveBeenCalledTimes(2)
  })

  it('is asked about before a new version is loaded during the login', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const ask = vi.fn(() => false)
    vi.stubGlobal('confirm', ask)
    const opened = await openForm({ isOutdated: async () => true })
    typeName('Half a na')
    await endSession(opened)
    document.dispatchEvent(new Event('visibilitychange'))
    await eventually(() => button('Reload'))
    button('Reload').click()
    expect([ask.mock.calls.length, reload.mock.calls.length]).toEqual([1, 0])
    await logIn('ada@example.com', 'right')
    expect(name()).toBe('Half a na')
    one('.svc-to-home').click()
    await settled()
    button('Reload').click()
    expect([ask.mock.calls.length, reload.mock.calls.length]).toEqual([1, 1])
  })

  it('is gone after a logout, and after leaving by a link', async () => {
    const opened = await openForm()
    typeName('Half a na')
    await opened.session.logout()
    await settled()
    expect(opened.onRemove).toHaveBeenCalledOnce()
    await logIn('ada@example.com', 'right')
    history.pushState(null, '', `${base}/form`)
    dispatchEvent(new PopStateEvent('popstate'))
    await settled()
    expect(name()).toBe('')
    typeName('Half a na')
    one('.svc-to-home').click()
    await settled()
    expect(opened.onRemove).toHaveBeenCalledTimes(2)
  })

  it('is gone when the user logs out at a gate', async () => {
    const opened = await openForm()
    typeName('Half a na')
    opened.service.unverified = 'ada@example.com'
    await opened.session.refresh()
    await settled()
    expect(one('h1').textContent).toBe('Verify your email')
    expect(opened.onRemove).not.toHaveBeenCalled()
    await press('Log out')
    expect(opened.onRemove).toHaveBeenCalledOnce()
  })

  it('is not spoken about while the login is shown', async () => {
    const opened = await openForm()
    typeName('Half a na')
    await endSession(opened)
    opened.announce('3 orders')
    opened.showProblem('Nothing works.')
    await settled()
    expect(document.body.textContent).not.toMatch(/3 orders|Nothing works/)
    await logIn('ada@example.com', 'right')
    opened.announce('3 orders')
    await settled()
    expect(statusText()).toBe('3 orders')
  })

  it('is not shown to another user', async () => {
    vi.spyOn(location, 'reload').mockImplementation(() => {})
    const opened = await openForm()
    typeName('Half a na')
    await endSession(opened)
    opened.service.user = { ...ada, id: '2' }
    await opened.session.refresh()
    await settled()
    expect(document.querySelector('#name')).toBeNull()
    expect(opened.onRemove).toHaveBeenCalledOnce()
  })
})
