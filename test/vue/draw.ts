import { onTestFinished } from 'vitest'
import { createApp } from 'vue'
import type { Component } from 'vue'
import { createPanelSession } from '../../web/client/client.ts'
import { createPanelAuthPlugin } from '../../web/vue/vue.ts'
import type { PanelAuthPluginOptions } from '../../web/vue/vue.ts'
import { fakeService } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import { ada } from '../client/tested-session.ts'

export interface Drawing extends PanelAuthPluginOptions {
  /** Changes the service before its first request. */
  readonly prepare?: (service: FakeService) => void
}

/** Mounts an application of Vue with the plugin until the end of the test. */
export async function draw(root: Component, { prepare, ...options }: Drawing = {}) {
  const service = fakeService()
  prepare?.(service)
  const session = createPanelSession({ client: service.client })
  const container = document.body.appendChild(document.createElement('div'))
  const app = createApp(root)
  app.use(createPanelAuthPlugin(session, { locale: 'en', ...options }))
  app.mount(container)
  let unmount = () => app.unmount()
  onTestFinished(() => {
    unmount()
    container.remove()
  })
  await session.settled()
  return {
    service,
    session,
    container,
    unmount: () => {
      unmount()
      unmount = () => {}
    },
  }
}

/** Logs Ada in before the first request. */
export const asAda = (service: FakeService) => (service.user = ada)
