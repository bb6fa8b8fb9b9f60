import { trace } from '@opentelemetry/api'
import type { MetricLabels, Telemetry } from '../../contracts/telemetry.ts'
import { metrics, type MetricName } from '../../rules/metrics.ts'
import { LocalMetric } from './local-metrics.ts'
import { textOf } from './prometheus-text.ts'
import { spansOf } from './spans.ts'

/** Metrics that Prometheus fetches. */
export interface PrometheusTelemetry extends Telemetry {
  /** Returns the metrics in the text format of Prometheus, for `metrics` of `serve`. */
  readonly text: () => Promise<string>
}

/**
 * Keeps metrics for Prometheus, without an SDK of the host. Traces go to the SDK of the host if it
 * is started before this is called.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 * import { mount, serve } from '@svc/auth/node'
 * import { prometheus } from '@svc/auth/prometheus'
 * import { sqliteStores } from '@svc/auth/sqlite'
 *
 * const telemetry = prometheus()
 * const stores = sqliteStores('panel.db')
 * const auth = createPanelAuth({ config, users, stores, telemetry })
 * await serve(auth, mount(auth), { metrics: { text: telemetry.text, port: 9464 } })
 * ```
 */
export function prometheus(): PrometheusTelemetry {
  const counted = new Map<string, LocalMetric>(NAMES.map((name) => [name, new LocalMetric()]))
  const gauges = new Set<Gauge>()
  return {
    add: (metric, by, labels) => counted.get(metric)?.add(by, labels),
    record: (metric, value, labels) => counted.get(metric)?.record(value, labels),
    gauge(metric, read, labels) {
      const gauge = { metric, read, labels }
      gauges.add(gauge)
      return () => void gauges.delete(gauge)
    },
    ...spansOf(trace.getTracerProvider()),
    async text() {
      const readings = (await Promise.all(Array.from(gauges, readingOf))).flat()
      const isOf = (name: MetricName) => (one: { readonly metric: string }) => one.metric === name
      return NAMES.map((name) =>
        metrics[name].kind === 'gauge'
          ? textOf(name, readings.filter(isOf(name)))
          : textOf(name, counted.get(name)?.series() ?? []),
      ).join('')
    },
  }
}

const NAMES = Object.keys(metrics) as MetricName[]

interface Gauge {
  readonly metric: string
  readonly read: () => Promise<number | null>
  readonly labels: MetricLabels
}

/** Returns the value of a gauge; nothing when it has none or cannot be read. */
async function readingOf({ metric, read, labels }: Gauge) {
  try {
    const value = await read()
    return value === null ? [] : [{ metric, labels, value }]
  } catch {
    return []
  }
}
