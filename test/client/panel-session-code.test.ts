// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CodeState } from '../../src/client/client.ts'
import {
  ada,
  credentials,
  service,
  session,
  sent,
  hear,
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

  it('is owed after the password, by whom, for how long and how often; no tab is told', async () => {
    await owing()
    expect(session.getState()).toMatchObject({
      state: 'code',
      email: credentials.email,
      seconds: 300,
      attemptsLeft: 5,
    })
    expect(sent).toEqual([])
  })

  it('is owed too where the page is loaded anew, by somebody whose email nobody has stored', async () => {
    service.codeOwed = { seconds: 42 }
    await started(null)
    expect(session.getState()).toMatchObject({ state: 'code', email: null, seconds: 42 })
  })

  it('shows the masked email of the service where the page is loaded anew, and never fills it in', async () => {
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

  it('that is right opens the panel and tells the other tabs', async () => {
    await owing()
    expect(await session.submitCode('123456')).toEqual({ outcome: 'ok' })
    expect(session.getState().state).toBe('ready')
    expect(sent).toEqual(['logged-in'])
  })

  it('that is incorrect leaves the attempts that the service names, and the time', async () => {
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

  it('that another tab has used up is no end: whoever is in by then is in', async () => {
    await owing()
    service.user = ada
    service.refuse('login.two-factor', { status: 422, key: 'svc::auth.two_factor_expired' })
    expect(await session.submitCode('123456')).toEqual({ outcome: 'over' })
    expect(session.getState().state).toBe('ready')
  })

  it('that expires while the service is unreachable leads back to the login', async () => {
    await owing()
    service.refuse('login.two-factor', { status: 422, key: 'svc::auth.two_factor_expired' })
    service.fail('user')
    await session.submitCode('123456')
    expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
  })

  it('is not given up because the service is away', async () => {
    await owing()
    service.fail('user')
    expect(await session.refresh()).toEqual({ outcome: 'unreachable' })
    expect(session.getState().state).toBe('code')
  })

  it('is asked about when somebody comes back to the tab', async () => {
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

    it('is ended by the answer of the service, not by the clock', async () => {
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

    it('is asked about when the device may have slept, as the monotonic clock stood still', async () => {
      await owing()
      service.codeOwed = null
      vi.setSystemTime(Date.now() + 600_000)
      await vi.advanceTimersByTimeAsync(1000)
      expect(session.getState()).toMatchObject({ state: 'guest', reason: 'code_expired' })
    })

    it('is kept while the service is away, which is asked every five seconds', async () => {
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

    it('is not asked about twice while the first answer is on its way', async () => {
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

  it('is not taken back by an earlier question that is answered late', async () => {
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

  it('is dropped by leaving, which is no logout: no reason, and the email stays', async () => {
    await owing()
    await session.logout()
    expect(session.getState()).toEqual({ state: 'guest', reason: null, email: credentials.email })
  })

  it('is dropped in this tab when another leaves', async () => {
    await owing()
    hear('logged-out')
    expect(session.getState()).toMatchObject({ state: 'guest', reason: null })
  })
})
