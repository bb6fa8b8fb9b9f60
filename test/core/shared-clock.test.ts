import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSharedClock } from '../../build/src/core/operation/shared-clock.js'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
afterEach(() => void vi.useRealTimers())

it.each([
  ['before the stores read their clock', true, false],
  ['before the answer is read', false, false],
  ['before the answer is read, while the monotonic clock stops', false, true],
])('a process that is frozen %s knows the time afterwards', async (_when, isEarly, isSuspended) => {
  let frozenMs = 0
  const freeze = (): void => {
    if (isSuspended) vi.setSystemTime(Date.now() + frozenMs)
    else vi.advanceTimersByTime(frozenMs)
    frozenMs = 0
  }
  const now = async (): Promise<number> => {
    if (isEarly) freeze()
    const time = Date.now()
    freeze()
    return time
  }
  const clock = createSharedClock({ now } as never, { now: () => 0 })
  await clock.synchronize()
  vi.advanceTimersByTime(MINUTE)
  frozenMs = 20 * MINUTE
  // No request waits for this measurement.
  await clock.synchronize()
  await nextTurn()
  expect(frozenMs).toBe(0)
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(2)
})
