// The journey through single sign-on, with the provider that the example runs.
import assert from 'node:assert/strict'
import { codeFor, heading, newVisitor, SECRET_OF_BEA, walkSteps } from './person.mjs'

/** Returns `true` if an example logs in by a provider. */
export function hasSingleSignOn(name) {
  return name === 'single-sign-on'
}

/**
 * Walks through the application.
 *
 * @param browser A Chromium of Playwright.
 * @param {{ readonly origin: string }} example
 * @param report Called with the name of every step that has passed.
 */
export async function walkThroughSingleSignOn(browser, { origin }, report) {
  const walk = async (step, context) => {
    const other = await newVisitor(browser, origin)
    try {
      await step(await context.newPage(), await other.newPage())
    } finally {
      await other.close()
    }
  }
  await walkSteps(browser, origin, STEPS, walk, report)
}

const STEPS = {
  'a user logs in by the provider, and the API answers': async (page) => {
    await logIn(page, { account: 'ada' })
    await heading(page, 'Welcome, Ada')
    assert.equal((await page.request.get('/api/orders')).status(), 200)
  },
  'SSO-02: a user with a second factor enters the code in the panel': async (page) => {
    await logIn(page, { account: 'bea' })
    await heading(page, 'Enter your code')
    assert.equal((await page.request.get('/api/orders')).status(), 401)
    await page.getByRole('textbox').fill(codeFor(SECRET_OF_BEA))
    await page.getByRole('textbox').press('Enter')
    await heading(page, 'Welcome, Bea')
  },
  'SSO-02: nobody is asked who has proved a second factor to the provider': async (page) => {
    await logIn(page, { account: 'bea', factor: true })
    await heading(page, 'Welcome, Bea')
  },
  'an account is found by its sub, and not by an address that is not verified': async (page) => {
    await logIn(page, { account: 'mallory' })
    await page.getByText('You cannot log in with this account.').waitFor()
    assert.equal((await page.request.get('/api/orders')).status(), 401)
  },
  'an answer of the provider logs in one browser, once': async (page, other) => {
    const answer = await answerFor(page, 'ada')
    await other.goto(answer)
    await other.getByText('You cannot log in with this account.').waitFor()
    assert.equal((await other.request.get('/api/orders')).status(), 401)
    await other.goto('/sso/login')
    await other.goto(answer)
    await other.getByText('You cannot log in with this account.').waitFor()
    await page.goto(answer)
    await heading(page, 'Welcome, Ada')
    await page.goto(answer)
    await page.getByText('You cannot log in with this account.').waitFor()
  },
  'SSO-01: another account replaces the session of the browser': async (page) => {
    await logIn(page, { account: 'ada' })
    await heading(page, 'Welcome, Ada')
    const before = await cookieOf(page)
    await page.context().clearCookies({ path: '/identity' })
    await page.context().clearCookies({ name: /^_session/ })
    await logIn(page, { account: 'bea', factor: true })
    await heading(page, 'Welcome, Bea')
    assert.notEqual(await cookieOf(page), before)
  },
}

async function logIn(page, { account, factor = false }) {
  await page.goto('/sso/login')
  await page.getByLabel('Account').fill(account)
  if (factor) await page.getByLabel('With a second factor').check()
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Returns the address to which the provider sends a browser, before the application sees it. */
async function answerFor(page, account) {
  await page.goto('/sso/login')
  const sent = { form: { account }, maxRedirects: 0 }
  let address = locationOf(await page.request.post(page.url(), sent))
  while (!address.includes('/sso/callback?'))
    address = locationOf(await page.request.get(address, { maxRedirects: 0 }))
  return address
}

function locationOf(answer) {
  return new URL(answer.headers()['location'], answer.url()).href
}

async function cookieOf(page) {
  const cookies = await page.context().cookies()
  return cookies.find(({ name }) => name === 'svc_session')?.value
}
