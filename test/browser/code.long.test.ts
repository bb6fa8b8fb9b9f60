import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer, protectedNewcomer } from './newcomers.ts'
import {
  addressOf,
  alert,
  button,
  email,
  expectNothingLeaked,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  PASSWORD,
  sees,
  submit,
  typeLogin,
} from './person.ts'
import { cut, eventually, startRig } from './rig.ts'

const rig = await startRig()

const APP = 'Code from your authenticator app'
const field = (page: Page, name = APP) => page.getByRole('textbox', { name, exact: true })

async function owesCode(page: Page, who: string, address = '/admin/main'): Promise<void> {
  await logIn(page, address, who)
  await sees(page, 'Enter your code')
}

async function enter(page: Page, code: string, name = APP): Promise<void> {
  await field(page, name).fill(code)
  await field(page, name).press('Enter')
}

describe('UJ-11 code with spaces', () => {
  it('accepts a pasted code with a space; until then every API route answers 401', async () => {
    const bob = await protectedNewcomer(rig)
    const { page, context } = await rig.visit()
    await owesCode(page, bob.email, '/admin/main/orders?page=2#row-9')
    expect(await focused(page)).toBe(`input ${APP}`)
    expect(await field(page).getAttribute('autocomplete')).toBe('one-time-code')
    for (const path of ['user', 'notifications', 'two-factor', '../../api/people']) {
      expect((await page.request.get(`/svc/api/${path}`)).status()).toBe(401)
    }

    const code = await bob.code()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(
      async (text) => navigator.clipboard.writeText(text),
      `${code.slice(0, 3)} ${code.slice(3)}`,
    )
    await field(page).press('ControlOrMeta+v')
    expect(await field(page).inputValue()).toContain(' ')
    await page.keyboard.press('Enter')
    await isAt(page, '/admin/main/orders?page=2#row-9')
    await eventually(() => focused(page)).toBe('h1 Page not found')
    await expectNothingLeaked(context, page)
    expect(await page.content()).not.toContain(code)

    await page.goBack()
    await sees(page, 'Page not found')
    expect(await page.locator('input').count()).toBe(0)
  })

  it('UJ-40 can be done with the keyboard alone', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await typeLogin(page, '/admin/main', bob.email)
    await eventually(() => focused(page)).toBe(`input ${APP}`)
    const code = await bob.code()
    await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`)
    await page.keyboard.press('Enter')
    await eventually(() => focused(page)).toBe('h1 Welcome, Bob')
  })

  it('UJ-40 can be left with the keyboard alone, in the order of reading', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    const order: string[] = [await focused(page)]
    for (let pressed = 0; pressed < 5; pressed += 1) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
    }
    expect(order).toEqual([
      `input ${APP}`,
      'input Do not ask for a code in this browser for 30 days',
      'button Continue',
      'button Use a recovery code',
      'button Back to log in',
      'a Need help?',
    ])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await sees(page, 'Log in')
    await eventually(() => email(page).inputValue()).toBe(bob.email)
    expect(await focused(page)).toBe('input Password')
  })
})

describe('UJ-12 recovery code once', () => {
  it('accepts each recovery code once', async () => {
    const bob = await protectedNewcomer(rig)
    const [first = '', second = ''] = bob.recoveryCodes
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    await button(page, 'Use a recovery code').click()
    await eventually(() => focused(page)).toBe('input Recovery code')
    await enter(page, first, 'Recovery code')
    await sees(page, 'Welcome, Bob')

    await logOut(page)
    await sees(page, 'Log in')
    await submit(page, { email: bob.email, password: PASSWORD })
    await button(page, 'Use a recovery code').click()
    await enter(page, first, 'Recovery code')
    await isTold(page, 'That code is not right. 4 attempts left.')
    await enter(page, second, 'Recovery code')
    await sees(page, 'Welcome, Bob')
  })
})

describe('UJ-13 wrong code', () => {
  it('shows the remaining attempts and focuses an empty field after each wrong code', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    for (const left of [4, 3]) {
      await enter(page, '000000')
      await isTold(page, `${left} attempts left`)
      expect(await field(page).inputValue()).toBe('')
      await eventually(() => focused(page)).toBe(`input ${APP}`)
    }
    await eventually(() => page.title()).toBe('Error: Enter your code · Acme Panel')
    await enter(page, await bob.code())
    await sees(page, 'Welcome, Bob')
  })

  it('shows the code form and the remaining attempts after a reload', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email, '/admin/main/orders')
    await enter(page, '000000')
    await isTold(page, '4 attempts left')
    await page.reload()
    await sees(page, 'Enter your code')
    await enter(page, '000000')
    await isTold(page, '3 attempts left')
    await enter(page, await bob.code())
    await isAt(page, '/admin/main/orders')
  })
})

describe('UJ-14 five wrong', () => {
  it('goes back to the login with the reason and the email; a fresh login works', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    for (const left of ['4 attempts', '3 attempts', '2 attempts', '1 attempt']) {
      await enter(page, '000000')
      await isTold(page, `${left} left.`)
    }
    await enter(page, '000000')
    await sees(page, 'Log in')
    await isTold(page, 'Too many incorrect codes. Log in again.')
    expect(await email(page).inputValue()).toBe(bob.email)

    await page.goto('/admin/main/login/code')
    await sees(page, 'Log in')
    expect(addressOf(page)).toBe('/admin/main/login')

    await submit(page, { email: bob.email, password: PASSWORD })
    await enter(page, await bob.code())
    await sees(page, 'Welcome, Bob')
  })
})

describe('C6 the time', () => {
  it('expires within a second of its end and shows the login, the reason and the email', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    const timer = page.getByRole('timer', { name: 'Time left' })
    expect(await timer.textContent()).toMatch(/^5:00|4:5\d$/)
    await rig.advance({ minutes: 4, seconds: 5 })
    await page
      .getByRole('status')
      .filter({ hasText: '1 minute left' })
      .waitFor({ state: 'attached' })
    await rig.advance({ seconds: 56 })
    await sees(page, 'Log in')
    await isTold(page, 'You ran out of time to enter the code. Log in again.')
    await eventually(() => focused(page)).toContain('alert')
    expect(await email(page).inputValue()).toBe(bob.email)
    await isAt(page, '/admin/main/login')
  })
})

describe('many tabs', () => {
  it('the code in one tab lets the others in; leaving in one empties the others', async () => {
    const bob = await protectedNewcomer(rig)
    const { page, context } = await rig.visit()
    await owesCode(page, bob.email)
    const other = await context.newPage()
    await other.goto('/admin/main/orders')
    await sees(other, 'Enter your code')
    await enter(page, await bob.code())
    await sees(other, 'Page not found')
    await isAt(other, '/admin/main/orders')
    await logOut(page)
    await sees(other, 'Log in')
  })
})

describe('the network', () => {
  it('that fails leaves the code in its field', async () => {
    const bob = await protectedNewcomer(rig)
    const { page } = await rig.visit()
    await owesCode(page, bob.email)
    const mend = await cut(page, 'login/two-factor')
    const code = await bob.code()
    await enter(page, code)
    await isTold(page, 'We could not reach the server.')
    await eventually(() => focused(page)).toContain('alert')
    expect(await field(page).inputValue()).toBe(code)
    await mend()
    await button(page, 'Continue').click()
    await sees(page, 'Welcome, Bob')
  })
})

describe('UJ-17 without a second factor of their own', () => {
  it('logs in without a code', async () => {
    const bob = await newcomer(rig, 'nothing')
    const { page, asked } = await rig.visit()
    await logIn(page, '/admin/main', bob)
    await sees(page, 'Welcome, Bob')
    // The home page asks for the status of the second factor, and nothing for a code.
    expect(asked.filter((request) => request.includes('login/two-factor'))).toEqual([])
    expect(await alert(page).textContent()).toBe('')
  })
})
