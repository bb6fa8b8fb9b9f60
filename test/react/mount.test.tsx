import { expect, it, vi } from 'vitest'
import { mountBell, mountPanel } from '../../spa/mount.ts'
import { createPanelSession } from '../../src/client/client.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { fakeService } from '../client/fake-service.ts'
import { ada, one } from './open-panel.tsx'

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
