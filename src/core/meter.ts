import type { Awaitable, PlainRequest } from '../contracts/host.ts'
import type { MetricLabels, SpanEnd, SpanStart, Telemetry } from '../contracts/telemetry.ts'
import type { MetricOf } from '../rules/metrics.ts'
import { isThenable } from './timeouts.ts'

/**
 * A piece of work that is measured. Labels are the same objects for the same values: a new object
 * for each value takes the receiver more time than all the rest of a measurement.
 */
export interface Measured<Result> {
  readonly metric: MetricOf<'histogram'>
  /** The labels that are known before. */
  readonly labels: MetricLabels
  /** Returns all labels of work that has returned. */
  readonly labelsOf: (result: Result) => MetricLabels
  /** Returns all labels of work that has thrown. */
  readonly labelsOfError: (error: unknown) => MetricLabels
}

/** Measures the service for the telemetry of the host, whose failures are dropped. */
export type Meter = ReturnType<typeof createMeter>

export function createMeter(telemetry: Telemetry) {
  return {
    /**
     * Runs measured work, which may answer at once.
     *
     * @param request The request whose work it is, if it is that of a whole request.
     */
    timed<Result, Answer extends Awaitable<Result>>(
      measured: Measured<Result>,
      work: () => Answer,
      request?: PlainRequest,
    ): Answer | Promise<Result> {
      return isTraced(telemetry)
        ? inSpan<Result>(telemetry, spanStartOf(measured, request), (endSpan) =>
            recorded(telemetry, measured, work, endSpan),
          )
        : recorded(telemetry, measured, work, null)
    },
    add(metric: MetricOf<'counter'>, by = 1, labels: MetricLabels = {}): void {
      dropFailure(() => telemetry.add(metric, by, labels))
    },
    /** Registers a gauge. Returns a function that removes it. */
    gauge(
      metric: MetricOf<'gauge'>,
      read: () => Awaitable<number | null>,
      labels: MetricLabels = {},
    ): () => void {
      let remove: () => void = () => undefined
      dropFailure(() => (remove = telemetry.gauge(metric, async () => read(), labels)))
      return () => dropFailure(remove)
    },
  }
}

function isTraced(telemetry: Telemetry): boolean {
  if (telemetry.span === undefined) return false
  try {
    return telemetry.isLeftOut?.() !== true
  } catch {
    // The host's telemetry must not fail a request.
    return false
  }
}

/** Runs work in a span of its own. */
function inSpan<Result>(
  telemetry: Telemetry,
  start: SpanStart,
  work: (endSpan: EndSpan | null) => Awaitable<Result>,
): Promise<Result> {
  let running: Promise<Result> | null = null
  // The telemetry may call this never, once, or twice, and late: the work runs once.
  const begin = (endSpan: EndSpan | null) => (running ??= (async () => work(endSpan))())
  dropFailure(() => telemetry.span?.(start, begin))
  // The answer is that of the work, whatever the telemetry has done with it.
  return begin(null)
}

function spanStartOf(
  { metric, labels }: Pick<Measured<never>, 'metric' | 'labels'>,
  request: PlainRequest | undefined,
): SpanStart {
  const header = request && { header: (field: string) => request.header(field) }
  return { name: spanNameOf(metric), labels, ...header }
}

type EndSpan = (span: SpanEnd) => void

/** The name of a span is that of its metric, without the unit. */
const spanNameOf = kept((metric: string) => metric.replace(/\.duration$/, ''))

/** Returns a function that makes the value of a text once. Only for texts of a closed set. */
export function kept<Value>(make: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>()
  return (text) => {
    let value = values.get(text)
    if (value === undefined) values.set(text, (value = make(text)))
    return value
  }
}

/** Runs work and records its end, at once or later. */
function recorded<Result, Answer extends Awaitable<Result>>(
  telemetry: Telemetry,
  measured: Measured<Result>,
  work: () => Answer,
  endSpan: EndSpan | null,
): Answer {
  const recording = new Recording(telemetry, measured, endSpan)
  try {
    const answer = work()
    const result: Awaitable<Result> = answer
    if (!isThenable(result)) recording.returned(result)
    else
      result.then(
        (value) => recording.returned(value),
        (error: unknown) => recording.thrown(error),
      )
    return answer
  } catch (error) {
    recording.thrown(error)
    throw error
  }
}

/** Records the end of work that begins now. A class, so that a call costs one object. */
class Recording<Result> {
  readonly #telemetry: Telemetry
  readonly #measured: Measured<Result>
  readonly #endSpan: EndSpan | null
  readonly #startedAt = performance.now()

  constructor(telemetry: Telemetry, measured: Measured<Result>, endSpan: EndSpan | null) {
    this.#telemetry = telemetry
    this.#measured = measured
    this.#endSpan = endSpan
  }

  returned(result: Result): void {
    this.#end(this.#measured.labelsOf(result), false)
  }

  thrown(error: unknown): void {
    this.#end(this.#measured.labelsOfError(error), true)
  }

  #end(labels: MetricLabels, failed: boolean): void {
    try {
      const seconds = (performance.now() - this.#startedAt) / 1000
      this.#telemetry.record(this.#measured.metric, seconds, labels)
      this.#endSpan?.({ labels, failed })
    } catch {
      // The host's telemetry must not fail a request.
    }
  }
}

function dropFailure(work: () => unknown): void {
  try {
    const answer = work()
    if (isThenable(answer)) answer.then(undefined, () => undefined)
  } catch {
    // The host's telemetry must not fail a request.
  }
}
