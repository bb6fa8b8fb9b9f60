import { createRoot } from 'react-dom/client'
import type { ReactNode } from 'react'
import { onTestFinished } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import type { PanelSessionOptions } from '../../web/client/client.ts'
import { PanelAuthProvider } from '../../web/react/react.ts'
import { fakeService } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import { settled } from './open-panel.tsx'

type Drawn = 'link' | 'passwords' | 'sessions' | 'activity' | 'trustDays'

export interface Drawing extends Pick<PanelSessionOptions, Drawn> {
  readonly locale?: string
  readonly isOutdated?: () => Promise<boolean>
  /** Changes the service before its first request. */
  readonly prepare?: (service: FakeService) => void
}

/** Renders components in a page of the host until the end of the test. */
export async function draw(children: ReactNode, given: Drawing = {}) {
  const { locale = 'en', prepare, isOutdated, ...page } = given
  const service = fakeService()
  prepare?.(service)
  const session = createPanelSession({ client: service.client, ...page })
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  root.render(
    <PanelAuthProvider session={session} locale={locale} {...(isOutdated && { isOutdated })}>
      {children}
    </PanelAuthProvider>,
  )
  const stop = session.start()
  const remove = () => {
    stop()
    root.unmount()
    container.remove()
  }
  onTestFinished(remove)
  await settled()
  return { service, session, remove }
}
