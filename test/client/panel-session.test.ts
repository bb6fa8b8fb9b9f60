// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { NetworkError } from '../../web/client/client.ts'
import {
  ada,
  credentials,
  service,
  session,
  sent,
  receiveFromOtherTab,
  stop,
  started,
  fromCache,
  makeSessionBeforeEach,
} from './tested-session.ts'

makeSessionBeforeEach()

describe('the settled state', () => {
  it('is the first state that the service has stated', async () => {
    const settled = session.settled()
    await started(ada)
    expect(await settled).toEqual({ state: 'ready', user: ada })
  })

  it('is requested once for a session that has not started, such as in a loader', async () => {
    service.user = ada
    const both = await Promise.all([session.settled(), session.settled()])
    expect(both).toEqual([session.getState(), session.getState()])
    expect(session.getState()).toEqual({ state: 'ready', user: ada })
    expect(service.calls).toEqual(['user'])
  })

  it('is the current state later, without another request', async () => {
    await started(null)
    const isGuest = vi.spyOn(service.client, 'isGuest')
    expect(await session.settled()).toBe(session.getState())
    expect(isGuest).not.toHaveBeenCalled()
  })

  it('reports an outage, and rejects for none', async () => {
    service.fail('user')
    expect(await session.settled()).toEqual({ state: 'unreachable', refusal: null })
  })

  it('waits for the answer after the page was restored from the cache', async () => {
    await started(ada)
    const release = service.hold('user')
    dispatchEvent(fromCache())
    let state = null
    const waiting = (async () => (state = await session.settled()))()
    await Promise.resolve()
    expect(state).toBeNull()
    release()
    await waiting
    expect(state).toEqual({ state: 'ready', user: ada })
  })

  it('rejects for an error that is not an outage', async () => {
    vi.spyOn(service.client, 'isGuest').mockRejectedValue(new TypeError('a bug'))
    await expect(session.settled()).rejects.toThrow('a bug')
  })
})

describe('boot', () => {
  it('stays at booting until the service has answered', async () => {
    expect(session.getState()).toEqual({ state: 'booting', link: null })
    await started(ada)
    expect(session.getState()).toEqual({ state: 'ready', user: ada })
  })

  it('becomes guest without a reason when the service knows no session', async () => {
    await started(null)
    expect(session.getState()).toEqual({ state: 'guest', reason: null, email: null })
    expect(sent).toEqual([])
  })

  it('does not request the user of a guest, which the browser would log as an error', async () => {
    await started(null)
    await session.refresh()
    expect(service.calls).toEqual([])
    service.user = ada
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })

  it('requests the user right after a login', async () => {
    await started(null)
    const isGuest = vi.spyOn(service.client, 'isGuest')
    await session.login(credentials)
    expect(isGuest).not.toHaveBeenCalled()
    expect(service.calls).toEqual(['login', 'user'])
  })

  it('is at the gate that the service names', async () => {
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

  it('becomes unreachable without an answer or on 503, and recovers', async () => {
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
  it('notifies the other tabs and requests the user', async () => {
    await started(null)
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
    expect(session.getState()).toMatchObject({ state: 'ready', user: { email: credentials.email } })
    expect(sent).toEqual(['logged-in'])
  })

  it('sends one request for two concurrent logins', async () => {
    await started(null)
    const both = await Promise.all([session.login(credentials), session.login(credentials)])
    expect(both).toEqual([{ outcome: 'ok' }, { outcome: 'busy' }])
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(1)
  })

  it('returns a refusal and stays guest', async () => {
    await started(null)
    service.refuse('login', { status: 422, key: 'svc::auth.failed' })
    expect(await session.login(credentials)).toMatchObject({
      outcome: 'refused',
      refusal: { key: 'svc::auth.failed' },
    })
    expect(session.getState()).toMatchObject({ state: 'guest', reason: null })
    expect(sent).toEqual([])
  })

  it('reports a missing answer, and can be tried again', async () => {
    await started(null)
    service.fail('login')
    expect(await session.login(credentials)).toEqual({ outcome: 'unreachable' })
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
  })

  it('reports a browser that keeps no cookie', async () => {
    await started(null)
    service.refuse('user', { status: 401, key: 'svc::auth.unauthenticated' })
    expect(await session.login(credentials)).toEqual({ outcome: 'no-session' })
  })

  it.each([
    [() => service.fail('user'), null],
    [
      () => service.refuse('user', { status: 503, key: 'svc::auth.unavailable' }),
      expect.objectContaining({ status: 503 }),
    ],
  ])(
    'that has opened a session shows an outage that follows it, %#',
    async (breakUser, refusal) => {
      await started(null)
      breakUser()
      expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
      expect(session.getState()).toEqual({ state: 'unreachable', refusal })
      globalThis.dispatchEvent(new Event('online'))
      await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
      expect(service.calls.filter((name) => name === 'login')).toHaveLength(1)
    },
  )

  it('throws programming errors, and works afterwards', async () => {
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
    'that is refused with %s has moved to that gate when it returns',
    async (status, unverified, state) => {
      await started(ada)
      service.unverified = unverified
      if (unverified === null) service.user = null
      service.refuse('two-factor', { status: Number(status), key: 'svc::auth.unauthenticated' })
      expect(await session.call('two-factor')).toMatchObject({ outcome: 'refused' })
      expect(session.getState()).toMatchObject(state)
    },
  )

  it('is 404 and changes nothing when it is to an unbound second factor', async () => {
    await started(ada)
    service.refuse('two-factor', { status: 404, key: 'svc::auth.not_found' })
    expect(await session.call('two-factor')).toMatchObject({ refusal: { status: 404 } })
    expect(session.getState().state).toBe('ready')
    expect(service.calls).toEqual(['user', 'two-factor'])
  })
})

describe('logout', () => {
  it('ends this tab and notifies the others', async () => {
    await started(ada)
    expect(await session.logout()).toEqual({ outcome: 'ok' })
    expect(session.getState()).toEqual({ state: 'guest', reason: 'logged_out', email: null })
    expect(sent).toEqual(['logged-out'])
  })

  it('keeps the user logged in and says so when it does not reach the service', async () => {
    await started(ada)
    service.fail('logout')
    expect(await session.logout()).toEqual({ outcome: 'unreachable' })
    expect(session.getState().state).toBe('ready')
  })

  it('is not undone by a late answer to an earlier request', async () => {
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
  it('becomes guest with the reason and the email, and the other tabs check too', async () => {
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

  it('is not checked after a successful request', async () => {
    await started(ada)
    service.calls.length = 0
    await session.request(async () => new Response('fine'))
    expect(service.calls).toEqual([])
  })

  it('is not assumed when the network fails', async () => {
    await started(ada)
    service.fail('user', new NetworkError('offline'))
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })
})

describe('tabs and pages', () => {
  it('waits for its first answer when the user comes to the tab meanwhile', async () => {
    const answer = service.hold('user')
    const begun = started(ada)
    await vi.waitFor(() => expect(service.calls).toEqual(['user']))
    document.dispatchEvent(new Event('visibilitychange'))
    answer()
    await begun
    expect(session.getState().state).toBe('ready')
    expect(service.calls).toEqual(['user'])
  })

  it('leaves an outage when the user returns to the tab, as after a restart of the server', async () => {
    service.fail('user')
    await started(ada)
    expect(session.getState().state).toBe('unreachable')
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  it('a login in another tab logs this one in', async () => {
    await started(null)
    service.user = ada
    receiveFromOtherTab('logged-in')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  it('a login in another tab leaves the form for a new password on the screen', async () => {
    await started(null)
    session.showForgotPassword()
    service.user = ada
    receiveFromOtherTab('logged-in')
    await session.refresh()
    expect(session.getState().state).toBe('password')
  })

  it('a logout in another tab ends this one at once, without a request', async () => {
    await started(ada)
    service.calls.length = 0
    receiveFromOtherTab('logged-out')
    expect(session.getState()).toEqual({
      state: 'guest',
      reason: 'logged_out_elsewhere',
      email: null,
    })
    expect(service.calls).toEqual([])
    expect(sent).toEqual([])
  })

  it('an ended session in another tab makes this one check, and no tab a second time', async () => {
    await started(ada)
    service.user = null
    receiveFromOtherTab('session-ended')
    await vi.waitFor(() =>
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' }),
    )
    expect(sent).toEqual([])
  })

  it('a page from the back/forward cache shows nothing before it has checked', async () => {
    await started(ada)
    service.user = null
    globalThis.dispatchEvent(fromCache())
    expect(document.documentElement.style.visibility).toBe('hidden')
    await vi.waitFor(() =>
      expect(session.getState()).toEqual({ state: 'guest', reason: null, email: null }),
    )
    expect(document.documentElement.style.visibility).toBe('')
    expect(sent).toEqual([])
  })

  it('a page that loads stays visible, and asks no second time', async () => {
    await started(ada)
    service.calls.length = 0
    globalThis.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(document.documentElement.style.visibility).toBe('')
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(service.calls).toEqual([])
  })

  it('a page from the back/forward cache has a sign of loading where the answer takes long', async () => {
    await started(ada)
    const isMarked = () => document.documentElement.hasAttribute('data-svc-hidden')
    vi.useFakeTimers()
    globalThis.dispatchEvent(fromCache())
    expect(isMarked()).toBe(false)
    vi.advanceTimersByTime(300)
    expect(isMarked()).toBe(true)
    receiveFromOtherTab('logged-out')
    expect(isMarked()).toBe(false)
    vi.useRealTimers()
  })

  it('a page from the back/forward cache is shown when another tab logs out meanwhile', async () => {
    await started(ada)
    globalThis.dispatchEvent(fromCache())
    receiveFromOtherTab('logged-out')
    expect(session.getState().state).toBe('guest')
    expect(document.documentElement.style.visibility).toBe('')
  })

  it('is started once for all who start it, and stops with the last of them', async () => {
    await started(ada)
    const stopAgain = session.start()
    await session.refresh()
    expect(service.calls).toEqual(['user', 'user'])
    stop()
    stop()
    dispatchEvent(fromCache())
    await vi.waitFor(() => expect(service.calls).toEqual(['user', 'user', 'user']))
    stopAgain()
    dispatchEvent(fromCache())
    await session.refresh()
    expect(service.calls).toEqual(['user', 'user', 'user', 'user'])
  })

  it('stops listening when it is stopped', async () => {
    await started(ada)
    stop()
    globalThis.dispatchEvent(fromCache())
    expect(session.getState().state).toBe('ready')
  })
})
