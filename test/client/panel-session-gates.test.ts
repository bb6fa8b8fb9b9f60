// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NetworkError } from '../../web/client/client.ts'
import type { AskConfirmation } from '../../web/client/client.ts'
import { barrier } from '../support/time.ts'
import {
  ada,
  service,
  session,
  sent,
  receiveFromOtherTab,
  started,
  makeSession,
  makeSessionBeforeEach,
} from './tested-session.ts'

makeSessionBeforeEach()

describe('the mail', () => {
  beforeEach(() => (service.unverified = 'eve@example.com'))

  it('is sent, and the wait is the one of the service', async () => {
    await started(ada)
    service.retryAfter = 17
    expect(await session.sendVerification()).toEqual({ outcome: 'sent', retryAfterSeconds: 17 })
  })

  it('is not sent when the email is verified by then: the panel opens', async () => {
    await started(ada)
    service.unverified = null
    expect(await session.sendVerification()).toEqual({ outcome: 'unneeded' })
    expect(session.getState().state).toBe('ready')
  })

  it('is reported as unanswered when a proxy has answered in the place of the service', async () => {
    await started(ada)
    vi.spyOn(service.client, 'call').mockResolvedValueOnce({ outcome: 'ok', body: null })
    expect(await session.sendVerification()).toEqual({ outcome: 'unreachable' })
  })

  it('is not sent when the session has ended', async () => {
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

  it('opens the panel when its link is opened in another tab', async () => {
    await started(ada)
    service.unverified = null
    receiveFromOtherTab('verified')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })
})

describe('the link of the mail', () => {
  it('that has verified the email notifies the other tabs', async () => {
    makeSession('verified')
    await started(ada)
    expect(sent).toEqual(['verified'])
    expect(session.getState().state).toBe('ready')
  })

  it.each(['expired', 'invalid'] as const)('that is %s is reported at the gate', async (link) => {
    makeSession(link)
    service.unverified = 'eve@example.com'
    await started(ada)
    expect(session.getState()).toMatchObject({ gate: 'email', brokenLink: link })
    expect(sent).toEqual([])
  })

  it.each(['verified', 'expired', 'invalid'] as const)(
    'that is %s is the reason shown to a guest, not the end of a session',
    async (link) => {
      makeSession(link)
      await started(null)
      expect(session.getState()).toEqual({ state: 'guest', reason: `link_${link}`, email: null })
    },
  )
})

describe('the second factor that is required', () => {
  const required = { status: 403, key: 'svc::auth.two_factor_setup_required' } as const

  it('closes the gate, and opens it when another tab has set it up', async () => {
    service.refuse('user', required)
    await started(ada)
    expect(session.getState()).toEqual({ state: 'gated', gate: 'two-factor' })
    receiveFromOtherTab('two-factor-changed')
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  it('opens the panel only when no page holds it any more', async () => {
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

  it('does not hold a user whose session has ended', async () => {
    service.refuse('user', required)
    await started(ada)
    session.stay()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })

  it('does not change state while the gate stays closed', async () => {
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
  const loseAnswer = async () => {
    await started(ada)
    service.fail('two-factor.confirm')
    await expect(confirm()).rejects.toThrow(NetworkError)
  }

  it('requests the user only after its answer, as the old cookie may be invalid', async () => {
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

  it('is the reason shown to a guest when its answer was lost', async () => {
    await loseAnswer()
    service.user = null
    service.refuse('two-factor.confirm', { status: 401, key: 'svc::auth.unauthenticated' })
    await confirm()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'confirm_unanswered' })
    expect(sent).toEqual(['session-ended'])
  })

  it.each([
    ['has answered', undefined],
    ['has refused the code', { status: 422, key: 'svc::auth.two_factor_invalid' } as const],
  ])('is not the reason when the service %s', async (_, refusal) => {
    await loseAnswer()
    if (refusal !== undefined) service.refuse('two-factor.confirm', refusal)
    await confirm()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })

  it('is the reason also where a change of the password was refused because the session had ended', async () => {
    await loseAnswer()
    service.refuse('password.change', { status: 401, key: 'svc::auth.unauthenticated' })
    service.user = null
    await session.changePassword({ current_password: 'old', password: 'a new one' })
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'confirm_unanswered' })
  })

  it('is not the reason when the session went on at a gate', async () => {
    await loseAnswer()
    service.refuse('user', { status: 403, key: 'svc::auth.two_factor_setup_required' })
    await session.refresh()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })
})

describe('turning the second factor off, while the user is asked to confirm', () => {
  const key = 'svc::auth.confirmation_required'

  it('does not keep the panel from noticing that the session has ended', async () => {
    await started(ada)
    service.refuse('two-factor.disable', { status: 403, key })
    const { passed, open } = barrier()
    const ask = vi.fn<AskConfirmation>(async () => passed.then(() => false))
    session.onConfirmationRequired(ask)
    const refused = session.call('two-factor.disable')
    await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce())
    service.user = null
    receiveFromOtherTab('session-ended')
    await vi.waitFor(() => expect(session.getState().state).toBe('guest'))
    open()
    await refused
  })

  it('makes the panel wait for its answer once the user has confirmed', async () => {
    await started(ada)
    service.refuse('two-factor.disable', { status: 403, key })
    let release = () => {}
    session.onConfirmationRequired(async () => {
      release = service.hold('two-factor.disable')
      return true
    })
    service.calls.length = 0
    const disabled = session.call('two-factor.disable')
    await vi.waitFor(() => expect(service.calls).toHaveLength(2))
    const refreshed = session.refresh()
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(service.calls).toEqual(['two-factor.disable', 'two-factor.disable'])
    release()
    await Promise.all([disabled, refreshed])
    expect(service.calls.at(-1)).toBe('user')
  })
})

describe('changing the password', () => {
  const change = async () =>
    session.changePassword({ current_password: 'old', password: 'a new one' })

  it('is the reason shown to a guest when its answer was lost', async () => {
    await started(ada)
    service.fail('password.change')
    expect(await change()).toEqual({ outcome: 'unreachable' })
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'change_unanswered' })
  })

  it('is not the reason when the session went on after the lost answer', async () => {
    await started(ada)
    service.fail('password.change')
    await change()
    await session.refresh()
    service.user = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'session_ended' })
  })
})

describe('going back from an impersonation', () => {
  it('shows no outage where another tab has logged out before the service named the user', async () => {
    await started(ada)
    service.fail('user')
    const release = service.hold('user')
    service.calls.length = 0
    const going = session.endImpersonation()
    await vi.waitFor(() => expect(service.calls).toContain('user'))
    receiveFromOtherTab('logged-out')
    release()
    await going
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'logged_out_elsewhere' })
  })
})
