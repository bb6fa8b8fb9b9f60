// The steps of the pictures and of the recording: each goes on from where the last one has ended.
import { TOTP } from 'otpauth'

const PASSWORD = 'correct horse battery staple'

/** The newest one last. */
const NOTIFICATIONS = [
  { title: 'Backup completed', body: '48.2 GB in 12 minutes.' },
  { title: 'Invoice 2046 is overdue', body: 'Northwind Trading, due on 20 November.' },
  { title: 'Export finished', body: '12,480 orders, ready to download.', url: '/exports/7' },
  { title: 'Order 1042 was placed', body: '3 items, to be sent today.', url: '/orders/1042' },
]

const part = (page, name) => page.locator(`[data-svc-part=${name}]`)

/** Sends a user all notifications but the newest, an hour apart. */
export async function sendOlderNotifications({ auth, clock }, user) {
  for (const notification of NOTIFICATIONS.slice(0, -1)) {
    await notify(auth, user, notification)
    await clock.advance({ minutes: 52 })
  }
}

/** Sends a user the newest notification. */
export async function sendNewestNotification(auth, user) {
  await notify(auth, user, NOTIFICATIONS.at(-1))
}

async function notify(auth, user, { body = null, url = null, title }) {
  const toDatabase = () => ({ title, body, url })
  await auth.notify(user, { type: 'note', via: () => ['database'], toDatabase })
}

/** Opens the login page. */
export async function openLogin(page) {
  await page.goto('/admin/main/login')
  await part(page, 'submit').waitFor()
}

/** Types in steps, so that a recording shows it. `step` is called after each. */
export async function typeIn(field, text, step = async () => undefined, size = text.length) {
  await field.click()
  for (let at = 0; at < text.length; at += size) {
    await field.pressSequentially(text.slice(at, at + size))
    await step()
  }
}

/** Fills in the login form. */
export async function fillLogin(page, email, step) {
  await typeIn(page.locator('[name=email]'), email, step, 5)
  await typeIn(page.locator('[name=password]'), PASSWORD, step, 7)
}

/** Logs in, and waits for the header of the panel. */
export async function logIn(page, email) {
  await openLogin(page)
  await fillLogin(page, email)
  await part(page, 'submit').click()
  await part(page, 'bell-button').waitFor()
}

/** Opens the list of the bell. */
export async function openBell(page) {
  await part(page, 'bell-button').click()
  await part(page, 'bell-row').first().waitFor()
}

/** Begins to set up the second factor on the Security page. */
export async function openSetUp(page) {
  await page.goto('/admin/main/security')
  const begin = page.getByRole('button', { name: 'Set up', exact: true })
  await begin.click()
  await page.locator('[name=code]').waitFor()
}

/** Turns the second factor of a user on. @returns the function that makes codes. */
export async function protect({ page, clock }) {
  const { secret } = await callApi(page, 'two-factor/setup')
  const app = new TOTP({ secret })
  const code = () => app.generate({ timestamp: clock.now() })
  await callApi(page, 'two-factor/confirm', { code: code() })
  await clock.advance({ minutes: 1 })
  return code
}

/** Calls the service as the page does. */
async function callApi(page, route, body = {}) {
  return page.evaluate(
    async ([path, sent]) => {
      const [, token = ''] = /XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? []
      const headers = {
        'content-type': 'application/json',
        'x-xsrf-token': decodeURIComponent(token),
      }
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(sent) })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    },
    [`/svc/api/${route}`, body],
  )
}
