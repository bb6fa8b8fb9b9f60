import { outbox, type Outbox } from '@svc/auth/testing'
import { vi } from 'vitest'
import type { Answer, Browser } from './browser.ts'
import { startService, type Changes, type TestService } from './service.ts'

export const SEND = '/svc/api/email/verification-notification'

/** Takes the limit away, so that one test may ask for many mails. */
export const UNRATIONED_MAIL = { 'svc.email.send': { max: 1000, window_seconds: 60 } } as const

export interface MailService extends TestService {
  readonly mailer: Outbox
}

/** The service with a mailer that keeps what it is given. */
export async function startMailService(changes: Changes = {}): Promise<MailService> {
  const mailer = outbox()
  return { ...(await startService({ mailer, ...changes })), mailer }
}

/** A browser that has logged in. */
export async function loggedIn(
  { browser }: TestService,
  email = 'u3@x.test',
  options?: Parameters<TestService['browser']>[0],
): Promise<Browser> {
  const opened = browser(options)
  await opened.logIn(email)
  return opened
}

/** Asks for a link and takes it out of the mail. @returns the path and query of it. */
export async function askForLink(
  { mailer }: MailService,
  browser: Browser,
  { body, email = 'u3@x.test' }: { readonly body?: unknown; readonly email?: string } = {},
): Promise<string> {
  const { status } = await browser.post(SEND, body)
  if (status !== 202) throw new Error(`no link was sent: ${status}`)
  return pathOfLink(mailer.link(email))
}

/** What a browser asks the link's host for. */
export function pathOfLink(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** What a person sends who opens a link out of a mail program: a navigation from nowhere, without cookies. */
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

/** Where an answer leads, without its host; `null`: nowhere. */
export function leadsTo({ headers }: Answer): string | null {
  return headers.location === undefined ? null : pathOfLink(headers.location)
}

/** From here on no time passes by itself. In a file of its own place: before anything waits. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

/** Lets everything that needs no time happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
