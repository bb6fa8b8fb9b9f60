import { outbox, type Outbox } from '@svc/auth/testing'
import type { Answer, Browser } from './browser.ts'
import { loggedIn } from './logins.ts'
import { SEND_LINK } from './paths.ts'
import { startService, type Changes, type TestService } from './service.ts'

/** Lifts the limit of asking for mails. */
export const UNRATIONED_MAIL = { 'svc.email.send': { max: 1000, window_seconds: 60 } } as const

export interface MailService extends TestService {
  readonly mailer: Outbox
}

/** Starts the service with a mailer that keeps its mails. */
export async function startMailService(changes: Changes = {}): Promise<MailService> {
  const mailer = outbox()
  return { ...(await startService({ mailer, ...changes })), mailer }
}

/** Asks for a link and reads it from the mail. @returns its path and query. */
export async function askForLink(
  { mailer }: MailService,
  browser: Browser,
  { body, email = 'u3@x.test' }: { readonly body?: unknown; readonly email?: string } = {},
): Promise<string> {
  const { status } = await browser.post(SEND_LINK, body)
  if (status !== 202) throw new Error(`no link was sent: ${status}`)
  return pathOfLink(mailer.link(email))
}

/** Returns the path and query of a link. */
export function pathOfLink(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** Opens a link as from a mail program: a navigation without referrer and cookies. */
export async function openLink(browser: Browser, path: string): Promise<Answer> {
  const none = { origin: null, referer: null, cookie: null }
  const navigation = {
    accept: 'text/html,application/xhtml+xml',
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  return browser.get(path, { headers: { ...none, ...navigation } })
}

/** Returns the path and query of a redirect; `null` for any other answer. */
export function leadsTo({ headers }: Answer): string | null {
  return headers.location === undefined ? null : pathOfLink(headers.location)
}

/** The address that a good link leads to. */
export const VERIFIED = '/admin/main?verified=1'

/** The option `svc` of a service with two panels. */
export const twoPanels = { prefix: 'admin', panels: ['main', 'shop'] }

/** Starts a service where U3 has received a link. */
export async function withLink(
  changes: Parameters<typeof startMailService>[0] = {},
): Promise<MailService & { readonly link: string }> {
  const service = await startMailService(changes)
  return { ...service, link: await askForLink(service, await loggedIn(service, 'u3@x.test')) }
}

/** Returns whether the host has marked the email of a user as verified. */
export const isVerified = ({ users }: MailService, id = 'u3'): boolean =>
  users.row(id)?.emailVerifiedAt !== null

/** Replaces the first match in a link; throws where nothing matches. */
export const swapped = (link: string, from: RegExp, to: string): string => {
  const other = link.replace(from, to)
  if (other === link) throw new Error(`nothing in ${link} is ${from}`)
  return other
}
