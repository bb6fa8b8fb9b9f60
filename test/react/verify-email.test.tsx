import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ada,
  address,
  alertText,
  base,
  button,
  closeAndRestore,
  described,
  eventually,
  one,
  openPanel,
  pass,
  press,
  settled,
  statusText,
  stopCountdown,
} from './open-panel.tsx'
import type { OpenPanel, Opening } from './open-panel.tsx'

const SENT = 'Email sent. The link works for 60 minutes. Look in your spam folder too.'

beforeEach(stopCountdown)

afterEach(() => {
  closeAndRestore()
  sessionStorage.clear()
})

async function unverified(opening: Opening = {}): Promise<OpenPanel> {
  const panel = await openPanel({
    user: ada,
    prepare: (service) => (service.unverified = 'eve@example.com'),
    ...opening,
  })
  // The screen is a file of its own.
  await eventually(() => expect(document.querySelector('main:not([aria-busy])')).not.toBeNull())
  await settled()
  return panel
}

describe('Verify', () => {
  it('shows an email without the characters that would turn the words after it', async () => {
    await unverified({ prepare: (service) => (service.unverified = 'e\u2069\u202E@x.test') })
    expect(one('main bdi').textContent).toBe('e@x.test')
  })

  it('V1 shows the email as text, and nothing of the panel', async () => {
    await unverified({ at: '/orders' })
    expect(one('h1').textContent).toBe('Verify your email')
    expect(document.activeElement).toBe(one('h1'))
    expect(one('main bdi').textContent).toBe('eve@example.com')
    expect(one('main bdi').dir).toBe('ltr')
    expect(one('main bdi').getAttribute('translate')).toBe('no')
    expect(document.querySelector('header')).toBeNull()
  })

  it('V2 sends, confirms it, counts down, and can send again (EN-11)', async () => {
    const { service } = await unverified()
    button('Send verification email').focus()
    await press('Send verification email')
    expect(statusText()).toBe(SENT)
    expect(one('[data-svc-part=note]').textContent).toBe(SENT)
    const again = button('Send again')
    expect(again.getAttribute('aria-disabled')).toBe('true')
    expect(described(again)).toBe('You can send another in 20 seconds.')
    expect(document.activeElement).toBe(again)
    await press('Send again')
    expect(service.calls.filter((call) => call === 'svc.email.send')).toHaveLength(1)
    await pass(2000)
    expect(described(again)).toBe('You can send another in 18 seconds.')
    await pass(19_000)
    expect(again.hasAttribute('aria-disabled')).toBe(false)
    expect(document.activeElement).toBe(again)
    await press('Send again')
    expect(service.calls.filter((call) => call === 'svc.email.send')).toHaveLength(2)
  })

  it('V2 waits as long as the service says, if that is longer', async () => {
    const { service } = await unverified()
    service.retryAfter = 47
    await press('Send verification email')
    expect(described(button('Send again'))).toBe('You can send another in 47 seconds.')
  })

  it('V2 sends one mail for a double click', async () => {
    const { service } = await unverified()
    button('Send verification email').click()
    await press('Send verification email')
    expect(service.calls.filter((call) => call === 'svc.email.send')).toHaveLength(1)
  })

  it('V2 keeps the wait over a reload', async () => {
    const { service } = await unverified()
    await press('Send verification email')
    await pass(5000)
    await unverified()
    expect(one('[data-svc-part=note]').textContent).toBe(SENT)
    expect(statusText()).toBe('')
    expect(described(button('Send again'))).toBe('You can send another in 15 seconds.')
    await pass(16_000)
    await press('Send again')
    expect(service.calls.filter((call) => call === 'svc.email.send')).toHaveLength(1)
    expect(Object.keys(sessionStorage)).toEqual(['svc:email-sent'])
    expect(JSON.stringify(sessionStorage)).not.toContain('eve')
  })

  it.each([
    ['the link works no longer', async () => pass(3_600_000)],
    ['the person has left', async ({ session }: OpenPanel) => void (await session.logout())],
    ['what is kept is broken', async () => sessionStorage.setItem('svc:email-sent', '{"sentAt":')],
  ])('V2 starts anew after a reload when %s', async (_, happen) => {
    const panel = await unverified()
    await press('Send verification email')
    await happen(panel)
    await unverified()
    expect(button('Send verification email').hasAttribute('aria-disabled')).toBe(false)
    expect(document.querySelector('[data-svc-part=note]')).toBeNull()
  })

  it('V2 does not extend the wait after a reload when the clock was set back', async () => {
    await unverified()
    await press('Send verification email')
    vi.setSystemTime(Date.now() - 3_600_000)
    await unverified()
    expect(described(button('Send again'))).toBe('You can send another in 20 seconds.')
  })

  it('V2 works in a browser without storage', async () => {
    vi.spyOn(globalThis, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    await unverified()
    await press('Send verification email')
    expect(statusText()).toBe(SENT)
  })

  it('X10 shows the wait of the service when the route is limited', async () => {
    const { service } = await unverified()
    service.refuse('svc.email.send', {
      status: 429,
      key: 'svc::auth.too_many_requests',
      retry_after: 42,
    })
    await press('Send verification email')
    expect(alertText()).toContain('Too many requests. Wait 42 seconds and try again.')
    const send = button('Send verification email')
    expect(send.getAttribute('aria-disabled')).toBe('true')
    expect(described(send)).toBe('Too many requests. Wait 42 seconds and try again.')
    await pass(43_000)
    expect(alertText()).toBe('')
    expect(send.hasAttribute('aria-disabled')).toBe(false)
  })

  it('shows that the mail cannot be sent, and can be tried again', async () => {
    const { service } = await unverified()
    service.refuse('svc.email.send', { status: 503, key: 'svc::auth.unavailable' })
    await press('Send verification email')
    expect(alertText()).toContain('Something went wrong on our side.')
    await press('Send verification email')
    expect(statusText()).toBe(SENT)
  })

  it('V3 checks on request, and says when the email is not verified yet', async () => {
    const { service } = await unverified({ at: '/orders' })
    await press('I have verified, continue')
    expect(alertText()).toBe('We cannot see it yet. Open the link in the email first.')
    service.fail('user')
    await press('I have verified, continue')
    expect(alertText()).toContain('We could not reach the server.')
    service.unverified = null
    await press('I have verified, continue')
    expect(address()).toBe(`${base}/orders`)
  })

  it.each([
    [
      { status: 429, key: 'svc::auth.too_many_requests', retry_after: 42 },
      'Too many requests. Wait 42 seconds and try again.',
    ],
    [{ status: 503, key: 'svc::auth.unavailable' }, 'Something went wrong on our side.'],
  ] as const)('V3 says what the service answers to the check: %o', async (refusal, words) => {
    const { service } = await unverified()
    service.refuse('user', refusal)
    await press('I have verified, continue')
    expect(alertText()).toContain(words)
    expect(alertText()).not.toContain('We could not reach the server.')
    expect(button('Send verification email').hasAttribute('aria-disabled')).toBe(false)
  })

  it('V3 says it again when it is asked again, also to screen readers', async () => {
    await unverified()
    await press('I have verified, continue')
    const said: (string | null)[] = []
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records)
        said.push(...[...addedNodes].map(({ textContent }) => textContent))
    })
    observer.observe(one('[role=alert]'), { childList: true, subtree: true })
    await press('I have verified, continue')
    observer.disconnect()
    expect(said).toContain('We cannot see it yet. Open the link in the email first.')
  })

  it('V3 can be left', async () => {
    await unverified()
    await press('Log out')
    expect(one('h1').textContent).toBe('Log in')
    expect(address()).toBe(`${base}/login`)
  })

  it('V4 continues by itself, focuses the next heading and announces it', async () => {
    const { service } = await unverified({ at: '/orders' })
    await press('Send verification email')
    service.unverified = null
    await pass(5000)
    expect(address()).toBe(`${base}/orders`)
    expect(one('h1').textContent).toBe('Page not found')
    expect(document.activeElement).toBe(one('h1'))
    expect(statusText()).toBe('Email verified.')
  })

  it.each([
    ['expired', 'That link has expired. Send a new one.'],
    ['invalid', 'That link does not work. Send a new one.'],
  ])('V5 a link that is %s is reported on arrival, once', async (verified, words) => {
    await unverified({ at: `/?verified=${verified}` })
    expect(alertText()).toBe(`There is a problem${words}`)
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(document.title).toBe('Error: Verify your email · Acme Panel')
    expect(location.href).not.toContain('verified')
    await pass(5000)
    expect(alertText()).toContain(words)
    await press('Send verification email')
    expect(alertText()).toBe('')
  })
})

describe('the link of the mail', () => {
  it('leads a logged-in user to the panel, and announces the result', async () => {
    await openPanel({ user: ada, at: '?verified=1' })
    expect(one('h1').textContent).toBe('Welcome, Ada')
    expect(statusText()).toBe('Email verified.')
    expect(address()).toBe(base)
  })

  it.each([
    ['1', 'Your email is verified. Log in to continue.'],
    ['expired', 'That link has expired. Log in and send a new one.'],
    ['invalid', 'That link does not work. Log in and send a new one.'],
  ])('%s leads guests to the login with the reason', async (verified, reason) => {
    await openPanel({ at: `?verified=${verified}` })
    expect(alertText()).toBe(reason)
    expect(address()).toBe(`${base}/login`)
  })

  it.each(['maybe', 'constructor'])('is ignored with another result, %s', async (verified) => {
    await openPanel({ user: ada, at: `?verified=${verified}` })
    expect(statusText()).toBe('')
    expect(address()).toBe(`${base}?verified=${verified}`)
  })
})
