// The journey that every example application must pass, in Chromium against its real server.
import assert from 'node:assert/strict'
import { codeFor, enter, heading, SECRET_OF_BEA, walkSteps } from './person.mjs'

/**
 * Walks through the application.
 *
 * @param browser A Chromium of Playwright.
 * @param origin Where the application answers.
 * @param report Called with the name of every step that has passed.
 */
export async function walkThrough(browser, origin, report) {
  const walk = async (step, context) => step(await context.newPage(), origin)
  await walkSteps(browser, origin, STEPS, walk, report)
}

const STEPS = {
  'a guest is refused by the API and led to the login by a page': async (page, origin) => {
    const refused = await page.request.get('/api/orders', { maxRedirects: 0 })
    assert.equal(refused.status(), 401)
    assert.equal((await refused.json()).key, 'svc::auth.unauthenticated')
    // The server itself redirects; a script of the page would run too late.
    const answer = await page.request.get('/reports?sort=new', {
      headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
      maxRedirects: 0,
    })
    assert.ok([302, 303, 307].includes(answer.status()), `the page was ${answer.status()}`)
    assert.deepEqual(loginTarget(answer, origin), ['/admin/main/login', '/reports?sort=new'])
    await page.goto('/reports?sort=new')
    await heading(page, 'Log in')
    assert.equal(new URL(page.url()).origin, origin)
  },
  'a guest is shown no orders by any address of the page': async (page) => {
    // The addresses of which frameworks ask for the data of a page when they navigate without it.
    for (const path of [
      '/reports',
      '/reports.data',
      '/reports/__data.json',
      '/reports/_payload.json',
    ])
      for (const request of [
        {},
        { headers: { rsc: '1' } },
        { headers: { accept: 'text/html' } },
        // Next.js renders the page for a form without an action, which its proxy does not check.
        { method: 'POST', form: { item: 'By a guest' } },
      ]) {
        const answer = await page.request.fetch(path, { ...request, maxRedirects: 0 })
        assert.doesNotMatch(await answer.text(), /Coffee/, `${path} shows the orders to a guest`)
      }
  },
  'a guest cannot write, neither through the API nor by the form': async (page, origin) => {
    await logIn(page)
    await page.goto('/reports')
    const submit = await formSubmission(page, '/reports', { item: 'By a guest' })
    // The page may notice that the session is gone, and navigate while the next step does.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.request.get('/svc/api/csrf-cookie')
    const cookies = await page.context().cookies()
    const token = cookies.find(({ name }) => name.endsWith('XSRF-TOKEN'))?.value ?? ''
    const written = await page.request.post('/api/orders', {
      data: { item: 'By a guest' },
      headers: { origin, 'x-xsrf-token': token },
    })
    assert.equal(written.status(), 401)
    const submitted = await submit({ origin, accept: 'text/html', referer: `${origin}/reports` })
    assert.ok([302, 303].includes(submitted.status()), `the form was ${submitted.status()}`)
    assert.deepEqual(loginTarget(submitted, origin), ['/admin/main/login', '/reports'])
    await logIn(page)
    await page.goto('/reports')
    await heading(page, 'Reports for Ada')
    assert.equal(await page.getByText('By a guest').count(), 0)
  },
  'a wrong password is refused, and the right one leads back to the page': async (page) => {
    await page.goto('/reports?sort=new')
    await enter(page, 'ada@example.com', 'wrong')
    await page.getByRole('alert').waitFor()
    await enter(page, 'ada@example.com')
    await heading(page, 'Reports for Ada')
    assert.equal(new URL(page.url()).search, '?sort=new')
  },
  'the browser keeps no page that Back would show after the logout': async (page) => {
    await logIn(page)
    const answer = await page.request.get('/reports', { headers: { accept: 'text/html' } })
    assert.match(await answer.text(), /Reports for/)
    assert.match(answer.headers()['cache-control'] ?? 'none', /no-store/)
  },
  'a login with a second factor needs the code': async (page) => {
    await page.goto('/reports')
    await enter(page, 'bea@example.com')
    await heading(page, 'Enter your code')
    await page.getByRole('textbox').fill(codeFor(SECRET_OF_BEA))
    await page.keyboard.press('Enter')
    await heading(page, 'Reports for Bea')
  },
  'an HTML form is taken from its own page, and from no other': async (page, origin) => {
    await logIn(page)
    await page.goto('/reports')
    await page.getByLabel('Item').fill('Tea <&">')
    await page.getByRole('button', { name: 'Order' }).click()
    await page.getByText('Tea <&">, by Ada').first().waitFor()
    await heading(page, 'Reports for Ada')
    const submit = await formSubmission(page, '/reports', { item: 'Forged' })
    const forged = await submit({
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    assert.ok(forged.status() >= 300, `a forged form was ${forged.status()}`)
    const nameless = await submit({})
    assert.ok(nameless.status() >= 300, `without Origin: ${nameless.status()}`)
    await page.goto(`${origin}/reports`)
    assert.equal(await page.getByText('Forged').count(), 0)
  },
  'the API is read, kept by no cache in front, and written with the token only': async (page) => {
    await logIn(page)
    const answers = await page.evaluate(async () => {
      const order = { method: 'POST', body: JSON.stringify({ item: 'Milk' }) }
      const headers = { 'content-type': 'application/json' }
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const read = await fetch('/api/orders')
      const bare = await fetch('/api/orders', { ...order, headers })
      const right = await fetch('/api/orders', {
        ...order,
        headers: { ...headers, 'x-xsrf-token': token },
      })
      const caching = [read, right].map((answer) => answer.headers.get('cache-control'))
      return [
        read.status,
        (await read.json()).orders[0].item,
        bare.status,
        right.status,
        ...caching,
      ]
    })
    assert.deepEqual(answers.slice(0, 4), [200, 'Coffee', 419, 201])
    for (const caching of answers.slice(4)) assert.match(caching ?? 'none', /private|no-store/)
  },
  'the bell rings without a reload': async (page) => {
    await logIn(page)
    await page.goto('/admin/main')
    const bell = page.getByRole('button', { name: /^Notifications/ })
    const counted = await page.request.get('/svc/api/notifications/unread-count')
    const before = (await counted.json()).unread_count
    await bell.waitFor()
    const status = await page.evaluate(async () => {
      const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
      const { status } = await fetch('/api/orders', {
        method: 'POST',
        body: JSON.stringify({ item: 'Sugar' }),
        headers: { 'content-type': 'application/json', 'x-xsrf-token': token },
      })
      return status
    })
    assert.equal(status, 201)
    await page.getByRole('button', { name: `Notifications, ${before + 1} unread` }).waitFor()
    await bell.click()
    await page.getByText('New order: Sugar').first().waitFor()
  },
  'logging out ends the session for pages and API': async (page) => {
    await logIn(page)
    await page.goto('/admin/main')
    await page.getByRole('button', { name: /^Account menu: / }).click()
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await heading(page, 'Log in')
    assert.equal((await page.request.get('/api/orders')).status(), 401)
    await page.goto('/reports')
    await heading(page, 'Log in')
  },
  'files of the panel arrive whole and once compressed': async (page) => {
    const broken = []
    page.on('response', (response) => {
      if (response.status() >= 400 && !response.url().includes('/svc/api/'))
        broken.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', (error) => broken.push(String(error)))
    await page.goto('/admin/main')
    await heading(page, 'Log in')
    assert.deepEqual(broken, [])
  },
}

/** Returns the path that an answer redirects to, and the page to which the panel returns. */
function loginTarget(answer, origin) {
  const { pathname, searchParams } = new URL(answer.headers()['location'], origin)
  return [pathname, searchParams.get('next')]
}

async function logIn(page) {
  await page.goto('/admin/main')
  await enter(page, 'ada@example.com')
  await heading(page, 'Welcome, Ada')
}

/**
 * Returns a function that submits the form of a page as a client without scripts does. Frameworks
 * name the action of a form in its address or in hidden fields.
 */
async function formSubmission(page, path, values) {
  const html = await (await page.request.get(path)).text()
  const { action, isMultipart, hidden } = await page.evaluate((html) => {
    const form = new DOMParser().parseFromString(html, 'text/html').forms[0]
    return {
      action: form.getAttribute('action') ?? '',
      isMultipart: form.enctype === 'multipart/form-data',
      hidden: Object.fromEntries(new FormData(form)),
    }
  }, html)
  const target = new URL(action, new URL(path, page.url())).href
  const fields = { ...hidden, ...values }
  return async (headers) =>
    page.request.post(target, {
      ...(isMultipart ? { multipart: fields } : { form: fields }),
      headers,
      maxRedirects: 0,
    })
}
