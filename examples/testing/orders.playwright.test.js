import { expect, test } from '@playwright/test'
import { loginAs } from '@svc/auth/testing'
import { startApplication } from './application.js'

let application

test.beforeAll(async () => {
  application = await startApplication()
})
test.afterAll(() => application.stop())

test('the panel greets a user who needs no password here', async ({ context, page }) => {
  const { auth, url, users } = application
  const { cookies } = await loginAs(auth, await users.findByEmail('ada@example.com'))
  await context.addCookies([...cookies])
  await page.goto(`${url}/admin/main`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada')
})
