import type { Awaitable } from '../contracts/host.ts'
import type { MetricLabels, SpanEnd, SpanStart, Telemetry } from '../contracts/telemetry.ts'
import type { MetricOf } from '../rules/metrics.ts'
import { isThenable } from './timeouts.ts'

/** The end of a piece of work. */
export type WorkEnd<Result> = { readonly result: Result } | { readonly error: unknown }

/** A piece of work that is measured. */
interface Measured<Result> {
  readonly metric: MetricOf<'histogram'>
  /** The labels that are known before. */
  readonly labels: MetricLabels
  readonly header?: SpanStart['header']
  /** Returns the labels that are known after. Default: none. */
  readonly labelsOf?: (end: WorkEnd<Result>) => MetricLabels
}

/** Measures the service for the telemetry of the host, whose failures are dropped. */
export type Meter = ReturnType<typeof createMeter>

export function createMeter(telemetry: Telemetry) {
  /** Records how long the work takes, in a span of its own. */
  function timed<Result>(
    { metric, labels, header, labelsOf = () => ({}) }: Measured<Result>,
    work: () => Awaitable<Result>,
  ): Awaitable<Result> {
    const begin = once((endSpan: (span: SpanEnd) => void) =>
      whenEnded(work, (seconds, end) =>
        dropFailure(() => {
          const known = labelsOf(end)
          telemetry.record(metric, seconds, { ...labels, ...known })
          endSpan({ labels: known, failed: 'error' in end })
        }),
      ),
    )
    // The name of a span is that of its metric, without the unit.
    const name = metric.replace(/\.duration$/, '')
    const start = { name, labels, ...(header !== undefined && { header }) }
    dropFailure(() => telemetry.span(start, begin))
    // The answer is that of the work, whatever the telemetry has done with it.
    return begin(() => undefined)
  }

  return {
    timed,
    add(metric: MetricOf<'counter'>, by = 1, labels: MetricLabels = {}): void {
      dropFailure(() => telemetry.add(metric, by, labels))
    },
    /** Registers a gauge. Returns a function that removes it. */
    gauge(metric: MetricOf<'gauge'>, read: () => Awaitable<number | null>): () => void {
      let remove: () => void = () => undefined
      dropFailure(() => (remove = telemetry.gauge(metric, async () => read())))
      return () => dropFailure(remove)
    },
  }
}

/** Runs measured work; without a meter, only the work. */
export function timed<Result>(
  meter: Meter | null,
  measured: Measured<Result>,
  work: () => Awaitable<Result>,
): Awaitable<Result> {
  return meter === null ? work() : meter.timed(measured, work)
}

/** Runs work and reports its end, at once or later. Returns what the work returns. */
function whenEnded<Result>(
  work: () => Awaitable<Result>,
  report: (seconds: number, end: WorkEnd<Result>) => void,
): Awaitable<Result> {
  const startedAt = performance.now()
  const ended = (end: WorkEnd<Result>): void => report((performance.now() - startedAt) / 1000, end)
  try {
    const answer = work()
    if (isThenable(answer)) {
      answer.then(
        (result) => ended({ result }),
        (error: unknown) => ended({ error }),
      )
    } else ended({ result: answer })
    return answer
  } catch (error) {
    ended({ error })
    throw error
  }
}

/** Returns a function that runs work at its first call, and repeats what came of it. */
function once<Given, Result>(work: (given: Given) => Result): (given: Given) => Result {
  let done: { readonly result: Result } | { readonly error: unknown } | null = null
  return (given) => {
    done ??= settled(() => work(given))
    if ('error' in done) throw done.error
    return done.result
  }
}

function settled<Result>(
  work: () => Result,
): { readonly result: Result } | { readonly error: unknown } {
  try {
    return { result: work() }
  } catch (error) {
    return { error }
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
