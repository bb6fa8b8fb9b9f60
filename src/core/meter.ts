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
    /** Runs measured work, which may answer at once. */
    timed<Result>(measured: Measured<Result>, work: () => Awaitable<Result>): Awaitable<Result> {
      return isTraced(telemetry)
        ? inSpan(telemetry, measured, work)
        : recorded(telemetry, measured, work)
    },
    /** Runs the work of a request. */
    timedRequest: <Result>(
      measured: Measured<Result>,
      request: PlainRequest,
      work: () => Promise<Result>,
    ): Promise<Result> => recordedRequest(telemetry, measured, request, work),
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

function inSpan<Result>(
  telemetry: Telemetry,
  measured: Measured<Result>,
  work: () => Awaitable<Result>,
  request?: PlainRequest,
): Awaitable<Result> {
  return runInSpan(telemetry, spanStartOf(measured, request), (endSpan) =>
    recorded(telemetry, measured, work, endSpan),
  )
}

/** Runs work in a span of its own. */
function runInSpan<Result>(
  telemetry: Telemetry,
  start: SpanStart,
  work: (endSpan: EndSpan) => Awaitable<Result>,
): Awaitable<Result> {
  let ending: Ending<Result> | null = null
  // The telemetry may call this never, once, or twice, and late: the work runs once.
  const begin = (endSpan: EndSpan): Awaitable<Result> =>
    answerOf((ending ??= endingOf(() => work(endSpan))))
  const isAnswer = (value: unknown): boolean =>
    ending !== null && 'result' in ending && ending.result === value
  try {
    const spanned: unknown = telemetry.span?.(start, begin)
    // The promise of the work is handled; another one may be rejected, too.
    if (isThenable(spanned) && !isAnswer(spanned)) spanned.then(undefined, ignoreEnd)
  } catch {
    // Begins below, if it has not.
  }
  // The answer is that of the work, whatever the telemetry has done with it.
  return begin(ignoreEnd)
}

function spanStartOf(
  { metric, labels }: Pick<Measured<never>, 'metric' | 'labels'>,
  request: PlainRequest | undefined,
): SpanStart {
  const name = spanNameOf(metric)
  return request === undefined
    ? { name, labels }
    : { name, labels, header: (field) => request.header(field) }
}

type EndSpan = (span: SpanEnd) => void

const ignoreEnd = (): void => undefined

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

/** A result of the work, perhaps a promise, or its error. */
type Ending<Result> = { readonly result: Awaitable<Result> } | { readonly error: unknown }

function endingOf<Result>(work: () => Awaitable<Result>): Ending<Result> {
  try {
    return { result: work() }
  } catch (error) {
    return { error }
  }
}

function answerOf<Result>(ending: Ending<Result>): Awaitable<Result> {
  if ('error' in ending) throw ending.error
  return ending.result
}

/** Runs work and records its end, at once or later. */
function recorded<Result>(
  telemetry: Telemetry,
  measured: Measured<Result>,
  work: () => Awaitable<Result>,
  endSpan: EndSpan = ignoreEnd,
): Awaitable<Result> {
  const recording = new Recording(telemetry, measured, endSpan)
  try {
    const result = work()
    if (isThenable(result)) {
      result.then(
        (value) => recording.returned(value),
        (error: unknown) => recording.thrown(error),
      )
    } else recording.returned(result)
    return result
  } catch (error) {
    recording.thrown(error)
    throw error
  }
}

/**
 * Runs the work of a request and records its end. Every request passes here, and each promise costs
 * much where the contexts of asynchronous calls are followed.
 */
async function recordedRequest<Result>(
  telemetry: Telemetry,
  measured: Measured<Result>,
  request: PlainRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isTraced(telemetry)) return inSpan(telemetry, measured, work, request)
  const recording = new Recording(telemetry, measured, ignoreEnd)
  try {
    const result = await work()
    recording.returned(result)
    return result
  } catch (error) {
    recording.thrown(error)
    throw error
  }
}

/** Records the end of work that begins now. A class, so that a call costs one object. */
class Recording<Result> {
  readonly #telemetry: Telemetry
  readonly #measured: Measured<Result>
  readonly #endSpan: EndSpan
  readonly #startedAt = performance.now()

  constructor(telemetry: Telemetry, measured: Measured<Result>, endSpan: EndSpan) {
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
      if (this.#endSpan !== ignoreEnd) this.#endSpan({ labels, failed })
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
