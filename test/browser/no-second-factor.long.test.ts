import { describe, expect, it } from 'vitest'
import { button, callApi, logIn, openUserMenu, sees } from './person.ts'
import { spa, startRig } from './rig.ts'
import { SECURITY } from './second-factor.ts'

const rig = await startRig({ spa }, { twoFactor: 'none', account: 'none' })

describe('UJ-17 no contract', () => {
  it('logs everybody in without a code, and has no security page', async () => {
    const { page, asked } = await rig.visit()
    await logIn(page, '/admin/main', 'rex@example.com')
    await sees(page, 'Welcome, Rex Harrison')
    await openUserMenu(page)
    await button(page, 'Log out').waitFor()
    expect(await page.getByRole('link', { name: 'Security' }).count()).toBe(0)
    await page.goto(SECURITY)
    await sees(page, 'Page not found')
    expect(asked.filter((request) => request.includes('two-factor'))).toEqual([])
    const { status } = await page.evaluate(async () => {
      const { status } = await fetch('/svc/api/two-factor')
      return { status }
    })
    expect(status).toBe(404)
  })

  it('offers no new password, and has no screens for one', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/reset-password#token=t&email=e')
    await sees(page, 'Log in')
    expect(await page.getByText('Forgot your password?').count()).toBe(0)
    expect(await page.locator('html').getAttribute('data-svc-page')).not.toContain('passwords')
    expect((await callApi(page, 'password/forgot', { email: 'rex@example.com' })).status).toBe(404)
  })
})
