import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { expectLooks, STILL } from './looks.ts'
import { newcomer } from './newcomers.ts'
import { addressOf, comeBack, enter, logIn, part, sees } from './person.ts'
import { eventually, startRig } from './rig.ts'
import { VIEWS } from './views.ts'

const rig = await startRig({ trusted_proxies: ['127.0.0.0/8', '::1/128'] })

const rows = (page: Page) => part(page, 'session')

/** Opens a browser in a network, as a proxy reports it. */
async function visitFrom(network: string, options: Parameters<typeof rig.visit>[0] = {}) {
  return rig.visit({ ...STILL, ...options, extraHTTPHeaders: { 'x-forwarded-for': network } })
}

describe.each(VIEWS)('the sessions of a user, in $locale at $width pixels', ({ texts, view }) => {
  it('are listed, and end in the other browser', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page } = await visitFrom('203.0.113.7', view)
    await enter(page, '/admin/main/security', email)
    await eventually(() => rows(page).count()).toBe(1)
    await part(page, 'hint').getByText(texts['ui.sessions.none']).waitFor()
    const { page: other } = await visitFrom('198.51.100.9')
    await logIn(other, '/admin/main', email)
    await sees(other, 'Welcome, Bob')
    await page.reload()
    await eventually(() => rows(page).count()).toBe(2)
    expect(await rows(page).nth(1).innerText()).toContain('198.51.100.x')
    await expectLooks(page)
    await rows(page).nth(1).getByRole('button').click()
    await eventually(() => rows(page).count()).toBe(1)
    await comeBack(other)
    await sees(other, 'Log in')
  })

  it('end all at once by the link of the mail about a login', async () => {
    const email = await newcomer(rig, 'nothing')
    const { page } = await visitFrom('203.0.113.7', view)
    await enter(page, '/admin/main', email)
    await sees(page, texts['ui.home.title'].replace('{{name}}', 'Bob'))
    const { page: thief } = await visitFrom('198.51.100.9')
    await logIn(thief, '/admin/main', email)
    await sees(thief, 'Welcome, Bob')
    await eventually(async () => (await rig.links(email)).length).toBe(1)
    const [link = ''] = await rig.links(email)
    await page.goto(link)
    await sees(page, texts['ui.disown.title'])
    expect(addressOf(page)).toBe('/admin/main/not-me')
    await expectLooks(page)
    await part(page, 'submit').click()
    await sees(page, texts['ui.disown.done_title'])
    await expectLooks(page)
    await comeBack(thief)
    await sees(thief, 'Log in')
    await eventually(async () => (await rig.links(email)).length).toBe(2)
    expect((await rig.links(email)).at(-1)).toContain('/reset-password#')
  })
})
