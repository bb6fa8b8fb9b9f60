import { StrictMode, useEffect } from 'react'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import type { PanelSession } from '../../web/client/client.ts'
import { Bell, PanelAuthProvider, SecurityPage } from '../../web/react/react.ts'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import { fakeBrowser } from '../client/fake-browser.ts'
import { CODE, fakeService } from '../client/fake-service.ts'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  button,
  closeAndRestore,
  eventually,
  field,
  logIn,
  one,
  press,
  settled,
  type,
} from './open-panel.tsx'
import { acknowledge, enter, headed, shownCodes } from './security-page.tsx'

const errors = vi.spyOn(console, 'error')

beforeEach(() => {
  errors.mockClear()
})

afterEach(() => {
  expect(errors.mock.calls).toEqual([])
  closeAndRestore()
})

interface HostProps {
  readonly session: PanelSession
  readonly children: ReactNode
}

/** An application that starts the session in an effect, as the documents show it. */
function Host({ session, children }: HostProps) {
  useEffect(() => session.start(), [session])
  return <PanelAuthProvider session={session}>{children}</PanelAuthProvider>
}

/** Renders the application as React does in development: each effect runs twice. */
async function drawTwice(children: ReactNode, prepare: (service: FakeService) => void = () => {}) {
  const browser = fakeBrowser()
  const service = fakeService()
  prepare(service)
  const session = createPanelSession({ client: service.client })
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  root.render(
    <StrictMode>
      <Host session={session}>{children}</Host>
    </StrictMode>,
  )
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  await settled()
  return { service, browser }
}

const timesOf = (service: FakeService, name: string) =>
  service.calls.filter((call) => call === name).length

describe('an application in the strict mode of React', () => {
  it('logs in by password and code, each sent once, and follows the bell by one stream', async () => {
    const shop = (
      <PanelGate name="Shop">
        <Bell />
        <h1>Orders</h1>
      </PanelGate>
    )
    const { service, browser } = await drawTwice(
      shop,
      (service) => (service.codeOwed = { seconds: 300 }),
    )
    button('Back to log in').click()
    await eventually(() => field('Password'))
    service.codeOwed = { seconds: 300 }
    await logIn('ada@example.com', 'right')
    await eventually(() => expect(document.activeElement).toBe(one('[name=code]')))
    type('Code from your authenticator app', CODE)
    button('Continue').click()
    await headed('Orders')
    expect([timesOf(service, 'login'), timesOf(service, 'login.two-factor')]).toEqual([1, 1])
    await eventually(() => expect(browser.streams).toHaveLength(1))
  })

  it('sets a second factor up, and confirms its codes once', async () => {
    const { service } = await drawTwice(<SecurityPage panel="Shop" />, (one) => (one.user = ada))
    await eventually(() => button('Set up'))
    await press('Set up')
    await eventually(() => one('img'))
    await enter(CODE)
    await eventually(() => expect(shownCodes()).toHaveLength(3))
    await acknowledge()
    await press('Done')
    await eventually(() => expect(service.factor.codes_unseen).toBe(false))
    expect(timesOf(service, 'two-factor.codes-seen')).toBe(1)
    expect(timesOf(service, 'two-factor.setup')).toBe(1)
  })
})
