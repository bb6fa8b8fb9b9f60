import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FakeService } from '../client/fake-service.ts'
import { draw } from './draw.tsx'
import {
  ada,
  address,
  base,
  button,
  closeAndRestore,
  closePanel,
  eventually,
  field,
  one,
  openPanel,
  press,
  settled,
  type,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { ON } from './security-page.tsx'

afterEach(closeAndRestore)

const REQUIRED = {
  status: 403,
  key: 'svc::auth.confirmation_required',
  confirmation_required: true,
} as const

const dialog = () => document.querySelector<HTMLDialogElement>('dialog[open]')
const title = () => dialog()?.querySelector('h2')?.textContent

/** Opens a dialog and focuses its first element that can have the focus, also by script alone. */
function openAsBrowsersDo(this: HTMLDialogElement): void {
  this.open = true
  this.querySelector<HTMLElement>('[tabindex], input:not([hidden]), button')?.focus()
}

/** Opens the panel, and makes a request that demands a confirmation. */
async function ask(
  opening: Opening = {},
  refusal: Parameters<FakeService['refuse']>[1] = REQUIRED,
  name: 'two-factor.setup' | 'two-factor.disable' = 'two-factor.setup',
) {
  const opened = await openPanel({ user: ada, ...opening })
  opened.service.refuse(name, refusal)
  const answer = opened.session.call(name)
  await eventually(() => expect(dialog()).not.toBeNull())
  await settled()
  return { ...opened, answer }
}

describe('the dialog of a confirmation', () => {
  it('is modal, has a name and a reason, and its field takes the focus', async () => {
    vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(openAsBrowsersDo)
    await ask()
    expect(title()).toBe('Confirm that it is you')
    expect(dialog()?.getAttribute('role')).toBe('dialog')
    const { body } = { body: one('[data-svc-part=dialog-body]') }
    expect(dialog()?.getAttribute('aria-describedby')).toBe(body.id)
    expect(body.textContent).toBe('Enter your password to continue.')
    expect(document.activeElement).toBe(field('Password'))
    expect(field('Password').autocomplete).toBe('current-password')
  })

  it('tells password managers the account, and asks nobody for it', async () => {
    await ask()
    const account = dialog()?.querySelector<HTMLInputElement>('[autocomplete=username]')
    expect(account).toMatchObject({ value: 'ada@example.com', hidden: true, readOnly: true })
  })

  it('confirms by the password, and repeats the request', async () => {
    const { service, answer } = await ask()
    type('Password', 'right')
    await press('Confirm')
    expect(await answer).toMatchObject({ outcome: 'ok' })
    expect(service.confirmations).toEqual([{ password: 'right' }])
    expect(service.calls.filter((name) => name === 'two-factor.setup')).toHaveLength(2)
    expect(dialog()).toBeNull()
  })

  it('stays for a wrong password, which its field explains', async () => {
    const { service, answer } = await ask()
    service.refuse('confirm', {
      status: 422,
      key: 'svc::auth.password_incorrect',
      errors: { password: ['Wrong.'] },
    })
    type('Password', 'wrong')
    await press('Confirm')
    const message = 'Your current password is not right. Check it and try again.'
    expect(document.getElementById(`${field('Password').id}-error`)?.textContent).toBe(message)
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain(message)
    expect(field('Password').value).toBe('')
    type('Password', 'right')
    await press('Confirm')
    expect(await answer).toMatchObject({ outcome: 'ok' })
  })

  it('sends nothing without a password', async () => {
    const { service } = await ask()
    await press('Confirm')
    expect(service.confirmations).toEqual([])
    expect(dialog()?.textContent).toContain('Enter your password')
  })

  it('waits while the service throttles', async () => {
    const { service } = await ask()
    service.refuse('confirm', {
      status: 422,
      key: 'svc::auth.throttle',
      errors: { password: ['Wait.'] },
      retry_after: 30,
    })
    type('Password', 'wrong')
    await press('Confirm')
    expect(dialog()?.textContent).toContain('Too many attempts. Try again in 30 seconds.')
    expect(button('Confirm').getAttribute('aria-disabled')).toBe('true')
  })

  it.each(['the button', 'Escape'])(
    'gives the refusal as it was when cancelled by %s',
    async (by) => {
      const { service, answer } = await ask()
      if (by === 'the button') await press('Cancel')
      else dialog()?.dispatchEvent(new Event('cancel', { cancelable: true }))
      expect(await answer).toMatchObject({ outcome: 'refused', refusal: REQUIRED })
      await settled()
      expect(dialog()).toBeNull()
      expect(service.confirmations).toEqual([])
    },
  )

  it('offers a code only to users who have a second factor', async () => {
    await ask()
    expect(() => button('Use a code')).toThrow()
    closePanel()
    const { service, answer } = await ask({}, { ...REQUIRED, two_factor: true })
    await press('Use a code')
    expect(document.activeElement).toBe(field('Code from your authenticator app'))
    type('Code from your authenticator app', '12 34-56')
    await press('Confirm')
    expect(await answer).toMatchObject({ outcome: 'ok' })
    expect(service.confirmations).toEqual([{ code: '123456' }])
  })

  it.each(['two-factor.setup', 'two-factor.disable'] as const)(
    'of %s leaves when the session has ended',
    async (name) => {
      const { service, answer } = await ask({}, REQUIRED, name)
      service.user = null
      service.refuse('confirm', { status: 401, key: 'svc::auth.unauthenticated' })
      type('Password', 'right')
      await press('Confirm')
      expect(dialog()).toBeNull()
      expect(await answer).toMatchObject({ outcome: 'refused', refusal: REQUIRED })
      expect(address()).toBe(`${base}/login`)
    },
  )

  it('does not hide that the session has ended elsewhere', async () => {
    const { service, session, answer } = await ask({}, REQUIRED, 'two-factor.disable')
    service.user = null
    document.dispatchEvent(new Event('visibilitychange'))
    await eventually(() => expect(session.getState().state).toBe('guest'))
    await settled()
    expect(dialog()).toBeNull()
    expect(await answer).toMatchObject({ outcome: 'refused', refusal: REQUIRED })
  })

  it('appears once for requests that wait at the same time', async () => {
    const { service, session, answer } = await ask()
    service.refuse('two-factor.disable', REQUIRED)
    const other = session.call('two-factor.disable')
    await settled()
    expect(document.querySelectorAll('dialog[open]')).toHaveLength(1)
    type('Password', 'right')
    await press('Confirm')
    expect([await answer, await other]).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }])
    expect(service.confirmations).toHaveLength(1)
  })

  it.each([
    ['fr', 'Confirmez votre identité', 'Mot de passe'],
    ['ar', 'أكّد هويتك', 'كلمة المرور'],
  ])('is in the language of the panel: %s', async (locale, heading, label) => {
    await ask({ locale })
    expect(title()).toBe(heading)
    expect(field(label)).toBe(document.activeElement)
  })
})

describe('a page of the host that demands a confirmation', () => {
  const at = `/login?confirm=${encodeURIComponent('/orders?page=2')}`
  const page = { confirmation: true }

  /** Keeps the page of the test, and records the address that the panel leaves for. */
  const watchLeaving = () => vi.spyOn(location, 'replace').mockImplementation(() => {})

  it('is returned to once the user has confirmed', async () => {
    const leave = watchLeaving()
    await openPanel({ user: ada, at, page })
    await eventually(() => expect(title()).toBe('Confirm that it is you'))
    await settled()
    type('Password', 'right')
    await press('Confirm')
    await eventually(() => expect(leave.mock.calls).toEqual([[`${location.origin}/orders?page=2`]]))
  })

  it('is not returned to when the user cancels', async () => {
    const leave = watchLeaving()
    await openPanel({ user: ada, at, page })
    await eventually(() => expect(title()).toBe('Confirm that it is you'))
    await settled()
    await press('Cancel')
    await eventually(() => expect(address()).toBe(base))
    expect(leave).not.toHaveBeenCalled()
  })

  it('offers a code to users who have a second factor', async () => {
    await openPanel({
      user: ada,
      at,
      page: { ...page, twoFactor: 'bound' },
      prepare: (service) => (service.factor = ON),
    })
    await eventually(() => button('Use a code'))
  })

  it('is returned to after a login without another question', async () => {
    await openPanel({ at, page })
    await eventually(() => expect(address()).toBe(`${base}/login?next=%2Forders%3Fpage%3D2`))
  })

  it.each(['https://evil.example/', '//evil.example', ''])(
    'leads to no other site: %s',
    async (target) => {
      const leave = watchLeaving()
      await openPanel({ user: ada, at: `/login?confirm=${encodeURIComponent(target)}`, page })
      await eventually(() => expect(title()).toBe('Confirm that it is you'))
      await settled()
      type('Password', 'right')
      await press('Confirm')
      await eventually(() => expect(address()).toBe(base))
      expect(leave).not.toHaveBeenCalled()
    },
  )

  it('is unknown to a panel whose service has no confirmations', async () => {
    await openPanel({ user: ada, at })
    await eventually(() => expect(address()).toBe(base))
    expect(dialog()).toBeNull()
  })
})

it('refuses the request when the page is removed while the dialog loads', async () => {
  const { session, remove } = await draw(<p>Orders</p>)
  const confirmed = session.askForConfirmation({ code: false })
  remove()
  // A question that nobody answers would hold back every later one, too.
  expect(await confirmed).toBe(false)
})
