import type { Owner, Stores } from '@svc/auth'
import { fakeClock, outbox, type Outbox } from '@svc/auth/testing'
import { expect } from 'vitest'
import type { SessionEntry } from '../../build/src/rules/routes/session-list-rows.js'
import { freshAddress, PASSWORD, type Answer, type Browser } from './browser.ts'
import { visitor } from './logins.ts'
import { DISOWN, LOGIN, SESSIONS } from './paths.ts'
import { somePeople, startService, type Changes, type TestService } from './service.ts'

/** Lifts the limits of the routes, so that a test meets what is behind them. */
const UNRATIONED = {
  login: { max: 1000, window_seconds: 60 },
  'sessions.end': { max: 1000, window_seconds: 60 },
  'sessions.end-others': { max: 1000, window_seconds: 60 },
  'sessions.disown': { max: 1000, window_seconds: 60 },
} as const

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

export interface SessionService extends TestService {
  readonly mailer: Outbox
}

/** Starts the service with `sessions.devices` and a mailer that keeps its mails. */
export async function startSessions({
  config = {},
  ...changes
}: Omit<Changes, 'mailer' | 'sessions'> = {}): Promise<SessionService> {
  const mailer = outbox()
  const limits = { ...UNRATIONED, ...config.limits }
  const service = await startService({
    mailer,
    sessions: { devices: true },
    ...changes,
    config: { ...config, limits },
  })
  return { ...service, mailer }
}

/** Starts two nodes of one service with `sessions.devices`, on the same users and mails. */
export async function startTwoSessionNodes(
  stores: readonly [Stores, Stores],
): Promise<readonly [SessionService, SessionService]> {
  const mailer = outbox()
  const shared = {
    users: somePeople(),
    clock: fakeClock(),
    mailer,
    sessions: { devices: true },
    appUrl: 'http://panel.test',
    config: { limits: UNRATIONED },
  }
  const start = async (ofNode: Stores) => ({
    ...(await startService({ ...shared, stores: ofNode })),
    mailer,
  })
  return [await start(stores[0]), await start(stores[1])]
}

interface LoginFrom {
  readonly email?: string
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: Browser
}

/** Logs in by the password alone, from a network and a browser of its own unless they are given. */
export async function logInFrom(
  service: TestService,
  { email = 'u1@x.test', address = freshAddress(), headers = {}, from }: LoginFrom = {},
): Promise<Browser> {
  const browser = from ?? (await visitor(service, { address }))
  const sent = { 'user-agent': FIREFOX, ...headers }
  const answer = await browser.post(LOGIN, { email, password: PASSWORD }, { headers: sent })
  expect(answer.json).toEqual({ two_factor: false })
  return browser
}

/** Stores copies of the only session of an owner, each used earlier than the one before. */
export async function storeCopies(
  { stores: { sessions }, clock }: TestService,
  owner: Owner,
  count: number,
  created: 'earlier' | 'later' = 'earlier',
): Promise<void> {
  const [only] = await sessions.list(owner, clock.now())
  if (only === undefined) throw new Error('the owner has no session')
  const { key: _key, ...record } = only
  for (let age = 1; age <= count; age += 1) {
    const createdAt = record.createdAt + (created === 'later' ? age : -age)
    const lastSeenAt = record.lastSeenAt - age
    await sessions.create(`copy-${age}`, { ...record, createdAt, lastSeenAt })
  }
}

/** Returns the sessions in the list of a user. */
export async function sessionsOf(browser: Browser): Promise<readonly SessionEntry[]> {
  const { status, json } = await browser.get(SESSIONS)
  expect(status).toBe(200)
  return json.data
}

/** Returns the id by which a browser's own session is listed. */
export async function idOf(browser: Browser): Promise<string> {
  const current = (await sessionsOf(browser)).find((one) => one.current)
  return current?.id ?? ''
}

/** Ends a session of the user by its id. */
export async function endSession(browser: Browser, id: string): Promise<Answer> {
  return browser.send('DELETE', `${SESSIONS}/${encodeURIComponent(id)}`)
}

/** Ends the other sessions of the user. */
export async function endOthers(browser: Browser): Promise<Answer> {
  return browser.send('DELETE', SESSIONS)
}

/** A login of which the user was informed. */
export interface NoticedLogin {
  /** The browsers of the first login, and of the one at another place. */
  readonly known: Browser
  readonly unknown: Browser
  /** The link of the mail, and the token in it. */
  readonly link: string
  readonly token: string
}

/** Logs a user in at two places, and waits for the mail about the second. */
export async function noticedLogin(
  service: SessionService,
  options: LoginFrom = {},
): Promise<NoticedLogin> {
  const { email = 'u1@x.test' } = options
  const before = service.mailer.sent.length
  const known = await logInFrom(service, { email })
  const unknown = await logInFrom(service, options)
  await expect.poll(() => service.mailer.sent.length).toBe(before + 1)
  const link = service.mailer.link(email)
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
  return { known, unknown, link, token }
}

/** Disowns a login with the token of a link, from another browser. */
export async function disown(service: TestService, token: unknown): Promise<Answer> {
  return (await visitor(service)).post(DISOWN, { token })
}
