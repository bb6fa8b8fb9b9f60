import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  address,
  alertText,
  base,
  button,
  closeAndRestore,
  described,
  field,
  logIn,
  one,
  openPanel,
  pass,
  press,
  statusText,
  stopCountdown,
  type,
} from './open-panel.tsx'
import type { OpenPanel, Opening } from './open-panel.tsx'

const APP = 'Code from your authenticator app'
const RECOVERY = 'Recovery code'

afterEach(closeAndRestore)

/** Opens the panel of a user who has given the right password, and owes the code. */
async function owingCode(opening: Opening = {}, seconds = 300): Promise<OpenPanel> {
  const panel = await openPanel(opening)
  panel.service.codeOwed = { seconds }
  await logIn('bob@example.com', 'right')
  return panel
}

async function enter(label: string, code: string): Promise<void> {
  type(label, code)
  await press('Continue')
}

describe('Code, the field', () => {
  it('C1 is one focused text field with the attributes of a code, described by its hint', async () => {
    await owingCode()
    expect(one('h1').textContent).toBe('Enter your code')
    expect(document.title).toBe('Enter your code · Acme Panel')
    expect(document.querySelectorAll('input')).toHaveLength(1)
    expect(field(APP).type).toBe('text')
    expect(field(APP).getAttribute('inputmode')).toBe('numeric')
    expect(field(APP).getAttribute('autocomplete')).toBe('one-time-code')
    expect(field(APP).hasAttribute('maxlength')).toBe(false)
    expect(described(field(APP))).toBe('Spaces are fine.')
    expect(document.activeElement).toBe(field(APP))
  })

  it('C1 has a hint of the number of digits that the host states', async () => {
    await owingCode({ page: { codeDigits: 6 } })
    expect(described(field(APP))).toBe('Usually 6 digits. Spaces are fine.')
  })

  it('shows who is logging in, and the remaining time', async () => {
    await owingCode({}, 290)
    expect(one('main').textContent).toContain('Logging in as bob@example.com.')
    expect(one('main').textContent).toContain('You have 5 minutes.')
    expect(one('main bdi').dir).toBe('ltr')
    expect(one('main bdi').getAttribute('translate')).toBe('no')
  })

  it.each([
    ['123 456', '123456'],
    ['123-456', '123456'],
    [' 123\u00A0456 ', '123456'],
    ['１２３４５６', '123456'],
    ['١٢٣ ٤٥٦', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['\u202A123\u200B456\u202C', '123456'],
    ['rcv-aaaa-1111', 'rcv-aaaa-1111'],
  ])('C2 %j reaches the service as %j', async (typed, sent) => {
    const { service } = await owingCode()
    await enter(APP, typed)
    expect(service.codes).toEqual([sent])
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })

  it('C3 switches to recovery codes and back, and clears the input', async () => {
    const { service } = await owingCode()
    type(APP, '123')
    await press('Use a recovery code')
    expect(field(RECOVERY).value).toBe('')
    expect(field(RECOVERY).getAttribute('inputmode')).toBe('text')
    expect(field(RECOVERY).getAttribute('autocomplete')).toBe('off')
    expect(described(field(RECOVERY))).toContain('Each works once.')
    expect(document.activeElement).toBe(field(RECOVERY))
    expect(one('main').textContent).toContain('Lost your device and your recovery codes?')
    type(RECOVERY, 'rcv')
    await press('Use your authenticator app')
    expect(field(APP).value).toBe('')
    expect(document.activeElement).toBe(field(APP))
    await press('Use a recovery code')
    await enter(RECOVERY, '\u2066 1234-5678 \u2069')
    expect(service.codes).toEqual(['1234-5678'])
  })

  it('sends nothing when it is empty, and says so', async () => {
    const { service } = await owingCode()
    await enter(APP, '  ')
    expect(service.calls).not.toContain('login.two-factor')
    expect(alertText()).toBe('There is a problemEnter your code')
    expect(document.activeElement).toBe(field(APP))
  })

  it('is sent once, however often it is pressed', async () => {
    const { service } = await owingCode()
    const release = service.hold('login.two-factor')
    type(APP, '123456')
    button('Continue').click()
    await press('Continue')
    expect(one('form').getAttribute('aria-busy')).toBe('true')
    button('Checking…').click()
    release()
    await vi.waitFor(() => expect(one('h1').textContent).toBe('Welcome, Ada'))
    expect(service.codes).toEqual(['123456'])
  })
})

describe('Code, refused', () => {
  it('C4 shows the remaining attempts, empties the field and focuses it', async () => {
    const { service } = await owingCode()
    for (const [left, words] of [
      [4, '4 attempts left.'],
      [1, '1 attempt left.'],
    ] as const) {
      service.refuse('login.two-factor', {
        status: 422,
        key: 'svc::auth.two_factor_invalid',
        attempts_left: left,
      })
      await enter(APP, '000000')
      expect(alertText()).toBe(`There is a problemThat code is not right. ${words}`)
      expect(field(APP).value).toBe('')
      expect(field(APP).getAttribute('aria-invalid')).toBe('true')
      expect(described(field(APP))).toContain(words)
      expect(document.activeElement).toBe(field(APP))
      await vi.waitFor(() => expect(document.title).toBe('Error: Enter your code · Acme Panel'))
    }
    await enter(APP, '123456')
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })

  it('leaves the field of the other kind alone, and what is typed there', async () => {
    const { service } = await owingCode()
    service.refuse('login.two-factor', {
      status: 422,
      key: 'svc::auth.two_factor_invalid',
      attempts_left: 4,
    })
    const release = service.hold('login.two-factor')
    await enter(APP, '000000')
    await press('Use a recovery code')
    type(RECOVERY, 'rcv-aaaa')
    release()
    await vi.waitFor(() => expect(alertText()).toContain('4 attempts left.'))
    expect(field(RECOVERY).value).toBe('rcv-aaaa')
    expect(field(RECOVERY).hasAttribute('aria-invalid')).toBe(false)
    expect(described(field(RECOVERY))).not.toContain('attempts')
  })

  it.each([
    ['svc::auth.two_factor_exhausted', 'Too many incorrect codes. Log in again.'],
    ['svc::auth.two_factor_expired', 'You ran out of time to enter the code. Log in again.'],
  ] as const)(
    'goes back to the login at %s, with the reason and the email',
    async (key, reason) => {
      const { service } = await owingCode({ at: '/orders' })
      service.codeOwed = null
      service.refuse('login.two-factor', { status: 422, key })
      await enter(APP, '000000')
      expect(one('h1').textContent).toBe('Log in')
      expect(alertText()).toBe(reason)
      expect(document.activeElement).toBe(one('[role=alert]'))
      expect(field('Email address').value).toBe('bob@example.com')
      expect(address()).toBe(`${base}/login?next=${encodeURIComponent(`${base}/orders`)}`)
    },
  )

  it('keeps the input when the service is unreachable', async () => {
    const { service } = await owingCode()
    service.fail('login.two-factor')
    await enter(APP, '123456')
    expect(alertText()).toContain('We could not reach the server.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(field(APP).value).toBe('123456')
  })
})

describe('Code, the time', () => {
  beforeEach(stopCountdown)

  it('C5 counts down visibly, and is announced at one minute and at twenty seconds', async () => {
    await owingCode()
    const timer = one('[role=timer]')
    expect(timer.getAttribute('aria-label')).toBe('Time left')
    expect(timer.getAttribute('aria-live')).toBe('off')
    expect(timer.textContent).toBe('5:00')
    const spoken: string[] = []
    const observer = new MutationObserver(() => spoken.push(statusText() ?? ''))
    observer.observe(one('[role=status]'), { childList: true, characterData: true, subtree: true })
    await pass(48_000)
    expect(timer.textContent).toBe('4:12')
    await pass(192_000)
    expect(timer.textContent).toBe('1:00')
    await pass(40_000)
    await pass(15_000)
    expect(timer.textContent).toBe('0:05')
    expect(spoken).toEqual([
      '1 minute left to enter your code.',
      '20 seconds left to enter your code.',
    ])
  })

  it('C5 does not announce a minute to a user who returns with less', async () => {
    await openPanel({ prepare: (service) => (service.codeOwed = { seconds: 45 }) })
    await pass(5000)
    expect(one('[role=timer]').textContent).toBe('0:40')
    expect(statusText()).toBe('')
    await pass(20_000)
    expect(statusText()).toBe('20 seconds left to enter your code.')
  })

  it('C6 leads to the login within a second of its end, with the reason and the email', async () => {
    const { service } = await owingCode()
    service.calls.length = 0
    await pass(299_000)
    expect(one('h1').textContent).toBe('Enter your code')
    service.codeOwed = null
    await pass(1500)
    expect(one('h1').textContent).toBe('Log in')
    expect(alertText()).toBe('You ran out of time to enter the code. Log in again.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(field('Email address').value).toBe('bob@example.com')
    expect(statusText()).toBe('')
  })

  it.each([
    ['forward by an hour', 3_600_000],
    ['back by an hour', -3_600_000],
    ['forward by a minute', 60_000],
  ])('is not affected when the clock of the system is set %s', async (_, shift) => {
    const { service } = await owingCode()
    await pass(10_000)
    service.codeOwed = { seconds: 290 }
    vi.setSystemTime(Date.now() + shift)
    await pass(2000)
    expect(one('h1').textContent).toBe('Enter your code')
    expect(one('[role=timer]').textContent).toMatch(/^4:4[89]$/)
    await enter(APP, '123456')
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })

  it('X10 waits after wrong codes of many logins, and says why', async () => {
    const { service } = await owingCode()
    service.refuse('login.two-factor', {
      status: 422,
      key: 'svc::auth.throttle',
      retry_after: 30,
    })
    await enter(APP, '000000')
    expect(button('Continue').getAttribute('aria-disabled')).toBe('true')
    expect(described(button('Continue'))).toBe('Too many attempts. Try again in 30 seconds.')
    await enter(APP, '123456')
    expect(service.codes).toEqual([])
    await pass(31_000)
    expect(alertText()).toBe('You can try again now.')
    await enter(APP, '123456')
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })
})

describe('Code, ways in and out', () => {
  it('is resumed after a reload', async () => {
    await openPanel({
      at: '/login/code',
      prepare: (service) => (service.codeOwed = { seconds: 130 }),
    })
    expect(one('h1').textContent).toBe('Enter your code')
    expect(one('main').textContent).toContain('You have 3 minutes.')
    expect(one('main').textContent).not.toContain('Logging in as')
    expect(document.activeElement).toBe(field(APP))
  })

  it('shows the masked email of the service after a reload', async () => {
    await openPanel({
      at: '/login/code',
      prepare: (service) => (service.codeOwed = { seconds: 130, maskedEmail: 'b•••@example.com' }),
    })
    expect(one('main').textContent).toContain('Logging in as b•••@example.com.')
  })

  it('leads to the login when no code is required', async () => {
    await openPanel({ at: '/login/code' })
    expect(one('h1').textContent).toBe('Log in')
    expect(address()).toBe(`${base}/login`)
  })

  it('C7 goes back to the login, which ends the pending login and keeps the email', async () => {
    const { service } = await owingCode({ at: '/orders' })
    await press('Back to log in')
    expect(service.calls).toContain('logout')
    expect(one('h1').textContent).toBe('Log in')
    expect(alertText()).toBe('')
    expect(field('Email address').value).toBe('bob@example.com')
    expect(address()).toContain(encodeURIComponent('/orders'))
  })

  it('shows an error when going back does not reach the service', async () => {
    const { service } = await owingCode()
    service.fail('logout')
    await press('Back to log in')
    expect(one('h1').textContent).toBe('Enter your code')
    expect(alertText()).toContain('We could not reach the server.')
  })

  it('leaves nothing in the history', async () => {
    await owingCode()
    expect(history.state).toBeNull()
    await enter(APP, '123456')
    expect(history.state).toBeNull()
    expect(location.href).not.toContain('123456')
  })
})
