import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectLooks } from './looks.ts'
import { protectedNewcomer } from './newcomers.ts'
import { enter, fillLogin, part, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig()

/** Returns the days for which the browser keeps a cookie. */
async function daysOf(page: Page, name: string): Promise<number> {
  const cookie = (await page.context().cookies()).find((one) => one.name === name)
  return Math.round(((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60))
}

describe.each(VIEWS)(
  'a user who stays logged in, in $locale at $width pixels',
  ({ texts, view }) => {
    it('enters the code once in a browser, until the user ends the trust in it', async () => {
      const bob = await protectedNewcomer(rig)
      const { email } = bob
      const { page } = await rig.visit(view)
      const home = texts['ui.home.title'].replace('{{name}}', 'Bob')

      await fillLogin(page, '/admin/main', email)
      await page.locator('[name=remember]').check()
      await expectLooks(page)
      await part(page, 'submit').click()
      await sees(page, texts['ui.code.title'])
      await page.locator('[name=trust]').check()
      await expectLooks(page)
      await page.locator('[name=code]').fill(await bob.code())
      await part(page, 'submit').click()
      await sees(page, home)
      expect([await daysOf(page, 'svc_session'), await daysOf(page, 'svc_trusted')]).toEqual([
        30, 30,
      ])

      await page.context().clearCookies({ name: 'svc_session' })
      await enter(page, '/admin/main', email)
      await sees(page, home)

      await page.goto('/admin/main/security')
      const devices = page.getByRole('region', { name: texts['ui.trusted.title'] })
      await eventually(() => devices.getByRole('listitem').count()).toBe(1)
      await expectLooks(page)
      await devices.getByRole('listitem').getByRole('button').click()
      await devices.getByText(texts['ui.trusted.none']).waitFor()
      await page.context().clearCookies({ name: 'svc_session' })
      await enter(page, '/admin/main', email)
      await sees(page, texts['ui.code.title'])
    })
  },
)
