import { describe, expect, it } from 'vitest'
import {
  alert,
  button,
  email,
  expectNothingLeaked,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  password,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { removeWhatSafari16Lacks } from './in-page.ts'
import { eventually, hold, startRig } from './rig.ts'

const rig = await startRig()

const FAILED = 'Email or password is incorrect. Check both and try again.'
const logins = (asked: readonly string[]) => asked.filter((request) => request === 'POST login')

describe('UJ-01 plain login', () => {
  it('opens the home with its h1 focused, after one login request, and nothing leaks', async () => {
    const { page, context, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    await eventually(() => focused(page)).toBe('input Email address')
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
    await isAt(page, '/admin/main')
    await eventually(() => focused(page)).toBe('h1 Welcome, Ada Lovelace')
    await eventually(() => page.title()).toBe('Welcome, \u2068Ada Lovelace\u2069 · Acme Panel')
    expect(logins(asked)).toHaveLength(1)
    await expectNothingLeaked(context, page)
  })

  it('UJ-40 can be done with the keyboard alone, in the order of reading', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main')
    await eventually(() => focused(page)).toBe('input Email address')
    await page.keyboard.type('ada@example.com')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('input Password')
    await page.keyboard.type(PASSWORD)
    const order: string[] = []
    for (let pressed = 0; pressed < 5; pressed += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
    }
    expect(order).toEqual([
      'button Show password',
      'input Keep me logged in for 30 days',
      'button Forgot your password?',
      'button Log in',
      'a Need help?',
    ])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    await sees(page, 'Welcome, Ada Lovelace')
    await eventually(() => focused(page)).toBe('h1 Welcome, Ada Lovelace')
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('button Account menu: Ada Lovelace')
    await page.keyboard.press('Enter')
    for (const next of [
      'a Security',
      'button Device',
      'button Light',
      'button Dark',
      'button English',
      'button العربية',
      'button Deutsch',
      'button Français',
      'button Log out',
    ]) {
      await page.keyboard.press('Tab')
      expect(await focused(page)).toBe(next)
    }
    await page.keyboard.press('Enter')
    await isTold(page, 'You have logged out.')
  })

  it('L8 sends once, however often the form is sent', async () => {
    const { page, asked } = await rig.visit()
    const release = await hold(page, 'login')
    await logIn(page)
    await button(page, 'Logging in…').waitFor()
    expect(await page.locator('form').getAttribute('aria-busy')).toBe('true')
    await password(page).press('Enter')
    await button(page, 'Logging in…').click()
    release()
    await sees(page, 'Welcome, Ada Lovelace')
    expect(logins(asked)).toHaveLength(1)
  })

  it('skips the form for a user who is logged in', async () => {
    const { page, context } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    const other = await context.newPage()
    await other.goto('/admin/main/login?next=/admin/main/orders')
    await sees(other, 'Page not found')
    await isAt(other, '/admin/main/orders')
  })
})

describe('UJ-02 wrong and empty', () => {
  it('L5 asks for both fields without a request; the summary is focused and leads to them', async () => {
    const { page, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    await button(page, 'Log in').click()
    await eventually(() => focused(page)).toContain('alert')
    expect(await page.getByRole('alert', { name: 'There is a problem' }).count()).toBe(1)
    expect(asked).toEqual(['GET csrf-cookie'])
    expect(await email(page).getAttribute('aria-invalid')).toBe('true')
    expect(await password(page).getAttribute('aria-invalid')).toBe('true')
    await alert(page).getByRole('link', { name: 'Enter your email address' }).click()
    expect(await focused(page)).toBe('input Email address')
    await alert(page).getByRole('link', { name: 'Enter your password' }).click()
    expect(await focused(page)).toBe('input Password')
    await isAt(page, '/admin/main/login')
    expect(await page.title()).toBe('Error: Log in · Acme Panel')
  })

  it('L6 says of a wrong password only that email and password do not match, keeps the email, empties the password', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/login')
    await submit(page, { email: 'ada@example.com', password: 'wrong' })
    await isTold(page, FAILED)
    await eventually(() => focused(page)).toContain('alert')
    await eventually(() => password(page).inputValue()).toBe('')
    expect(await email(page).inputValue()).toBe('ada@example.com')
    await eventually(() => email(page).getAttribute('aria-invalid')).toBe('true')
    await eventually(() => password(page).getAttribute('aria-invalid')).toBe('true')
    await eventually(() => page.title()).toBe('Error: Log in · Acme Panel')
  })

  it('shows the same message for an unknown email', async () => {
    const { page } = await rig.visit()
    await page.goto('/admin/main/login')
    await submit(page, { email: 'nobody@example.com', password: 'wrong' })
    await isTold(page, FAILED)
  })
})

describe('UJ-04 lock after five', () => {
  it('keeps the right password out, counts the seconds down, and lets it in when they have passed', async () => {
    const { page, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      await submit(page, { email: 'ada@example.com', password: 'wrong' })
      await eventually(() => logins(asked).length).toBe(wrong)
      await isTold(page, FAILED)
      await eventually(() => password(page).inputValue()).toBe('')
    }
    const spoken = await listen(page)
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    const count = page.locator('[data-svc-part=countdown]')
    // Real seconds pass, too: on a loaded machine the page may count some of them before it is read.
    await eventually(() => count.textContent()).toMatch(
      /^Too many attempts\. Try again in [456]\d s/,
    )
    await rig.advance({ seconds: 25 })
    await eventually(() => count.textContent()).toMatch(
      /^Too many attempts\. Try again in [123]\d s/,
    )
    await isAt(page, '/admin/main/login')

    await rig.advance({ seconds: 35 })
    await isTold(page, 'You can try again now.')
    // L7: announced at the start and at the end only, while the visible text counts down.
    expect(await spoken()).toEqual([
      'There is a problemToo many attempts. Try again in 60 seconds.',
      'You can try again now.',
    ])
    expect(await email(page).inputValue()).toBe('ada@example.com')
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('X10 the button that waits stays within reach, says why, and sends nothing; another email lifts it', async () => {
    const { page, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    for (let wrong = 1; wrong <= 6; wrong += 1) {
      await submit(page, { email: 'ada@example.com', password: 'wrong' })
      await eventually(() => logins(asked).length).toBe(wrong)
      await eventually(() => password(page).inputValue()).toBe('')
    }
    await isTold(page, 'Too many attempts.')
    const submitButton = button(page, 'Log in')
    expect(await submitButton.getAttribute('aria-disabled')).toBe('true')
    const reason = page.locator(`#${await submitButton.getAttribute('aria-describedby')}`)
    expect(await reason.textContent()).toMatch(
      /^Too many attempts\. Try again in [456]\d seconds\.$/,
    )
    await submitButton.focus()
    expect(await focused(page)).toBe('button Log in')
    await page.keyboard.press('Enter')
    await password(page).press('Enter')
    expect(logins(asked)).toHaveLength(6)

    await submit(page, { email: 'bea@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Bea Arthur')
  })
})

describe('UJ-06 limit of the route', () => {
  it('makes the eleventh login of a minute wait, keeps what was typed, and lets it in after', async () => {
    const { page, asked } = await rig.visit()
    await page.goto('/admin/main/login')
    for (let sent = 1; sent <= 10; sent += 1) {
      await submit(page, { email: `somebody${sent}@example.com`, password: 'wrong' })
      await eventually(() => logins(asked).length).toBe(sent)
      await eventually(() => password(page).inputValue()).toBe('')
    }
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    const count = page.locator('[data-svc-part=countdown]')
    await eventually(() => count.textContent()).toBe(
      'Too many requests. Wait 60 seconds and try again.',
    )
    expect(await email(page).inputValue()).toBe('ada@example.com')
    await rig.advance({ minutes: 1 })
    await isTold(page, 'You can try again now.')
    await password(page).fill(PASSWORD)
    await button(page, 'Log in').click()
    await sees(page, 'Welcome, Ada Lovelace')
  })
})

describe('UJ-07 deep link', () => {
  it('opens exactly the address that was asked for, with query and hash', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main/orders?page=2#row-9')
    await sees(page, 'Page not found')
    await isAt(page, '/admin/main/orders?page=2#row-9')
    await eventually(() => focused(page)).toBe('h1 Page not found')
  })

  it('opens without what Safari 16 lacks, and so does the link of a notification', async () => {
    await rig.notify('ada@example.com', { title: 'Backup completed', url: '/admin/main/security' })
    const { page, context } = await rig.visit()
    await context.addInitScript(removeWhatSafari16Lacks)
    await logIn(page, '/admin/main/orders?page=2#row-9')
    await sees(page, 'Page not found')
    await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
    await page.getByRole('link', { name: 'Backup completed' }).click()
    await sees(page, 'Security')
  })

  it('has the light colours in browsers without `light-dark()`, such as Safari 17.4', async () => {
    const { page } = await rig.visit()
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      const styles = await response.text()
      await route.fulfill({ response, body: styles.replaceAll('light-dark(', 'not-known(') })
    })
    await page.goto('/admin/main/login')
    const login = button(page, 'Log in')
    const color = () => login.evaluate((element) => getComputedStyle(element).backgroundColor)
    await eventually(color).toBe('rgb(36, 86, 200)')
  })

  it('redirects only to addresses of the panel', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main/login?next=https://evil.example/admin/main')
    await sees(page, 'Welcome, Ada Lovelace')
    await isAt(page, '/admin/main')
  })
})

/** Collects what the alert says, each time that it says something else. */
async function listen(page: Parameters<typeof alert>[0]): Promise<() => Promise<string[]>> {
  const said = await alert(page).evaluateHandle((region) => {
    const said: string[] = []
    new MutationObserver(() => {
      const now = region.textContent
      if (now !== '' && now !== said.at(-1)) said.push(now)
    }).observe(region, { childList: true, characterData: true, subtree: true })
    return said
  })
  return () => said.jsonValue()
}

describe('the console of a visitor', () => {
  it('shows no error at the first visit, at a reload, and after logging out', async () => {
    const { page, context } = await rig.visit()
    const errors: string[] = []
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto('/admin/main')
    await sees(page, 'Log in')
    await page.reload()
    await sees(page, 'Log in')
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Welcome, Ada Lovelace')
    await logOut(page)
    await sees(page, 'Log in')
    await page.reload()
    await sees(page, 'Log in')
    expect(errors).toEqual([])
  })

  it('keeps a user logged in whose token cookie was deleted', async () => {
    const { page, context } = await rig.visit()
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    await context.clearCookies({ name: 'XSRF-TOKEN' })
    await page.reload()
    await sees(page, 'Welcome, Ada Lovelace')
  })

  it('logs in beside a token that was planted on a longer path', async () => {
    const { page, context } = await rig.visit()
    const { hostname } = new URL(rig.origin)
    await context.addCookies([
      { name: 'XSRF-TOKEN', value: 'planted', domain: hostname, path: '/admin' },
    ])
    await logIn(page)
    await sees(page, 'Welcome, Ada Lovelace')
    await logOut(page)
    await sees(page, 'Log in')
    await context.clearCookies({ name: 'XSRF-TOKEN' })
  })
})
