import {
  context,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type TracerProvider,
} from '@opentelemetry/api'
import type { MetricLabels, SpanStart, Telemetry } from '../../contracts/telemetry.ts'

/** The name of the meter and of the tracer. */
export const INSTRUMENTED = '@svc/auth'

/** Returns the traces of a telemetry; nothing where no SDK traces, so that no call makes a span. */
export function spansOf(tracerProvider: TracerProvider): Pick<Telemetry, 'span' | 'isLeftOut'> {
  if (!isTracing(tracerProvider)) return {}
  const tracer = tracerProvider.getTracer(INSTRUMENTED)
  return {
    span(start, work) {
      const active = context.active()
      const options = { kind: kindOf(start), attributes: attributesOf(start.labels) }
      return tracer.startActiveSpan(start.name, options, parentOf(start, active), (span) =>
        work(({ labels, failed }) => {
          if (!span.isRecording()) return
          span.setAttributes(attributesOf(labels))
          // Without the message, which may contain an address or a statement of a driver.
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
      )
    },
    isLeftOut: () => hasLeftOut(trace.getActiveSpan()),
  }
}

function hasLeftOut(parent: Span | undefined): boolean {
  if (parent === undefined || parent.isRecording()) return false
  // A parent of another process records there.
  // The lowest of the flags is "sampled" (W3C Trace Context, section 3.2.2.5).
  const { isRemote = false, traceFlags } = parent.spanContext()
  return !isRemote && traceFlags % 2 === 0
}

/** Returns whether an SDK traces. The API of OpenTelemetry stands in until one is registered. */
function isTracing(provider: TracerProvider): boolean {
  return !(
    provider instanceof ProxyTracerProvider &&
    provider.getDelegateTracer(INSTRUMENTED) === undefined
  )
}

const kindOf = ({ header }: SpanStart): SpanKind =>
  header === undefined ? SpanKind.INTERNAL : SpanKind.SERVER

/**
 * Returns the context of the span's parent: the active span, such as that of the host's server, or
 * the caller that the request names. The SDK's propagator drops a `traceparent` that is malformed.
 */
function parentOf({ header }: SpanStart, active: Context): Context {
  if (header === undefined || trace.getSpan(active) !== undefined) return active
  const read = (name: string): string | undefined => header(name) ?? undefined
  return propagation.extract(ROOT_CONTEXT, read, {
    get: (carrier, name) => carrier(name),
    keys: () => ['traceparent', 'tracestate'],
  })
}

/** The attributes of labels, which are the same objects for many calls. */
const known = new WeakMap<MetricLabels, MetricLabels>()

/** Returns labels as attributes of a span, with the names of the service. */
function attributesOf(labels: MetricLabels): MetricLabels {
  const before = known.get(labels)
  if (before !== undefined) return before
  const entries = Object.entries(labels)
  const made = Object.fromEntries(entries.map(([name, value]) => [`svc.auth.${name}`, value]))
  known.set(labels, made)
  return made
}
