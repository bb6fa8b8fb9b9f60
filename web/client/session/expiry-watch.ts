import { refresh, type Machine } from './session-machine.ts'
import { monotonicNow } from '../monotonic-clock.ts'
import { isAt, type PanelState } from './panel-state.ts'

/** Often enough for the screen to follow the clock within a second, also after a sleep. */
const TICK_MS = 500

/** Notices within five seconds that the link was opened on another device. */
const POLL_MS = 4000
/** Polling slows down after this time, and later stops. */
const POLL_OFTEN_FOR_MS = 2 * 60_000
const SLOW_POLL_MS = 30_000
const POLL_FOR_MS = 10 * 60_000

/**
 * A larger jump of the clock means that it was set or the device slept: the screen may be stale.
 */
const JUMP_MS = 2000
/** Retry interval for the expiry of a pending login while the service does not answer. */
const RETRY_MS = 5000
/** The service counts whole seconds: its last second may end later than here. */
const LAST_SECOND_MS = 1000

/**
 * Asks the service about a pending login when its time is up or the clock has jumped. Only an
 * answer ends a pending login, because the user may have set the system clock.
 *
 * @returns A function that stops it.
 */
export function watchCode(machine: Machine): () => void {
  return during(machine, ({ state }) => state === 'code', checkCode)
}

function checkCode(machine: Machine): Timer {
  let isDoubtful = false
  let nextCheckAt = 0
  let aheadBefore = clockAhead()
  const check = async () => {
    nextCheckAt = Infinity
    const { outcome } = await refresh(machine)
    const isAnswered = outcome === 'answered'
    if (isAnswered) isDoubtful = false
    nextCheckAt = monotonicNow() + (isAnswered ? LAST_SECOND_MS : RETRY_MS)
  }
  return setInterval(() => {
    const ahead = clockAhead()
    isDoubtful ||= ahead - aheadBefore > JUMP_MS
    aheadBefore = ahead
    const { state } = machine
    const now = monotonicNow()
    const isOver = state.state === 'code' && now >= state.endsAt
    if ((isDoubtful || isOver) && now >= nextCheckAt) void check()
  }, TICK_MS)
}

function clockAhead(): number {
  return monotonicNow() - performance.now()
}

/**
 * Notices that the address was verified elsewhere. The request is refused until then, so polling
 * does not extend the session.
 *
 * @returns A function that stops it.
 */
export function watchVerification(machine: Machine): () => void {
  return during(machine, (state) => isAt(state, 'email'), checkVerification)
}

function checkVerification(machine: Machine): Timer {
  let arrivedAt: number | null = null
  let polledAt = 0
  let isPolling = false
  return setInterval(() => {
    // Another request would replace one whose answer takes longer than the interval.
    if (isPolling || document.visibilityState !== 'visible') return
    const now = monotonicNow()
    arrivedAt ??= now
    if (now - arrivedAt > POLL_FOR_MS) return
    if (now - arrivedAt > POLL_OFTEN_FOR_MS && now - polledAt < SLOW_POLL_MS) return
    polledAt = now
    isPolling = true
    void refresh(machine).finally(() => {
      isPolling = false
    })
  }, POLL_MS)
}

type Timer = ReturnType<typeof setInterval>

/** Runs a timer while the panel is in a state: a panel that is open for days needs none. */
function during(
  machine: Machine,
  isDue: (state: PanelState) => boolean,
  begin: (machine: Machine) => Timer,
): () => void {
  let timer: Timer | undefined
  const end = () => {
    clearInterval(timer)
    timer = undefined
  }
  const sync = () => {
    if (isDue(machine.state)) timer ??= begin(machine)
    else end()
  }
  machine.listeners.add(sync)
  sync()
  return () => {
    machine.listeners.delete(sync)
    end()
  }
}
