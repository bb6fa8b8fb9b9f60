// The table of docs/metrics.md, from the table of the metrics.
import { metrics } from '../../build/src/rules/metrics.js'
import { code, table } from './generated.mjs'

export const path = 'docs/metrics.md'

/** Generates the parts. @returns {Readonly<Record<string, string>>} by the name in their markers */
export function parts() {
  const rows = Object.entries(metrics).map(([name, { kind, unit, description, labels }]) => [
    code(name),
    code(prometheusName(name, { kind, unit })),
    kind,
    Object.keys(labels).map(code).join(', '),
    description,
  ])
  return { metrics: table(['OpenTelemetry', 'Prometheus', 'kind', 'labels', 'meaning'], rows) }
}

/** Names of Prometheus have no dots, and end with the unit. */
export function prometheusName(name, { kind, unit }) {
  const ending = unit === 's' ? '_seconds' : kind === 'counter' ? '_total' : ''
  return name.replaceAll('.', '_') + ending
}
