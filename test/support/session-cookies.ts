import { PASSWORD, type Answer, type Browser } from './browser.ts'

/** The address of a panel on https. */
export const TLS = 'https://panel.example.test'

/** The name of the session cookie on https. */
export const SECURE_SESSION = '__Host-Http-svc_session'

/** The name of the session cookie on http. */
export const SESSION = 'svc_session'

/** The name of the token cookie. */
export const TOKEN = 'XSRF-TOKEN'

export const SESSION_ID = /^[\w-]{43}$/

export function credentials(who: string) {
  return { email: `${who}@x.test`, password: PASSWORD }
}

export interface Line {
  readonly name: string
  readonly value: string
  readonly attributes: string
}

/** Returns the `Set-Cookie` lines of an answer. */
export function linesOf(answer: Answer): readonly Line[] {
  return (answer.headers['set-cookie'] ?? []).map((line) => {
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*); (.*)$/.exec(line) ?? []
    return { name, value, attributes }
  })
}

/** Copies the cookies of a browser to another. */
export function withCookiesOf(from: Browser, to: Browser): Browser {
  for (const name of [SESSION, SECURE_SESSION, TOKEN]) to.setCookie(name, from.cookie(name))
  return to
}
