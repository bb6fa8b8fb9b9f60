// The journey through applications in the browser, which draw the screens themselves.
import assert from 'node:assert/strict'
import { codeFor, enter, heading, SECRET_OF_BEA, walkSteps } from './person.mjs'

const LINK_AND_BUTTON = {
  openSecurity: async (page) => page.getByRole('link', { name: 'Security' }).click(),
  logOut: async (page) => page.getByRole('button', { name: 'Log out' }).click(),
  openOrders: async (page) => page.getByRole('link', { name: 'Orders' }).click(),
}
/** The user menu of react-admin; the others have a link and a button. */
const MENUS = {
  'react-admin': {
    openSecurity: async (page) => chooseInMenu(page, 'Security'),
    logOut: async (page) => chooseInMenu(page, 'Logout'),
    openOrders: async (page) => page.getByRole('menuitem', { name: 'Orders' }).click(),
  },
  refine: LINK_AND_BUTTON,
  angular: LINK_AND_BUTTON,
  vue: LINK_AND_BUTTON,
}
/** Those whose router asks before recovery codes are left by the back button. */
const GUARDED = new Set(['angular', 'vue'])
const PATHS = { list: 'orders', create: 'orders/create', security: 'security' }
/** The address of each page, below that of the application. */
const PLACES = {
  'react-admin': { list: '#/orders', create: '#/orders/create', security: '#/security' },
  refine: PATHS,
  angular: PATHS,
  vue: PATHS,
}
/** The address of the API, with the query that asks for a page of the list. */
const ORDERS = /\/api\/orders(?:\?.*)?$/
const ORDERS_OF_ADA = {
  headers: { 'X-Total-Count': '1' },
  json: [{ id: 1, item: 'Secret', by: 'Ada' }],
}
const OUTAGE = { status: 503, json: { key: 'down', message: 'The orders are down.' } }

/** Returns `true` if an example draws the screens itself. */
export function drawsScreens(name) {
  return name in MENUS
}

/**
 * Walks through the application.
 *
 * @param browser A Chromium of Playwright.
 * @param {{ readonly name: string, readonly origin: string, readonly output: () => string }} example
 *   `output`: the standard output of its server.
 * @param report Called with the name of every step that has passed.
 */
export async function walkThroughAdmin(browser, example, report) {
  const walk = async (step, context) =>
    step(applicationIn(context, example), await context.newPage())
  await walkSteps(browser, example.origin, STEPS, walk, report)
}

async function chooseInMenu(page, item) {
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Returns the actions of a person in the application of one framework. */
function applicationIn(context, example) {
  const { name, origin, output } = example
  const places = PLACES[name]
  const app = {
    context,
    output,
    address: (place) => `${origin}/admin/main/${places[place]}`,
    open: async (page, place) => page.goto(app.address(place)),
    isAt: async (page, place) => page.waitForURL(app.address(place)),
    async logIn(page, place = 'list', email = 'ada@example.com') {
      await app.open(page, place)
      await enter(page, email)
    },
    /** Opens a page as Ada. One login serves several steps: the service limits them. */
    async openAsAda(page, place = 'list') {
      if (example.cookies !== undefined) {
        await context.addCookies(example.cookies)
        return app.open(page, place)
      }
      await app.logIn(page, place)
      await page.getByRole('button', { name: /^Notifications/ }).waitFor()
      example.cookies = await context.cookies()
    },
    coffee: (page) => page.getByRole('cell', { name: 'Coffee' }),
    openSecurity: async (page) => MENUS[name].openSecurity(page),
    openOrders: async (page) => MENUS[name].openOrders(page),
    logOut: async (page) => MENUS[name].logOut(page),
    hasGuardedBack: GUARDED.has(name),
  }
  return app
}

const STEPS = {
  'a guest sees the login, and no orders': async (app, page) => {
    await app.open(page, 'list')
    await heading(page, 'Log in')
    assert.equal(await app.coffee(page).count(), 0)
    const submit = page.getByRole('button', { name: 'Log in' })
    const color = await submit.evaluate((button) => getComputedStyle(button).backgroundColor)
    assert.equal(color, 'rgb(36, 86, 200)', 'the style sheet has lost its colours')
    assert.equal((await page.request.get('/api/orders')).status(), 401)
  },
  'a wrong password is refused, and the right one leads to the page': async (app, page) => {
    await app.open(page, 'create')
    await enter(page, 'ada@example.com', 'wrong')
    await page.getByRole('alert').waitFor()
    await enter(page, 'ada@example.com')
    await page.getByLabel('Item').waitFor()
    await app.isAt(page, 'create')
  },
  'a login with a second factor needs the code': async (app, page) => {
    await app.logIn(page, 'list', 'bea@example.com')
    await heading(page, 'Enter your code')
    await page.reload()
    await heading(page, 'Enter your code')
    assert.equal((await page.request.get('/api/orders')).status(), 401)
    await page.getByRole('textbox').fill(codeFor(SECRET_OF_BEA))
    await page.keyboard.press('Enter')
    await app.coffee(page).waitFor()
    await app.isAt(page, 'list')
  },
  'an email must be verified, and the page continues by itself': async (app, page) => {
    await app.logIn(page, 'list', 'eve@example.com')
    await heading(page, 'Verify your email')
    await page.getByRole('button', { name: 'Send verification email' }).click()
    await page.getByText('Email sent.').first().waitFor()
    const link = /Mail to eve@example\.com:[\s\S]*?(?<link>https?:\/\/\S+)/.exec(app.output())
    const other = await app.context.newPage()
    await other.goto(link?.groups?.link ?? '')
    await app.coffee(other).waitFor()
    await app.coffee(page).waitFor()
    await app.isAt(page, 'list')
  },
  'a required second factor is set up first': async (app, page) => {
    await app.logIn(page, 'list', 'rex@example.com')
    await setUpFactor(page)
    assert.equal(await app.coffee(page).count(), 0)
    await page.getByLabel('I have saved these codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await app.coffee(page).waitFor()
    await app.isAt(page, 'list')
  },
  'an order is written with the token, and the bell rings without a reload': async (app, page) => {
    await app.openAsAda(page, 'create')
    await page.getByRole('button', { name: /^Notifications/ }).waitFor()
    await page.getByLabel('Item').fill('Sugar')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('cell', { name: 'Sugar' }).first().waitFor()
    const bell = page.getByRole('button', { name: /^Notifications, \d+ unread$/ })
    await bell.click()
    await page.getByText('New order: Sugar').first().waitFor()
  },
  'the user menu leads to the security page': async (app, page) => {
    await app.openAsAda(page)
    await app.coffee(page).waitFor()
    await app.openSecurity(page)
    await heading(page, 'Security')
    await page.getByRole('button', { name: 'Set up' }).waitFor()
    await app.isAt(page, 'security')
    assert.equal(await page.getByRole('main').count(), 1)
  },
  'a logout ends the session, and the next user starts at home': async (app, page) => {
    await app.logIn(page, 'create')
    await page.getByLabel('Item').waitFor()
    await app.logOut(page)
    await heading(page, 'Log in')
    assert.equal((await page.request.get('/api/orders')).status(), 401)
    await enter(page, 'ada@example.com')
    await app.coffee(page).waitFor()
    await app.isAt(page, 'list')
  },
  'a logout that fails says so, and the user stays': async (app, page) => {
    await app.openAsAda(page)
    await app.coffee(page).waitFor()
    await page.route('**/svc/api/logout', async (route) => route.abort())
    await app.logOut(page)
    await page
      .getByText(/We could not reach the server|You are still logged in/)
      .first()
      .waitFor()
    await app.coffee(page).waitFor()
    assert.equal((await page.request.get('/api/orders')).status(), 200)
  },
  'a session that ends in another tab leads to the login and back': async (app, page) => {
    await app.openAsAda(page, 'create')
    await page.getByLabel('Item').waitFor()
    const other = await app.context.newPage()
    await app.open(other, 'create')
    await other.getByLabel('Item').waitFor()
    await app.context.clearCookies()
    await other.getByLabel('Item').fill('Tea')
    await other.getByRole('button', { name: 'Save' }).click()
    await heading(other, 'Log in')
    await heading(page, 'Log in')
    await page.getByText('Your session ended.').waitFor()
    await enter(page, 'ada@example.com')
    await page.getByLabel('Item').waitFor()
    await app.isAt(page, 'create')
  },
  'an outage and a refusal of the application log nobody out': async (app, page) => {
    await app.openAsAda(page, 'create')
    await page.getByLabel('Item').waitFor()
    const answers = [OUTAGE, { status: 403, json: { message: 'The orders are closed.' } }]
    for (const answer of answers) {
      await page.route(ORDERS, async (route) => route.fulfill(answer))
      await page.getByLabel('Item').fill(`Tea ${answer.status}`)
      const refreshed = page.waitForResponse(ORDERS)
      await page.getByRole('button', { name: 'Save' }).click()
      await refreshed
      await page.getByText(answer.json.message).first().waitFor()
      await page.unroute(ORDERS)
    }
    await page.getByLabel('Item').waitFor()
    await app.isAt(page, 'create')
  },
  'another user sees nothing of the first': async (app, page) => {
    let answers = 0
    // The first user's orders arrive. Nothing arrives for the second, so that only a cache shows orders.
    await app.context.route(ORDERS, async (route) => {
      answers += 1
      if (answers === 1) await route.fulfill(ORDERS_OF_ADA)
    })
    await app.openAsAda(page)
    await page.getByRole('cell', { name: 'Secret' }).waitFor()
    // Eve logs in elsewhere, and nobody has told this tab of a logout.
    await app.context.clearCookies()
    const reloaded = page.waitForEvent('load')
    await app.logIn(await app.context.newPage(), 'list', 'eve@example.com')
    await reloaded
    await page.getByRole('button', { name: /^Notifications/ }).waitFor()
    assert.equal(await page.getByText('Secret').count(), 0)
  },
  'recovery codes are not left without a question': async (app, page) => {
    await app.openAsAda(page)
    await app.coffee(page).waitFor()
    await app.openSecurity(page)
    await setUpFactor(page)
    const asked = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await app.openOrders(page)
    assert.deepEqual(asked, ['confirm'])
    if (app.hasGuardedBack) {
      const dialog = page.waitForEvent('dialog')
      await page.evaluate(() => history.back())
      await dialog
    }
    await heading(page, 'Save your recovery codes')
    await app.isAt(page, 'security')
    await page.getByLabel('I have saved these codes').check()
    await app.openOrders(page)
    await app.coffee(page).waitFor()
    assert.equal(asked.length, app.hasGuardedBack ? 2 : 1)
  },
}

/** Sets up the second factor of the user, up to the recovery codes. */
async function setUpFactor(page) {
  await heading(page, 'Security')
  await page.getByRole('button', { name: 'Set up' }).click()
  const key = await page.locator('[data-svc-part=set-up-key] code').textContent()
  await page.getByLabel('Code shown by the app').fill(codeFor(key.replaceAll(' ', '')))
  await page.keyboard.press('Enter')
  await heading(page, 'Save your recovery codes')
}
