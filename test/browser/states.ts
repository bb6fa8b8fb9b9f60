import type { Page } from 'playwright-core'
import type { MessageKey } from '../../src/rules/messages.ts'
import { bellStates } from './bell-states.ts'
import { comeBack, failFor, PASSWORD } from './person.ts'
import { cut, hold, type Rig } from './rig.ts'

/** A state that a screen can be in, and how it is reached, whatever the language. */
export interface ScreenState {
  readonly name: string
  /** Text of its `h1`. */
  readonly heading: MessageKey
  /** Whether an error is shown, which the title says too. */
  readonly error?: true
  readonly reach: (page: Page, rig: Rig) => Promise<unknown>
}

const LOGIN = '/admin/main/login'
const ADA = 'ada@example.com'
const part = (page: Page, name: string) => page.locator(`[data-svc-part=${name}]`)

export const states: readonly ScreenState[] = [
  {
    name: 'loading',
    heading: 'ui.loading',
    async reach(page) {
      await hold(page, 'user')
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
      await part(page, 'logout').click()
      await part(page, 'alert-message').waitFor()
    },
  },
  { name: 'home', heading: 'ui.home.title', reach: (page) => openHome(page) },
  {
    name: 'logout-failed',
    heading: 'ui.home.title',
    error: true,
    async reach(page) {
      await openHome(page)
      await cut(page, 'logout')
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
  {
    name: 'email-gate',
    heading: 'ui.verify.title',
    async reach(page) {
      await fillIn(page, 'eve@example.com', PASSWORD)
      await part(page, 'logout').waitFor()
    },
  },
  {
    name: 'unreachable',
    heading: 'ui.unreachable.title',
    error: true,
    async reach(page) {
      await cut(page, 'user')
      await page.goto('/admin/main')
      await part(page, 'alert-message').waitFor()
    },
  },
  ...bellStates,
]

async function openLogin(page: Page, address = LOGIN): Promise<void> {
  await page.goto(address)
  await part(page, 'submit').waitFor()
}

async function openHome(page: Page): Promise<void> {
  await fillIn(page, ADA, PASSWORD)
  await page.locator('.svc-facts').waitFor()
}

async function fillIn(page: Page, email: string, password: string, address = LOGIN): Promise<void> {
  if (page.url() === 'about:blank') await openLogin(page, address)
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await part(page, 'submit').click()
}
