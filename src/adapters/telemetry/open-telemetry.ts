import {
  metrics as metricsApi,
  trace,
  type Histogram,
  type MeterProvider,
  type ObservableResult,
  type TracerProvider,
} from '@opentelemetry/api'
import type { MetricLabels, Telemetry } from '../../contracts/telemetry.ts'
import { BUCKETS, metrics, type MetricName } from '../../rules/metrics.ts'
import { INSTRUMENTED, spansOf } from './spans.ts'

/** The receivers of metrics and traces. */
export interface OpenTelemetryOptions {
  /** Default: the one that the SDK of the program has registered. */
  readonly meterProvider?: MeterProvider
  /** Default: the one that the SDK of the program has registered. */
  readonly tracerProvider?: TracerProvider
}

/**
 * Sends metrics and traces to the SDK of OpenTelemetry that the program has started. Without an
 * SDK, nothing is counted. Start the SDK before this is called.
 *
 * @see docs/metrics.md, "OpenTelemetry"
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 * import { sqliteStores } from '@svc/auth/sqlite'
 * import { openTelemetry } from '@svc/auth/telemetry'
 *
 * const stores = sqliteStores('panel.db')
 * const auth = createPanelAuth({ config, users, stores, telemetry: openTelemetry() })
 * ```
 */
export function openTelemetry({
  meterProvider = metricsApi.getMeterProvider(),
  tracerProvider = trace.getTracerProvider(),
}: OpenTelemetryOptions = {}): Telemetry {
  const meter = meterProvider.getMeter(INSTRUMENTED)
  const counters = made('counter', (name, options) => meter.createCounter(name, options))
  const gauges = made('gauge', (name, options) => meter.createObservableGauge(name, options))
  const histograms = made('histogram', (name, options) =>
    meter.createHistogram(name, {
      ...options,
      advice: { explicitBucketBoundaries: [...BUCKETS] },
    }),
  )
  const buffer = new RecordBuffer()
  // The SDK calls it before it collects the histograms.
  meter.addBatchObservableCallback(() => buffer.flush(), [...gauges.values()])
  return {
    add: (metric, by, labels) => counters.get(metric)?.add(by, labels),
    record: (metric, value, labels) => buffer.add(histograms.get(metric), value, labels),
    gauge(metric, read, labels) {
      const gauge = gauges.get(metric)
      const observe = async (result: ObservableResult): Promise<void> => {
        const value = await read()
        if (value !== null) result.observe(value, labels)
      }
      gauge?.addCallback(observe)
      return () => gauge?.removeCallback(observe)
    },
    ...spansOf(tracerProvider),
  }
}

/** Bounds the memory, and the time that one request waits for the records of the others. */
const BUFFERED = 256

/**
 * Keeps records for the SDK, which takes two to three times as long to record a value between other
 * work as it takes in a loop.
 */
class RecordBuffer {
  #records: [Histogram, number, MetricLabels][] = []

  add(histogram: Histogram | undefined, value: number, labels: MetricLabels): void {
    if (histogram === undefined) return
    if (this.#records.push([histogram, value, labels]) === BUFFERED) this.flush()
  }

  flush(): void {
    const records = this.#records
    this.#records = []
    for (const [histogram, value, labels] of records) histogram.record(value, labels)
  }
}

/** Creates the instruments of a kind. */
function made<Instrument>(
  kind: 'counter' | 'gauge' | 'histogram',
  create: (name: string, options: { description: string; unit: string }) => Instrument,
): ReadonlyMap<string, Instrument> {
  const names = Object.keys(metrics) as MetricName[]
  return new Map(
    names
      .filter((name) => metrics[name].kind === kind)
      .map((name) => {
        const { description, unit } = metrics[name]
        return [name, create(name, { description, unit })]
      }),
  )
}
