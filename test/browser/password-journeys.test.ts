import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectLooks, STILL } from './looks.ts'
import { newcomer } from './newcomers.ts'
import {
  addressOf,
  button,
  comeBack,
  field,
  isAt,
  isTold,
  logIn,
  openSecurityPage,
  part,
  password,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { eventually, FAILED_SCRIPT, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig()

const NEW_PASSWORD = 'seven green boats sail home'

/** Waits for the mails to somebody. @returns the link of the last one. */
async function linkTo(email: string, mails: number): Promise<string> {
  await eventually(async () => (await rig.links(email)).length).toBe(mails)
  return (await rig.links(email)).at(-1) ?? ''
}

/** Asks for a link by the login. @returns the link of the mail. */
async function askForLink(page: Page, email: string): Promise<string> {
  await page.goto('/admin/main')
  await field(page, 'email').fill(email)
  await part(page, 'login').locator('[data-svc-part=quiet]').click()
  await part(page, 'forgot-password').waitFor()
  await part(page, 'submit').click()
  await part(page, 'wait').waitFor()
  return linkTo(email, 1)
}

async function save(page: Page): Promise<void> {
  await field(page, 'password').fill(NEW_PASSWORD)
  await part(page, 'submit').click()
}

describe.each(VIEWS)('a forgotten password, in $locale at $width pixels', ({ texts, view }) => {
  it('is replaced by the link of a mail, and only the new one logs in', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page } = await rig.visit(view)
    const link = await askForLink(page, email)
    await sees(page, texts['ui.forgot.sent_title'])
    await expectLooks(page)
    await page.goto(link)
    await sees(page, texts['ui.new_password.title'])
    expect(addressOf(page)).toBe('/admin/main/reset-password')
    await expectLooks(page)
    await save(page)
    await isTold(page, texts['ui.reason.password_changed'])
    await isAt(page, '/admin/main/login')
    expect(await field(page, 'email').inputValue()).toBe(email)
    await field(page, 'password').fill(PASSWORD)
    await part(page, 'submit').click()
    await isTold(page, texts['svc::auth.failed'])
    await save(page)
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Bob'))
  })
})

describe('a forgotten password while the browser is offline', () => {
  it('leads back to the login, which keeps the email', async () => {
    const { page, context } = await rig.visit({ tolerated: FAILED_SCRIPT })
    await page.goto('/admin/main')
    await field(page, 'email').fill('ada@example.com')
    await context.setOffline(true)
    await part(page, 'login').locator('[data-svc-part=quiet]').click()
    await isTold(page, 'This part of the page could not be loaded.')
    await button(page, 'Back to log in').click()
    await sees(page, 'Log in')
    expect(await field(page, 'email').inputValue()).toBe('ada@example.com')
  })
})

describe('the link of a mail', () => {
  it('ends every session, works once, and leads to a new one', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page: elsewhere } = await rig.visit()
    await logIn(elsewhere, '/admin/main', email)
    await sees(elsewhere, 'Welcome, Bob')
    const { page } = await rig.visit()
    const link = await askForLink(page, email)
    await page.goto(link)
    await save(page)
    await sees(page, 'Log in')
    await comeBack(elsewhere)
    await sees(elsewhere, 'Log in')
    await page.goto(link)
    await save(page)
    await sees(page, 'This link no longer works')
    await page.getByRole('button', { name: 'Send a new link' }).click()
    await sees(page, 'Reset your password')
    expect(await field(page, 'email').inputValue()).toBe(email)
    await page.goBack()
    await sees(page, 'Log in')
  })
})

describe('an invitation', () => {
  it('lets its reader choose a password and log in with it', async () => {
    const email = await newcomer(rig, 'nothing')
    const person = await rig.panel.users.findByEmail(email)
    if (person === null) throw new Error(`there is no ${email}`)
    await rig.panel.auth.invite(person)
    const { page } = await rig.visit()
    await page.goto(await linkTo(email, 1))
    await sees(page, 'Choose your password')
    await isAt(page, '/admin/main/choose-password')
    await save(page)
    await sees(page, 'Log in')
    await submit(page, { email, password: NEW_PASSWORD })
    await sees(page, 'Welcome, Bob')
  })
})

describe('the password on the security page', () => {
  it('is changed with the current one, which ends the other sessions and not this one', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page: elsewhere } = await rig.visit()
    await logIn(elsewhere, '/admin/main', email)
    await sees(elsewhere, 'Welcome, Bob')
    const { page } = await rig.visit(STILL)
    await logIn(page, '/admin/main', email)
    await sees(page, 'Welcome, Bob')
    await openSecurityPage(page)
    await page.getByRole('button', { name: 'Change password' }).click()
    await field(page, 'current_password').fill(PASSWORD)
    await expectLooks(page)
    await save(page)
    await page.getByText('Your other sessions are logged out').first().waitFor()
    await comeBack(elsewhere)
    await sees(elsewhere, 'Log in')
    await page.reload()
    await sees(page, 'Security')
    await submit(elsewhere, { email, password: NEW_PASSWORD })
    await sees(elsewhere, 'Welcome, Bob')
    expect(await password(elsewhere).count()).toBe(0)
  })
})
