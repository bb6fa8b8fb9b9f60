import type { MetricLabels } from '../../contracts/telemetry.ts'
import { BUCKETS } from '../../rules/metrics.ts'

/** The values of a metric with the same labels. */
export interface Series {
  readonly labels: MetricLabels
  sum: number
  /** The number of recorded values in each bucket of `BUCKETS`, and above the last. */
  readonly counts: number[]
}

/**
 * Counts in plain numbers, which somebody reads now and then. To record one value takes the SDK of
 * OpenTelemetry as long as twenty values take here.
 */
export class LocalMetric {
  readonly #byLabels = new Map<string, Series>()
  /** Most callers pass the same objects again. */
  readonly #byObject = new WeakMap<MetricLabels, Series>()

  add(by: number, labels: MetricLabels): void {
    this.#seriesOf(labels).sum += by
  }

  record(value: number, labels: MetricLabels): void {
    const series = this.#seriesOf(labels)
    let bucket = 0
    while (value > (BUCKETS[bucket] ?? Infinity)) bucket += 1
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += value
  }

  series(): Iterable<Series> {
    return this.#byLabels.values()
  }

  #seriesOf(labels: MetricLabels): Series {
    let series = this.#byObject.get(labels)
    if (series === undefined) {
      const key = JSON.stringify(labels, Object.keys(labels).toSorted())
      series = this.#byLabels.get(key) ?? newSeries(labels)
      this.#byLabels.set(key, series)
      this.#byObject.set(labels, series)
    }
    return series
  }
}

function newSeries(labels: MetricLabels): Series {
  return { labels, sum: 0, counts: Array.from({ length: BUCKETS.length + 1 }, () => 0) }
}
