/** The labels of a value, from closed sets: no id, email, address or path is one. */
export type MetricLabels = Readonly<Record<string, string>>

/** A span of work that is about to begin. */
export interface SpanStart {
  /** The name of the span, such as `svc.auth.request`. */
  readonly name: string
  readonly labels: MetricLabels
  /** Reads a header of the request that causes the work. Default: other work causes it. */
  readonly header?: (name: string) => string | null
}

/** The end of a span. */
export interface SpanEnd {
  /** All labels of the work. */
  readonly labels: MetricLabels
  readonly failed: boolean
}

/**
 * Receives metrics and traces: `openTelemetry()` of `@svc/auth/telemetry`, or `prometheus()` of
 * `@svc/auth/prometheus`. What it throws is dropped: it must not fail a request.
 *
 * @see `prometheus` of `@svc/auth/prometheus`
 */
export interface Telemetry {
  /** Adds to a counter. */
  add(metric: string, by: number, labels: MetricLabels): void
  /** Records a value of a histogram, in the unit of the metric. */
  record(metric: string, value: number, labels: MetricLabels): void
  /**
   * Registers the function that reads a gauge; `null`: there is no value.
   *
   * @returns a function that removes it.
   */
  gauge(metric: string, read: () => Promise<number | null>, labels: MetricLabels): () => void
  /**
   * Runs work in a span, whose end the work reports. Returns what the work returns. Absent where
   * nobody traces.
   */
  span?<Result>(start: SpanStart, work: (end: (span: SpanEnd) => void) => Result): Result
  /** Returns `true` where the sampler has left out the active request: no call asks for a span. */
  isLeftOut?(): boolean
}
