import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { steadyClock } from '../../build/src/core/operation/steady-clock.js'

const START = Date.parse('2026-03-01T00:00:00Z')
const HOUR = 60 * 60 * 1000
/** Milliseconds that the machine slept. Only its uptime counts them. */
let slept = 0

beforeEach(() => {
  slept = 0
  vi.useFakeTimers({ now: START, toFake: ['Date', 'performance'] })
  vi.spyOn(os, 'uptime').mockImplementation(() => (performance.now() + slept) / 1000)
  syncBuiltinESMExports()
})

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  vi.useRealTimers()
})

describe('The default clock', () => {
  it('is the time of the system at first, and moves on with it', () => {
    const clock = steadyClock()
    expect(clock.now()).toBe(START)
    vi.advanceTimersByTime(90_000)
    expect(clock.now()).toBe(START + 90_000)
  })

  it.each([
    ['forward', HOUR],
    ['back', -HOUR],
  ])('goes on when the clock of the system is set %s', (_direction, by) => {
    const clock = steadyClock()
    vi.advanceTimersByTime(5000)
    vi.setSystemTime(Date.now() + by)
    expect(clock.now()).toBe(START + 5000)
  })

  it('counts the time that the machine slept, once', () => {
    const clock = steadyClock()
    vi.advanceTimersByTime(2000)
    slept = HOUR
    expect(clock.now()).toBe(START + 2000 + HOUR)
    vi.advanceTimersByTime(2000)
    expect(clock.now()).toBe(START + 4000 + HOUR)
  })

  it('does not count the inaccuracy of the uptime as sleep', () => {
    const clock = steadyClock()
    for (const inaccuracy of [300, -300, 400, -400]) {
      vi.advanceTimersByTime(2000)
      slept = inaccuracy
      clock.now()
    }
    expect(clock.now()).toBe(START + 8000)
  })
})
