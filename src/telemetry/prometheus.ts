import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { Telemetry } from '../contracts/telemetry.ts'
import { metrics, type MetricName } from '../rules/metrics.ts'
import { openTelemetry } from './open-telemetry.ts'

/** Metrics that Prometheus fetches. */
export interface PrometheusTelemetry extends Telemetry {
  /** Returns the metrics in the text format of Prometheus, for `metrics` of `serve`. */
  readonly text: () => Promise<string>
}

/**
 * Keeps metrics for Prometheus, without an SDK of the host.
 *
 * @example
 * ```ts
 * import { createPanelAuth } from '@svc/auth'
 * import { mount, serve } from '@svc/auth/node'
 * import { prometheus } from '@svc/auth/prometheus'
 * import { sqliteStores } from '@svc/auth/sqlite'
 *
 * const telemetry = prometheus()
 * const stores = sqliteStores('panel.db')
 * const auth = createPanelAuth({ config, users, stores, telemetry })
 * await serve(auth, mount(auth), { metrics: { text: telemetry.text, port: 9464 } })
 * ```
 */
export function prometheus(): PrometheusTelemetry {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const meterProvider = new MeterProvider({ readers: [exporter], views: IN_SECONDS })
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  return {
    ...openTelemetry({ meterProvider }),
    async text() {
      const { resourceMetrics } = await exporter.collect()
      return serializer.serialize(resourceMetrics)
    },
  }
}

/**
 * Names of Prometheus end with their unit, which collectors of OpenTelemetry append, too.
 */
const IN_SECONDS = (Object.keys(metrics) as MetricName[])
  .filter((name) => metrics[name].unit === 's')
  .map((name) => ({ instrumentName: name, name: `${name}.seconds` }))
