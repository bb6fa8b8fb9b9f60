import { useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import type { FakeService } from '../client/fake-service.ts'
import { draw } from './draw.tsx'
import { ada, eventually, one, refresh } from './open-panel.tsx'

const bea = { ...ada, id: '2', name: 'Bea', email: 'bea@example.com' }
const asAda = (service: FakeService) => (service.user = ada)
const heading = () => one('h1').textContent

/** An application that keeps data in memory until it is unmounted. */
function Shop({ onUnmount }: { readonly onUnmount?: () => void }) {
  useEffect(() => () => onUnmount?.(), [onUnmount])
  return <h1>Orders of Ada</h1>
}

/** Renders the application behind the gate, as Ada sees it. */
async function drawShop(onUnmount?: () => void) {
  const shop = onUnmount === undefined ? <Shop /> : <Shop onUnmount={onUnmount} />
  return draw(<PanelGate name="Shop">{shop}</PanelGate>, { prepare: asAda })
}

it('renders the application for a user, without the style sheet’s root', async () => {
  await drawShop()
  expect(heading()).toBe('Orders of Ada')
  expect(document.querySelector('[data-svc-root]')).toBeNull()
})

it('unmounts the application when the session ends, and renders the login in its place', async () => {
  const onUnmount = vi.fn<() => void>()
  const { service, session } = await drawShop(onUnmount)
  service.user = null
  await refresh(session)
  expect(heading()).toBe('Log in')
  expect(one('[data-svc-root]').contains(one('h1'))).toBe(true)
  expect(onUnmount).toHaveBeenCalledOnce()
})

it('keeps the application during an outage', async () => {
  const { service, session } = await drawShop()
  service.fail('user')
  await refresh(session)
  expect(heading()).toBe('Orders of Ada')
})

it('keeps the application of the same user in a page from the back/forward cache', async () => {
  const onUnmount = vi.fn<() => void>()
  const { session } = await drawShop(onUnmount)
  one('h1').tabIndex = -1
  one('h1').focus()
  globalThis.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await refresh(session)
  expect(onUnmount).not.toHaveBeenCalled()
  expect(document.activeElement).toBe(one('h1'))
})

it('reloads the page for another user, who sees nothing of the first', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { service, session } = await drawShop()
  service.user = bea
  await refresh(session)
  expect(document.body.textContent).not.toContain('Orders of Ada')
  await eventually(() => expect(reload).toHaveBeenCalledOnce())
  reload.mockRestore()
})

it('does not reload the page when the same user logs in again', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const { service, session } = await drawShop()
  service.user = null
  await session.refresh()
  asAda(service)
  await refresh(session)
  expect(heading()).toBe('Orders of Ada')
  expect(reload).not.toHaveBeenCalled()
  reload.mockRestore()
})
