import { hydrateRoot } from 'react-dom/client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import { PanelAuthProvider } from '../../web/react/react.ts'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import { fakeService } from '../client/fake-service.ts'
import { ada, eventually, one } from './open-panel.tsx'

/** The page as a server renders it, which has no visitor. */
const FROM_SERVER =
  '<div data-svc-root=""><main class="svc-boot" aria-busy="true"></main></div>' +
  '<div role="status" data-svc-part="status"><span></span></div>'

it('hydrates a part of the page that arrives after the session is known', async () => {
  const service = fakeService()
  service.user = ada
  const session = createPanelSession({ client: service.client })
  await session.refresh()
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = FROM_SERVER
  const onRecoverableError = vi.fn<(error: unknown) => void>()
  const root = hydrateRoot(
    container,
    <PanelAuthProvider session={session}>
      <PanelGate name="Shop">
        <h1>Orders</h1>
      </PanelGate>
    </PanelAuthProvider>,
    { onRecoverableError },
  )
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  await eventually(() => expect(one('h1').textContent).toBe('Orders'))
  expect(onRecoverableError.mock.calls).toEqual([])
})
