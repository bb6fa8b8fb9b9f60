import { expect, it } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { createPanelSession } from '../../web/client/client.ts'
import { Bell, createPanelAuthPlugin, PanelGate, SecurityView } from '../../web/vue/vue.ts'
import { fakeService } from '../client/fake-service.ts'
import { asAda } from './draw.ts'

it('a server renders no application behind the gate, no bell and no security page', async () => {
  const service = fakeService()
  asAda(service)
  const session = createPanelSession({ client: service.client })
  // A server has no visitor; a session that is ready all the same must open nothing.
  await session.refresh()
  const app = createSSRApp(() =>
    h(PanelGate, { name: 'Shop' }, () => [h('h1', 'Orders of Ada'), h(Bell)]),
  )
  app.use(createPanelAuthPlugin(session))
  expect(await renderToString(app)).not.toContain('Orders')
  const parts = createSSRApp(() => [h(Bell), h(SecurityView, { panel: 'Shop' })])
  parts.use(createPanelAuthPlugin(session))
  expect(await renderToString(parts)).toBe('<!--[--><div></div><div></div><!--]-->')
})
