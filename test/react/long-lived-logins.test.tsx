import { afterEach, describe, expect, it } from 'vitest'
import { closePanel, described, logIn, one, openPanel, press, type } from './open-panel.tsx'
import type { Opening } from './open-panel.tsx'

afterEach(closePanel)

const REMEMBER = 'Keep me logged in for 30 days'
const TRUST = 'Do not ask for a code in this browser for 30 days'

const checkboxes = () => [...document.querySelectorAll<HTMLInputElement>('[type=checkbox]')]

/** Returns the only checkbox, whose label must have this text. */
function checkbox(label: string): HTMLInputElement {
  const [found, second] = checkboxes()
  expect(second).toBeUndefined()
  expect(found?.labels?.[0]?.textContent).toBe(label)
  return found ?? expect.fail('there is no checkbox')
}

/** Opens the panel of a user who has given the right password, and owes the code. */
async function owingCode(page: NonNullable<Opening['page']>) {
  const panel = await openPanel({ page })
  panel.service.codeOwed = { seconds: 300 }
  await logIn('bob@example.com', 'right')
  return panel
}

async function enterCode(): Promise<void> {
  type('Code from your authenticator app', '123456')
  await press('Continue')
}

describe('The offer to stay logged in', () => {
  it('is a checkbox that is not ticked, with a warning', async () => {
    await openPanel({ page: { rememberDays: 30 } })
    expect(checkbox(REMEMBER).checked).toBe(false)
    expect(described(checkbox(REMEMBER))).toBe('Not on a shared computer.')
  })

  it('is sent with the login if the user ticks it', async () => {
    const { service } = await openPanel({ page: { rememberDays: 30 } })
    checkbox(REMEMBER).click()
    await logIn('ada@example.com', 'right')
    expect(service.logins).toEqual([
      { email: 'ada@example.com', password: 'right', remember: true },
    ])
  })

  it('is not sent if the user does not', async () => {
    const { service } = await openPanel({ page: { rememberDays: 30 } })
    await logIn('ada@example.com', 'right')
    expect(service.logins).toEqual([{ email: 'ada@example.com', password: 'right' }])
  })

  it('stays ticked after a wrong password', async () => {
    const { service } = await openPanel({ page: { rememberDays: 30 } })
    service.refuse('login', { status: 422, key: 'svc::auth.failed' })
    checkbox(REMEMBER).click()
    await logIn('ada@example.com', 'wrong')
    expect(checkbox(REMEMBER).checked).toBe(true)
  })

  it.each([
    ['fr', 1, 'Rester connecté pendant 1 jour'],
    ['fr', 30, 'Rester connecté pendant 30 jours'],
    ['ar', 2, 'إبقائي مسجّل الدخول لمدة يومين'],
    ['ar', 30, 'إبقائي مسجّل الدخول لمدة 30 يومًا'],
  ])('counts days in the language of the panel (%s, %i)', async (locale, rememberDays, label) => {
    await openPanel({ locale, page: { rememberDays } })
    expect(checkbox(label)).toBeTruthy()
  })

  it('does not exist where the service remembers no session', async () => {
    await openPanel({ page: { trustDays: 30 } })
    expect(one('h1').textContent).toBe('Log in')
    expect(checkboxes()).toEqual([])
  })
})

describe('The offer to trust a browser', () => {
  it('is a checkbox at the code that is not ticked, with a warning', async () => {
    await owingCode({ trustDays: 30 })
    expect(checkbox(TRUST).checked).toBe(false)
    expect(described(checkbox(TRUST))).toBe('Not on a shared computer.')
  })

  it('is sent with the code if the user ticks it', async () => {
    const { service } = await owingCode({ trustDays: 30 })
    checkbox(TRUST).click()
    await enterCode()
    expect(service.logins.at(-1)).toEqual({ code: '123456', trust_device: true })
  })

  it('is not sent if the user does not', async () => {
    const { service } = await owingCode({ trustDays: 30 })
    await enterCode()
    expect(service.logins.at(-1)).toEqual({ code: '123456' })
  })

  it('stays ticked for a recovery code', async () => {
    await owingCode({ trustDays: 30 })
    checkbox(TRUST).click()
    await press('Use a recovery code')
    expect(checkbox(TRUST).checked).toBe(true)
  })

  it('does not exist where the service trusts no device', async () => {
    await owingCode({ rememberDays: 30 })
    expect(one('h1').textContent).toBe('Enter your code')
    expect(checkboxes()).toEqual([])
  })
})
