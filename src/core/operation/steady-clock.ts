import { uptime } from 'node:os'
import type { Clock } from '../../contracts/host.ts'
import { times } from '../../rules/limits.ts'

const SLEEP_CHECK_MS = 1000

/**
 * Creates the default clock: the system time at start, carried on by the monotonic clock. A system
 * clock that is set forward must not end throttling windows early, and one that is set back must
 * not extend sessions. The time that the machine slept is added, because the monotonic clock of
 * Linux does not count it.
 */
export function steadyClock(): Clock {
  let wallAtZero = Date.now() - performance.now()
  let lastCheck = performance.now()
  let lastUptime = uptime()

  function addSleep(monotonic: number): void {
    const machine = uptime()
    const sleptMs = (machine - lastUptime) * 1000 - (monotonic - lastCheck)
    if (sleptMs > times.clockJumpSeconds * 1000) wallAtZero += sleptMs
    lastCheck = monotonic
    lastUptime = machine
  }

  return {
    now() {
      const monotonic = performance.now()
      if (monotonic - lastCheck >= SLEEP_CHECK_MS) addSleep(monotonic)
      return Math.floor(wallAtZero + monotonic)
    },
  }
}
