// The journey through admin frameworks whose own login the panel replaces.
import assert from 'node:assert/strict'
import { enter, heading, walkSteps } from './person.mjs'

/**
 * `reads`: addresses that answer 401 to a guest. `write`: the address of the API for a new order.
 * `bare`: the statuses for GET and HEAD without the header of the token, which no guard checks for
 * them: where they could run an action, they are refused.
 */
const APPLICATIONS = {
  adminjs: {
    list: '/backoffice/resources/orders',
    create: '/backoffice/resources/orders/actions/new',
    reads: [
      '/backoffice/api/resources/orders/actions/list',
      '/backoffice/frontend/assets/app.bundle.js',
    ],
    write: '/backoffice/api/resources/orders/actions/new',
    item: (page) => page.locator('#item'),
    async leave(page) {
      await page.locator('[data-css=logged-in]').click()
      await page.getByText('Log out').click()
    },
    bare: { get: 403, head: 403 },
  },
  payload: {
    list: '/cms/collections/orders',
    create: '/cms/collections/orders/create',
    reads: ['/cms-api/orders', '/cms-api/users/me'],
    write: '/cms-api/orders',
    item: (page) => page.locator('input[name=item]'),
    async leave(page) {
      await page.getByRole('button', { name: 'Open Menu' }).first().click()
      await page.getByRole('link', { name: 'Panel', exact: true }).click()
    },
    bare: { get: 200, head: 404 },
  },
}

/** Returns `true` if the panel replaces the login of an example. */
export function hasGuardedJourney(name) {
  return name in APPLICATIONS
}

/**
 * Walks through the application.
 *
 * @param browser A Chromium of Playwright.
 * @param {{ readonly name: string, readonly origin: string }} example
 * @param report Called with the name of every step that has passed.
 */
export async function walkThroughGuarded(browser, { name, origin }, report) {
  const application = APPLICATIONS[name]
  const walk = async (step, context) => step(application, await context.newPage())
  await walkSteps(browser, origin, STEPS, walk, report)
}

const STEPS = {
  'a guest is redirected to the login, and gets nothing of the application': async (app, page) => {
    const { list, reads, write } = app
    const { status, location } = await answerTo(page, `${list}?page=1`)
    assert.match(String(status), /^30[237]$/, 'the redirect comes before any content')
    assert.match(location, /^\/admin\/main\/login\?/)
    await page.goto(`${list}?page=1`)
    await heading(page, 'Log in')
    assert.equal(new URL(page.url()).searchParams.get('next'), `${list}?page=1`)
    for (const path of reads) assert.equal((await page.request.get(path)).status(), 401, path)
    assert.equal((await page.request.post(write)).status(), 419)
  },
  'the login leads to the page, and an order is written': async (app, page) => {
    await logIn(app, page)
    await page.goto(app.create)
    await app.item(page).fill('Sugar')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/successfully created/i).waitFor()
    await page.goto(app.list)
    await page.getByRole('cell', { name: 'Sugar' }).first().waitFor()
  },
  'nothing is written without a token or the statement of the browser': async (app, page) => {
    await logIn(app, page)
    const [read] = app.reads
    const headers = { 'x-xsrf-token': 'of a script' }
    assert.equal((await page.request.get(read, { headers })).status(), 200)
    assert.equal((await page.request.get(read)).status(), app.bare.get)
    const written = await page.request.post(app.write, { data: { item: 'Tea' } })
    assert.equal(written.status(), 419)
    assert.equal((await page.request.head(read)).status(), app.bare.head)
  },
  'the application leads to the panel, whose logout ends the session': async (app, page) => {
    await logIn(app, page)
    await app.leave(page)
    await page.getByRole('button', { name: /^Account menu: / }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await heading(page, 'Log in')
    for (const path of app.reads) assert.equal((await page.request.get(path)).status(), 401, path)
    await page.goto(app.list)
    await heading(page, 'Log in')
  },
}

/** Returns the status and the location of a navigation, without following it. */
async function answerTo(page, path) {
  const headers = {
    accept: 'text/html',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const answer = await page.request.get(path, { headers, maxRedirects: 0 })
  return { status: answer.status(), location: answer.headers()['location'] ?? '' }
}

async function logIn({ list }, page) {
  await page.goto(list)
  await enter(page, 'ada@example.com')
  await page.waitForURL((url) => url.pathname === list)
  await page.getByRole('button').first().waitFor()
}
