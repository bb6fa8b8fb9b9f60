import { Server } from 'node:http'
import { context, SpanKind } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
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
  'host-1': () => hostTracing(0.01).metrics,
  'host-100': () => hostTracing(1).metrics,
  'traces-1': () => traced(hostTracing(0.01)),
  'traces-100': () => traced(hostTracing(1)),
}

let spanned = async (work) => work({ end() {} })

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

function traced({ metrics, tracerProvider }) {
  const traces = openTelemetry({ tracerProvider })
  return {
    ...metrics,
    span: (...span) => traces.span(...span),
    isLeftOut: () => traces.isLeftOut(),
  }
}

/** Traces a share of the requests, each in a span of the host, and exports none. */
function hostTracing(share) {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) })
  const tracerProvider = new BasicTracerProvider({ sampler })
  const tracer = tracerProvider.getTracer('host')
  spanned = (work) => tracer.startActiveSpan('GET', { kind: SpanKind.SERVER }, work)
  const emit = Reflect.get(Server.prototype, 'emit')
  // As the instrumentation of `node:http` does.
  Server.prototype.emit = function (event, ...values) {
    if (event !== 'request') return emit.call(this, event, ...values)
    return spanned((span) => {
      values[1].on('close', () => span.end())
      return emit.call(this, event, ...values)
    })
  }
  return { metrics: scraped(), tracerProvider }
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
      const { status } = await spanned(async (span) => {
        const answer = await panel.auth.handle(request)
        span.end()
        return answer
      })
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
