import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { states, type StateName } from '../../web/playground/account.ts'
import { axeViolations, SCHEMES } from './looks.ts'
import { complaintsOf, eventually } from './rig.ts'

const configFile = fileURLToPath(new URL('../../site/playground.config.ts', import.meta.url))
const outDir = mkdtempSync(join(tmpdir(), 'svc-playground-'))
await build({ configFile, logLevel: 'warn', build: { outDir } })
const server = await preview({ configFile, build: { outDir }, preview: { port: await freePort() } })
const [origin = ''] = server.resolvedUrls?.local ?? []
const browser = await chromium.connect(inject('browserEndpoint'))

afterAll(async () => {
  await browser.close()
  await server.close()
  rmSync(outDir, { recursive: true })
})

/** The text by which each state is recognised. */
const SHOWN: Readonly<Record<StateName, string>> = {
  login: 'Log in',
  throttled: 'Log in',
  code: 'Enter your code',
  forgot: 'Reset your password',
  reset: 'Choose a new password',
  invited: 'Choose your password',
  email: 'ada@example.com',
  required: 'Set up',
  off: 'Set up',
  due: 'You have 14 days left',
  pending: 'Continue set-up',
  on: 'Turn off',
  apps: 'Tablet',
  few: '2 recovery codes left.',
  unseen: 'your recovery codes',
  disowned: 'Was this login not you?',
  alone: 'You are logged in nowhere else.',
  trusted: 'In these browsers you log in without a code.',
  confirmation: 'Set up',
  impersonation: 'You are acting as \u2068Ada\u2069.',
  bell: '2',
  outage: 'Try again',
}

async function opens(state: StateName, more: object = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 375, height: 720 },
  })
  const complaints = await complaintsOf(context)
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  const page = await context.newPage()
  await page.goto(`?${new URLSearchParams({ state, ...more })}`)
  return page
}

const text = async (page: Page) => page.locator('#app').innerText()

describe('The playground', () => {
  it.each(Object.keys(SHOWN) as StateName[])(
    'shows the state %s, without a finding of axe in the light and in the dark',
    async (state) => {
      expect(Object.keys(states)).toContain(state)
      for (const theme of SCHEMES) {
        const page = await opens(state, { theme })
        await eventually(() => text(page)).toContain(SHOWN[state])
        expect(await axeViolations(page)).toEqual([])
      }
    },
  )

  it('logs in, sets up the second factor and logs in with its code', async () => {
    const page = await opens('login')
    const logIn = async () => {
      await page.getByLabel('Email').fill('bea@example.com')
      await page.getByLabel('Password', { exact: true }).fill('any')
      await page.getByRole('button', { name: 'Log in' }).click()
    }
    await logIn()
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.locator('[name=code]').fill('123456')
    await page.getByRole('button', { name: /Turn on|Confirm/ }).click()
    await page.getByLabel('I have saved these codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await logIn()
    await page.locator('[name=code]').fill('123456')
    await page.getByRole('button', { name: 'Continue' }).click()
    await eventually(() => text(page)).toContain('Turn off')
  })

  it('asks for a confirmation, and then repeats what was asked', async () => {
    const page = await opens('confirmation')
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill('any')
    await dialog.getByLabel('Password', { exact: true }).press('Enter')
    await page.locator('[name=code]').fill('123456')
    expect(await dialog.count()).toBe(0)
  })

  it('goes back from another user', async () => {
    const page = await opens('impersonation')
    await page.getByRole('button', { name: 'Back to your own account' }).click()
    await eventually(() => text(page)).not.toContain('You are acting as')
    expect(await text(page)).toContain('Set up')
  })

  it('ends a trusted device', async () => {
    const page = await opens('trusted')
    const section = page.locator('[data-svc-part=security]', { hasText: 'Trusted devices' })
    await section.getByRole('button', { name: /iOS/ }).click()
    await eventually(() => section.locator('li').count()).toBe(1)
  })

  it('takes the language and the theme of its address', async () => {
    const page = await opens('login', { locale: 'ar', theme: 'dark' })
    await eventually(() => text(page)).toContain('تسجيل الدخول')
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('dark')
  })
})
