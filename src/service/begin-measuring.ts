import type { CheckedStores } from '../core/boundary/checked-stores.ts'
import type { Meter } from '../core/meter.ts'
import type { SharedClock } from '../core/operation/shared-clock.ts'
import type { Service } from '../http/service.ts'
import { EVENT_NAMES } from '../rules/event-names.ts'
import type { MetricLabels } from '../contracts/telemetry.ts'
import { metrics, type MetricOf } from '../rules/metrics.ts'
import { lazily } from './lazily.ts'

interface MeasuredParts extends Pick<Service, 'events' | 'passwords' | 'heldStreams'> {
  readonly clock: SharedClock
  readonly stores: CheckedStores
}

/** Returns the reading of the lag of a bus, which is loaded by the first call. */
function lazyBusLag(bus: CheckedStores['bus']): () => Promise<number | null> {
  const load = lazily(async () => {
    const { createBusLag } = await import('../core/bell/bus-lag.ts')
    return createBusLag(bus)
  })
  return async () => (await load())()
}

/**
 * Starts every counter at zero. Prometheus counts the growth of a series from its first value, so a
 * flood with which a series began would fire no alert.
 */
function startCounters(meter: Meter): void {
  for (const name of Object.keys(metrics).filter(isCounter))
    for (const labels of labelsOf(name)) meter.add(name, 0, labels)
}

/** Returns the labels of each series of a counter: every combination of their values. */
function labelsOf(name: MetricOf<'counter'>): readonly MetricLabels[] {
  const labels = Object.entries<readonly string[]>(metrics[name].labels)
  return labels.reduce<readonly MetricLabels[]>(
    (series, [label, values]) =>
      series.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}

function isCounter(name: string): name is MetricOf<'counter'> {
  return metrics[name as keyof typeof metrics].kind === 'counter'
}

/** Counts the events and registers the gauges of a service, until `stop`. */
export function beginMeasuring(
  meter: Meter | null,
  { events, passwords, heldStreams, clock, stores }: MeasuredParts,
) {
  if (meter === null)
    return { pruned: async (removing: Promise<number>) => removing, stop: () => undefined }
  startCounters(meter)
  let prunedAt: number | null = null
  const counts = EVENT_NAMES.map((event) =>
    events.on(event, () => meter.add('svc.auth.events', 1, { event }), 'same'),
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
    meter.gauge('svc.auth.bus.lag', lazyBusLag(stores.bus)),
    ...stores.gauges.map(({ metric, read, labels }) => meter.gauge(metric, read, labels)),
  ]
  return {
    /** Records the end of pruning. Returns the number of records that were removed. */
    async pruned(removing: Promise<number>) {
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
