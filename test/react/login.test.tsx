import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ada,
  alertText,
  button,
  closeAndRestore,
  described,
  field,
  logIn,
  one,
  openPanel,
  pass,
  press,
  refresh,
  settled,
  statusText,
  stopCountdown,
  type,
} from './open-panel.tsx'

afterEach(closeAndRestore)

describe('Login, the fields', () => {
  it('L1 email has its type, autocomplete tokens and label', async () => {
    await openPanel()
    const email = field('Email address')
    expect(email.type).toBe('email')
    expect(email.required).toBe(true)
    expect(email.name).toBe('email')
    expect(email.getAttribute('autocomplete')).toBe('username')
    expect(email.getAttribute('autocapitalize')).toBe('none')
    expect(email.getAttribute('spellcheck')).toBe('false')
  })

  it('L2 password has its autocomplete token and no limit of length', async () => {
    await openPanel()
    expect(field('Password').getAttribute('autocomplete')).toBe('current-password')
    expect(field('Password').hasAttribute('maxlength')).toBe(false)
    // On an Arabic page, `pass word 12!` would be shown as `!pass word 12`.
    expect(field('Password').getAttribute('dir')).toBe('auto')
  })

  it('L3 shows and hides the password, says so, and hides it when it is sent', async () => {
    const { service } = await openPanel()
    const password = field('Password')
    expect(button('Show password').getAttribute('aria-controls')).toBe(password.id)
    await press('Show password')
    expect(password.type).toBe('text')
    expect(statusText()).toBe('Your password is visible')
    await press('Hide password')
    expect(password.type).toBe('password')
    expect(statusText()).toBe('Your password is hidden')

    await press('Show password')
    service.hold('login')
    await logIn('ada@example.com', 'right')
    expect(password.type).toBe('password')
    expect(statusText()).toBe('')
    expect(button('Show password')).toBeDefined()
  })

  it("L3 hides the password when the page comes back from the browser's cache", async () => {
    await openPanel()
    await press('Show password')
    globalThis.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await settled()
    expect(field('Password').type).toBe('password')
  })

  it('L4 have the tab order email, password, show, log in, reset, help, and start at the email', async () => {
    await openPanel({ page: { help: 'https://example.com/help', resetPassword: '/reset' } })
    const names = [...document.querySelectorAll<HTMLElement>('input, button, a')].map(
      (element) => element.getAttribute('aria-label') ?? (element.textContent || element.id),
    )
    expect(names).toEqual([
      'svc-login-email',
      'svc-login-password',
      'Show password',
      'Log in',
      'Forgot your password?',
      'Need help?',
    ])
    expect(document.querySelector('[tabindex]:not([tabindex="-1"])')).toBeNull()
    expect(document.activeElement).toBe(field('Email address'))
  })

  it('L4 start at the password when the session of a known email has ended', async () => {
    const { service, session } = await openPanel({ user: ada })
    service.user = null
    await refresh(session)
    expect(field('Email address').value).toBe('ada@example.com')
    expect(document.activeElement).toBe(field('Password'))
    expect(alertText()).toBe('Your session ended. Log in again to continue.')
    expect(document.title).toBe('Log in · Acme Panel')
  })

  it('have no link to help or to a reset when none is configured', async () => {
    await openPanel()
    expect(document.querySelector('a')).toBeNull()
  })
})

describe('Login, refused', () => {
  it('L5 empty sends no request, and focuses a summary with links and the messages of the fields', async () => {
    const { service } = await openPanel()
    await press('Log in')
    expect(service.calls).toEqual([])
    const alert = one('[role=alert]')
    expect(document.activeElement).toBe(alert)
    expect(document.getElementById(alert.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'There is a problem',
    )
    const links = [...alert.querySelectorAll('a')]
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Enter your email address',
      'Enter your password',
    ])
    for (const [index, label] of ['Email address', 'Password'].entries()) {
      expect(field(label).getAttribute('aria-invalid')).toBe('true')
      expect(described(field(label))).toBe(links[index]?.textContent)
      links[index]?.click()
      expect(document.activeElement).toBe(field(label))
    }
    expect(location.hash).toBe('')
    expect(document.title).toBe('Error: Log in · Acme Panel')
  })

  it('L5 names only the empty field, and counts blanks as empty', async () => {
    await openPanel()
    await logIn('  ', 'right')
    expect(alertText()).toBe('There is a problemEnter your email address')
    expect(field('Password').hasAttribute('aria-invalid')).toBe(false)
    expect(field('Password').value).toBe('right')
  })

  it('L6 wrong credentials focus an alert, keep the email, empty the password, and do not say which is wrong', async () => {
    const { service } = await openPanel()
    service.refuse('login', { status: 422, key: 'svc::auth.failed', errors: { email: ['x'] } })
    await logIn('ada@example.com', 'wrong')
    const text = 'Email or password is incorrect. Check both and try again.'
    expect(alertText()).toBe(`There is a problem${text}`)
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(field('Email address').value).toBe('ada@example.com')
    expect(field('Password').value).toBe('')
    for (const label of ['Email address', 'Password']) {
      expect(field(label).getAttribute('aria-invalid')).toBe('true')
      expect(described(field(label))).toBe(text)
    }
    expect(document.title).toBe('Error: Log in · Acme Panel')
  })

  it('shows the message of the service beside its field', async () => {
    const { service } = await openPanel()
    const errors = { email: ['Use at most 254 characters.'] }
    service.refuse('login', { status: 422, key: 'svc::auth.invalid', errors })
    await logIn('ada@example.com', 'right')
    expect(described(field('Email address'))).toBe('Use at most 254 characters.')
    expect(field('Password').hasAttribute('aria-invalid')).toBe(false)
  })

  it.each([
    ['svc::auth.csrf_mismatch', 419, 'This page is out of date. Reload it and try again.'],
    ['svc::auth.unavailable', 503, 'Something went wrong on our side. Try again in a moment.'],
    ['svc::auth.origin_mismatch', 403, "the server's words for svc::auth.origin_mismatch"],
  ] as const)('shows the reason for %s and keeps the input', async (key, status, text) => {
    const { service } = await openPanel()
    service.refuse('login', { status, key })
    await logIn('ada@example.com', 'right')
    expect(alertText()).toBe(`There is a problem${text}`)
    expect(field('Password').value).toBe('right')
  })

  it('offers to reload an outdated page, and asks before the input is lost', async () => {
    const { service } = await openPanel()
    service.refuse('login', { status: 419, key: 'svc::auth.csrf_mismatch' })
    await logIn('ada@example.com', 'right')
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const ask = vi.fn<() => boolean>(() => false)
    vi.stubGlobal('confirm', ask)
    button('Reload').click()
    expect([ask.mock.calls.length, reload.mock.calls.length]).toEqual([1, 0])
    ask.mockReturnValue(true)
    button('Reload').click()
    expect([ask.mock.calls.length, reload.mock.calls.length]).toEqual([2, 1])
  })

  it('asks for cookies instead of a reload where the browser blocks them', async () => {
    const { service } = await openPanel()
    vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
    service.refuse('login', { status: 419, key: 'svc::auth.csrf_mismatch' })
    await logIn('ada@example.com', 'right')
    expect(alertText()).toContain('Allow cookies for this site and try again.')
    expect(document.querySelector('[data-svc-part=reload]')).toBeNull()
  })

  it('names the line of the log of an outage, for the operator', async () => {
    const { service } = await openPanel()
    service.refuse('login', { status: 503, key: 'svc::auth.unavailable', request_id: 'r-4711' })
    await logIn('ada@example.com', 'right')
    expect(alertText()).toContain('Reference: r-4711')
  })

  it('shows that the server is unreachable, keeps the input, and can be tried again', async () => {
    const { service } = await openPanel()
    service.fail('login')
    await logIn('ada@example.com', 'right')
    expect(alertText()).toContain('We could not reach the server.')
    expect(field('Password').value).toBe('right')
    await press('Log in')
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })
})

describe('Login, waiting', () => {
  beforeEach(stopCountdown)

  async function throttled(
    key: 'svc::auth.throttle' | 'svc::auth.too_many_requests',
    seconds = 42,
  ) {
    const panel = await openPanel()
    panel.service.refuse('login', { status: 422, key, retry_after: seconds })
    const spoken: string[] = []
    const observer = new MutationObserver(() => {
      const text = alertText()
      if (text !== '' && spoken.at(-1) !== text) spoken.push(text)
    })
    observer.observe(one('[role=alert]'), { childList: true, characterData: true, subtree: true })
    await logIn('ada@example.com', 'right')
    return { ...panel, spoken }
  }

  const countdown = () => one('[data-svc-part=countdown]').textContent

  it('L7 counts down visibly and is announced twice: at the start and at the end', async () => {
    const { service, spoken } = await throttled('svc::auth.throttle')
    expect(countdown()).toBe('Too many attempts. Try again in 42 seconds.')
    await pass(2000)
    expect(countdown()).toBe('Too many attempts. Try again in 40 seconds.')
    await pass(39_000)
    expect(countdown()).toBe('Too many attempts. Try again in 1 second.')
    await pass(2000)
    expect(spoken).toEqual([
      'There is a problemToo many attempts. Try again in 42 seconds.',
      'You can try again now.',
    ])
    expect(document.title).toBe('Log in · Acme Panel')
    await logIn('ada@example.com', 'right')
    expect(one('h1').textContent).toBe('Welcome, Ada')
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(2)
  })

  it('X10 disables the button, says why, and keeps it focusable', async () => {
    const { service } = await throttled('svc::auth.throttle')
    const submit = button('Log in')
    expect(submit.getAttribute('aria-disabled')).toBe('true')
    expect(submit.disabled).toBe(false)
    expect(described(submit)).toMatch(/^Too many attempts\. Try again in \d+ seconds\.$/)
    await logIn('ada@example.com', 'right')
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(1)
    await pass(43_000)
    expect(submit.hasAttribute('aria-disabled')).toBe(false)
  })

  it('does not apply to another email', async () => {
    const { service } = await throttled('svc::auth.throttle')
    type('Email address', ' ADA@example.com')
    await settled()
    expect(button('Log in').getAttribute('aria-disabled')).toBe('true')
    await logIn('bea@example.com', 'right')
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(2)
  })

  it('is kept for an email while another is typed, without moving the focus', async () => {
    const { service } = await throttled('svc::auth.throttle')
    field('Email address').focus()
    type('Email address', 'bea@example.com')
    await pass(2000)
    expect(alertText()).toBe('')
    type('Email address', 'Ada@example.com ')
    await settled()
    expect(countdown()).toBe('Too many attempts. Try again in 40 seconds.')
    expect(button('Log in').getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(field('Email address'))
    await logIn('ada@example.com', 'right')
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(1)
    await pass(41_000)
    expect(alertText()).toBe('You can try again now.')
  })

  it('is counted separately for two emails', async () => {
    const { service } = await throttled('svc::auth.throttle')
    service.refuse('login', { status: 422, key: 'svc::auth.throttle', retry_after: 20 })
    await logIn('bea@example.com', 'right')
    expect(countdown()).toBe('Too many attempts. Try again in 20 seconds.')
    type('Email address', 'ada@example.com')
    await settled()
    expect(countdown()).toBe('Too many attempts. Try again in 42 seconds.')
    await pass(21_000)
    type('Email address', 'bea@example.com')
    await settled()
    expect(button('Log in').hasAttribute('aria-disabled')).toBe(false)
  })

  it('continues when the clock of the system is set back', async () => {
    await throttled('svc::auth.throttle')
    vi.setSystemTime(Date.now() - 3_600_000)
    await pass(2000)
    expect(countdown()).toBe('Too many attempts. Try again in 40 seconds.')
    await pass(41_000)
    expect(alertText()).toBe('You can try again now.')
  })

  it('expires while the device sleeps', async () => {
    await throttled('svc::auth.throttle', 3600)
    // The monotonic clock of some browsers stands still meanwhile.
    vi.setSystemTime(Date.now() + 3_600_000)
    await pass(1000)
    expect(alertText()).toBe('You can try again now.')
  })

  it('does not bring back the earlier reason or move the focus for another email', async () => {
    const { service, session } = await openPanel({ user: ada })
    await session.logout()
    await settled()
    service.refuse('login', { status: 422, key: 'svc::auth.throttle', retry_after: 42 })
    await logIn('ada@example.com', 'right')
    field('Email address').focus()
    type('Email address', 'bea@example.com')
    await settled()
    expect(alertText()).toBe('')
    expect(document.activeElement).toBe(field('Email address'))
  })

  it('applies to every email after too many requests', async () => {
    await throttled('svc::auth.too_many_requests')
    expect(countdown()).toBe('Too many requests. Wait 42 seconds and try again.')
    type('Email address', 'bea@example.com')
    await settled()
    expect(button('Log in').getAttribute('aria-disabled')).toBe('true')
  })

  it('is given in minutes from 90 seconds on', async () => {
    await throttled('svc::auth.throttle', 90)
    expect(countdown()).toBe('Too many attempts. Try again in 2 minutes.')
    await pass(1000)
    expect(countdown()).toBe('Too many attempts. Try again in 89 seconds.')
  })
})

describe('Login, sent', () => {
  it('L8 is shown as busy, and a second submit sends nothing', async () => {
    const { service } = await openPanel()
    const release = service.hold('login')
    type('Email address', 'ada@example.com')
    type('Password', 'right')
    button('Log in').click()
    await press('Log in')
    expect(button('Logging in…')).toBeDefined()
    expect(one('form').getAttribute('aria-busy')).toBe('true')
    button('Logging in…').click()
    release()
    await vi.waitFor(() => expect(one('h1').textContent).toBe('Welcome, Ada'))
    expect(service.calls.filter((call) => call === 'login')).toHaveLength(1)
  })

  it('reads values that were filled in without key events', async () => {
    await openPanel()
    field('Email address').value = 'bea@example.com'
    field('Password').value = 'right'
    button('Log in').click()
    await vi.waitFor(() => expect(one('h1').textContent).toBe('Welcome, Ada'))
    expect(document.body.textContent).toContain('bea@example.com')
  })

  it('reports a browser that keeps no cookie', async () => {
    const { service } = await openPanel()
    service.refuse('user', { status: 401, key: 'svc::auth.unauthenticated' })
    await logIn('ada@example.com', 'right')
    expect(alertText()).toContain('Allow cookies for this site')
  })
})
