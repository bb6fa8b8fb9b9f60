// @vitest-environment happy-dom
import { confirmLeave } from '@svc/auth/mount'
import { expect, it, onTestFinished, vi } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { Bell, SecurityView, useBell, usePanelState, useUser } from '../../web/vue/vue.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { CODE } from '../client/fake-service.ts'
import { fromCache } from '../client/tested-session.ts'
import { asAda, draw } from './draw.ts'

it('usePanelState and useUser follow the session', async () => {
  const { container, service, session } = await draw(
    defineComponent(() => {
      const state = usePanelState()
      const user = useUser()
      return () => h('p', `${state.value.state}: ${user.value?.name}`)
    }),
    { prepare: asAda },
  )
  await vi.waitFor(() => expect(container.textContent).toBe('ready: Ada'))
  service.user = null
  await session.refresh()
  await nextTick()
  expect(container.textContent).toBe('guest: undefined')
})

it('useBell follows the bell until the component is unmounted', async () => {
  const browser = fakeBrowser()
  const unread = defineComponent(() => {
    const { state } = useBell()
    return () => h('p', state.value.unread ?? 'none')
  })
  const { container, unmount } = await draw(unread, { prepare: withOneUnread })
  await vi.waitFor(() => expect(container.textContent).toBe('1'))
  expect(browser.streams).toHaveLength(1)
  unmount()
  await vi.waitFor(() => expect(browser.streams).toEqual([]))
})

it('a composable without the plugin throws an error that names it', () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  expect(() => useUser()).toThrow('call app.use(createPanelAuthPlugin(session))')
})

it('the application stops the session when it is unmounted, and the bell does not', async () => {
  const browser = fakeBrowser()
  const { container, session, unmount } = await draw(() => h(Bell), { prepare: withOneUnread })
  await vi.waitFor(() => expect(container.querySelector('button')).not.toBeNull())
  const name = () => container.querySelector('button')?.getAttribute('aria-label')
  await vi.waitFor(() => expect(name()).toBe('Notifications, 1 unread'))
  unmount()
  await vi.waitFor(() => expect(browser.streams).toEqual([]))
  dispatchEvent(fromCache())
  expect(session.getState().state).toBe('ready')
})

it('the security page shows its heading and emits it as the title', async () => {
  const onTitle = vi.fn<(title: string) => void>()
  const { container } = await draw(() => h(SecurityView, { panel: 'Shop', onTitle }), {
    prepare: asAda,
  })
  await vi.waitFor(() => expect(container.querySelector('h1')?.textContent).toBe('Security'))
  await vi.waitFor(() => expect(onTitle).toHaveBeenCalledWith('Security'))
})

it('confirmLeave asks before the recovery codes of the security page are left', async () => {
  const asked = vi.fn<(question: string) => boolean>(() => false)
  vi.stubGlobal('confirm', asked)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { container, unmount } = await draw(() => h(SecurityView, { panel: 'Shop' }), {
    prepare: asAda,
  })
  const press = async (name: string) =>
    vi.waitFor(() => {
      const buttons = [...container.querySelectorAll('button')]
      const found = buttons.find(({ textContent }) => textContent === name)
      expect(found).toBeDefined()
      found?.click()
    })
  await press('Set up')
  const field = await vi.waitFor(() => {
    const input = container.querySelector('input')
    if (input === null) throw new Error('there is no field for the code')
    return input
  })
  field.value = CODE
  field.dispatchEvent(new Event('input', { bubbles: true }))
  expect(confirmLeave()).toBe(true)
  await press('Turn on')
  await vi.waitFor(() => expect(container.querySelector('h1')?.textContent).toMatch(/^Save your/))
  expect(confirmLeave()).toBe(false)
  expect(asked).toHaveBeenCalledOnce()
  unmount()
  await vi.waitFor(() => expect(confirmLeave()).toBe(true))
})

function withOneUnread(service: Parameters<typeof asAda>[0]): void {
  asAda(service)
  service.bell.add('Backup completed')
}
