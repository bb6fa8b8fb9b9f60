import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PanelScreens } from '../../web/react/react.ts'
import { draw } from './draw.tsx'
import {
  ada,
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
  settled,
  statusText,
  stopCountdown,
  type,
} from './open-panel.tsx'
import { EMAIL, LOGIN, openBound, sees } from './password-page.tsx'

const FORGOT = `${base}/forgot-password`
const SENT = `If ${EMAIL} belongs to an account, a link is on its way.`

beforeEach(stopCountdown)

afterEach(closeAndRestore)

async function openForgot() {
  const opened = await openBound({ at: '/forgot-password' })
  await sees('Reset your password')
  return opened
}

async function openSent() {
  const opened = await openForgot()
  type('Email address', EMAIL)
  await press('Send the link')
  await sees('Check your email')
  return opened
}

describe('the login', () => {
  it('offers a new password below the password, if the service resets passwords', async () => {
    await openBound()
    const controls = [...document.querySelectorAll<HTMLElement>('input, button')]
    expect(controls.map(({ id, textContent }) => textContent || id)).toEqual([
      'svc-login-email',
      'svc-login-password',
      'Show',
      'Forgot your password?',
      'Log in',
    ])
  })

  it('offers none if the service resets no passwords', async () => {
    await openPanel()
    expect(document.body.textContent).not.toContain('Forgot your password?')
  })

  it("prefers the service's own way to the link of the host", async () => {
    await openBound({ page: { resetPassword: '/reset' } })
    expect(button('Forgot your password?')).toBeDefined()
    expect(document.querySelector('a[href="/reset"]')).toBeNull()
  })

  it('keeps its addresses for the host if the service resets no passwords', async () => {
    await openPanel({ at: '/reset-password#token=t0ken', user: ada })
    expect(one('h1').textContent).toBe('Page not found')
    expect(address()).toBe(`${base}/reset-password#token=t0ken`)
  })
})

describe('the screen for a forgotten password', () => {
  it('takes the email over from the login, and gives it back', async () => {
    await openBound()
    type('Email address', EMAIL)
    await press('Forgot your password?')
    await sees('Reset your password')
    expect(address()).toBe(FORGOT)
    expect(document.activeElement).toBe(one('h1'))
    expect(field('Email address').value).toBe(EMAIL)
    type('Email address', 'bea@example.com')
    await press('Back to log in')
    await sees('Log in')
    expect(address()).toBe(LOGIN)
    expect(field('Email address').value).toBe('bea@example.com')
    expect(document.activeElement).toBe(field('Password'))
  })

  it('keeps the address that the user wanted', async () => {
    const next = `?next=${encodeURIComponent(`${base}/orders`)}`
    await openBound({ at: '/orders' })
    await press('Forgot your password?')
    await sees('Reset your password')
    expect(address()).toBe(FORGOT + next)
    await press('Back to log in')
    await sees('Log in')
    expect(address()).toBe(LOGIN + next)
  })

  it('is left by the back button of the browser, and found by the forward button', async () => {
    await openBound()
    await press('Forgot your password?')
    await sees('Reset your password')
    history.replaceState(null, '', LOGIN)
    dispatchEvent(new PopStateEvent('popstate'))
    await sees('Log in')
    history.replaceState(null, '', FORGOT)
    dispatchEvent(new PopStateEvent('popstate'))
    await sees('Reset your password')
    expect(address()).toBe(FORGOT)
  })

  it('has the title, the field and the texts of its form', async () => {
    await openForgot()
    expect(document.title).toBe('Reset your password · Acme Panel')
    expect(field('Email address').type).toBe('email')
    expect(field('Email address').getAttribute('autocomplete')).toBe('username')
    expect(one('[data-svc-part=intro]').textContent).toContain('works for 60 minutes')
  })

  it('sends nothing without an email, and links to the field', async () => {
    const { service } = await openForgot()
    await press('Send the link')
    expect(service.passwords).toEqual([])
    expect(alertText()).toContain('There is a problem')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(one('[role=alert] a').textContent).toBe('Enter your email address')
    expect(field('Email address').getAttribute('aria-invalid')).toBe('true')
    expect(described(field('Email address'))).toBe('Enter your email address')
    expect(document.title).toBe('Error: Reset your password · Acme Panel')
  })

  it('sends one request for a double click, and gives one answer for every email', async () => {
    const { service } = await openForgot()
    type('Email address', EMAIL)
    button('Send the link').click()
    button('Send the link').click()
    await sees('Check your email')
    expect(service.passwords).toEqual([{ email: EMAIL }])
    expect(document.activeElement).toBe(one('h1'))
    expect(one('main').textContent).toContain(SENT)
    expect(one('main bdi').getAttribute('dir')).toBe('ltr')
  })

  it.each([
    ['the service does not answer', 'We could not reach the server.'],
    ['the service refuses for a while', 'Too many requests. Wait 42 seconds and try again.'],
  ])('shows it and keeps the email when %s', async (_, message) => {
    const { service } = await openForgot()
    const key = 'svc::auth.too_many_requests'
    if (message.includes('42')) {
      service.refuse('password.forgot', { status: 429, key, retry_after: 42 })
    } else service.fail('password.forgot')
    type('Email address', EMAIL)
    await press('Send the link')
    expect(alertText()).toContain(message)
    expect(field('Email address').value).toBe(EMAIL)
  })

  it('can send again after a minute, and announces it', async () => {
    const { service } = await openSent()
    expect(button('Send again').getAttribute('aria-disabled')).toBe('true')
    expect(described(button('Send again'))).toBe('You can send another in 60 seconds.')
    await press('Send again')
    await pass(61_000)
    expect(service.passwords).toHaveLength(1)
    await press('Send again')
    expect(service.passwords).toHaveLength(2)
    expect(statusText()).toBe(SENT)
    expect(described(button('Send again'))).toBe('You can send another in 60 seconds.')
  })

  it('returns from the sent link to the login with the email', async () => {
    await openSent()
    await press('Back to log in')
    await sees('Log in')
    expect(field('Email address').value).toBe(EMAIL)
  })

  it('lets a logged-in user go back to the panel', async () => {
    await openBound({ at: '/forgot-password', user: ada })
    await sees('Reset your password')
    expect(document.querySelector('header')).toBeNull()
    await press('Back to log in')
    await sees('Welcome, Ada')
    expect(address()).toBe(base)
  })
})

describe('the screen for a forgotten password around an application', () => {
  beforeEach(() => history.replaceState(null, '', '/shop'))

  it('takes the place of the login, at the same address', async () => {
    await draw(<PanelScreens name="Shop">Orders</PanelScreens>, { passwords: true })
    const before = address()
    type('Email address', EMAIL)
    await press('Forgot your password?')
    await sees('Reset your password')
    expect(address()).toBe(before)
    await press('Back to log in')
    await sees('Log in')
    expect(field('Email address').value).toBe(EMAIL)
  })

  it("replaces the host's link", async () => {
    const link = <a href="/reset">Reset</a>
    await draw(<PanelScreens name="Shop" forgotPassword={link} />, { passwords: true })
    expect(button('Forgot your password?')).toBeDefined()
    expect(document.querySelector('a[href="/reset"]')).toBeNull()
  })
})

describe('a form that is opened anew while its request is still on the way', () => {
  it('logs in again after the first login has failed', async () => {
    const { service } = await openBound()
    const release = service.hold('login')
    service.refuse('login', { status: 422, key: 'svc::auth.failed' })
    await logIn(EMAIL, 'wrong')
    await press('Forgot your password?')
    await sees('Reset your password')
    await press('Back to log in')
    await sees('Log in')
    await logIn(EMAIL, 'right')
    expect(alertText()).toContain('We could not reach the server.')
    release()
    await settled()
    await logIn(EMAIL, 'right')
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })

  it('asks for the link again', async () => {
    const { service } = await openForgot()
    const release = service.hold('password.forgot')
    type('Email address', EMAIL)
    await press('Send the link')
    await press('Back to log in')
    await sees('Log in')
    await press('Forgot your password?')
    await sees('Reset your password')
    type('Email address', EMAIL)
    await press('Send the link')
    expect(alertText()).toContain('We could not reach the server.')
    release()
    await settled()
    await press('Send the link')
    await sees('Check your email')
  })
})
