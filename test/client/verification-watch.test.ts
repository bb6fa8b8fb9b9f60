// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPanelSession } from '../../web/client/client.ts'
import type { PanelSession } from '../../web/client/client.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

let service: FakeService
let session: PanelSession
let stop = () => {}
let visibility = vi.spyOn(document, 'visibilityState', 'get')

beforeEach(async () => {
  vi.useFakeTimers()
  visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
  service = fakeService()
  service.user = { id: '1', name: 'Eve', email: 'eve@example.com', email_verified_at: null }
  service.unverified = 'eve@example.com'
  session = createPanelSession({ client: service.client })
  stop = session.start()
  await vi.advanceTimersByTimeAsync(0)
  service.calls.length = 0
})

afterEach(() => {
  stop()
  visibility.mockRestore()
  vi.useRealTimers()
})

/** Returns the number of requests to the service within so much time. */
async function askedIn(minutes: number): Promise<number> {
  service.calls.length = 0
  await vi.advanceTimersByTimeAsync(minutes * 60_000)
  return service.calls.length
}

describe('an address that is not verified yet', () => {
  it('is checked every few seconds at first, then less often, then not at all', async () => {
    expect(await askedIn(1)).toBe(15)
    await askedIn(1)
    const later = await askedIn(5)
    expect(later).toBeGreaterThanOrEqual(8)
    expect(later).toBeLessThanOrEqual(10)
    await askedIn(4)
    expect(await askedIn(10)).toBe(0)
  })

  it('is noticed as verified although the answer takes longer than the time between two checks', async () => {
    service.unverified = null
    const answer = service.hold('user')
    await vi.advanceTimersByTimeAsync(7000)
    service.hold('user')
    await vi.advanceTimersByTimeAsync(2000)
    answer()
    await vi.advanceTimersByTimeAsync(0)
    expect(session.getState().state).toBe('ready')
  })

  it('leaves no timer behind once it is verified', async () => {
    service.unverified = null
    await askedIn(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not checked while the tab is hidden', async () => {
    visibility.mockReturnValue('hidden')
    expect(await askedIn(1)).toBe(0)
    visibility.mockReturnValue('visible')
    expect(await askedIn(1)).toBe(15)
  })

  it('is not checked once it is verified or stopped', async () => {
    service.unverified = null
    await askedIn(1)
    expect(await askedIn(1)).toBe(0)
    service.unverified = 'eve@example.com'
    stop()
    expect(await askedIn(1)).toBe(0)
  })
})
