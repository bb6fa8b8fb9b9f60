import { hashPassword, type Middleware } from '@svc/auth'
import { fakeTwoFactor, type FakeUser } from '@svc/auth/testing'
import { describe, expect, it } from 'vitest'
import {
  openStream,
  unread,
  entry,
  withStream,
  PER_USER,
  PER_STREAM,
} from '../../support/bell-stream.ts'
import { notify } from '../../support/bell.ts'
import type { Browser } from '../../support/browser.ts'
import { loggedIn } from '../../support/logins.ts'
import { actingAs, EVERYBODY } from '../../support/open-session.ts'
import { STREAM, BELL } from '../../support/paths.ts'
import { CHEAP, startService, type TestService } from '../../support/service.ts'
import { settled, stopTime, pass } from '../../support/time.ts'
import { verdict } from '../../support/verdicts.ts'

stopTime()

const otherHash = await hashPassword('another password', {
  memoryKiB: CHEAP.memory_kib,
  passes: CHEAP.passes,
})

describe('The stream of the bell: access and end', () => {
  it('answers HEAD without opening a stream', async () => {
    const { service, stores, una } = await withStream()
    const { status, text } = await una.send('HEAD', STREAM)
    expect([status, text, stores.listeners()]).toEqual([200, '', PER_USER + PER_STREAM])
    expect(service.log).toEqual([])
  })

  it('does not keep the session alive, and ends with it', async () => {
    const { service, una, stream } = await withStream()
    for (let minute = 0; minute < 119; minute += 17) {
      service.clock.advance({ minutes: 17 })
      await notify(service, String(minute))
      await pass(25)
    }
    service.clock.advance({ minutes: 2 })
    await pass(25)
    await stream.rest()
    expect(verdict(await una.get(BELL))).toBe('401 unauthenticated')
  })

  it('ends when the session ends, not at the next heartbeat', async () => {
    const { service, stream } = await withStream({ config: { session: { idle: 0.1 } } })
    service.clock.advance({ seconds: 6 })
    await pass(6)
    expect((await stream.rest()).filter(({ event }) => event !== 'comment')).toEqual([])
  })

  type Ended = (service: TestService, una: Browser) => unknown
  it.each<readonly [string, Ended]>([
    ['the person logs out', async (_, una) => una.post('/svc/api/logout')],
    ['the host ends the sessions', async ({ auth }) => auth.endSessions('u1')],
    ['somebody else logs in here', async (_, una) => una.logIn('u2@x.test')],
    ['the service closes', async ({ auth }) => auth.close()],
  ])('ends at once, without waiting, when %s', async (_, end) => {
    const { service, stores, una, stream } = await withStream()
    await end(service, una)
    expect(await stream.rest()).toEqual([])
    await settled()
    expect(stores.listeners()).toBe(0)
    expect(service.log).toEqual([])
  })

  it('ends at once when the sessions of a person who acts as the user end', async () => {
    const service = await startService({ impersonation: EVERYBODY })
    const una = await actingAs(service, await loggedIn(service, 'u1@x.test'))
    const stream = await openStream(service.url, una)
    expect(await stream.next()).toEqual(unread(0))
    await service.auth.endSessions('u1')
    expect(await stream.rest()).toEqual([])
  })

  it('ends for the sessions that a second factor ends, and only for those', async () => {
    const twoFactor = fakeTwoFactor<FakeUser>()
    const { service, una, stream } = await withStream({ twoFactor })
    const elsewhere = await loggedIn(service, 'u1@x.test')
    const other = await openStream(service.url, await loggedIn(service, 'u2@x.test'))
    expect(await other.next()).toEqual(unread(0))
    const { json } = await elsewhere.post('/svc/api/two-factor/setup')
    expect(json.secret).toBeTypeOf('string')
    expect((await elsewhere.post('/svc/api/two-factor/confirm', { code: '123456' })).status).toBe(
      200,
    )
    expect(await stream.rest()).toEqual([])
    expect(verdict(await una.get(BELL))).toBe('401 unauthenticated')
    await notify(service, 'his', { id: 'u2' })
    expect(await other.next()).toEqual(entry('his'))
  })

  const twoFactor = fakeTwoFactor<FakeUser>()
  const changes: readonly (readonly [string, (service: TestService) => void])[] = [
    ['password has changed', ({ users }) => users.update('u1', { passwordHash: otherHash })],
    ['access was taken away', ({ users }) => users.update('u1', { active: false })],
    ['email has to be verified', ({ users }) => users.update('u1', { mustVerify: true })],
    ['second factor is required', () => twoFactor.update('u1', { required: true })],
  ]

  it.each(changes)('ends with the next heartbeat when the %s meanwhile', async (_, change) => {
    twoFactor.update('u1', { required: false })
    const { service, stream, una } = await withStream({ twoFactor })
    change(service)
    await pass(25)
    expect((await stream.rest()).filter(({ event }) => event !== 'comment')).toEqual([])
    expect((await una.get(BELL)).status).toBeGreaterThan(400)
  })

  it.each(changes)(
    'ends with the next change, and sends nothing of it, when the %s meanwhile',
    async (_, change) => {
      twoFactor.update('u1', { required: false })
      const { service, stream } = await withStream({ twoFactor })
      change(service)
      await notify(service, 'classified')
      expect(await stream.rest()).toEqual([])
      expect(service.log).toEqual([])
    },
  )

  it.each(['middleware', 'authenticated_middleware'] as const)(
    'ends with the next heartbeat when a svc.%s answers by itself',
    async (option) => {
      let isClosed = false
      const { stream } = await withStream({
        config: {
          svc: {
            prefix: 'admin',
            panels: ['main'],
            [option]: [
              async (...[, next]: Parameters<Middleware>) => {
                const reply = await next()
                return isClosed ? { status: 403, headers: {}, body: '{}' } : reply
              },
            ],
          },
        },
      })
      isClosed = true
      await pass(25)
      expect(await stream.rest()).toEqual([])
    },
  )

  it('ends when its user is gone', async () => {
    const { service, stream } = await withStream()
    const una = await service.users.findById('u1', null)
    service.users.remove('u1')
    if (una !== null)
      await service.auth.notify(una, {
        type: 'note',
        via: () => ['database'],
        toDatabase: () => ({ title: 't' }),
      })
    await stream.rest()
    expect(service.log).toEqual([])
  })
})
