import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Middleware } from '@svc/auth'
import { prometheus } from '@svc/auth/prometheus'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { HIDDEN_JOBS } from '../../build/src/process/job-queue.js'
import { metrics, type MetricName } from '../../src/rules/metrics.ts'
import { everyLayer } from '../support/every-layer.ts'
import { loggedIn, visitor } from '../support/logins.ts'
import { LOGIN, USER } from '../support/paths.ts'
import { bytesOf, sendRaw } from '../support/raw.ts'
import { startWithFactor } from '../support/second-factor.ts'
import { startService, svc, type TestService } from '../support/service.ts'
import { seriesOf } from '../support/telemetry.ts'
import { watchedStores } from '../support/watched-stores.ts'

const API = '/svc/api'

/** Requests that strangers and users can send, each with a value that is drawn. */
const HOSTILE: readonly ((service: TestService, drawn: string) => Promise<unknown>)[] = [
  async ({ browser }, drawn) => browser().get(`${API}/${drawn}`),
  async ({ browser }, drawn) => browser().get(`${API}/notifications/${drawn}/read`),
  async ({ browser }, drawn) => browser().get(`${API}/../${drawn}/..%2f${drawn}`),
  async ({ browser }, drawn) => browser().get(`${API}/user?q=${drawn}`),
  async ({ browser }) => browser().send(anyOf(METHODS), USER),
  async ({ browser }, drawn) => browser().send(anyOf(METHODS), `${API}/${drawn}`),
  async ({ browser }) => browser().send('HEAD', USER),
  async ({ browser }, drawn) => browser().send('HEAD', `${API}/${drawn}`),
  async ({ browser }, drawn) => browser().send('OPTIONS', `${API}/${drawn}`),
  async ({ browser }, drawn) => browser().send('DELETE', `${API}/sessions/${drawn}`),
  async ({ browser }, drawn) => browser().get('/api/people', { headers: { 'x-drawn': drawn } }),
  async ({ browser }, drawn) => browser().get(USER, { headers: { 'x-tenant': drawn } }),
  async ({ browser }, drawn) => browser().get(USER, { headers: { traceparent: `00-${drawn}` } }),
  async ({ url }) => fetch(url + USER, { headers: { 'x-status': anyOf(STATUSES) } }),
  async (service, drawn) =>
    (await visitor(service)).post(LOGIN, { email: `${drawn}@x.test"} 1`, password: drawn }),
  async ({ browser }, drawn) => browser().post(LOGIN, { email: drawn, password: drawn }),
  async ({ url }, drawn) =>
    sendRaw(url, bytesOf({ target: `//${drawn}${USER}`, headers: closing(drawn) })),
  async ({ url }, drawn) =>
    sendRaw(url, bytesOf({ target: `${API}/%${drawn}`, headers: closing('panel.test') })),
]

const METHODS = ['PURGE', 'PROPFIND', 'LOCK', 'M-SEARCH', 'SUBSCRIBE']
/** Those that a middleware of the host may answer, and the service never does. */
const STATUSES = ['207', '299', '418', '451', '507', '599']

const anyOf = (all: readonly string[]): string => all[Math.floor(Math.random() * all.length)] ?? ''

const closing = (host: string) =>
  [
    ['Host', host],
    ['Connection', 'close'],
  ] as const

describe('The labels of the metrics', () => {
  it('have values of closed sets, so that no request adds a series of its own', async () => {
    const telemetry = prometheus()
    const config = { svc: { ...svc, middleware: [trusting] } }
    const service = await startWithFactor({ ...everyLayer(), telemetry, config })
    await loggedIn(service)
    const draw = async (): Promise<void> => {
      for (const send of HOSTILE) await send(service, randomBytes(20).toString('hex'))
    }
    await draw()
    // The activity of the login is written later, at a random time.
    await pause(HIDDEN_JOBS.longestWaitMs + 100)
    const series = await seriesOf(telemetry)
    for (let round = 0; round < 20; round += 1) await draw()
    expect(await seriesOf(telemetry)).toBe(series)
    const text = await telemetry.text()
    expect(text).not.toContain('x.test')
    expect(text).not.toContain('127.0')
    for (const [, name = '', labels = ''] of text.matchAll(/^(svc_auth_\w+)\{([^}]*)\}/gm)) {
      for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
        if (label === 'le') continue
        expect(allowed(name, label), `${name} ${label}`).toContain(value)
      }
    }
  })

  it('count a request that its client has given up once, by its route', async () => {
    const telemetry = prometheus()
    const stores = watchedStores(memoryStores())
    const service = await startService({ telemetry, stores })
    const una = await loggedIn(service)
    const before = await seriesOf(telemetry)
    const given = new AbortController()
    stores.instead('sessions.read', async (proceed) => {
      given.abort()
      await pause(20)
      return proceed()
    })
    const cookie = `svc_session=${una.cookie('svc_session')}`
    await expect(
      fetch(service.url + USER, { headers: { cookie }, signal: given.signal }),
    ).rejects.toThrow('aborted')
    await pause(100)
    // The route `user` and one status: its buckets, sum and count.
    const added = (await seriesOf(telemetry)) - before
    expect(added).toBe(15)
  })
})

/** Takes the tenant, and the status of the answer, from the request, which no host should. */
const trusting: Middleware = async (context, next) => {
  context.tenant = context.request.header('x-tenant')
  const reply = await next()
  return { ...reply, status: Number(context.request.header('x-status') ?? reply.status) }
}

/** The values that the table allows for a label of a metric of Prometheus. */
function allowed(prometheusName: string, label: string): readonly string[] {
  const names = Object.keys(metrics) as MetricName[]
  const name = names.find((one) => prometheusName.startsWith(one.replaceAll('.', '_')))
  const labels: Readonly<Record<string, readonly string[]>> = name ? metrics[name].labels : {}
  return labels[label] ?? []
}
