import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onOtherUser } from '../../web/client/session/other-user.ts'
import type { FakeService } from '../client/fake-service.ts'
import {
  ada,
  alertText,
  base,
  closePanel,
  field,
  logIn,
  one,
  openPanel,
  press,
  settled,
  statusText,
} from './open-panel.tsx'

const ENABLED = { enabled: true, required: false, pending: false, codes_unseen: false }
const refused = { status: 403, key: 'svc::auth.email_verification_required' } as const
const screens = {
  login: { opening: {}, title: 'Log in · Acme Panel' },
  home: { opening: { user: ada }, title: 'Welcome, \u2068Ada\u2069 · Acme Panel' },
  'home of somebody without a name': {
    opening: { user: { ...ada, name: null } as unknown as typeof ada },
    title: 'Welcome · Acme Panel',
  },
  'not found': { opening: { user: ada, at: '/x' }, title: 'Page not found · Acme Panel' },
  'email gate': {
    opening: {
      user: ada,
      prepare: (service) => service.refuse('user', { ...refused, email: 'eve@example.com' }),
    },
    title: 'Verify your email · Acme Panel',
  },
  code: {
    opening: { prepare: (service) => (service.codeOwed = { seconds: 300 }) },
    title: 'Enter your code · Acme Panel',
  },
  'two-factor gate': {
    opening: {
      user: ada,
      prepare: (service) =>
        service.refuse('user', { status: 403, key: 'svc::auth.two_factor_setup_required' }),
    },
    title: 'Security · Acme Panel',
  },
  unreachable: {
    opening: { prepare: (service) => service.fail('user') },
    title: 'Error: The panel cannot be opened · Acme Panel',
  },
} as const satisfies Record<
  string,
  { readonly opening: Parameters<typeof openPanel>[0]; readonly title: string }
>

const errors = vi.spyOn(console, 'error')
const warnings = vi.spyOn(console, 'warn')

beforeEach(() => {
  errors.mockClear()
  warnings.mockClear()
})

afterEach(() => {
  closePanel()
  expect(errors.mock.calls).toEqual([])
  expect(warnings.mock.calls).toEqual([])
})

describe.each(Object.entries(screens))('every screen: %s', (_, { opening, title }) => {
  it('X2 has one main, one h1 and a title of both names', async () => {
    await openPanel(opening)
    expect(one('main').contains(one('h1'))).toBe(true)
    expect(document.title).toBe(title)
  })

  it('X3 focuses an element of its own, never the body', async () => {
    await openPanel(opening)
    expect(one('main').contains(document.activeElement)).toBe(true)
  })

  it('X9 has one status region and one alert region', async () => {
    await openPanel(opening)
    expect(one('[role=status]')).toBeDefined()
    expect(one('[role=alert]').tabIndex).toBe(-1)
  })
})

describe('the name of the user in the title of the home page', () => {
  it('keeps its own direction, and is not translated', async () => {
    await openPanel({ user: { ...ada, name: 'Ada (CTO)' }, locale: 'ar' })
    expect(one('h1').textContent).toBe('مرحبًا، Ada (CTO)')
    expect(one('h1 bdi').textContent).toBe('Ada (CTO)')
    expect(one('h1 bdi').getAttribute('translate')).toBe('no')
  })
})

describe('live regions', () => {
  it('X9 exist before their first text', async () => {
    await openPanel()
    expect(alertText()).toBe('')
    expect(statusText()).toBe('')
    const alert = one('[role=alert]')
    await press('Log in')
    expect(one('[role=alert]')).toBe(alert)
    expect(alertText()).not.toBe('')
  })
})

describe('boot', () => {
  it('shows nothing for 300 ms, then a loading message', async () => {
    let release = () => {}
    const opened = openPanel({ prepare: (service) => (release = service.hold('user')) })
    const openedAt = performance.now()
    expect(document.querySelector('h1')).toBeNull()
    await vi.waitFor(() => expect(one('h1').textContent).toBe('Loading…'))
    expect(performance.now() - openedAt).toBeGreaterThan(290)
    release()
    await opened
    await vi.waitFor(() => expect(one('h1').textContent).toBe('Log in'))
  })

  it('shows that the server is unreachable, tries again, and announces it again', async () => {
    const { service } = await openPanel({ prepare: (service) => service.fail('user') })
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(alertText()).toContain('We could not reach the server.')
    service.refuse('user', { status: 503, key: 'svc::auth.unavailable' })
    await press('Try again')
    expect(alertText()).toContain('Something went wrong on our side.')
    service.user = ada
    await press('Try again')
    expect(document.activeElement).toBe(one('h1'))
    expect(one('h1').textContent).toBe('Welcome, Ada')
  })
})

describe('the panel', () => {
  it('shows the user, and focuses the heading after the login', async () => {
    await openPanel()
    await logIn('ada@example.com', 'right')
    expect(document.activeElement).toBe(one('h1'))
    expect(one('header').textContent).toContain('Acme Panel')
    expect(one('header').textContent).toContain('Ada')
    expect(one('dl').textContent).toContain('ada@example.com')
  })

  it('logs out to an empty login with the reason focused, and no way back', async () => {
    await openPanel({ user: ada, at: '/orders' })
    await press('Log out')
    expect(alertText()).toBe('You have logged out.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(field('Email address').value).toBe('')
    expect(location.pathname + location.search).toBe(`${base}/login`)
  })

  it('shows an error and stays when logging out does not reach the server', async () => {
    const { service } = await openPanel({ user: ada })
    service.fail('logout')
    await press('Log out')
    expect(one('h1').textContent).toBe('Welcome, Ada')
    expect(alertText()).toContain('We could not reach the server.')
    expect(document.activeElement).toBe(one('[role=alert]'))
    expect(document.title).toBe('Error: Welcome, \u2068Ada\u2069 · Acme Panel')
  })

  it('can be left at the email gate, which shows the email', async () => {
    await openPanel(screens['email gate'].opening)
    expect(one('main').textContent).toContain('eve@example.com')
    await press('Log out')
    expect(one('h1').textContent).toBe('Log in')
  })
})

describe('the home page', () => {
  const invitation = () => document.querySelector('section a')?.getAttribute('href') ?? null
  const bound = { user: ada, page: { twoFactor: 'bound' } } as const

  it('invites a user without a second factor to set it up', async () => {
    await openPanel(bound)
    await settled()
    expect(invitation()).toBe(`${base}/security`)
  })

  it.each([
    ['has a second factor', { ...bound, prepare: (it: FakeService) => (it.factor = ENABLED) }],
    ['cannot have one', { user: ada }],
    ['got no answer', { ...bound, prepare: (it: FakeService) => it.fail('two-factor') }],
  ])('invites nobody who %s', async (_, opening) => {
    await openPanel(opening)
    await settled()
    expect(invitation()).toBeNull()
  })
})

describe('another user', () => {
  it('reloads the page; the same user does not', async () => {
    const { service, session } = await openPanel({ user: ada })
    const reload = vi.fn<() => void>()
    const stop = onOtherUser(session, reload)
    await session.refresh()
    service.user = null
    await session.refresh()
    service.user = { ...ada }
    await session.refresh()
    expect(reload).not.toHaveBeenCalled()
    service.user = { ...ada, id: '2' }
    await session.refresh()
    expect(reload).toHaveBeenCalledOnce()
    stop()
  })
})

describe('languages', () => {
  it('include French', async () => {
    await openPanel({ locale: 'fr-CA' })
    expect(one('h1').textContent).toBe('Connexion')
    await press('Se connecter')
    expect(alertText()).toContain('Saisissez votre adresse e-mail')
  })

  it('use the plural forms of Arabic', async () => {
    const { service } = await openPanel({ locale: 'ar' })
    expect(one('h1').textContent).toBe('تسجيل الدخول')
    service.refuse('login', { status: 422, key: 'svc::auth.throttle', retry_after: 2 })
    field('عنوان البريد الإلكتروني').value = 'ada@example.com'
    field('كلمة المرور').value = 'wrong'
    await press('تسجيل الدخول')
    expect(alertText()).toContain('بعد ثانيتين')
  })

  it('fall back to English without texts', async () => {
    await openPanel({ locale: 'eo' })
    expect(one('h1').textContent).toBe('Log in')
  })
})
