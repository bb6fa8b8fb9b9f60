import type { Page } from 'playwright-core'
import type { ScreenState } from './states.ts'
import { enter, part } from './person.ts'
import { cut, hold } from './rig.ts'

const ADA = 'ada@example.com'

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänspatentprüfung'
const RIGHT_TO_LEFT = 'اكتمل تصدير الطلبات (2026).'

/** The bell in each of its states. */
export const bellStates: readonly ScreenState[] = [
  {
    name: 'bell-list',
    heading: 'ui.home.title',
    async reach(page, rig) {
      await rig.notify(ADA, { title: 'Backup completed' })
      await rig.notify(ADA, { title: RIGHT_TO_LEFT, body: `${RIGHT_TO_LEFT} ${LONG_WORD}` })
      await rig.notify(ADA, {
        title: 'Stock is low',
        body: 'Order more.',
        url: 'https://a.example/p',
      })
      await rig.notify(ADA, { title: 'Export finished', body: 'It is ready.', url: '/admin/main' })
      await openBell(page)
      await part(page, 'bell-row').first().waitFor()
      await part(page, 'bell-mark').nth(1).click()
      await part(page, 'bell-row').nth(1).locator('[data-svc-part=bell-mark]').waitFor({
        state: 'detached',
      })
    },
  },
  {
    name: 'bell-new',
    heading: 'ui.home.title',
    async reach(page, rig) {
      await rig.notify(ADA, { title: 'Backup completed' })
      await openBell(page)
      await part(page, 'bell-row').first().waitFor()
      await rig.notify(ADA, { title: 'Export finished' })
      await part(page, 'bell-new').waitFor()
    },
  },
  {
    name: 'bell-all-read',
    heading: 'ui.home.title',
    async reach(page, rig) {
      await rig.notify(ADA, { title: 'Backup completed' })
      await openBell(page)
      await part(page, 'bell-mark-all').click()
      await part(page, 'bell-badge').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'bell-empty',
    heading: 'ui.home.title',
    async reach(page) {
      const json = { data: [], unread_count: 0 }
      await page.route('**/svc/api/notifications', (request) => request.fulfill({ json }))
      await openBell(page)
      await part(page, 'bell-empty').waitFor()
    },
  },
  {
    name: 'bell-loading',
    heading: 'ui.home.title',
    async reach(page) {
      await hold(page, 'notifications')
      await openBell(page)
      await part(page, 'bell-note').waitFor()
    },
  },
  {
    name: 'bell-error',
    heading: 'ui.home.title',
    async reach(page) {
      await cut(page, 'notifications')
      await openBell(page)
      await part(page, 'retry').waitFor()
    },
  },
]

/** Logs in and presses the bell, whatever the language. */
async function openBell(page: Page): Promise<void> {
  await enter(page, '/admin/main/login', ADA)
  await part(page, 'bell-button').click()
  await part(page, 'bell-dialog').waitFor()
}
