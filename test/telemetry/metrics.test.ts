import { prometheus } from '@svc/auth/prometheus'
import type { Telemetry } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { describe, expect, it } from 'vitest'
import { openStream } from '../support/bell-stream.ts'
import { USER } from '../support/paths.ts'
import { faultyStores } from '../support/faulty-stores.ts'
import { loggedIn, visitor, wrongLogins } from '../support/logins.ts'
import { startService } from '../support/service.ts'
import { valueOf } from '../support/telemetry.ts'
import { verdict } from '../support/verdicts.ts'

describe('Metrics of the service', () => {
  it('count each request by its route and status', async () => {
    const telemetry = prometheus()
    const service = await startService({ telemetry })
    const una = await loggedIn(service)
    await una.get(USER)
    await una.get(USER)
    const count = 'svc_auth_request_duration_seconds_count'
    expect(await valueOf(telemetry, `${count}{route="user",status="200"}`)).toBe(2)
    expect(await valueOf(telemetry, `${count}{route="login",status="200"}`)).toBe(1)
  })

  it('count requests to guarded routes of the host, admitted or not', async () => {
    const telemetry = prometheus()
    const service = await startService({ telemetry })
    const una = await loggedIn(service)
    await una.get('/api/people')
    await service.browser().get('/api/people')
    const count = 'svc_auth_request_duration_seconds_count'
    expect(await valueOf(telemetry, `${count}{route="guard",status="200"}`)).toBe(1)
    expect(await valueOf(telemetry, `${count}{route="guard",status="401"}`)).toBe(1)
  })

  it('start every counter at zero, so that an alert counts what a series begins with', async () => {
    const telemetry = prometheus()
    await startService({ telemetry })
    for (const series of [
      'svc_auth_hash_refused_total',
      'svc_auth_pruned_total',
      'svc_auth_events_total{event="two-factor.failed"}',
      'svc_auth_throttled_total{limit="login.failed"}',
    ])
      expect(await valueOf(telemetry, series)).toBe(0)
  })

  it('count events, such as logins, failures and lockouts', async () => {
    const telemetry = prometheus()
    const service = await startService({ telemetry })
    await loggedIn(service)
    const guesser = await visitor(service)
    await wrongLogins(guesser, 6)
    const count = 'svc_auth_events_total'
    expect(await valueOf(telemetry, `${count}{event="login"}`)).toBe(1)
    expect(await valueOf(telemetry, `${count}{event="failed"}`)).toBe(5)
    expect(await valueOf(telemetry, `${count}{event="lockout"}`)).toBe(1)
  })

  it('time calls of the host by part and outcome', async () => {
    const telemetry = prometheus()
    const stores = faultyStores(memoryStores())
    const service = await startService({ telemetry, stores })
    const una = await loggedIn(service)
    stores.breakAt(1, 'fails')
    expect(verdict(await una.get(USER))).toBe('503 unavailable')
    const count = 'svc_auth_call_duration_seconds_count'
    expect(await valueOf(telemetry, `${count}{part="SessionStore",outcome="ok"}`)).toBeGreaterThan(
      0,
    )
    expect(await valueOf(telemetry, `${count}{part="SessionStore",outcome="failed"}`)).toBe(1)
  })

  it('show the open streams, the hashes, the lag of the bus and the age of pruning', async () => {
    const telemetry = prometheus()
    const service = await startService({ telemetry })
    const una = await loggedIn(service)
    const stream = await openStream(service.url, una)
    await stream.next()
    expect(await valueOf(telemetry, 'svc_auth_streams')).toBe(1)
    expect(await valueOf(telemetry, 'svc_auth_hash_running')).toBe(0)
    expect(await valueOf(telemetry, 'svc_auth_hash_waiting')).toBe(0)
    expect(await valueOf(telemetry, 'svc_auth_hash_duration_seconds_count')).toBeGreaterThan(0)
    expect(await valueOf(telemetry, 'svc_auth_bus_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(await valueOf(telemetry, 'svc_auth_prune_age_seconds')).toBeNull()
    await service.auth.prune()
    expect(await valueOf(telemetry, 'svc_auth_prune_age_seconds')).toBeGreaterThanOrEqual(0)
  })

  it('never fail a request when the telemetry of the host throws', async () => {
    const service = await startService({ telemetry: broken })
    const una = await loggedIn(service)
    expect((await una.get(USER)).json.email).toBe('u1@x.test')
    await service.auth.prune()
  })

  it('run the work once when the telemetry never begins its span', async () => {
    const service = await startService({ telemetry: { ...broken, span: () => null as never } })
    const una = await loggedIn(service)
    expect((await una.get(USER)).json.email).toBe('u1@x.test')
    expect(service.events.filter(({ event }) => event === 'login')).toHaveLength(1)
  })
})

const fail = (): never => {
  throw new Error('the telemetry is broken')
}
const broken: Telemetry = {
  add: fail,
  record: fail,
  gauge: fail,
  span: (_start, work) => {
    work(() => fail())
    return fail()
  },
}
