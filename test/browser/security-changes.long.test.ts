import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer } from './newcomers.ts'
import { logIn } from './person.ts'
import { startRig } from './rig.ts'
import { codeFor, openCodes, press, reach, SECURITY, typeCode } from './second-factor.ts'

const rig = await startRig()

const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

describe('a second factor that was just set up', () => {
  it('takes another app without a reload, and says how many recovery codes are left', async () => {
    const { page } = await rig.visit()
    const { secret } = await openCodes(page, rig)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await section(page).getByText('10 recovery codes left.').waitFor()
    await rig.advance({ seconds: 30 })
    await press(page, 'Add another app')
    await reach(page, 'Code from an app you have, or a recovery code')
    await page.keyboard.type(codeFor(rig, secret))
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the app or device').fill('Tablet')
    const added = await typeCode(page, rig)
    await page.getByText('Tablet\u2069 is added. You can log in with its codes.').first().waitFor()
    await rig.advance({ seconds: 30 })
    await press(page, 'Remove: Authenticator app')
    await reach(page, 'Code from an app you have, or a recovery code')
    await page.keyboard.type(codeFor(rig, added))
    await page.keyboard.press('Enter')
    await page.getByText('Authenticator app\u2069 is removed.').first().waitFor()
    expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
  })
})

describe('another tab', () => {
  it('shows what the first tab has changed', async () => {
    const { page, context } = await rig.visit()
    await logIn(page, SECURITY, await newcomer(rig, 'nothing'))
    await press(page, 'Set up')
    const other = await context.newPage()
    await other.goto(SECURITY)
    await section(other).getByText('Off', { exact: true }).waitFor()
    await typeCode(page, rig)
    await section(other).getByText('On', { exact: true }).waitFor()
  })
})
