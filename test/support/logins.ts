import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { PASSWORD, type Browser } from './browser.ts'
import { LOGIN } from './paths.ts'
import type { TestService } from './service.ts'
import { verdict } from './verdicts.ts'

/** Lifts the limit of the login route, so that a test meets the limits behind it. */
export const UNRATIONED = { login: { max: 100_000, window_seconds: 60 } } as const

type BrowserOptions = Parameters<TestService['browser']>[0]

/** Opens a browser that has the cookies of a guest. */
export async function visitor(
  { browser }: Pick<TestService, 'browser'>,
  options?: BrowserOptions,
): Promise<Browser> {
  const opened = browser(options)
  await opened.get('/svc/api/csrf-cookie')
  return opened
}

/** Opens a browser and logs in by the password alone. */
export async function loggedIn(
  { browser }: Pick<TestService, 'browser'>,
  email = 'u1@x.test',
  options?: BrowserOptions,
): Promise<Browser> {
  const opened = browser(options)
  const { status, json } = await opened.logIn(email)
  expect({ status, json }).toEqual({ status: 200, json: { two_factor: false } })
  return opened
}

/** Opens a browser and logs in at a tenant, which `identifyTenant` takes from the header. */
export async function loggedInAt(
  { browser }: Pick<TestService, 'browser'>,
  tenant: string,
  email = 'u1@x.test',
): Promise<Browser> {
  const opened = browser()
  const sending = { headers: { 'x-tenant': tenant } }
  await opened.get('/svc/api/csrf-cookie', sending)
  expect(verdict(await opened.post(LOGIN, { email, password: PASSWORD }, sending))).toBe('ok')
  return opened
}

/** Sends one login. @returns its verdict. */
export async function attempt(
  browser: Browser,
  email: string,
  password = 'wrong',
  headers: Readonly<Record<string, string | readonly string[] | null>> = {},
): Promise<string> {
  return verdict(await browser.post(LOGIN, { email, password }, { headers }))
}

/** Sends `count` wrong passwords, one after the other. @returns their verdicts. */
export async function wrongLogins(
  browser: Browser,
  count: number,
  email = 'u1@x.test',
): Promise<readonly string[]> {
  const verdicts: string[] = []
  for (let made = 0; made < count; made += 1) verdicts.push(await attempt(browser, email))
  return verdicts
}

/** A login whose headers were sent and whose body waits for the test. */
export interface SlowLogin {
  /** Sends the body. @returns the status of the answer. The browser keeps its cookies. */
  finish(): Promise<number>
}

/**
 * Begins a login, and waits until the server asks for its body.
 *
 * @param at The address of the server, and its host as the browser knows it.
 * @param browser Must have the cookies of a guest.
 */
export async function beginLogin(
  { url, host }: { readonly url: string; readonly host: string },
  browser: Browser,
  email: string,
): Promise<SlowLogin> {
  const body = JSON.stringify({ email, password: PASSWORD })
  const sent = request(url + LOGIN, {
    method: 'POST',
    localAddress: browser.address,
    agent: false,
    headers: {
      host,
      expect: '100-continue',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      cookie: `svc_session=${browser.cookie('svc_session')}`,
      'x-xsrf-token': browser.cookie('XSRF-TOKEN') ?? '',
    },
  })
  sent.flushHeaders()
  await once(sent, 'continue')
  return {
    async finish() {
      sent.end(body)
      const [response]: IncomingMessage[] = await once(sent, 'response')
      response?.resume()
      for (const line of response?.headers['set-cookie'] ?? []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        browser.setCookie(name, value)
      }
      return response?.statusCode ?? 0
    },
  }
}
