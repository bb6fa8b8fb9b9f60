import { expect, it, vi } from 'vitest'
import { mountBell } from '../../spa/mount-bell.tsx'
import { createPanelSession } from '../../src/client/client.ts'
import { fakeBrowser } from '../client/fake-browser.ts'
import { fakeService } from '../client/fake-service.ts'
import { ada, one } from './open-panel.tsx'

it('a page without a framework has a bell for whoever is in, until it takes it away', async () => {
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
