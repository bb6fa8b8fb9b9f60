import type { MetricLabels } from '../../contracts/telemetry.ts'
import { BUCKETS, metrics, type MetricName } from '../../rules/metrics.ts'
import type { Series } from './local-metrics.ts'

/** The present value of a gauge. */
export interface GaugeValue {
  readonly labels: MetricLabels
  readonly value: number
}

/** Returns a metric in the text format of Prometheus; nothing where it has no value. */
export function textOf(
  metric: MetricName,
  values: Iterable<Series> | readonly GaugeValue[],
): string {
  const { kind, unit, description } = metrics[metric]
  const base = metric.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '')
  const name = kind === 'counter' ? `${base}_total` : base
  const lines = Array.from<Series | GaugeValue, readonly string[]>(values, (one) => {
    if ('value' in one) return [lineOf(name, one.labels, one.value)]
    return kind === 'counter' ? [lineOf(name, one.labels, one.sum)] : histogramLines(name, one)
  }).flat()
  if (lines.length === 0) return ''
  return [`# HELP ${name} ${description}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n')
}

function histogramLines(name: string, { labels, sum, counts }: Series): readonly string[] {
  let count = 0
  const buckets = counts.map((further, at) => {
    count += further
    return lineOf(`${name}_bucket`, { ...labels, le: String(BUCKETS[at] ?? '+Inf') }, count)
  })
  return [...buckets, lineOf(`${name}_sum`, labels, sum), lineOf(`${name}_count`, labels, count)]
}

function lineOf(name: string, labels: MetricLabels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
