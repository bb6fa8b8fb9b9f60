import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, email, isAt, password, PASSWORD, sees } from './person.ts'
import { eventually, spa, startRig } from './rig.ts'

const rig = await startRig({
  spa: { ...spa, links: { change_password: '/account/password' } },
})
const without = await startRig()

describe('UJ-09 password manager', () => {
  it('fills both fields without key events, and the address changes when it has worked', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/login')
    expect(await email(page).getAttribute('autocomplete')).toBe('username')
    expect(await password(page).getAttribute('autocomplete')).toBe('current-password')
    const entries = await page.evaluate(() => history.length)
    await fillIn(page)
    await button(page, 'Log in').click()
    await sees(page, 'Welcome, Ada Lovelace')
    await isAt(page, '/admin/main')
    expect(await page.evaluate(() => history.length)).toBe(entries + 1)
  })

  it('sends the form by itself', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/login')
    await fillIn(page)
    await page.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit())
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('finds a password that was shown, when the form is sent', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/login')
    await fillIn(page)
    await button(page, 'Show password').click()
    await eventually(() => password(page).getAttribute('type')).toBe('text')
    expect(await page.getByRole('status').textContent()).toBe('Your password is visible')
    await button(page, 'Hide password').click()
    await eventually(() => password(page).getAttribute('type')).toBe('password')
    await button(page, 'Show password').click()
    await eventually(() => password(page).getAttribute('type')).toBe('text')
    const types: (string | null)[] = []
    await page.route('**/svc/api/login', async (route) => {
      types.push(await password(page).getAttribute('type'))
      await route.continue()
    })
    await button(page, 'Log in').click()
    await sees(page, 'Welcome, Ada Lovelace')
    expect(types).toEqual(['password'])
  })

  it('accepts pasted values', async () => {
    const { page, context } = await rig.visit()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: rig.origin })
    await page.goto('/admin/main/login')
    await email(page).fill('ada@example.com')
    await page.evaluate((text) => navigator.clipboard.writeText(text), PASSWORD)
    await password(page).focus()
    await page.keyboard.press('Control+V')
    expect(await password(page).inputValue()).toBe(PASSWORD)
    expect(await password(page).getAttribute('maxlength')).toBeNull()
    await page.keyboard.press('Enter')
    await sees(page, 'Welcome, Ada Lovelace')
  })
})

describe('/.well-known/', () => {
  const statusOf = async (origin: string, path: string) =>
    (await fetch(`${origin}/.well-known/${path}`, { redirect: 'manual' })).status

  it('change-password redirects to the page of the host', async () => {
    const answer = await fetch(`${rig.origin}/.well-known/change-password`, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('/account/password')
  })

  it('change-password redirects to the Security page when the host has named none', async () => {
    const answer = await fetch(`${without.origin}/.well-known/change-password`)
    expect([answer.status, answer.url]).toEqual([200, `${without.origin}/admin/main/security`])
  })

  it.each(['resource-that-should-not-exist-whose-status-code-should-not-be-200', '', 'x/y'])(
    'answers 404 at %j',
    async (path) => {
      expect(await statusOf(rig.origin, path)).toBe(404)
      expect(await statusOf(without.origin, path)).toBe(404)
    },
  )
})

/** As a manager does it: the values are there, and no key was pressed. */
async function fillIn(page: Page): Promise<void> {
  await sees(page, 'Log in')
  for (const [field, value] of [
    [email(page), 'ada@example.com'],
    [password(page), PASSWORD],
  ] as const) {
    await field.evaluate((input: HTMLInputElement, value) => {
      input.value = value
    }, value)
  }
}
