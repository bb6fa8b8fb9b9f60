// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NetworkError } from '../../src/client/client.ts'
import {
  ada,
  service,
  session,
  sent,
  hear,
  started,
  makeSession,
  makeSessionBeforeEach,
} from './tested-session.ts'

makeSessionBeforeEach()

describe('the mail', () => {
  beforeEach(() => (service.unverified = 'eve@example.com'))

  it('is sent, and the seconds are those of the service', async () => {
    await started(ada)
    service.retryAfter = 17
    expect(await session.sendVerification()).toEqual({ outcome: 'sent', retryAfterSeconds: 17 })
  })

  it('is not needed where the address is verified by then: the panel opens', async () => {
    await started(ada)
    service.unverified = null
    expect(await session.sendVerification()).toEqual({ outcome: 'unneeded' })
    expect(session.getState().state).toBe('ready')
  })

  it('is not sent for whoever is no longer here', async () => {
    await started(ada)
    service.user = null
    service.refuse('svc.email.send', { status: 401, key: 'svc::auth.unauthenticated' })
    await session.sendVerification()
    expect(session.getState()).toMatchObject({
      state: 'guest',
      reason: 'session_ended',
      email: 'eve@example.com',
    })
  })

  it('whose link is opened in another tab opens the panel here', async () => {
    await started(ada)
    service.unverified = null
    hear('verified')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })
})

describe('the link of the mail', () => {
  it('that has verified tells the other tabs', async () => {
    makeSession('verified')
    await started(ada)
    expect(sent).toEqual(['verified'])
    expect(session.getState().state).toBe('ready')
  })

  it.each(['expired', 'invalid'] as const)('that is %s is said at the gate', async (link) => {
    makeSession(link)
    service.unverified = 'eve@example.com'
    await started(ada)
    expect(session.getState()).toMatchObject({ gate: 'email', brokenLink: link })
    expect(sent).toEqual([])
  })

  it.each(['verified', 'expired', 'invalid'] as const)(
    'that is %s is why a guest is here, not that a session has ended',
    async (link) => {
      makeSession(link)
      await started(null)
      expect(session.getState()).toEqual({ state: 'guest', reason: `link_${link}`, email: null })
    },
  )
})

describe('the second factor that is required', () => {
  const required = { status: 403, key: 'svc::auth.two_factor_setup_required' } as const

  it('shuts the gate, and opens it when another tab has set it up', async () => {
    service.refuse('user', required)
    await started(ada)
    expect(session.getState()).toEqual({ state: 'gated', gate: 'two-factor' })
    hear('two-factor-changed')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  it('leads on only when nobody has the panel stay any more', async () => {
    service.refuse('user', required)
    await started(ada)
    const [leave, alsoLeave] = [session.stay(), session.stay()]
    leave()
    await session.refresh()
    expect(session.getState()).toEqual({ state: 'gated', gate: 'two-factor' })
    alsoLeave()
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })

  it('holds nobody whose session has ended, even where the panel is to stay', async () => {
    service.refuse('user', required)
    await started(ada)
    session.stay()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })

  it('draws nothing anew while it stays shut', async () => {
    service.refuse('user', required)
    await started(ada)
    const before = session.getState()
    service.refuse('user', required)
    await session.refresh()
    expect(session.getState()).toBe(before)
  })
})

describe('turning the second factor on', () => {
  const confirm = async () => session.call('two-factor.confirm', { code: '123456' })

  it('asks who is here only when its answer has arrived, as the old cookie may be worthless', async () => {
    await started(ada)
    service.calls.length = 0
    const release = service.hold('two-factor.confirm')
    const confirmed = confirm()
    const refreshed = session.refresh()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(service.calls).toEqual(['two-factor.confirm'])
    release()
    await Promise.all([confirmed, refreshed])
    expect(service.calls).toEqual(['two-factor.confirm', 'user'])
  })

  it('is the reason why a guest is one, where its answer is missing', async () => {
    await started(ada)
    service.fail('two-factor.confirm')
    await expect(confirm()).rejects.toThrow(NetworkError)
    service.user = null
    service.refuse('two-factor.confirm', { status: 401, key: 'svc::auth.unauthenticated' })
    await confirm()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'confirm_unanswered' })
    expect(sent).toEqual(['session-ended'])
  })

  it.each([
    ['has answered', undefined],
    ['has refused the code', { status: 422, key: 'svc::auth.two_factor_invalid' } as const],
  ])('is no reason where the service %s', async (_, refusal) => {
    await started(ada)
    service.fail('two-factor.confirm')
    await expect(confirm()).rejects.toThrow(NetworkError)
    if (refusal !== undefined) service.refuse('two-factor.confirm', refusal)
    await confirm()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })
})
