import {
  context,
  metrics as metricsApi,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import type { MetricLabels, SpanStart, Telemetry } from '../contracts/telemetry.ts'
import { BUCKETS, metrics, type MetricName } from '../rules/metrics.ts'

/** The receivers of metrics and traces. */
export interface OpenTelemetryOptions {
  /** Default: the one that the SDK of the program has registered. */
  readonly meterProvider?: MeterProvider
  /** Default: the one that the SDK of the program has registered. */
  readonly tracerProvider?: TracerProvider
}

const NAME = '@svc/auth'

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
  const meter = meterProvider.getMeter(NAME)
  const tracer = tracerProvider.getTracer(NAME)
  const counters = made('counter', (name, options) => meter.createCounter(name, options))
  const gauges = made('gauge', (name, options) => meter.createObservableGauge(name, options))
  const histograms = made('histogram', (name, options) =>
    meter.createHistogram(name, {
      ...options,
      advice: { explicitBucketBoundaries: [...BUCKETS] },
    }),
  )
  return {
    add: (metric, by, labels) => counters.get(metric)?.add(by, labels),
    record: (metric, value, labels) => histograms.get(metric)?.record(value, labels),
    gauge(metric, read) {
      const gauge = gauges.get(metric)
      const observe = async (result: { observe: (value: number) => void }): Promise<void> => {
        const value = await read()
        if (value !== null) result.observe(value)
      }
      gauge?.addCallback(observe)
      return () => gauge?.removeCallback(observe)
    },
    span(start, work) {
      const options = { kind: kindOf(start), attributes: attributesOf(start.labels) }
      return tracer.startActiveSpan(start.name, options, parentOf(start), (span) =>
        work(({ labels, failed }) => {
          span.setAttributes(attributesOf(labels))
          // Without the message, which may contain an address or a statement of a driver.
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
      )
    },
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

const kindOf = ({ header }: SpanStart): SpanKind =>
  header === undefined ? SpanKind.INTERNAL : SpanKind.SERVER

/**
 * Returns the context of the span's parent: the active span, such as that of the host's server, or
 * the caller that the request names. The SDK's propagator drops a `traceparent` that is malformed.
 */
function parentOf({ header }: SpanStart): Context {
  const active = context.active()
  if (header === undefined || trace.getSpan(active) !== undefined) return active
  const read = (name: string): string | undefined => header(name) ?? undefined
  return propagation.extract(ROOT_CONTEXT, read, {
    get: (carrier, name) => carrier(name),
    keys: () => ['traceparent', 'tracestate'],
  })
}

/** Returns labels as attributes of a span, with the names of the service. */
function attributesOf(labels: MetricLabels): MetricLabels {
  const entries = Object.entries(labels)
  return Object.fromEntries(entries.map(([name, value]) => [`svc.auth.${name}`, value]))
}
