import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import type { LinkOutcome, PanelChannel, PanelSession } from '../../web/client/client.ts'
import type { PanelMessage } from '../../web/client/session/panel-channel.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

export const ada = { id: '1', name: 'Ada', email: 'ada@example.com', email_verified_at: null }
export const credentials = { email: 'ada@example.com', password: 'right' }

/** The service of the running test. */
export let service: FakeService
/** The session of the running test. */
export let session: PanelSession
/** The messages that the session has sent to the other tabs. */
export let sent: PanelMessage[]
/** Delivers a message of another tab to the session. */
export let receiveFromOtherTab: (message: PanelMessage) => void
/** Stops the session. */
export let stop = () => {}

/** Makes a service and a session before each test of the file, and stops the session after it. */
export function makeSessionBeforeEach(): void {
  beforeEach(() => {
    service = fakeService()
    sent = []
    makeSession()
  })
  afterEach(() => stop())
}

/** Replaces the session, as a page does that was opened by a verification link. */
export function makeSession(link?: LinkOutcome): void {
  const channel: PanelChannel = {
    send: (message) => sent.push(message),
    listen(listener) {
      receiveFromOtherTab = listener
      return () => {}
    },
  }
  session = createPanelSession({
    client: service.client,
    channel,
    ...(link !== undefined && { link }),
  })
}

/** Starts the session and waits for its first state. */
export async function started(user: typeof ada | null): Promise<void> {
  service.user = user
  stop = session.start()
  await vi.waitFor(() => expect(session.getState().state).not.toBe('booting'))
}

/** Makes the event of a page that comes back from the cache of the browser. */
export function fromCache(): Event {
  return Object.assign(new Event('pageshow'), { persisted: true })
}
