import type { Page } from 'playwright-core'
import { newcomerNamed } from './newcomers.ts'
import { enter, part } from './person.ts'
import { hold, type Rig } from './rig.ts'
import type { ScreenState } from './states.ts'

/** A state of a page whose heading is not a text of the service. */
export type PageState = Pick<ScreenState, 'name' | 'reach'>

/** 90 characters, of which the longest word has 35. */
export const LONG_NAME =
  'Wolfeschlegelsteinhausenbergerdorff Maximiliana-Constanze von und zu Hohenlohe-Waldenburgg'

const PEOPLE = '/admin/main/people'
const SEND = '/admin/main/send'

/** The pages of the reference panel, and what a long name does to the screens. */
export const pageStates: readonly PageState[] = [
  { name: 'people', reach: async (page) => openPage(page, PEOPLE) },
  { name: 'send', reach: async (page) => openPage(page, SEND) },
  {
    name: 'send-empty',
    async reach(page) {
      await openPage(page, SEND)
      await page.locator('.panel-form [type=submit]').click()
      await part(page, 'alert-links').waitFor()
    },
  },
  {
    name: 'home-loading',
    async reach(page, rig) {
      await hold(page, 'notifications')
      await hold(page, 'activity')
      await hold(page, 'two-factor')
      await logIn(page, '/admin/main', await newcomerNamed(rig, 'Bob'))
    },
  },
  {
    name: 'home-unread',
    reach: async (page) => logIn(page, '/admin/main', 'bea@example.com'),
  },
  { name: 'long-name-home', reach: openLongName },
  {
    name: 'long-name-menu',
    async reach(page, rig) {
      await openLongName(page, rig)
      await page.locator('.svc-user-button').click()
    },
  },
  {
    name: 'long-name-people',
    async reach(page, rig) {
      await newcomerNamed(rig, LONG_NAME)
      await openPage(page, PEOPLE)
    },
  },
  {
    name: 'bell-long',
    async reach(page, rig) {
      const email = await newcomerNamed(rig, LONG_NAME)
      await rig.notify(email, { title: 'Backup completed' })
      await rig.notify(email, {
        title: `The export of ${LONG_NAME} is finished, and ${LONG_NAME} can see it now`,
        body: `${LONG_NAME}. `.repeat(6),
        url: '/admin/main/people',
      })
      await rig.notify(email, { title: 'Stock is low', body: 'Order more.', url: '/admin/main' })
      await logIn(page, '/admin/main', email)
      await part(page, 'bell-button').click()
      await part(page, 'bell-row').first().waitFor()
    },
  },
]

async function openPage(page: Page, address: string): Promise<void> {
  await logIn(page, address, 'ada@example.com')
  await page.locator('.panel-people, .panel-form:visible').first().waitFor()
}

async function openLongName(page: Page, rig: Rig): Promise<void> {
  await logIn(page, '/admin/main', await newcomerNamed(rig, LONG_NAME))
}

async function logIn(page: Page, address: string, email: string): Promise<void> {
  await enter(page, address, email)
  await page.locator('.svc-header').waitFor()
}
