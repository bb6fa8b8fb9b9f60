import { context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-base'
import { prometheus } from '@svc/auth/prometheus'
import { openTelemetry } from '@svc/auth/telemetry'
import { ORIGIN } from '../requests.mjs'
import { startBenchPanel } from './panel.mjs'

/* The reference panel with a telemetry, which also reads by itself, without HTTP. */

/** As often as Prometheus asks by default. */
const SCRAPE_MS = 15_000
const CHAINS = 16

const telemetries = {
  none: () => undefined,
  prometheus: scraped,
  sdk: () => openTelemetry({ meterProvider: new MeterProvider({ readers: [discarding()] }) }),
  'traces-1': () => ({ ...scraped(), ...traced(0.01) }),
  'traces-100': () => ({ ...scraped(), ...traced(1) }),
}

const [, , folder, kind] = process.argv
const telemetry = telemetries[kind]()
const { port, panel } = await startBenchPanel([folder], undefined, { telemetry })

function scraped() {
  const { text, ...metrics } = prometheus()
  setInterval(() => void text(), SCRAPE_MS).unref()
  return metrics
}

function discarding() {
  const exporter = { export: (_metrics, done) => done({ code: 0 }), forceFlush() {}, shutdown() {} }
  return new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: SCRAPE_MS })
}

/** Records a share of the traces, and exports none. */
function traced(share) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const sampler = new TraceIdRatioBasedSampler(share)
  const traces = openTelemetry({ tracerProvider: new BasicTracerProvider({ sampler }) })
  return { span: (...span) => traces.span(...span) }
}

/** Reads the user as often, in several chains, as several connections do. */
async function read({ reads, cookie }) {
  const request = {
    method: 'GET',
    target: '/svc/api/user',
    address: '127.0.0.1',
    signal: new AbortController().signal,
    header: (name) => headers[name] ?? null,
    body: async () => null,
  }
  const headers = { host: new URL(ORIGIN).host, referer: `${ORIGIN}/admin/main`, cookie }
  const chain = async () => {
    for (let left = reads / CHAINS; left > 0; left -= 1) {
      const { status } = await panel.auth.handle(request)
      if (status !== 200) throw new Error(`a read answered ${status}`)
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: CHAINS }, chain))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / reads
}

process.on('message', (message) => {
  if (message !== 'usage') return void read(message).then((cpu) => process.send({ cpu }))
  const { user, system } = process.cpuUsage()
  process.send({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss(), count: null })
})
process.on('disconnect', () => process.exit())
process.send({ port })
