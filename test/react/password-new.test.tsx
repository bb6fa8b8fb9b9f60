import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeLinkOutcome } from '../../web/client/client.ts'
import { leaveStepAddress, takePasswordStep } from '../../web/client/session/password-step.ts'
import { PanelGate } from '../../web/react/screens/panel-gate.tsx'
import type { PanelChannel } from '../../web/client/client.ts'
import { strengthOf } from '../../web/react/password/strength.ts'
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
  one,
  press,
  settled,
  statusText,
  type,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { EMAIL, linkAt, LOGIN, NEW_PASSWORD, openBound, sees } from './password-page.tsx'

const CHANGED = 'Your password is changed. Log in with it.'
const RESET = '/reset-password'

afterEach(() => {
  closeAndRestore()
  history.replaceState(null, '', base)
})

async function openLink(opening: Opening = {}) {
  const opened = await openBound({ at: linkAt(RESET), ...opening })
  await sees('Choose a new password')
  return opened
}

async function save(password: string): Promise<void> {
  type('New password', password)
  await press('Save password')
}

const strength = () => one('[data-svc-part=strength]').textContent

describe('the state of a router of the host', () => {
  it.each([
    ['a link that verifies is opened', '/orders?verified=1', takeLinkOutcome],
    ['a step is left', RESET, () => leaveStepAddress({ passwords: true, sessions: false })],
  ])('stays in the history when %s', (_, at, act) => {
    history.replaceState({ position: 3 }, '', at)
    act()
    expect(address()).not.toBe(at)
    expect(history.state).toEqual({ position: 3 })
  })
})

describe('a link to a new password', () => {
  it('leaves the address at once, and nothing is sent before the password is', async () => {
    const { service } = await openLink()
    expect(address()).toBe(base + RESET)
    expect(history.state).toBeNull()
    expect(document.documentElement.outerHTML).not.toContain('t0ken')
    expect(service.calls).toEqual([])
    await save(NEW_PASSWORD)
    expect(service.calls).toEqual(['password.reset'])
    expect(service.passwords).toEqual([{ token: 't0ken', password: NEW_PASSWORD }])
  })

  it('is taken at no other address', () => {
    history.replaceState(null, '', '/orders#token=t0ken&email=ada')
    expect(takePasswordStep({ passwords: true, sessions: false })).toBeNull()
    expect(address()).toBe('/orders#token=t0ken&email=ada')
  })

  it('keeps the query of its address', () => {
    history.replaceState(null, '', `/app/choose-password?lang=fr#token=a%2Bb&email=ada%40x.test`)
    expect(takePasswordStep({ passwords: true, sessions: false })).toEqual({
      step: 'choose',
      link: { token: 'a+b', email: 'ada@x.test' },
    })
    expect(address()).toBe('/app/choose-password?lang=fr')
  })

  it('leaves the state that a router has put into the history', () => {
    const link = '/reset-password#token=t0ken&email=ada'
    history.replaceState({ current: link }, '', link)
    takePasswordStep({ passwords: true, sessions: false })
    expect(history.state).toBeNull()
  })

  it('is followed in a tab that shows the screen of another link', async () => {
    const { service } = await openLink()
    type('New password', 'typed before')
    history.replaceState(null, '', base + linkAt(RESET, 'another'))
    dispatchEvent(new HashChangeEvent('hashchange'))
    await settled()
    expect(address()).toBe(base + RESET)
    expect(field('New password').value).toBe('')
    await save(NEW_PASSWORD)
    expect(service.passwords).toEqual([{ token: 'another', password: NEW_PASSWORD }])
  })

  it('shows what to do after a reload, when the token is gone', async () => {
    await openBound({ at: RESET })
    await sees('This page needs the link from your email')
    expect(document.activeElement).toBe(one('h1'))
    await press('Send a new link')
    await sees('Reset your password')
    expect(address()).toBe(`${base}/forgot-password`)
  })

  it('that has expired says so, and offers a new one for the same email', async () => {
    const { service } = await openLink()
    service.refuse('password.reset', { status: 422, key: 'svc::auth.password_link_invalid' })
    await save(NEW_PASSWORD)
    await sees('This link no longer works')
    expect(document.activeElement).toBe(one('h1'))
    expect(document.querySelector('input')).toBeNull()
    await press('Send a new link')
    await sees('Reset your password')
    expect(field('Email address').value).toBe(EMAIL)
  })

  it('that was used by a request whose answer was lost leads to a login with the new password', async () => {
    const { service } = await openLink()
    service.fail('password.reset')
    await save(NEW_PASSWORD)
    service.refuse('password.reset', { status: 422, key: 'svc::auth.password_link_invalid' })
    await press('Save password')
    await sees('This link no longer works')
    expect(one('main').textContent).toContain('just chosen a password with it, log in with that')
    await press('Back to log in')
    expect(field('Email address').value).toBe(EMAIL)
  })

  it('welcomes the user of an invitation', async () => {
    await openBound({ at: linkAt('/choose-password') })
    await sees('Choose your password')
    expect(one('[data-svc-part=intro]').textContent).toBe(
      `Welcome. With this password you log in as ${EMAIL}.`,
    )
  })

  it('is shown to a logged-in user, too, without the panel', async () => {
    await openLink({ user: ada })
    expect(document.querySelector('header')).toBeNull()
  })
})

describe('the field for a new password', () => {
  it('has its token, its rule, the username for password managers, and no limit of length', async () => {
    await openLink()
    const input = field('New password')
    expect(input.type).toBe('password')
    expect(input.name).toBe('password')
    expect(input.getAttribute('autocomplete')).toBe('new-password')
    expect(input.hasAttribute('maxlength')).toBe(false)
    expect(described(input)).toBe('At least 15 characters. A few words you can remember are good.')
    const username = one('[autocomplete=username]') as HTMLInputElement
    expect(username.value).toBe(EMAIL)
    expect(username.hidden).toBe(true)
  })

  it('shows the password on request, and hides it while it is sent', async () => {
    const { service } = await openLink()
    await press('Show password')
    expect(field('New password').type).toBe('text')
    expect(statusText()).toBe('Your password is visible')
    service.fail('password.reset')
    type('New password', NEW_PASSWORD)
    button('Save password').click()
    expect(field('New password').type).toBe('password')
    await settled()
    expect(field('New password').type).toBe('password')
  })

  it('tells the strength in words while the user types, and marks nothing as wrong', async () => {
    await openLink()
    expect(one('[data-svc-part=strength]').getAttribute('aria-live')).toBe('polite')
    expect(strength()).toBe('')
    for (const [typed, word] of [
      ['short', 'Too short'],
      ['aaaaaaaaaaaaaaaaaaaa', 'Easy to guess'],
      ['green boats sail', 'Good'],
      ['seven green boats sail home', 'Strong'],
      ['', ''],
    ] as const) {
      type('New password', typed)
      await settled()
      expect(strength()).toBe(word)
    }
    expect(document.querySelector('[aria-invalid], [data-svc-part=field-error]')).toBeNull()
  })

  it.each([
    ['', 'short'],
    ['fourteen chars', 'short'],
    ['abcdefghijklmnopqrstuvwxyz', 'weak'],
    ['abcabcabcabcabcabcabc', 'weak'],
    ['123123123123123123', 'weak'],
    ['пароль из слов тут', 'good'],
    ['😀'.repeat(14), 'short'],
  ] as const)('%j is %s', (password, expected) => {
    expect(strengthOf(password, 15)).toBe(expected)
  })
})

describe('saving a new password', () => {
  it('leads to the login with the email and the reason, and logs nobody in', async () => {
    const { session } = await openLink({ user: ada })
    await save(NEW_PASSWORD)
    await sees('Log in')
    expect(address()).toBe(LOGIN)
    expect(session.getState()).toEqual({
      state: 'guest',
      reason: 'password_changed',
      email: EMAIL,
    })
    expect(alertText()).toBe(CHANGED)
    expect(field('Email address').value).toBe(EMAIL)
    expect(document.activeElement).toBe(field('Password'))
  })

  it('makes the other tabs look after their session', async () => {
    const sent: string[] = []
    const channel: PanelChannel = { send: (message) => sent.push(message), listen: () => () => {} }
    await openLink({ channel })
    await save(NEW_PASSWORD)
    expect(sent).toEqual(['session-ended'])
  })

  it('sends nothing without a password', async () => {
    const { service } = await openLink()
    await press('Save password')
    expect(service.passwords).toEqual([])
    expect(one('[role=alert] a').textContent).toBe('Enter a new password')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(described(field('New password'))).toContain('Enter a new password')
  })

  it("shows the policy's reason at the field, and keeps what was typed", async () => {
    const { service } = await openLink()
    const errors = { password: ['Many people use this password. Choose another.'] }
    service.refuse('password.reset', { status: 422, key: 'svc::auth.invalid', errors })
    await save('password password password')
    expect(one('[role=alert] a').textContent).toBe(errors.password[0])
    expect(described(field('New password'))).toContain(errors.password[0])
    expect(field('New password').value).toBe('password password password')
    await save(NEW_PASSWORD)
    await sees('Log in')
  })

  it('sends one request for a double click', async () => {
    const { service } = await openLink()
    type('New password', NEW_PASSWORD)
    button('Save password').click()
    button('Save password').click()
    await sees('Log in')
    expect(service.passwords).toHaveLength(1)
  })

  it('waits as long as the service says', async () => {
    const { service } = await openLink()
    const key = 'svc::auth.too_many_requests'
    service.refuse('password.reset', { status: 429, key, retry_after: 42 })
    await save(NEW_PASSWORD)
    expect(alertText()).toContain('Too many requests. Wait 42 seconds and try again.')
    expect(button('Save password').getAttribute('aria-disabled')).toBe('true')
    await press('Save password')
    expect(service.passwords).toEqual([])
  })
})

describe('a link that opens an application in a gate', () => {
  beforeEach(() => {
    document.title = 'The shop'
  })

  it('keeps the application closed, and leaves its address for the home of the panel', async () => {
    history.replaceState(null, '', base + linkAt(RESET))
    const asAda = { prepare: (service: { user: unknown }) => (service.user = ada) }
    await draw(<PanelGate name="Shop">Orders</PanelGate>, { passwords: true, ...asAda })
    await sees('Choose a new password')
    expect(document.body.textContent).not.toContain('Orders')
    expect(one('[data-svc-root]').contains(one('h1'))).toBe(true)
    await save(NEW_PASSWORD)
    await sees('Log in')
    expect(address()).toBe(base)
    expect(alertText()).toBe(CHANGED)
  })
})
