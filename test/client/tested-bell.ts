import { afterEach, beforeEach, onTestFinished, vi } from 'vitest'
import { createBell, createPanelSession, openPanelChannel } from '../../web/client/client.ts'
import type { Bell, PanelSession } from '../../web/client/client.ts'
import { fakeBrowser } from './fake-browser.ts'
import type { FakeBrowser } from './fake-browser.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'
import { ada } from './tested-session.ts'

/** The service of the running test. */
export let service: FakeService
/** The browser of the running test. */
export let browser: FakeBrowser

/** Stops the clock and makes a service and a browser before each test of the file. */
export function makeBrowserBeforeEach(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    })
    service = fakeService()
    service.user = ada
    browser = fakeBrowser()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

interface Tab {
  readonly session: PanelSession
  readonly bell: Bell
  readonly close: () => void
}

/** Opens the panel in a tab, which is closed after the test. */
export async function openTab(baseUrl = ''): Promise<Tab> {
  const channel = openPanelChannel('main')
  const session = createPanelSession({ client: service.client, channel })
  const bell = createBell({ session, baseUrl })
  const stops = [session.start(), bell.start()]
  const close = () => {
    for (const stop of stops.splice(0)) stop()
  }
  onTestFinished(close)
  await settled()
  return { session, bell, close }
}

/** Waits until messages between tabs have arrived. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await vi.advanceTimersByTimeAsync(0)
    await new Promise(setImmediate)
  }
}

/** Lets `seconds` pass. */
export async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  await settled()
}

/** Shows or hides the tabs. */
export function show(visibility: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility)
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Counts the requests to a route. */
export const asked = (name: string) => service.calls.filter((call) => call === name).length

/** The name of the route that counts unread entries. */
export const COUNT = 'notifications.unread-count'
