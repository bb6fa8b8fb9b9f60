import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { newcomer } from './newcomers.ts'
import {
  alert,
  button,
  comeBack,
  expectNothingLeaked,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  sees,
  typeLogin,
} from './person.ts'
import { attributesWith } from './looks.ts'
import { eventually, hold, startRig } from './rig.ts'
import {
  answersTo,
  codeFor,
  contentOf,
  openCodes,
  press,
  reach,
  SECURITY,
  shownCodes,
  shownKey,
  typeCode,
} from './second-factor.ts'
import { loseAnswer, loseAnswerAndCookies } from './security-states.ts'

const rig = await startRig()

const CODES = 'Save your recovery codes'
const LEAVE = 'Your recovery codes will not be shown again. Leave anyway?'
const LOST = 'Two-factor authentication is on, but we could not show your recovery codes.'
const status = (page: Page) => page.getByRole('status')
const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

/** Notes what the page announces from now on: one announcement may follow the other at once. */
async function announcements(page: Page): Promise<() => Promise<readonly string[]>> {
  const said = await page.evaluateHandle(() => {
    const all: string[] = []
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role=status]'))
        all.push(textContent ?? '')
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return all
  })
  return async () => said.jsonValue()
}

describe('UJ-23 set up, with the keyboard alone', () => {
  it('shows image and key, accepts the code, shows the recovery codes, and asks for a code from then on', async () => {
    const { page, context } = await rig.visit()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const email = await newcomer(rig, 'nothing')
    await typeLogin(page, '/admin/main', email)
    await eventually(() => focused(page)).toBe('h1 Welcome, Bob')
    await press(page, 'Account menu: Bob')
    await press(page, 'Security')
    await isAt(page, SECURITY)
    await eventually(() => focused(page)).toBe('h1 Security')
    await section(page).getByText('Off', { exact: true }).waitFor()

    await press(page, 'Set up')
    await eventually(() => focused(page)).toBe('h2 Set up two-factor authentication')
    const image = page.getByRole('img', {
      name: 'QR code that adds this account to an authenticator app',
    })
    await eventually(() =>
      image.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
    ).toBeGreaterThan(100)
    const secret = await shownKey(page)
    expect(await attributesWith(page, secret)).toEqual([])
    await press(page, 'Cannot scan it? Type this key into the app.')
    await press(page, 'Copy set-up key', 'Space')
    await eventually(() => status(page).textContent()).toBe('Copied')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    await typeCode(page, rig)
    await eventually(() => focused(page)).toBe(`h1 ${CODES}`)
    expect(new Set(await shownCodes(page)).size).toBe(10)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await eventually(() => focused(page)).toBe('h1 Security')
    await section(page).getByText('On', { exact: true }).waitFor()
    await expectNothingLeaked(context, page)
    await press(page, 'Account menu: Bob')
    await press(page, 'Log out')
    await rig.advance({ seconds: 30 })
    await logIn(page, '/admin/main', email)
    await sees(page, 'Enter your code')
    await page.keyboard.type(codeFor(rig, secret))
    await page.keyboard.press('Enter')
    await sees(page, 'Welcome, Bob')
  })

  it('keeps image and key after a wrong code and after the page was left', async () => {
    const { page } = await rig.visit()
    await logIn(page, SECURITY, await newcomer(rig, 'nothing'))
    await press(page, 'Set up')
    const image = page.getByRole('img')
    const before = await image.getAttribute('src')
    await reach(page, 'Code shown by the app')
    await page.keyboard.type('000 000')
    await page.keyboard.press('Enter')
    await isTold(page, 'That code is not right. Try the newest code in the app.')
    expect(await focused(page)).toBe('input Code shown by the app')
    expect(await page.getByRole('textbox').inputValue()).toBe('')
    expect(await image.getAttribute('src')).toBe(before)
    await page.reload()
    await press(page, 'Continue set-up')
    expect(await image.getAttribute('src')).toBe(before)
    await press(page, 'Start over')
    await eventually(() => image.getAttribute('src')).not.toBe(before)
  })

  it('leads to the login when the session has ended meanwhile', async () => {
    const { page } = await rig.visit()
    // Its stream would tell the tab before the code is typed.
    await hold(page, 'notifications/stream')
    const email = await newcomer(rig, 'nothing')
    await logIn(page, SECURITY, email)
    await press(page, 'Set up')
    await shownKey(page)
    await rig.endSessions(email)
    await typeCode(page, rig)
    await isTold(page, 'Your session ended. Log in again to continue.')
  })
})

describe('UJ-25 once only, with the keyboard alone', () => {
  it('can be copied, downloaded and printed, until the user acknowledges them', async () => {
    const { page, context } = await rig.visit()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const confirmed = page.waitForResponse('**/two-factor/confirm')
    const { email } = await openCodes(page, rig)
    expect((await confirmed).headers()['cache-control']).toBe('no-store')
    const codes = await shownCodes(page)

    await press(page, 'Copy')
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      codes.join('\n'),
    )
    const downloading = page.waitForEvent('download')
    await press(page, 'Download')
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(/^recovery-codes-localhost-\d{4}-\d\d-\d\d\.txt$/)
    const [title, ...lines] = (await contentOf(file)).split('\r\n')
    expect(title).toContain(`Recovery codes of ${email} for Acme Panel at localhost`)
    expect(lines).toEqual(['', ...codes, ''])

    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await press(page, 'Print')
    await page.locator('body[data-printed]').waitFor()
    await page.emulateMedia({ media: 'print' })
    const printed = await page.evaluate(() => document.body.innerText.trim().split(/\s*\n\s*/))
    expect(printed).toEqual([CODES, title, ...codes])
    await page.emulateMedia({ media: 'screen' })

    expect(await button(page, 'Done').getAttribute('aria-disabled')).toBe('true')
    await press(page, 'Done')
    await sees(page, CODES)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    await press(page, 'Done')
    await sees(page, 'Security')
  })

  it('asks before the page is left by a link, Log out, Back or a reload', async () => {
    const { page } = await rig.visit()
    await openCodes(page, rig)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(`${dialog.type()} ${dialog.message()}`)
      void dialog.dismiss()
    })
    await press(page, 'Acme Panel')
    await press(page, 'Account menu: Bob')
    await press(page, 'Log out')
    expect(asked).toEqual([`confirm ${LEAVE}`, `confirm ${LEAVE}`])
    await page.evaluate(() => history.back())
    await eventually(() => asked.length).toBe(3)
    await isAt(page, SECURITY)
    await page.evaluate(() => location.reload())
    await eventually(() => asked.length).toBe(4)
    expect(asked[3]).toMatch(/^beforeunload/)
    await sees(page, CODES)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Acme Panel')
    await sees(page, 'Welcome, Bob')
    expect(asked).toHaveLength(4)
  })

  it('leaves the page when the user confirms', async () => {
    const { page } = await rig.visit()
    await openCodes(page, rig)
    page.on('dialog', (dialog) => void dialog.accept())
    await press(page, 'Acme Panel')
    await sees(page, 'Welcome, Bob')
  })

  it('leaves no trace of the codes in page, storage or history', async () => {
    const { page, context } = await rig.visit()
    await openCodes(page, rig)
    const codes = await shownCodes(page)
    const answers = answersTo(page)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await sees(page, 'Security')
    const seen = [await page.content()]
    await page.goBack()
    seen.push(await page.content())
    await page.goForward()
    await page.reload()
    await section(page).getByText('On', { exact: true }).waitFor()
    seen.push(await page.content(), ...(await Promise.all(answers)))
    await page.goto('about:blank')
    await page.goBack()
    await section(page).waitFor()
    seen.push(await page.content())
    expect(codes).toHaveLength(10)
    for (const code of codes) expect(seen.filter((text) => text.includes(code))).toEqual([])
    await expectNothingLeaked(context, page)
  })
})

describe('UJ-26 turn off', () => {
  it('asks first, stays on after Escape, and turns off after a confirmation', async () => {
    const { page } = await rig.visit()
    const { email } = await openCodes(page, rig)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await press(page, 'Turn off')
    const dialog = page.getByRole('alertdialog', { name: 'Turn off two-factor authentication?' })
    await dialog.waitFor()
    expect(await dialog.getAttribute('aria-describedby')).not.toBeNull()
    await eventually(() => focused(page)).toBe('button Keep it on')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await eventually(() => focused(page)).toBe('button Turn off')
    await section(page).getByText('On', { exact: true }).waitFor()

    await page.keyboard.press('Enter')
    const announced = await announcements(page)
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await eventually(announced).toContain('Two-factor authentication is off.')
    await section(page).getByText('Off', { exact: true }).waitFor()
    await eventually(() => focused(page)).toBe('h2 Two-factor authentication')
    await logOut(page)
    await logIn(page, '/admin/main', email)
    await sees(page, 'Welcome, Bob')
  })
})

describe('UJ-27 forced set-up, with the keyboard alone', () => {
  it('keeps a required user on the page until the codes are saved', async () => {
    const { page } = await rig.visit()
    const email = await newcomer(rig, 'second-factor')
    await logIn(page, '/admin/main/orders', email)
    await sees(page, 'Security')
    await page.getByText('Two-factor authentication is required.').waitFor()
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Notifications/ }).count()).toBe(0)
    await page.goto('/admin/main')
    await sees(page, 'Security')
    await button(page, 'Log out').press('Enter')
    await isTold(page, 'You have logged out.')

    await typeLogin(page, '/admin/main/orders', email)
    await eventually(() => focused(page)).toBe('h1 Security')
    await press(page, 'Set up')
    await typeCode(page, rig)
    await sees(page, CODES)
    const codes = await shownCodes(page)
    // Whoever puts them into another window comes back.
    const asked = page.waitForResponse('**/svc/api/user')
    await comeBack(page)
    expect((await asked).status()).toBe(200)
    expect(await shownCodes(page)).toEqual(codes)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await sees(page, 'Page not found')
    await isAt(page, '/admin/main/orders')
    await press(page, 'Account menu: Bob')
    await press(page, 'Security')
    await section(page).getByText('Your role requires two-factor authentication').waitFor()
    expect(await page.getByRole('button', { name: 'Turn off' }).count()).toBe(0)
  })

  it('names the account in the downloaded file', async () => {
    const { page } = await rig.visit()
    const email = await newcomer(rig, 'second-factor')
    await logIn(page, '/admin/main', email)
    await press(page, 'Set up')
    await typeCode(page, rig)
    const downloading = page.waitForEvent('download')
    await press(page, 'Download')
    expect(await contentOf(await downloading)).toContain(email)
  })
})

describe('the answer with the recovery codes is lost', () => {
  it('says so, and how to get new codes', async () => {
    const { page } = await rig.visit()
    await logIn(page, SECURITY, await newcomer(rig, 'nothing'))
    await press(page, 'Set up')
    await loseAnswer(page)
    await typeCode(page, rig)
    await isTold(page, `${LOST} Turn it off and set it up again to get codes.`)
    await section(page).getByText('On', { exact: true }).waitFor()
    expect(await focused(page)).toContain('alert')
  })

  it('names the administrator to ask when the second factor is required', async () => {
    const { page } = await rig.visit()
    await logIn(page, '/admin/main/orders', await newcomer(rig, 'second-factor'))
    await press(page, 'Set up')
    await loseAnswer(page)
    await typeCode(page, rig)
    await isTold(page, `${LOST} Ask an administrator to reset it.`)
    await comeBack(page)
    await alert(page).filter({ hasText: LOST }).waitFor()
    await press(page, 'Done')
    await isAt(page, '/admin/main/orders')
  })
})

describe('recovery codes that nobody has confirmed', () => {
  const UNSEEN = 'You have not confirmed that your recovery codes are saved.'
  const unseen = (page: Page) => section(page).getByText(UNSEEN)

  it('are mentioned after a reload, until the second factor is set up again', async () => {
    const { page } = await rig.visit()
    await logIn(page, SECURITY, await newcomer(rig, 'nothing'))
    await press(page, 'Set up')
    await loseAnswer(page)
    await typeCode(page, rig)
    await isTold(page, LOST)
    await page.unroute('**/svc/api/two-factor/confirm')
    await page.reload()
    await unseen(page).waitFor()
    await rig.advance({ seconds: 30 })
    await press(page, 'Turn off')
    await page.getByRole('alertdialog').waitFor()
    await button(page, 'Turn off').last().click()
    await press(page, 'Set up')
    await typeCode(page, rig)
    await sees(page, CODES)
    await press(page, 'I have saved these codes', 'Space')
    await press(page, 'Done')
    await sees(page, 'Security')
    await page.reload()
    await section(page).getByText('On', { exact: true }).waitFor()
    expect(await unseen(page).count()).toBe(0)
  })

  it('are mentioned at the next login when the answer was lost', async () => {
    const { page } = await rig.visit()
    const email = await newcomer(rig, 'nothing')
    await logIn(page, SECURITY, email)
    await press(page, 'Set up')
    const secret = await shownKey(page)
    await loseAnswerAndCookies(page)
    await typeCode(page, rig)
    await isTold(page, 'We lost the connection while turning on two-factor authentication')
    await sees(page, 'Log in')
    await rig.advance({ seconds: 30 })
    await logIn(page, SECURITY, email)
    await sees(page, 'Enter your code')
    await page.keyboard.type(codeFor(rig, secret))
    await page.keyboard.press('Enter')
    await unseen(page).waitFor()
    await press(page, 'I have saved my codes')
    await unseen(page).waitFor({ state: 'detached' })
    await page.reload()
    await section(page).getByText('On', { exact: true }).waitFor()
    expect(await unseen(page).count()).toBe(0)
  })
})

describe('X8 forced colours', () => {
  it('keep the image black on white', async () => {
    const { page } = await rig.visit({ forcedColors: 'active', colorScheme: 'dark' })
    await logIn(page, SECURITY, await newcomer(rig, 'nothing'))
    await press(page, 'Set up')
    const ground = page.getByRole('img')
    await ground.waitFor()
    expect(await ground.evaluate((image) => getComputedStyle(image).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    )
  })
})
