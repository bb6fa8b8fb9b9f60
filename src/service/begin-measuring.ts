import type { Bus } from '../contracts/store-contracts.ts'
import type { Checked } from '../core/boundary/checked.ts'
import { randomId } from '../core/crypto.ts'
import type { Events } from '../core/events.ts'
import type { HeldOpen } from '../core/held-open.ts'
import type { Meter } from '../core/meter.ts'
import type { Passwords } from '../core/passwords/passwords.ts'
import type { SharedClock } from '../core/shared-clock.ts'
import { inTime } from '../process/timeout.ts'
import { EVENT_NAMES } from '../rules/event-names.ts'
import { times } from '../rules/limits.ts'

interface MeasuredParts {
  readonly events: Events
  readonly passwords: Passwords
  readonly heldStreams: HeldOpen
  readonly clock: SharedClock
  readonly bus: Checked<Bus>
}

/** The measuring of a service, until `stop`. */
export interface Measuring {
  /** Records the end of pruning. Returns the number of records that were removed. */
  readonly pruned: (removing: Promise<number>) => Promise<number>
  readonly stop: () => void
}

/** Counts the events and registers the gauges of a service. */
export function beginMeasuring(
  meter: Meter | null,
  { events, passwords, heldStreams, clock, bus }: MeasuredParts,
): Measuring {
  if (meter === null) return { pruned: async (removing) => removing, stop: () => undefined }
  let prunedAt: number | null = null
  const counts = EVENT_NAMES.map((event) =>
    events.on(event, () => meter.add('svc.auth.events', 1, { event })),
  )
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000)
  const gauges = [
    meter.gauge('svc.auth.hash.running', () => passwords.load().running),
    meter.gauge('svc.auth.hash.waiting', () => passwords.load().waiting),
    meter.gauge('svc.auth.streams', () => heldStreams.count()),
    meter.gauge('svc.auth.clock.offset', () => seconds(clock.offsetMs())),
    meter.gauge('svc.auth.prune.age', () =>
      seconds(prunedAt === null ? null : performance.now() - prunedAt),
    ),
    meter.gauge('svc.auth.bus.lag', async () => seconds(await lagOf(bus))),
  ]
  return {
    async pruned(removing) {
      const records = await removing
      prunedAt = performance.now()
      meter.add('svc.auth.pruned', records)
      return records
    },
    stop: () => {
      for (const end of [...counts, ...gauges]) end()
    },
  }
}

/**
 * Returns the time that a message takes through the bus, in milliseconds; `null` when it does not
 * arrive in time or the bus fails, which the calls of the bus show.
 */
async function lagOf(bus: Checked<Bus>): Promise<number | null> {
  const topic = `lag:${randomId()}`
  let arrive: (at: number) => void = () => undefined
  const arrived = new Promise<number>((resolve) => (arrive = resolve))
  try {
    const unsubscribe = await bus.subscribe(topic, () => arrive(performance.now()))
    try {
      const sentAt = performance.now()
      await bus.publish(topic, '')
      const arrivedAt = await inTime(arrived, times.deadlineSeconds * 1000, null)
      return arrivedAt === null ? null : arrivedAt - sentAt
    } finally {
      unsubscribe()
    }
  } catch {
    return null
  }
}
