// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { NetworkError } from '../../src/client/client.ts'
import {
  ada,
  credentials,
  service,
  session,
  sent,
  hear,
  stop,
  started,
  fromCache,
  makeSessionBeforeEach,
} from './tested-session.ts'

makeSessionBeforeEach()

describe('boot', () => {
  it('rests at booting until the service has said who is here', async () => {
    expect(session.getState()).toEqual({ state: 'booting', link: null })
    await started(ada)
    expect(session.getState()).toEqual({ state: 'ready', user: ada })
  })

  it('makes a guest of whom the service does not know, without a reason', async () => {
    await started(null)
    expect(session.getState()).toEqual({ state: 'guest', reason: null, email: null })
    expect(sent).toEqual([])
  })

  it('does not ask for the user of a guest, which the browser would show as an error', async () => {
    await started(null)
    await session.refresh()
    expect(service.calls).toEqual([])
    service.user = ada
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })

  it('asks for the user at once after a login', async () => {
    await started(null)
    const isGuest = vi.spyOn(service.client, 'isGuest')
    await session.login(credentials)
    expect(isGuest).not.toHaveBeenCalled()
    expect(service.calls).toEqual(['login', 'user'])
  })

  it('stands before the gate that the service names', async () => {
    service.refuse('user', {
      status: 403,
      key: 'svc::auth.email_verification_required',
      email: 'eve@example.com',
    })
    await started(ada)
    expect(session.getState()).toEqual({
      state: 'gated',
      gate: 'email',
      email: 'eve@example.com',
      brokenLink: null,
    })
  })

  it('is unreachable when nothing answers or the service is away, and comes back', async () => {
    service.fail('user')
    await started(ada)
    expect(session.getState()).toEqual({ state: 'unreachable', refusal: null })
    service.refuse('user', { status: 503, key: 'svc::auth.unavailable' })
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'unreachable', refusal: { status: 503 } })
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })
})

describe('login', () => {
  it('tells the other tabs and asks who is here', async () => {
    await started(null)
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
    expect(session.getState()).toMatchObject({ state: 'ready', user: { email: credentials.email } })
    expect(sent).toEqual(['logged-in'])
  })

  it('sends nothing for a second one at the same moment', async () => {
    await started(null)
    const both = await Promise.all([session.login(credentials), session.login(credentials)])
    expect(both).toEqual([{ outcome: 'ok' }, { outcome: 'busy' }])
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(1)
  })

  it('hands a refusal back and stays a guest', async () => {
    await started(null)
    service.refuse('login', { status: 422, key: 'svc::auth.failed' })
    expect(await session.login(credentials)).toMatchObject({
      outcome: 'refused',
      refusal: { key: 'svc::auth.failed' },
    })
    expect(session.getState()).toMatchObject({ state: 'guest', reason: null })
    expect(sent).toEqual([])
  })

  it('says so when nothing answers, and can be tried again', async () => {
    await started(null)
    service.fail('login')
    expect(await session.login(credentials)).toEqual({ outcome: 'unreachable' })
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
  })

  it('says so when the browser keeps no cookie', async () => {
    await started(null)
    service.refuse('user', { status: 401, key: 'svc::auth.unauthenticated' })
    expect(await session.login(credentials)).toEqual({ outcome: 'no-session' })
  })

  it('throws what is a bug, and is not stuck after it', async () => {
    await started(null)
    service.fail('login', new TypeError('a bug'))
    await expect(session.login(credentials)).rejects.toThrow('a bug')
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
  })
})

describe('any call', () => {
  it.each([
    ['401', null, { state: 'guest', reason: 'session_ended' }],
    ['403', 'eve@example.com', { state: 'gated', gate: 'email' }],
  ] as const)(
    'that meets a %s has led there when it returns',
    async (status, unverified, state) => {
      await started(ada)
      service.unverified = unverified
      if (unverified === null) service.user = null
      service.refuse('two-factor', { status: Number(status), key: 'svc::auth.unauthenticated' })
      expect(await session.call('two-factor')).toMatchObject({ outcome: 'refused' })
      expect(session.getState()).toMatchObject(state)
    },
  )

  it('of a second factor that is not bound is a 404, and changes nothing', async () => {
    await started(ada)
    service.refuse('two-factor', { status: 404, key: 'svc::auth.not_found' })
    expect(await session.call('two-factor')).toMatchObject({ refusal: { status: 404 } })
    expect(session.getState().state).toBe('ready')
    expect(service.calls).toEqual(['user', 'two-factor'])
  })
})

describe('logout', () => {
  it('empties this tab and tells the others', async () => {
    await started(ada)
    expect(await session.logout()).toEqual({ outcome: 'ok' })
    expect(session.getState()).toEqual({ state: 'guest', reason: 'logged_out', email: null })
    expect(sent).toEqual(['logged-out'])
  })

  it('that does not reach the service leaves the person in and says so', async () => {
    await started(ada)
    service.fail('logout')
    expect(await session.logout()).toEqual({ outcome: 'unreachable' })
    expect(session.getState().state).toBe('ready')
  })

  it('is not undone by an earlier question that is answered late', async () => {
    await started(ada)
    const release = service.hold('user')
    const late = session.refresh()
    await session.logout()
    service.user = ada
    release()
    await late
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'logged_out' })
  })
})

describe('a session that ends', () => {
  it('makes a guest with the reason and the email, and the other tabs ask too', async () => {
    await started(ada)
    service.user = null
    await session.refresh()
    expect(session.getState()).toEqual({
      state: 'guest',
      reason: 'session_ended',
      email: 'ada@example.com',
    })
    expect(sent).toEqual(['session-ended'])
    await session.refresh()
    expect(sent).toEqual(['session-ended'])
  })

  it.each([401, 403])('is noticed by a request of the host that answers %d', async (status) => {
    await started(ada)
    service.user = null
    const response = await session.request(async () => new Response(null, { status }))
    expect(response.status).toBe(status)
    await vi.waitFor(() => expect(session.getState().state).toBe('guest'))
  })

  it('is not suspected after a request that went well', async () => {
    await started(ada)
    service.calls.length = 0
    await session.request(async () => new Response('fine'))
    expect(service.calls).toEqual([])
  })

  it('is not what a network that is away means', async () => {
    await started(ada)
    service.fail('user', new NetworkError('offline'))
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })
})

describe('tabs and pages', () => {
  it('a login in another tab moves this one', async () => {
    await started(null)
    service.user = ada
    hear('logged-in')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  it('a logout in another tab empties this one at once, without asking', async () => {
    await started(ada)
    service.calls.length = 0
    hear('logged-out')
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'logged_out' })
    expect(service.calls).toEqual([])
    expect(sent).toEqual([])
  })

  it('a session that ended in another tab is looked into', async () => {
    await started(ada)
    service.user = null
    hear('session-ended')
    await vi.waitFor(() =>
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' }),
    )
  })

  it("a page out of the browser's cache shows nothing before it has asked", async () => {
    await started(ada)
    service.user = null
    globalThis.dispatchEvent(fromCache())
    expect(session.getState()).toEqual({ state: 'booting', link: null })
    await vi.waitFor(() =>
      expect(session.getState()).toEqual({ state: 'guest', reason: null, email: null }),
    )
  })

  it('stops listening when it is stopped', async () => {
    await started(ada)
    stop()
    globalThis.dispatchEvent(fromCache())
    expect(session.getState().state).toBe('ready')
  })
})
