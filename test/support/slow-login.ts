import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { PASSWORD, type Browser } from './browser.ts'
import { LOGIN } from './logins.ts'

/** A login that has begun, and whose body is sent when the test says so. */
export interface SlowLogin {
  /** Sends the body. @returns the status of the answer, whose cookies the browser has. */
  finish(): Promise<number>
}

/**
 * Begins a login, and waits until the server has taken it.
 *
 * @param at Where the server listens, and the host that the browser knows it by.
 * @param browser Has its cookies.
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
