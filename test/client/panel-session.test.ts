// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPanelSession, NetworkError } from '../../src/client/client.ts'
import type { CodeState, LinkOutcome, PanelChannel, PanelSession } from '../../src/client/client.ts'
import type { PanelMessage } from '../../src/client/panel-channel.ts'
import { fakeService } from './fake-service.ts'
import type { FakeService } from './fake-service.ts'

const ada = { id: '1', name: 'Ada', email: 'ada@example.com', email_verified_at: null }
const credentials = { email: 'ada@example.com', password: 'right' }

let service: FakeService
let session: PanelSession
let sent: PanelMessage[]
let hear: (message: PanelMessage) => void
let stop = () => {}

beforeEach(() => {
  service = fakeService()
  sent = []
  const channel: PanelChannel = {
    send: (message) => sent.push(message),
    listen(listener) {
      hear = listener
      return () => {}
    },
  }
  session = createPanelSession({ client: service.client, channel })
})

afterEach(() => stop())

async function started(user: typeof ada | null): Promise<void> {
  service.user = user
  stop = session.start()
  await vi.waitFor(() => expect(session.getState().state).not.toBe('booting'))
}

function fromCache(): Event {
  return Object.assign(new Event('pageshow'), { persisted: true })
}

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
  function openedBy(link: LinkOutcome): void {
    const channel = { send: (message: PanelMessage) => sent.push(message), listen: () => () => {} }
    session = createPanelSession({ client: service.client, channel, link })
  }

  it('that has verified tells the other tabs', async () => {
    openedBy('verified')
    await started(ada)
    expect(sent).toEqual(['verified'])
    expect(session.getState().state).toBe('ready')
  })

  it.each(['expired', 'invalid'] as const)('that is %s is said at the gate', async (link) => {
    openedBy(link)
    service.unverified = 'eve@example.com'
    await started(ada)
    expect(session.getState()).toMatchObject({ gate: 'email', brokenLink: link })
    expect(sent).toEqual([])
  })

  it.each(['verified', 'expired', 'invalid'] as const)(
    'that is %s is why a guest is here, not that a session has ended',
    async (link) => {
      openedBy(link)
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
