import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type Sampler,
} from '@opentelemetry/sdk-trace-base'
import { prometheus } from '@svc/auth/prometheus'
import { openTelemetry } from '@svc/auth/telemetry'
import { describe, expect, it, onTestFinished } from 'vitest'
import { metrics, type MetricName } from '../../src/rules/metrics.ts'
import { loggedIn } from '../support/logins.ts'
import { USER } from '../support/paths.ts'
import { startService } from '../support/service.ts'
import { valueOf } from '../support/telemetry.ts'

/** The metrics that an SDK of the host collects, in the text format of Prometheus. */
function sdk() {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const names = Object.keys(metrics) as MetricName[]
  const views = names
    .filter((name) => metrics[name].unit === 's')
    .map((name) => ({ instrumentName: name, name: `${name}.seconds` }))
  const meterProvider = new MeterProvider({ readers: [exporter], views })
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  return {
    telemetry: openTelemetry({ meterProvider }),
    text: async () => serializer.serialize((await exporter.collect()).resourceMetrics),
  }
}

/** The lines of a text whose values depend neither on time nor on the reading of the metrics. */
function countsIn(text: string): readonly string[] {
  const kept = text
    .split('\n')
    .filter((line) => /^svc_auth_\w+(?:_count|_total|streams)\b/.test(line))
    .filter((line) => !line.includes('part="Bus"'))
  return kept.toSorted()
}

describe('An SDK of OpenTelemetry', () => {
  it('collects the same series as `prometheus()` writes, from the same requests', async () => {
    const [ours, theirs] = [prometheus(), sdk()]
    for (const telemetry of [ours, theirs.telemetry]) {
      const service = await startService({ telemetry })
      const una = await loggedIn(service)
      await una.get(USER)
      await una.get('/api/people')
      await una.get('/svc/api/nothing')
    }
    const [written, collected] = [await ours.text(), await theirs.text()]
    expect(countsIn(written).length).toBeGreaterThan(10)
    expect(countsIn(collected)).toEqual(countsIn(written))
  })

  it('collects a value in the collection after it was recorded, and once', async () => {
    const { telemetry, text } = sdk()
    const service = await startService({ telemetry })
    const una = await loggedIn(service)
    const reads = 'svc_auth_request_duration_seconds_count{route="user",status="200"}'
    for (const expected of [1, 2, 300]) {
      const before = (await valueOf({ text }, reads)) ?? 0
      for (let more = before; more < expected; more += 1) await una.get(USER)
      expect(await valueOf({ text }, reads)).toBe(expected)
    }
  })

  it('gets no span of a call whose request the sampler has left out', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    onTestFinished(() => context.disable())
    const root: Sampler = new AlwaysOffSampler()
    const asked: string[] = []
    const sampler: Sampler = {
      shouldSample(...given) {
        asked.push(given[2])
        return new ParentBasedSampler({ root }).shouldSample(...given)
      },
    }
    const exporter = new InMemorySpanExporter()
    const spanProcessors = [new SimpleSpanProcessor(exporter)]
    const tracerProvider = new BasicTracerProvider({ sampler, spanProcessors })
    const service = await startService({ telemetry: openTelemetry({ tracerProvider }) })
    const una = await loggedIn(service)
    asked.length = 0
    await una.get(USER)
    expect(asked).toEqual(['svc.auth.request'])
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  it('that traces nothing costs no span', () => {
    expect(trace.getTracerProvider().getTracer('x').startSpan('x').isRecording()).toBe(false)
    expect(openTelemetry()).not.toHaveProperty('span')
    expect(prometheus()).not.toHaveProperty('span')
  })
})

describe('The text for Prometheus', () => {
  it('counts a value in the buckets from its own on, and in the sum', async () => {
    const telemetry = prometheus()
    for (const seconds of [0.001, 0.002, 0.3, 7])
      telemetry.record('svc.auth.hash.duration', seconds, {})
    const lines = (await telemetry.text()).split('\n')
    const of = (end: string): string | undefined =>
      lines.find((line) => line.startsWith(`svc_auth_hash_duration_seconds_bucket{le="${end}"}`))
    expect(
      ['0.001', '0.0025', '0.25', '0.5', '5', '+Inf'].map((end) => of(end)?.split(' ')[1]),
    ).toEqual(['1', '2', '2', '3', '3', '4'])
    expect(lines).toContain('svc_auth_hash_duration_seconds_count 4')
    expect(lines).toContain('svc_auth_hash_duration_seconds_sum 7.303')
    expect(lines).toContain('# TYPE svc_auth_hash_duration_seconds histogram')
  })

  it('has one series for equal labels, in whatever order they are given', async () => {
    const telemetry = prometheus()
    telemetry.record('svc.auth.call.duration', 1, { part: 'Bus', outcome: 'ok' })
    telemetry.record('svc.auth.call.duration', 1, { outcome: 'ok', part: 'Bus' })
    const count = 'svc_auth_call_duration_seconds_count'
    expect((await telemetry.text()).match(new RegExp(count, 'g'))).toHaveLength(1)
    expect(await valueOf(telemetry, `${count}{part="Bus"}`)).toBe(2)
  })

  it('leaves out a gauge that cannot be read, and shows the others', async () => {
    const telemetry = prometheus()
    telemetry.gauge('svc.auth.streams', async () => Promise.reject(new Error('closed')), {})
    telemetry.gauge('svc.auth.hash.running', async () => 2, {})
    expect(await valueOf(telemetry, 'svc_auth_streams')).toBeNull()
    expect(await valueOf(telemetry, 'svc_auth_hash_running')).toBe(2)
  })
})
