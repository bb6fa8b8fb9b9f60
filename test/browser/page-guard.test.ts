import { createPanelAuth } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { mount, pageGuard } from '@svc/auth/node'
import { fakeClock, fakeTwoFactor, fakeUsers, type FakeUser } from '@svc/auth/testing'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/free-port.mjs'
import { CHEAP, configAt, passwordHash } from '../support/service.ts'
import { button, PASSWORD, sees, submit } from './person.ts'
import { eventually, openHost } from './rig.ts'

const OF_OTHERS = [
  '//evil.test/x',
  '/\\evil.test',
  '/.//evil.test/x',
  'https://evil.test',
  'reports',
]

describe('a page of the host behind pageGuard', () => {
  it('is shown after the login', async () => {
    const { page } = await visit('/reports?page=2&q=a%2Fb')
    await submit(page, { email: 'ada@x.test', password: PASSWORD })
    await isShown(page, 'ada', '/reports?page=2&q=a%2Fb')
    expect((await page.goBack())?.url() ?? 'about:blank').not.toContain('/login')
  })

  it('is shown after the code', async () => {
    const { page } = await visit('/reports?page=2')
    await submit(page, { email: 'bea@x.test', password: PASSWORD })
    await sees(page, 'Enter your code')
    await page.getByRole('textbox').fill('123456')
    await page.keyboard.press('Enter')
    await isShown(page, 'bea', '/reports?page=2')
  })

  it('is shown after the email is verified', async () => {
    const { page, links } = await visit('/reports?page=2')
    await submit(page, { email: 'una@x.test', password: PASSWORD })
    await sees(page, 'Verify your email')
    await button(page, 'Send verification email').click()
    await eventually(async () => links.length).toBe(1)
    const tab = await page.context().newPage()
    await tab.goto(links[0] ?? '')
    await sees(tab, 'Welcome, una')
    await isShown(page, 'una', '/reports?page=2')
  })

  it('is shown after the forced set-up, once the recovery codes are saved', async () => {
    const { page } = await visit('/reports?page=2')
    await submit(page, { email: 'rex@x.test', password: PASSWORD })
    await button(page, 'Set up').click()
    await page.getByLabel('Code shown by the app').fill('123456')
    await page.keyboard.press('Enter')
    await sees(page, 'Save your recovery codes')
    await page.getByLabel('I have saved these codes').check()
    await button(page, 'Done').click()
    await isShown(page, 'rex', '/reports?page=2')
  })

  it('is shown at once to a user who opens the login with a session', async () => {
    const { page } = await visit('/reports')
    await submit(page, { email: 'ada@x.test', password: PASSWORD })
    await isShown(page, 'ada', '/reports')
    await page.goto('/admin/main/login?next=%2Freports%3Fpage%3D3')
    await isShown(page, 'ada', '/reports?page=3')
    await page.goto('/admin/main?next=%2Freports%3Fpage%3D4')
    await isShown(page, 'ada', '/reports?page=4')
  })

  it('that demands a confirmation is shown once the user has confirmed', async () => {
    const { page, clock } = await visit('/reports/secret?page=2')
    await submit(page, { email: 'ada@x.test', password: PASSWORD })
    await isShown(page, 'ada', '/reports/secret?page=2')
    clock.advance({ minutes: 20 })
    await page.goto('/reports/secret?page=3')
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await isShown(page, 'ada', '/reports/secret?page=3')
  })

  it('that demands a confirmation takes a code, and the panel is shown instead without one', async () => {
    const { page, clock } = await visit('/reports')
    await submit(page, { email: 'bea@x.test', password: PASSWORD })
    await sees(page, 'Enter your code')
    await page.getByRole('textbox').fill('123456')
    await page.keyboard.press('Enter')
    await isShown(page, 'bea', '/reports')
    clock.advance({ minutes: 20 })
    await page.goto('/reports/secret')
    await button(page, 'Cancel').click()
    await sees(page, 'Welcome, bea')
    await page.goto('/reports/secret')
    await button(page, 'Use a code').click()
    await page.getByRole('dialog').getByRole('textbox').fill('123 456')
    await page.keyboard.press('Enter')
    await isShown(page, 'bea', '/reports/secret')
  })

  it('that refuses a user with a session leads to the panel instead of a loop', async () => {
    const { page } = await visit('/broken')
    await submit(page, { email: 'ada@x.test', password: PASSWORD })
    await sees(page, 'Welcome, ada')
    expect(new URL(page.url()).pathname).toBe('/admin/main')
  })

  it('is never one of another site', async () => {
    const { page } = await visit('/admin/main/login')
    for (const next of OF_OTHERS) {
      await page.context().clearCookies()
      await page.goto(`/admin/main/login?${new URLSearchParams({ next }).toString()}`)
      const left: string[] = []
      page.on('request', (request) => {
        if (request.isNavigationRequest()) left.push(`${next}: ${request.url()}`)
      })
      await submit(page, { email: 'ada@x.test', password: PASSWORD })
      await sees(page, 'Welcome, ada')
      expect(left).toEqual([])
    }
  })
})

async function isShown(page: Page, name: string, address: string): Promise<void> {
  await sees(page, `Reports for ${name}`)
  const { pathname, search } = new URL(page.url())
  expect(pathname + search).toBe(address)
}

/** Opens an address of a host in a browser that has no session. */
async function visit(address: string) {
  const origin = `http://localhost:${await freePort()}`
  const links: string[] = []
  const clock = fakeClock()
  const auth = createPanelAuth<FakeUser>({
    config: { ...configAt(origin), spa: {}, passwords: CHEAP },
    stores: memoryStores(),
    clock,
    confirmation: true,
    users: fakeUsers(
      ['ada', 'bea', 'rex', 'una'].map((name) => ({
        id: name,
        name,
        email: `${name}@x.test`,
        passwordHash,
        mustVerify: name === 'una',
      })),
    ),
    twoFactor: fakeTwoFactor({ enabled: ['bea'], required: ['rex'] }),
    mailer: {
      async send({ text }) {
        links.push(/https?:\S+/.exec(text)?.[0] ?? '')
      },
    },
  })
  const login = '/admin/main/login'
  const admit = pageGuard(auth, { login })
  const admitConfirmed = pageGuard(auth, { login, confirmedWithin: 15 })
  const answer = mount(auth)
  const page = await openHost(auth, origin, (request, response) => {
    answer(request, response, () => {
      if (request.url === '/broken') {
        response.writeHead(302, { location: '/admin/main/login?next=%2Fbroken' }).end()
        return
      }
      const isSecret = request.url?.startsWith('/reports/secret') === true
      void (isSecret ? admitConfirmed : admit)(request, response).then((user) => {
        if (user === null) return
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(`<!doctype html><link rel="icon" href="data:,"><h1>Reports for ${user.name}`)
      })
    })
  })
  await page.goto(address)
  return { page, links, clock }
}
