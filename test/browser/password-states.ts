import type { Page } from 'playwright-core'
import { newcomer } from './newcomers.ts'
import { enter, part } from './person.ts'
import type { Rig } from './rig.ts'
import type { ScreenState } from './states.ts'

/** The screens of a new password, and its section of the security page. */
export const passwordStates: readonly ScreenState[] = [
  { name: 'forgot', heading: 'ui.forgot.title', reach: (page) => openForgot(page) },
  {
    name: 'forgot-empty',
    heading: 'ui.forgot.title',
    error: true,
    async reach(page) {
      await openForgot(page)
      await part(page, 'submit').click()
      await part(page, 'alert-links').waitFor()
    },
  },
  {
    name: 'forgot-sent',
    heading: 'ui.forgot.sent_title',
    async reach(page) {
      await openForgot(page)
      await page.locator('[name=email]').fill('nobody@example.com')
      await part(page, 'submit').click()
      await part(page, 'wait').waitFor()
    },
  },
  {
    name: 'new-password',
    heading: 'ui.new_password.title',
    async reach(page) {
      await openLink(page, 'reset-password')
      await page.locator('[name=password]').fill('green boats sail')
    },
  },
  {
    name: 'new-password-empty',
    heading: 'ui.new_password.title',
    error: true,
    async reach(page) {
      await openLink(page, 'reset-password')
      await part(page, 'submit').click()
      await part(page, 'alert-links').waitFor()
    },
  },
  {
    name: 'invitation',
    heading: 'ui.new_password.first_title',
    reach: (page) => openLink(page, 'choose-password'),
  },
  {
    name: 'dead-link',
    heading: 'ui.dead_link.over_title',
    async reach(page) {
      await openLink(page, 'reset-password')
      await page.locator('[name=password]').fill('seven green boats sail home')
      await part(page, 'submit').click()
      await part(page, 'forgot-password').waitFor()
    },
  },
  { name: 'change-password', heading: 'ui.security.title', reach: openForm },
  {
    name: 'change-password-wrong',
    heading: 'ui.security.title',
    error: true,
    async reach(page, rig) {
      await openForm(page, rig)
      await page.locator('[name=current_password]').fill('wrong')
      await page.locator('[name=password]').fill('seven green boats sail home')
      await part(page, 'submit').click()
      await part(page, 'alert-links').waitFor()
    },
  },
]

async function openForgot(page: Page): Promise<void> {
  await page.goto('/admin/main/forgot-password')
  await part(page, 'submit').waitFor()
}

async function openLink(page: Page, path: string): Promise<void> {
  await page.goto(`/admin/main/${path}#token=of-no-link&email=ada%40example.com`)
  await part(page, 'choose-password').waitFor()
}

async function openForm(page: Page, rig: Rig): Promise<void> {
  const email = await newcomer(rig, 'nothing')
  await enter(page, '/admin/main/login?next=/admin/main/security', email)
  await part(page, 'security').first().locator('[data-svc-part=secondary]').click()
  await part(page, 'change-password').waitFor()
}
