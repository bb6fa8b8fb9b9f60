// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CodeState } from '../../web/client/client.ts'
import {
  ada,
  credentials,
  service,
  session,
  sent,
  receiveFromOtherTab,
  started,
  makeSessionBeforeEach,
} from './tested-session.ts'

makeSessionBeforeEach()

describe('the code', () => {
  async function owing(seconds = 300): Promise<void> {
    await started(null)
    service.codeOwed = { seconds }
    expect(await session.login(credentials)).toEqual({ outcome: 'ok' })
  }

  it('is required after the password: for whom, how long and how many attempts; other tabs are not notified', async () => {
    await owing()
    expect(session.getState()).toMatchObject({
      state: 'code',
      email: credentials.email,
      seconds: 300,
      attemptsLeft: 5,
    })
    expect(sent).toEqual([])
  })

  it('is still required after a reload, without a stored email', async () => {
    service.codeOwed = { seconds: 42 }
    await started(null)
    expect(session.getState()).toMatchObject({ state: 'code', email: null, seconds: 42 })
  })

  it('shows the masked email of the service after a reload, and never fills it in', async () => {
    service.codeOwed = { seconds: 42, maskedEmail: 'a•••@example.com' }
    await started(null)
    expect(session.getState()).toMatchObject({ email: null, maskedEmail: 'a•••@example.com' })
    service.codeOwed = null
    await session.refresh()
    expect(session.getState()).toEqual({ state: 'guest', reason: 'code_expired', email: null })
  })

  it.each([
    ['keeps the email that was typed', 'a•••@Example.com', credentials.email, null],
    ['shows who is logging in by now', 'b•••@example.com', null, 'b•••@example.com'],
    ['shows another domain', 'a•••@example.org', null, 'a•••@example.org'],
  ])('%s when the service says %s', async (_, maskedEmail, email, shown) => {
    await owing()
    service.codeOwed = { seconds: 290, maskedEmail }
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'code', email, maskedEmail: shown })
  })

  it('opens the panel and notifies the other tabs when it is correct', async () => {
    await owing()
    expect(await session.submitCode('123456')).toEqual({ outcome: 'ok' })
    expect(session.getState().state).toBe('ready')
    expect(sent).toEqual(['logged-in'])
  })

  it('leads to the outage if the service does not answer once the code was right', async () => {
    await owing()
    service.fail('user')
    expect(await session.submitCode('123456')).toEqual({ outcome: 'ok' })
    expect(session.getState()).toEqual({ state: 'unreachable', refusal: null })
    await session.refresh()
    expect(session.getState().state).toBe('ready')
  })

  it('is reported as unanswered while the service still demands one', async () => {
    await owing()
    service.refuse('user', { status: 401, key: 'svc::auth.unauthenticated', two_factor: true })
    expect(await session.submitCode('123456')).toEqual({ outcome: 'unreachable' })
    expect(session.getState().state).toBe('code')
  })

  it('shows the attempts and the time that the service returns when it is incorrect', async () => {
    await owing()
    const { endsAt } = session.getState() as CodeState
    const refusal = { status: 422, key: 'svc::auth.two_factor_invalid', attempts_left: 4 } as const
    service.refuse('login.two-factor', refusal)
    expect(await session.submitCode('000000')).toMatchObject({ outcome: 'refused', refusal })
    expect(session.getState()).toMatchObject({ state: 'code', attemptsLeft: 4, endsAt })
  })

  it.each([
    ['two_factor_exhausted', 'code_exhausted'],
    ['two_factor_expired', 'code_expired'],
    ['not_found', 'code_expired'],
  ] as const)('leads back to the login at %s, with the email', async (key, reason) => {
    await owing()
    service.codeOwed = null
    service.refuse('login.two-factor', { status: 422, key: `svc::auth.${key}` })
    expect(await session.submitCode('000000')).toEqual({ outcome: 'over' })
    expect(session.getState()).toEqual({ state: 'guest', reason, email: credentials.email })
  })

  it('that got no answer and was accepted leads to the login, which does not say that time is up', async () => {
    await owing()
    service.fail('login.two-factor')
    expect(await session.submitCode('123456')).toEqual({ outcome: 'unreachable' })
    expect(session.getState().state).toBe('code')
    service.codeOwed = null
    service.refuse('login.two-factor', { status: 422, key: 'svc::auth.two_factor_expired' })
    expect(await session.submitCode('123456')).toEqual({ outcome: 'over' })
    const { email } = credentials
    expect(session.getState()).toEqual({ state: 'guest', reason: 'session_ended', email })
  })

  it('that got no answer and was refused has no part in a later end', async () => {
    await owing()
    service.fail('login.two-factor')
    await session.submitCode('123456')
    const wrong = { status: 422, key: 'svc::auth.two_factor_invalid', attempts_left: 4 } as const
    service.refuse('login.two-factor', wrong)
    await session.submitCode('000000')
    service.codeOwed = null
    await session.refresh()
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
  })

  it('opens the panel when another tab has used it up and logged in', async () => {
    await owing()
    service.user = ada
    service.refuse('login.two-factor', { status: 422, key: 'svc::auth.two_factor_expired' })
    expect(await session.submitCode('123456')).toEqual({ outcome: 'over' })
    expect(session.getState().state).toBe('ready')
  })

  it('leads back to the login when it expires while the service is unreachable', async () => {
    await owing()
    service.refuse('login.two-factor', { status: 422, key: 'svc::auth.two_factor_expired' })
    service.fail('user')
    await session.submitCode('123456')
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
  })

  it('stays required while the service is unreachable', async () => {
    await owing()
    service.fail('user')
    expect(await session.refresh()).toEqual({ outcome: 'unreachable', refusal: null })
    expect(session.getState().state).toBe('code')
  })

  it('is checked when the tab becomes visible', async () => {
    await owing()
    service.user = ada
    document.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(session.getState().state).toBe('ready'))
  })

  describe('whose time is up', () => {
    beforeEach(() => {
      vi.useFakeTimers()
    })
    afterEach(() => {
      vi.useRealTimers()
    })
    const questions = () => service.calls.filter((call) => call === 'user').length

    it('ends by the answer of the service, not by the clock', async () => {
      await owing(30)
      service.calls.length = 0
      service.codeOwed = { seconds: 5 }
      await vi.advanceTimersByTimeAsync(31_000)
      expect(questions()).toBe(1)
      expect(session.getState()).toMatchObject({ state: 'code', seconds: 5 })
      service.codeOwed = null
      await vi.advanceTimersByTimeAsync(5000)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })

    it('is checked when the device may have slept, as the monotonic clock stood still', async () => {
      await owing()
      service.codeOwed = null
      vi.setSystemTime(Date.now() + 600_000)
      await vi.advanceTimersByTimeAsync(1000)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })

    it('is checked again after such a sleep until the service answers', async () => {
      await owing(300)
      service.codeOwed = null
      service.fail('user')
      vi.setSystemTime(Date.now() + 10_000)
      await vi.advanceTimersByTimeAsync(1000)
      expect(session.getState().state).toBe('code')
      await vi.advanceTimersByTimeAsync(5500)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })

    it('is kept while the service is unreachable, which is retried every five seconds', async () => {
      await owing(30)
      service.calls.length = 0
      for (let asked = 0; asked < 4; asked += 1) {
        service.fail('user')
        await vi.advanceTimersByTimeAsync(asked === 0 ? 30_500 : 5500)
        expect(questions()).toBe(asked + 1)
        expect(session.getState().state).toBe('code')
      }
      service.codeOwed = null
      await vi.advanceTimersByTimeAsync(5500)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })

    it('is not checked twice while the first answer is pending', async () => {
      await owing(30)
      service.calls.length = 0
      const release = service.hold('user')
      await vi.advanceTimersByTimeAsync(50_000)
      expect(questions()).toBe(1)
      service.codeOwed = null
      release()
      await vi.advanceTimersByTimeAsync(0)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })
  })

  it('ignores a late answer to an earlier request', async () => {
    await started(null)
    const release = service.hold('user')
    const late = session.refresh()
    service.codeOwed = { seconds: 300 }
    await session.login(credentials)
    service.codeOwed = null
    release()
    await late
    expect(session.getState().state).toBe('code')
  })

  it('is abandoned by going back: no reason is shown and the email stays', async () => {
    await owing()
    await session.logout()
    expect(session.getState()).toEqual({ state: 'guest', reason: null, email: credentials.email })
  })

  it('is abandoned in this tab when another tab goes back', async () => {
    await owing()
    receiveFromOtherTab('logged-out')
    expect(session.getState()).toMatchObject({ state: 'guest', reason: null })
  })
})
