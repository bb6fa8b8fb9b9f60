import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeViolations, cutOff, SCHEMES, STILL, tooSmall, withoutFocusRing } from './looks.ts'
import { newcomer } from './newcomers.ts'
import {
  addressOf,
  alert,
  button,
  comeBack,
  focused,
  isAt,
  isTold,
  logIn,
  logOut,
  PASSWORD,
  sees,
  submit,
} from './person.ts'
import { cut, eventually, spa, startRig } from './rig.ts'

const rig = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

const crowd = await startRig({ spa: { ...spa, pages: '/panel/pages/pages.js' } })

const SEND = '/admin/main/send'
const PEOPLE = '/admin/main/people'

async function open(page: Page, address: string): Promise<void> {
  await logIn(page, address)
  await page.locator('.panel-people, .panel-form:visible').first().waitFor()
}

/** Returns the unread count that the user's own browser gets. */
async function unreadOf(who: string): Promise<number> {
  const { page, context } = await rig.visit()
  await logIn(page, '/admin/main', who)
  await page.locator('.svc-header').waitFor()
  const answer = await context.request.get('/svc/api/notifications', {
    headers: { origin: rig.origin },
  })
  const { unread_count: unread } = (await answer.json()) as { unread_count: number }
  await context.close()
  return unread
}

const to = (page: Page) => page.getByRole('combobox', { name: 'To' })
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const url = (page: Page) => page.getByRole('textbox', { name: 'Link (optional)' })

describe('a form that is half filled in when the session ends', () => {
  const ENDED = 'Your session ended. Log in again to continue.'
  const end = async () => rig.endSessions('ada@example.com')

  it.each([
    {
      what: 'a session that the server has ended',
      told: ENDED,
      leave: async (page: Page) => end().then(async () => comeBack(page)),
    },
    {
      what: 'a form that is sent after the end',
      told: ENDED,
      leave: async (page: Page) => end().then(async () => title(page).press('Enter')),
    },
    {
      what: 'a logout in another tab',
      told: 'You have logged out. Log in again to continue.',
      async leave(page: Page) {
        const other = await page.context().newPage()
        await other.goto('/admin/main')
        await logOut(other)
      },
    },
  ])('is as it was after the login, for $what', async ({ told, leave }) => {
    const { page } = await rig.visit()
    await open(page, SEND)
    await title(page).fill('Half a title')
    await leave(page)
    await isTold(page, told)
    expect(await page.content()).not.toContain('bea@example.com')
    await submit(page, { email: 'ada@example.com', password: PASSWORD })
    await sees(page, 'Send a notification')
    expect(await title(page).inputValue()).toBe('Half a title')
    await to(page).selectOption({ label: 'Bea Arthur (bea@example.com)' })
    await title(page).press('Enter')
    await page.getByText('Sent to Bea Arthur.').first().waitFor()
  })
})

describe('a list of people that has several pages', () => {
  it('begins at its top again when the page is turned, which is announced', async () => {
    for (let number = 1; number <= 30; number += 1) await newcomer(crowd, 'nothing')
    const { page } = await crowd.visit()
    await open(page, PEOPLE)
    await button(page, 'Next').click()
    await page.getByRole('status').filter({ hasText: 'Page 2 of 2' }).waitFor()
    await button(page, 'Previous').waitFor()
    const list = page.locator('.panel-people')
    const top = async () => (await list.boundingBox())?.y ?? -1
    await eventually(top).toBeGreaterThan(0)
    expect(await top()).toBeLessThan(360)
    expect(await list.evaluate((one) => one.parentElement?.parentElement?.matches(':focus'))).toBe(
      true,
    )
  })
})

describe('an invitation', () => {
  it('is opened, and closed again, by one double click each', async () => {
    const { page } = await rig.visit()
    await open(page, PEOPLE)
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await button(page, 'Invite…').dblclick()
    expect([await name.isVisible(), await focused(page)]).toEqual([true, 'input Name'])
    // The browser counts a click that follows at once as the third.
    await page.mouse.move(0, 0)
    await button(page, 'Invite…').dblclick()
    expect(await name.isVisible()).toBe(false)
  })

  it('is refused at its field when somebody is there already, and keeps what was entered', async () => {
    const { page } = await rig.visit()
    await open(page, PEOPLE)
    await button(page, 'Invite…').click()
    expect(await focused(page)).toBe('input Name')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada again')
    const email = page.getByRole('textbox', { name: 'Email', exact: true })
    await email.fill('ADA@example.com')
    await email.press('Enter')
    await isTold(page, 'A person with this email address is here already.')
    await eventually(() => email.getAttribute('aria-invalid')).toBe('true')
    expect(await email.inputValue()).toBe('ADA@example.com')
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe(
      'Ada again',
    )
  })
})

describe('the people of the panel', () => {
  it('are listed by name and email', async () => {
    const { page } = await rig.visit()
    await logIn(page)
    await page.getByRole('link', { name: 'People' }).click()
    await sees(page, 'People')
    const rows = page.getByRole('list', { name: '4 people' }).getByRole('listitem')
    const [ada] = await rows.filter({ hasText: 'ada@example.com' }).all()
    for (const words of ['Ada Lovelace', 'Email not verified', 'Second factor off', 'Last login']) {
      await ada?.getByText(words).waitFor()
    }
    await eventually(() => page.title()).toBe('People · Acme Panel')
  })

  it('are found by a part of the name or the email, in any case', async () => {
    const { page } = await rig.visit()
    await open(page, PEOPLE)
    const search = page.getByRole('searchbox', { name: 'Search by name or email' })
    const names = page.locator('.panel-who > :first-child')
    await search.fill('LOVE')
    await eventually(() => names.allTextContents()).toEqual(['Ada Lovelace'])
    await search.fill('rex@')
    await eventually(() => names.allTextContents()).toEqual(['Rex Harrison'])
    await search.fill('nobody')
    await page.getByText('Nobody matches “nobody”.').first().waitFor()
  })

  it('UJ-07 keeps the address with query and hash through the login', async () => {
    const { page } = await rig.visit()
    await open(page, `${PEOPLE}?page=2#row-9`)
    expect(addressOf(page)).toBe(`${PEOPLE}?page=2#row-9`)
    expect(await focused(page)).toBe('h1 People')
  })

  it('offers another try when they cannot be loaded', async () => {
    const { page } = await rig.visit()
    await page.route('**/api/people?*', (request) => request.abort())
    await logIn(page, PEOPLE)
    await isTold(page, 'We could not reach the server.')
    expect(await focused(page)).toContain('alert')
    await eventually(() => page.title()).toBe('Error: People · Acme Panel')
    const refused = { status: 429, contentType: 'text/html', body: '<h1>Too many requests</h1>' }
    await page.route('**/api/people?*', (request) => request.fulfill(refused))
    await button(page, 'Try again').press('Enter')
    await isTold(page, 'The server cannot answer now.')
    await page.unroute('**/api/people?*')
    await button(page, 'Try again').press('Enter')
    await page.locator('.panel-people').waitFor()
    expect(await alert(page).textContent()).toBe('')
    expect(await page.evaluate(() => document.activeElement?.localName)).not.toBe('body')
  })

  it('shows an empty list', async () => {
    const { page } = await rig.visit()
    const json = { data: [], total: 0, pages: 0 }
    await page.route('**/api/people?*', (request) => request.fulfill({ json }))
    await logIn(page, PEOPLE)
    await page.locator('.panel-empty', { hasText: 'There is nobody here yet.' }).waitFor()
  })
})

describe('a notification', () => {
  it('is sent by keyboard alone, and the result is announced', async () => {
    const before = await unreadOf('bea@example.com')
    const { page } = await rig.visit()
    await open(page, SEND)
    await sees(page, 'Send a notification')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('select')
    await page.keyboard.type('Bea')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Lunch')
    await page.keyboard.press('Tab')
    await page.keyboard.type('At noon.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('/admin/main/people')
    await page.keyboard.press('Enter')
    await page
      .getByRole('status')
      .filter({ hasText: 'Sent to Bea Arthur.' })
      .waitFor({ state: 'attached' })
    await page.locator('[data-svc-part=note]').waitFor()
    for (const field of [to(page), title(page), url(page)])
      expect(await field.inputValue()).toBe('')
    expect(await focused(page)).toBe('input Link (optional)')
    expect(await unreadOf('bea@example.com')).toBe(before + 1)
  })

  it('shows the messages of the server at the fields that are at fault', async () => {
    const { page } = await rig.visit()
    await open(page, SEND)
    await url(page).fill('orders')
    await url(page).press('Enter')
    const summary = page.getByRole('alert', { name: 'There is a problem' })
    await summary.getByRole('link', { name: 'Enter a title.' }).waitFor()
    expect(await focused(page)).toContain('alert')
    await eventually(() => page.title()).toBe('Error: Send a notification · Acme Panel')
    expect(await url(page).inputValue()).toBe('orders')
    for (const [field, message] of [
      [to(page), 'Choose a person.'],
      [title(page), 'Enter a title.'],
    ] as const) {
      expect(await field.getAttribute('aria-invalid')).toBe('true')
      expect(
        await page.locator(`#${await field.getAttribute('aria-describedby')}`).textContent(),
      ).toBe(message)
    }
    await summary.getByRole('link', { name: 'Choose a person.' }).press('Enter')
    expect(await focused(page)).toContain('select')
    expect(addressOf(page)).toBe(SEND)

    await to(page).selectOption({ label: 'Bea Arthur (bea@example.com)' })
    await title(page).fill('Lunch')
    await title(page).press('Enter')
    await summary.getByRole('link', { name: /^Give a link/ }).waitFor()
    expect(await title(page).getAttribute('aria-invalid')).toBeNull()
    expect(await title(page).inputValue()).toBe('Lunch')
    await url(page).fill('/orders')
    await url(page).press('Enter')
    await page.locator('[data-svc-part=note]').waitFor()
    expect(await alert(page).textContent()).toBe('')
    await eventually(() => page.title()).toBe('Send a notification · Acme Panel')
  })

  it('is sent once, however often the button is pressed', async () => {
    const { page } = await rig.visit()
    await open(page, SEND)
    const sent: string[] = []
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/notifications', async (request) => {
      sent.push(request.request().method())
      await released
      await request.continue()
    })
    await to(page).selectOption({ label: 'Bea Arthur (bea@example.com)' })
    await title(page).fill('Lunch')
    await button(page, 'Send').click()
    await button(page, 'Sending…').click()
    release()
    await page.locator('[data-svc-part=note]').waitFor()
    expect(sent).toEqual(['POST'])
  })

  it('leads to the login when the session has ended', async () => {
    const { page } = await rig.visit()
    // The live bell would notice it first.
    await cut(page, 'notifications/**')
    await open(page, SEND)
    await rig.endSessions('ada@example.com')
    await button(page, 'Send').click()
    await isTold(page, 'Your session ended. Log in again to continue.')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await isAt(page, SEND)
  })

  it('is sent again with a new token when the token is stale', async () => {
    const { page, context } = await rig.visit()
    await open(page, SEND)
    await context.addCookies([{ name: 'XSRF-TOKEN', value: 'stale', url: rig.origin }])
    await to(page).selectOption({ label: 'Bea Arthur (bea@example.com)' })
    await title(page).fill('Lunch')
    await button(page, 'Send').click()
    await page.locator('[data-svc-part=note]').waitFor()
  })
})

describe('UJ-40 for everybody', () => {
  it.each([
    { at: PEOPLE, wrong: false },
    { at: SEND, wrong: false },
    { at: SEND, wrong: true },
  ])('X1–X6 $at, something wrong: $wrong', async ({ at, wrong }) => {
    const { page } = await rig.visit(STILL)
    await open(page, at)
    if (wrong) {
      await button(page, 'Send').click()
      await isTold(page, 'Choose a person.')
    }
    expect(await page.locator('main').count()).toBe(1)
    expect(await page.locator('h1').count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await page.getByRole('status').count()).toBe(1)
    for (const width of [1100, 320]) {
      await page.setViewportSize({ width, height: 720 })
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme })
        expect(await axeViolations(page)).toEqual([])
      }
      expect(await cutOff(page)).toEqual([])
      expect(await tooSmall(page)).toEqual([])
    }
    expect(await withoutFocusRing(page)).toEqual([])
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    expect(await cutOff(page)).toEqual([])
  })

  it.each([
    {
      locale: 'fr',
      start: 'left',
      titles: ['Personnes', 'Envoyer une notification'],
      count: '4 personnes',
      error: 'Choisissez une personne.',
      sent: 'Envoyée à Bea Arthur.',
    },
    {
      locale: 'ar',
      start: 'right',
      titles: ['الأشخاص', 'إرسال إشعار'],
      count: '4 أشخاص',
      error: 'اختر شخصًا.',
      sent: 'تم الإرسال إلى \u2068Bea Arthur\u2069.',
    },
    {
      locale: 'de',
      start: 'left',
      titles: ['Personen', 'Benachrichtigung senden'],
      count: '4 Personen',
      error: 'Wählen Sie eine Person aus.',
      sent: 'An Bea Arthur gesendet.',
    },
  ] as const)('X1–X4 in $locale', async ({ locale, start, titles, count, error, sent }) => {
    // The language is chosen in the panel; the browser wants another.
    const { page, context } = await rig.visit({ ...STILL, viewport: { width: 320, height: 720 } })
    await context.addCookies([{ name: 'svc_language', value: locale, url: rig.home }])
    await page.goto(PEOPLE)
    await page.locator('input[name=email]').fill('ada@example.com')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: count }).waitFor()
    await sees(page, titles[0])
    expect(await page.locator('.svc-nav a').allTextContents()).toEqual(
      expect.arrayContaining([...titles]),
    )
    const foreign = `main :is([lang], [dir]):not(bdi, input, [lang=${locale}])`
    expect(await page.locator(foreign).count()).toBe(0)
    const edges = await page
      .locator('h1, .panel-people')
      .evaluateAll(
        (elements, start) => elements.map((element) => element.getBoundingClientRect()[start]),
        start,
      )
    expect(edges[0]).toBe(edges[1])
    expect(await axeViolations(page)).toEqual([])
    expect(await cutOff(page)).toEqual([])

    await page.goto(SEND)
    await page.locator('.panel-form [type=submit]').click()
    await isTold(page, error)
    expect(await axeViolations(page)).toEqual([])
    expect(await cutOff(page)).toEqual([])
    await page.locator('#to').selectOption({ label: 'Bea Arthur (bea@example.com)' })
    await page.locator('#title').fill('Lunch')
    await page.locator('.panel-form [type=submit]').click()
    await page.locator('[data-svc-part=note]').filter({ hasText: sent }).waitFor()
    await context.clearCookies({ name: 'svc_language' })
  })
})
