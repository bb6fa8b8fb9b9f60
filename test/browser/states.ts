import type { Page } from 'playwright-core'
import type { MessageKey } from '../../src/rules/messages.ts'
import { bellStates } from './bell-states.ts'
import { deviceStates } from './device-states.ts'
import { newcomer, protectedNewcomer } from './newcomers.ts'
import { callApi, comeBack, failFor, part, PASSWORD } from './person.ts'
import { answerWith, cut, hold, type Rig } from './rig.ts'
import { passwordStates } from './password-states.ts'
import { securityStates } from './security-states.ts'
import { sessionStates } from './session-states.ts'

/** A state that a screen can be in, and how it is reached, whatever the language. */
export interface ScreenState {
  readonly name: string
  /** Text of its `h1`. */
  readonly heading: MessageKey
  /** `true` if an error is shown, which the title says too. */
  readonly error?: true
  readonly reach: (page: Page, rig: Rig) => Promise<unknown>
}

const LOGIN = '/admin/main/login'
const ADA = 'ada@example.com'

export const states: readonly ScreenState[] = [
  {
    name: 'loading',
    heading: 'ui.loading',
    async reach(page) {
      await hold(page, '*')
      await page.goto('/admin/main')
      await page.locator('.svc-boot h1').waitFor()
    },
  },
  { name: 'login', heading: 'ui.login.title', reach: (page) => openLogin(page) },
  {
    name: 'empty',
    heading: 'ui.login.title',
    error: true,
    async reach(page) {
      await openLogin(page)
      await part(page, 'submit').click()
      await part(page, 'alert-links').waitFor()
    },
  },
  {
    name: 'wrong-password',
    heading: 'ui.login.title',
    error: true,
    async reach(page) {
      await fillIn(page, ADA, 'wrong')
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'password-shown',
    heading: 'ui.login.title',
    async reach(page) {
      await openLogin(page)
      await page.locator('[name=email]').fill(ADA)
      await page.locator('[name=password]').fill('a password that can be read')
      await part(page, 'password-toggle').click()
      await page.locator('[name=password][type=text]').waitFor()
    },
  },
  {
    name: 'sending',
    heading: 'ui.login.title',
    async reach(page) {
      await hold(page, 'login')
      await fillIn(page, ADA, PASSWORD)
      await page.locator('form[aria-busy=true]').waitFor()
    },
  },
  {
    name: 'throttle',
    heading: 'ui.login.title',
    error: true,
    async reach(page) {
      await openLogin(page)
      await failFor(
        page,
        Array.from({ length: 5 }, () => ADA),
      )
      await fillIn(page, ADA, PASSWORD)
      await part(page, 'countdown').waitFor()
    },
  },
  {
    name: 'throttle-over',
    heading: 'ui.login.title',
    async reach(page, rig) {
      await openLogin(page)
      await failFor(
        page,
        Array.from({ length: 5 }, () => ADA),
      )
      await fillIn(page, ADA, PASSWORD)
      await part(page, 'countdown').waitFor()
      await rig.advance({ minutes: 1 })
      await part(page, 'countdown').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'too-many-requests',
    heading: 'ui.login.title',
    error: true,
    async reach(page) {
      await openLogin(page)
      await failFor(
        page,
        Array.from({ length: 10 }, (_, index) => `somebody${index}@example.com`),
      )
      await fillIn(page, ADA, PASSWORD)
      await part(page, 'countdown').waitFor()
    },
  },
  {
    name: 'network-failure',
    heading: 'ui.login.title',
    error: true,
    async reach(page) {
      await cut(page, 'login')
      await fillIn(page, ADA, PASSWORD)
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'session-ended',
    heading: 'ui.login.title',
    async reach(page, rig) {
      await openHome(page)
      await rig.endSessions(ADA)
      await comeBack(page)
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'logged-out',
    heading: 'ui.login.title',
    async reach(page) {
      await openHome(page)
      await openUserMenu(page)
      await part(page, 'logout').click()
      await part(page, 'alert-message').waitFor()
    },
  },
  { name: 'home', heading: 'ui.home.title', reach: (page) => openHome(page) },
  {
    name: 'user-menu',
    heading: 'ui.home.title',
    async reach(page) {
      await openHome(page)
      await openUserMenu(page)
    },
  },
  {
    name: 'logout-failed',
    heading: 'ui.home.title',
    error: true,
    async reach(page) {
      await openHome(page)
      await cut(page, 'logout')
      await openUserMenu(page)
      await part(page, 'logout').click()
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'not-found',
    heading: 'ui.not_found.title',
    async reach(page) {
      await fillIn(page, ADA, PASSWORD, `${LOGIN}?next=/admin/main/orders`)
      await page.locator('.svc-action').waitFor()
    },
  },
  { name: 'code', heading: 'ui.code.title', reach: owesCode },
  {
    name: 'code-recovery',
    heading: 'ui.code.title',
    async reach(page, rig) {
      await owesCode(page, rig)
      await page.locator('[data-svc-part=choices] button').first().click()
      await page.locator('form[data-svc-part=code] input[inputmode=text]').waitFor()
    },
  },
  {
    name: 'code-wrong',
    heading: 'ui.code.title',
    error: true,
    async reach(page, rig) {
      await owesCode(page, rig)
      await enterCode(page, '000000')
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'code-throttle',
    heading: 'ui.code.title',
    error: true,
    async reach(page, rig) {
      await owesCode(page, rig)
      await answerWith(page, 'login/two-factor', {
        status: 422,
        body: { key: 'svc::auth.throttle', message: '', retry_after: 3000 },
      })
      await enterCode(page, '000000')
      await part(page, 'countdown').waitFor()
    },
  },
  {
    name: 'code-over',
    heading: 'ui.login.title',
    async reach(page, rig) {
      await owesCode(page, rig)
      await rig.advance({ minutes: 5 })
      await part(page, 'login').waitFor()
      await part(page, 'alert-message').waitFor()
    },
  },
  { name: 'verify', heading: 'ui.verify.title', reach: openVerification },
  {
    name: 'verify-sent',
    heading: 'ui.verify.title',
    async reach(page, rig) {
      await openVerification(page, rig)
      await part(page, 'submit').click()
      await part(page, 'wait').waitFor()
    },
  },
  {
    name: 'verify-not-yet',
    heading: 'ui.verify.title',
    async reach(page, rig) {
      await openVerification(page, rig)
      await part(page, 'secondary').click()
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'verify-too-many',
    heading: 'ui.verify.title',
    error: true,
    async reach(page, rig) {
      await openVerification(page, rig)
      for (let sent = 0; sent < 3; sent += 1) {
        await callApi(page, 'email/verification-notification', {})
      }
      await part(page, 'submit').click()
      await part(page, 'countdown').waitFor()
    },
  },
  {
    name: 'verify-expired',
    heading: 'ui.verify.title',
    error: true,
    async reach(page, rig) {
      await openVerification(page, rig)
      await page.goto('/admin/main?verified=expired')
      await part(page, 'alert-message').waitFor()
    },
  },
  {
    name: 'unreachable',
    heading: 'ui.unreachable.title',
    error: true,
    async reach(page) {
      await cut(page, '*')
      await page.goto('/admin/main')
      await part(page, 'alert-message').waitFor()
    },
  },
  ...passwordStates,
  ...securityStates,
  ...sessionStates,
  ...deviceStates,
  ...bellStates,
]

async function owesCode(page: Page, rig: Rig): Promise<void> {
  const { email } = await protectedNewcomer(rig)
  await fillIn(page, email, PASSWORD)
  await part(page, 'code').waitFor()
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.locator('[name=code]').fill(code)
  await part(page, 'submit').click()
}

async function openVerification(page: Page, rig: Rig): Promise<void> {
  await fillIn(page, await newcomer(rig, 'verification'), PASSWORD)
  await part(page, 'verify-email').waitFor()
}

async function openLogin(page: Page, address = LOGIN): Promise<void> {
  await page.goto(address)
  await part(page, 'submit').waitFor()
}

async function openHome(page: Page): Promise<void> {
  await fillIn(page, ADA, PASSWORD)
  await page.locator('.svc-facts').waitFor()
}

async function openUserMenu(page: Page): Promise<void> {
  await page.locator('.svc-user-button').click()
  await part(page, 'logout').waitFor()
}

async function fillIn(page: Page, email: string, password: string, address = LOGIN): Promise<void> {
  if (page.url() === 'about:blank') await openLogin(page, address)
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await part(page, 'submit').click()
}
