import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { openTelemetry } from '@svc/auth/telemetry'
import { memoryStores } from '@svc/auth/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faultyStores } from '../support/faulty-stores.ts'
import { loggedIn } from '../support/logins.ts'
import { SEND_LINK, USER } from '../support/paths.ts'
import { startService } from '../support/service.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterAll(() => {
  context.disable()
  propagation.disable()
})

function tracing() {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  return { exporter, telemetry: openTelemetry({ tracerProvider }) }
}

/** The span of the last request of a route, and those of its calls. */
function spansOf({ exporter }: ReturnType<typeof tracing>, route: string) {
  const spans = exporter.getFinishedSpans()
  const request = spans.findLast((span) => span.attributes['svc.auth.route'] === route)
  const calls = spans.filter(
    (span) => span.parentSpanContext?.spanId === request?.spanContext().spanId,
  )
  return { request, calls }
}

describe('Traces of the service', () => {
  it('have a span for each request, and one for each of its calls and hashes', async () => {
    const traced = tracing()
    const service = await startService({ telemetry: traced.telemetry })
    await loggedIn(service)
    const { request, calls } = spansOf(traced, 'login')
    expect(request?.name).toBe('svc.auth.request')
    expect(request?.attributes['svc.auth.status']).toBe('200')
    const names = new Set(calls.map(({ name }) => name))
    expect(names).toEqual(new Set(['svc.auth.call', 'svc.auth.hash']))
  })

  it('continue the trace that a request names', async () => {
    const traced = tracing()
    const service = await startService({ telemetry: traced.telemetry })
    const una = await loggedIn(service)
    await una.get(USER, { headers: { traceparent: `00-${TRACE}-${SPAN}-01` } })
    const { request } = spansOf(traced, 'user')
    expect(request?.spanContext().traceId).toBe(TRACE)
    expect(request?.parentSpanContext?.spanId).toBe(SPAN)
  })

  it.each([
    ['malformed', '00-zz-1-01'],
    ['empty', ''],
    ['huge', `00-${TRACE}-${SPAN}-${'0'.repeat(4000)}`],
    ['of zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
    ['with quotes and markup', `00-${TRACE}-${SPAN}-01"><script>`],
  ])('begin a trace of their own when the named one is %s', async (_, traceparent) => {
    const traced = tracing()
    const service = await startService({ telemetry: traced.telemetry })
    const una = await loggedIn(service)
    expect((await una.get(USER, { headers: { traceparent } })).status).toBe(200)
    const { request } = spansOf(traced, 'user')
    expect(request?.parentSpanContext).toBeUndefined()
    expect(request?.spanContext().traceId).not.toBe(TRACE)
  })

  it('keep nothing of a `tracestate` that is huge', async () => {
    const traced = tracing()
    const service = await startService({ telemetry: traced.telemetry })
    const una = await loggedIn(service)
    const tracestate = `a=${'x'.repeat(3000)}`
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate }
    expect((await una.get(USER, { headers })).status).toBe(200)
    const { request } = spansOf(traced, 'user')
    expect(request?.spanContext().traceId).toBe(TRACE)
    expect(request?.spanContext().traceState?.serialize() ?? '').toBe('')
  })

  it('go on in what the host calls: a mail has a span, which its requests name as their parent', async () => {
    const traced = tracing()
    const carried: { traceparent?: string } = {}
    // As the instrumentation of `fetch` and of mailers does.
    const send = async (): Promise<void> => propagation.inject(context.active(), carried)
    const service = await startService({ telemetry: traced.telemetry, mailer: { send } })
    const tria = await loggedIn(service, 'u3@x.test')
    expect((await tria.post(SEND_LINK)).status).toBe(202)
    const { request, calls } = spansOf(traced, 'svc.email.send')
    const mail = calls.find(({ attributes }) => attributes['svc.auth.part'] === 'Mailer')
    const { traceId, spanId } = mail?.spanContext() ?? {}
    expect(traceId).toBe(request?.spanContext().traceId)
    expect(carried.traceparent).toBe(`00-${traceId}-${spanId}-01`)
  })

  it('belong to the span of the host that is active around them', async () => {
    const traced = tracing()
    const service = await startService({ telemetry: traced.telemetry })
    const host = trace.wrapSpanContext({ traceId: TRACE, spanId: SPAN, traceFlags: 1 })
    await context.with(trace.setSpan(context.active(), host), async () => service.auth.guard(plain))
    expect(spansOf(traced, 'guard').request?.spanContext().traceId).toBe(TRACE)
  })

  it('have no span where the sampler of the host has left out its own', async () => {
    expect(await spansInside({ isRemote: false })).toEqual([])
  })

  it('leave it to the sampler whether to follow a process that left out its span', async () => {
    expect(await spansInside({ isRemote: true })).not.toEqual([])
  })

  it('mark a failed call, without the message of its error', async () => {
    const traced = tracing()
    const stores = faultyStores(memoryStores())
    const service = await startService({ telemetry: traced.telemetry, stores })
    const una = await loggedIn(service)
    stores.breakAt(1, 'fails')
    expect((await una.get(USER)).status).toBe(503)
    const { calls } = spansOf(traced, 'user')
    const failed = calls.find(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(failed?.attributes['svc.auth.outcome']).toBe('failed')
    expect(failed?.status.message).toBeUndefined()
    expect(failed?.events).toEqual([])
  })
})

/** Returns the spans of a guarded request in a span that the sampler has left out. */
async function spansInside({ isRemote }: { readonly isRemote: boolean }) {
  const { exporter, telemetry } = tracing()
  const { auth } = await startService({ telemetry })
  const host = trace.wrapSpanContext({ traceId: TRACE, spanId: SPAN, traceFlags: 0, isRemote })
  await context.with(trace.setSpan(context.active(), host), async () => auth.guard(plain))
  return exporter.getFinishedSpans()
}

const plain = {
  method: 'GET',
  target: '/api/people',
  address: '127.0.0.1',
  signal: new AbortController().signal,
  header: () => null,
  body: async () => null,
}
