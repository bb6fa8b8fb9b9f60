import { readFileSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { expect, it, onTestFinished } from 'vitest'
import { browserAt } from '../support/browser.ts'
import { newApplication } from '../support/guide.ts'
import { CODE_STEP, CONFIRM, SETUP } from '../support/paths.ts'
import { hasBetterSqlite3 } from '../support/sqlite.ts'
import { writtenPage } from '../support/written-page.ts'

// The tutorial installs the newest better-sqlite3. This project has one that a newer Node does not load, unless
// `scripts/nodes.mjs` names another.
it.runIf(hasBetterSqlite3)(
  'the tutorial ends with a panel that has a page, a notification and a second factor',
  async () => {
    const application = await newApplication()
    onTestFinished(async () => application.close())
    await application.follow(readFileSync('docs/tutorial.md', 'utf8'))
    await application.start()

    const ada = browserAt(application.url)
    expect((await ada.get('/api/orders')).status).toBe(401)
    // The first login starts the hashing process: 503 while a busy machine has not.
    const loggedIn = async () => (await ada.logIn('ada@example.com')).json
    await expect.poll(loggedIn, { timeout: 20_000 }).toEqual({ two_factor: false })
    expect((await ada.post('/api/orders', { item: 'A table' })).json).toEqual([
      'Two chairs',
      'A table',
    ])
    expect((await ada.get('/svc/api/notifications')).json).toMatchObject({ unread_count: 1 })
    expect(writtenPage((await ada.get('/admin/main/orders')).text)).toMatchObject({
      pagesModule: '/pages/orders.js',
    })
    expect((await ada.get('/pages/orders.js')).status).toBe(200)

    const { secret } = (await ada.post(SETUP)).json as { readonly secret: string }
    const codeAt = (timestamp: number) => ({
      code: TOTP.generate({ secret: Secret.fromBase32(secret), timestamp }),
    })
    const confirmed = await ada.post(CONFIRM, codeAt(Date.now()))
    expect(confirmed.json).toMatchObject({ recovery_codes: { length: 10 } })
    const later = browserAt(application.url)
    expect((await later.logIn('ada@example.com')).json).toMatchObject({ two_factor: true })
    // The code of the set-up is used up; that of the next step is accepted early.
    expect((await later.post(CODE_STEP, codeAt(Date.now() + 30_000))).status).toBe(204)
    expect((await later.get('/api/orders')).status).toBe(200)
  },
)
