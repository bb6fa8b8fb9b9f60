import { afterEach, describe, expect, it } from 'vitest'
import {
  ada,
  address,
  alertText,
  base,
  closeAndRestore,
  described,
  eventually,
  field,
  one,
  openPanel,
  press,
  settled,
  statusText,
  type,
} from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'
import { CODE } from '../client/fake-service.ts'
import { NEW_PASSWORD, openBound, sees } from './password-page.tsx'
import { FORCED, ON } from './security-page.tsx'

const DONE = 'Your password is changed. Your other sessions are logged out, and this one goes on.'

afterEach(closeAndRestore)

async function openSecurity({ page, ...opening }: Opening = {}) {
  const bound = { twoFactor: 'bound', ...page } as const
  const opened = await openBound({ at: '/security', user: ada, page: bound, ...opening })
  await eventually(() => expect(document.querySelector('section[aria-busy]')).toBeNull())
  await settled()
  return opened
}

async function openForm(opening: Opening = {}) {
  const opened = await openSecurity(opening)
  await press('Change password')
  return opened
}

async function save(current: string, password: string): Promise<void> {
  type('Current password', current)
  type('New password', password)
  await press('Save password')
}

const headings = () => [...document.querySelectorAll('h2')].map(({ textContent }) => textContent)

describe('the password on the security page', () => {
  it('is the first section', async () => {
    await openSecurity()
    expect(headings()).toEqual(['Password', 'Two-factor authentication'])
    expect(document.querySelectorAll('[role=alert]')).toHaveLength(1)
  })

  it('is absent if the service changes no passwords', async () => {
    await openPanel({ at: '/security', user: ada, page: { twoFactor: 'bound' } })
    await eventually(() => expect(headings()).toEqual(['Two-factor authentication']))
  })

  it('is the only section without a second factor, whose page the menu then has', async () => {
    const { service } = await openSecurity({ page: { twoFactor: 'absent' } })
    expect(headings()).toEqual(['Password'])
    expect(one(`a[href="${base}/security"]`).textContent).toBe('Security')
    expect(service.calls).not.toContain('two-factor')
  })

  it('is absent at the gate of a required second factor', async () => {
    await openSecurity({ at: '', prepare: (service) => (service.factor = FORCED) })
    await eventually(() => expect(headings()).toEqual(['Two-factor authentication']))
  })
})

describe('the password beside the set-up of a second factor', () => {
  it('is absent, and stays absent until the recovery codes are saved', async () => {
    await openSecurity()
    await press('Set up')
    await eventually(() => expect(headings()).toContain('Set up two-factor authentication'))
    expect(headings()).not.toContain('Password')
    type('Code shown by the app', CODE)
    await press('Turn on')
    await sees('Save your recovery codes')
    expect(headings()).not.toContain('Password')
    one('[type=checkbox]').click()
    await settled()
    await press('Done')
    await eventually(() => expect(headings()).toEqual(['Password', 'Two-factor authentication']))
  })
})

describe('the form that changes the password', () => {
  it('takes the focus and the place of the other sections', async () => {
    await openForm()
    expect(headings()).toEqual(['Change your password'])
    expect(document.activeElement?.textContent).toBe('Change your password')
    expect(document.querySelectorAll('[role=alert]')).toHaveLength(1)
    expect(one('section').textContent).toContain('Your other sessions will be logged out.')
  })

  it('has the tokens that password managers need', async () => {
    await openForm()
    const tokens = [...document.querySelectorAll('input')].map(({ autocomplete }) => autocomplete)
    expect(tokens).toEqual(['current-password', 'username', 'new-password'])
    expect((one('[autocomplete=username]') as HTMLInputElement).value).toBe(ada.email)
  })

  it.each([
    ['off', 'At least 15 characters.', {}],
    ['on', 'At least 8 characters.', { prepare: withFactor }],
  ])('tells the rule while the second factor is %s', async (_, rule, opening) => {
    await openForm(opening)
    expect(described(field('New password'))).toContain(rule)
  })

  it('sends both passwords, goes back, and says that the other sessions are logged out', async () => {
    const { service, session } = await openForm()
    await save('the old one', NEW_PASSWORD)
    expect(service.passwords).toEqual([{ current_password: 'the old one', password: NEW_PASSWORD }])
    await eventually(() => expect(headings()).toEqual(['Password', 'Two-factor authentication']))
    expect(one('[data-svc-part=note]').textContent).toBe(DONE)
    expect(statusText()).toBe(DONE)
    expect(document.activeElement?.textContent).toBe('Password')
    expect(session.getState().state).toBe('ready')
    expect(address()).toBe(`${base}/security`)
  })

  it('sends nothing while a field is empty, and links to both', async () => {
    const { service } = await openForm()
    await press('Save password')
    expect(service.passwords).toEqual([])
    const links = [...document.querySelectorAll('[role=alert] a')]
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Enter your current password',
      'Enter a new password',
    ])
    expect(document.title).toBe('Error: Security · Acme Panel')
  })

  it('shows a wrong current password at its field, and keeps the form', async () => {
    const { service } = await openForm()
    service.refuse('password.change', {
      status: 422,
      key: 'svc::auth.password_incorrect',
      errors: { current_password: ['Wrong.'] },
    })
    await save('wrong', NEW_PASSWORD)
    const message = 'Your current password is not right. Check it and try again.'
    expect(one('[role=alert] a').textContent).toBe(message)
    expect(described(field('Current password'))).toContain(message)
    expect(document.activeElement).toBe(one('[role=alert]'))
  })

  it('can be cancelled', async () => {
    const { service } = await openForm()
    await press('Cancel')
    expect(headings()).toContain('Password')
    expect(document.querySelector('[data-svc-part=note]')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Password')
    expect(service.passwords).toEqual([])
  })

  it('leads to the login when the session has ended', async () => {
    const { service } = await openForm()
    service.refuse('password.change', { status: 401, key: 'svc::auth.unauthenticated' })
    service.user = null
    await save('the old one', NEW_PASSWORD)
    await sees('Log in')
    await eventually(() => expect(alertText()).toContain('Your session ended.'))
  })
})

function withFactor(service: { factor: unknown }) {
  service.factor = ON
}
