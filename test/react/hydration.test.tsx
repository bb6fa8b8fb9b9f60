import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPanelSession, type PanelSession } from '../../web/client/client.ts'
import { PanelAuthProvider } from '../../web/react/react.ts'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import { fakeService } from '../client/fake-service.ts'
import { ada, eventually, one } from './open-panel.tsx'

function page(session: PanelSession) {
  return (
    <PanelAuthProvider session={session}>
      <PanelGate name="Shop">
        <h1>Orders</h1>
      </PanelGate>
    </PanelAuthProvider>
  )
}

it('hydrates a part of the page that arrives after the session is known', async () => {
  const service = fakeService()
  service.user = ada
  const session = createPanelSession({ client: service.client })
  const container = document.body.appendChild(document.createElement('div'))
  // The server has no visitor.
  container.innerHTML = renderToString(page(createPanelSession({ client: service.client })))
  await session.refresh()
  const onRecoverableError = vi.fn<(error: unknown) => void>()
  const root = hydrateRoot(container, page(session), { onRecoverableError })
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  await eventually(() => expect(one('h1').textContent).toBe('Orders'))
  expect(onRecoverableError.mock.calls).toEqual([])
})
