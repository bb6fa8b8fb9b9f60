import { describe, expect, it } from 'vitest'
import {
  alert,
  button,
  comeBack,
  email,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  part,
  password,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { cut, eventually, hold, startRig } from './rig.ts'

const rig = await startRig()

const SESSION_ENDED = 'Your session ended. Log in again to continue.'
const ORDERS = '/admin/main/orders?page=3'

describe('UJ-37 session ended', () => {
  it('elsewhere: a user who returns to the tab logs in and is at the same address', async () => {
    const { page } = await rig.visit()
    await logIn(page, ORDERS)
    await sees(page, 'Page not found')
    await rig.endSessions('ada@example.com')
    await comeBack(page)
    await isTold(page, SESSION_ENDED)
    await eventually(() => focused(page)).toBe('input Password')
    expect(await email(page).inputValue()).toBe('ada@example.com')
    await password(page).fill(PASSWORD)
    await password(page).press('Enter')
    await sees(page, 'Page not found')
    await isAt(page, ORDERS)
  })

  it('elsewhere: a user who follows a link logs in and is at the address of the link', async () => {
    const { page } = await rig.visit()
    // Its bell would tell the tab first.
    await hold(page, 'notifications**')
    await logIn(page, ORDERS)
    await sees(page, 'Page not found')
    await rig.endSessions('ada@example.com')
    await page.getByRole('link', { name: 'Go to the panel' }).click()
    await isTold(page, SESSION_ENDED)
    await password(page).fill(PASSWORD)
    await button(page, 'Log in').click()
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('elsewhere: a page from the back/forward cache shows nothing, whatever its styles', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const release = await hold(page, '{csrf-cookie,user}')
    const isSeen = await page.locator('h1').evaluate((heading) => {
      heading.style.visibility = 'visible'
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      return heading.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    })
    expect(isSeen).toBe(false)
    await rig.endSessions('ada@example.com')
    release()
    await sees(page, 'Log in')
    expect(await page.evaluate(() => document.body.style.opacity)).toBe('')
  })

  it('shows the login in every tab after the idle limit', async () => {
    const { page, context } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const other = await context.newPage()
    await other.goto(ORDERS)
    await sees(other, 'Page not found')
    await rig.advance({ minutes: 121 })
    await comeBack(page)
    await isTold(page, SESSION_ENDED)
    await isTold(other, SESSION_ENDED)
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
    await sees(other, 'Page not found')
    await isAt(other, ORDERS)
  })

  it('leaves nothing of the first user when another one logs in', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    await rig.endSessions('ada@example.com')
    await comeBack(page)
    await isTold(page, SESSION_ENDED)
    await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
    await submit(page, { email: 'bea@example.com', password: PASSWORD })
    await page.locator('body:not([data-same-document])').waitFor()
    await sees(page, 'Welcome, Bea Arthur')
    expect(await page.content()).not.toContain('Ada')
  })
})

describe('log out', () => {
  it('ends the other tab too', async () => {
    const { page, context } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const other = await context.newPage()
    await other.goto('/admin/main')
    await sees(other, 'Welcome, Ada Lovelace')
    await logOut(page)
    await isTold(page, 'You have logged out.')
    await isTold(other, 'You have logged out. Log in again to continue.')
    for (const tab of [page, other]) {
      await isAt(tab, '/admin/main/login')
      expect(await tab.content()).not.toContain('Ada')
      expect(await tab.content()).not.toContain('ada@example.com')
    }
    // The device cookie stays: it marks a known place, and is worth nothing without the password.
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['svc_device'])
  })

  it('leaves no page behind Back, not even after a reload', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main/orders')
    await page.getByRole('link', { name: 'Go to the panel' }).click()
    await sees(page, 'Welcome, Ada Lovelace')
    await logOut(page)
    await isTold(page, 'You have logged out.')
    await page.goBack()
    await sees(page, 'Log in')
    expect(await page.content()).not.toContain('Ada')
    await page.reload()
    await sees(page, 'Log in')
    await page.goto('about:blank')
    await page.goBack()
    await sees(page, 'Log in')
    expect(await page.content()).not.toContain('Ada')
  })

  it('is possible while the email is unverified', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main/orders', 'eve@example.com')
    await sees(page, 'Verify your email')
    await page.getByText('eve@example.com').waitFor()
    await page.goto('/admin/main/orders')
    await sees(page, 'Verify your email')
    expect(await page.getByRole('banner').count()).toBe(0)
    await button(page, 'Log out').click()
    await isTold(page, 'You have logged out.')
  })

  it('reports a failure to reach the service, and can be tried again', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const mend = await cut(page, 'logout')
    await logOut(page)
    await isTold(page, 'We could not reach the server.')
    await sees(page, 'Welcome, Ada Lovelace')
    await mend()
    await logOut(page)
    await isTold(page, 'You have logged out.')
  })
})

describe('logging in, in one tab', () => {
  it('logs the other in too, each at its own address', async () => {
    const { page, context } = await rig.visit()
    await page.goto(ORDERS)
    await sees(page, 'Log in')
    const other = await context.newPage()
    await logIn(other)
    await sees(other, 'Welcome, Ada Lovelace')
    await sees(page, 'Page not found')
    await isAt(page, ORDERS)
  })
})

describe('logging in as another user, in one tab', () => {
  /** Opens a tab of Ada and then one of Bea. The first tab receives no message of Bea's login. */
  async function openUntold() {
    const { page, context } = await rig.visit()
    await context.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'BroadcastChannel')
      Reflect.deleteProperty(globalThis, 'EventSource')
    })
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const other = await context.newPage()
    await other.goto('/admin/main')
    await sees(other, 'Welcome, Ada Lovelace')
    await logOut(other)
    await submit(other, { email: 'bea@example.com', password: PASSWORD })
    await sees(other, 'Welcome, Bea Arthur')
    await sees(page, 'Welcome, Ada Lovelace')
    return { page, other }
  }

  it('changes nothing from a tab that was not told of the login, and shows the new user there', async () => {
    const { page, other } = await openUntold()
    await logOut(page)
    await sees(page, 'Welcome, Bea Arthur')
    await other.reload()
    await sees(other, 'Welcome, Bea Arthur')
  })

  it('shows nothing of the new user in a tab that was not told, but the new user', async () => {
    const { page } = await openUntold()
    await part(page, 'bell-button').click()
    await sees(page, 'Welcome, Bea Arthur')
    await expect(part(page, 'bell-item').count()).resolves.toBe(0)
  })
})

describe('network failure', () => {
  it('keeps the input of the login, and another try works', async () => {
    const { page } = await rig.visit()
    const mend = await cut(page, 'login')
    await logIn(page)
    await isTold(page, 'We could not reach the server. Check your connection and try again.')
    await eventually(() => focused(page)).toContain('alert')
    expect(await email(page).inputValue()).toBe('ada@example.com')
    expect(await password(page).inputValue()).toBe(PASSWORD)
    await mend()
    await button(page, 'Log in').click()
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('offers another try at the start, which leads to the requested address', async () => {
    const { page } = await rig.visit()
    await logIn(page, ORDERS)
    await sees(page, 'Page not found')
    const mend = await cut(page, 'user')
    await page.reload()
    await sees(page, 'The panel cannot be opened')
    await isTold(page, 'We could not reach the server.')
    const failed = page.waitForEvent('requestfailed')
    await button(page, 'Try again').click()
    await failed
    // The message of the first failure stays while the second is on its way.
    await page.locator('[data-svc-part=retry]:not([aria-busy=true])').waitFor()
    await isTold(page, 'We could not reach the server.')
    await mend()
    await button(page, 'Try again').click()
    await sees(page, 'Page not found')
    await isAt(page, ORDERS)
  })

  it('keeps a user logged in who is', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    await cut(page, 'user')
    const failed = page.waitForEvent('requestfailed')
    await comeBack(page)
    await failed
    await sees(page, 'Welcome, Ada Lovelace')
    expect(await alert(page).textContent()).toBe('')
  })

  it.each([
    ['a page of a proxy', { status: 403, contentType: 'text/html', body: '<h1>Forbidden</h1>' }],
    ['a success that is not the service’s', { status: 200, contentType: 'text/html', body: '<p>' }],
    ['a success without the body of the route', { status: 204 }],
  ])('is shown for %s', async (_what, answer) => {
    const { page } = await rig.visit()
    await page.route('**/svc/api/login', (route) => route.fulfill(answer))
    await logIn(page)
    await isTold(page, 'We could not reach the server.')
  })

  it('is an outage of the service for a page of a proxy with 502', async () => {
    const { page } = await rig.visit()
    await page.route('**/svc/api/login', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    )
    await logIn(page)
    await isTold(page, 'Something went wrong on our side. Try again in a moment.')
  })

  it('replaces an invalid token without a message', async () => {
    const { page, context, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    await sees(page, 'Log in')
    await context.addCookies([{ name: 'XSRF-TOKEN', value: 'planted', url: rig.origin }])
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
    expect(asked.slice(0, 4)).toEqual(['GET csrf-cookie', 'POST login', 'POST login', 'GET user'])
  })
})
