import { describe, it } from 'vitest'
import { expectLooks } from './looks.ts'
import { newcomer } from './newcomers.ts'
import { enter } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig()

describe.each(VIEWS)('the activity of a user, in $locale at $width pixels', ({ texts, view }) => {
  it('has the login before at home, and every event on the security page', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page: elsewhere } = await rig.visit()
    await enter(elsewhere, '/admin/main', email)
    await elsewhere.locator('.svc-facts').waitFor()
    const { page } = await rig.visit(view)
    await enter(page, '/admin/main', email, 'a wrong password')
    await page.locator('[data-svc-part=alert-message]').waitFor()
    await enter(page, '/admin/main', email)
    const facts = page.locator('.svc-facts dt')
    await eventually(async () => facts.allTextContents()).toContain(texts['ui.home.last_login'])
    await page.goto('/admin/main/security')
    const events = page.locator('[data-svc-part=activity-event] strong')
    await eventually(async () =>
      (await events.allTextContents()).filter(
        (name) => name !== texts['ui.activity.event.login.unknown-place'],
      ),
    ).toEqual([
      texts['ui.activity.event.login'],
      texts['ui.activity.event.failed'],
      texts['ui.activity.event.login'],
    ])
    await expectLooks(page)
  })
})
