import type { PanelAuthOptions, Stores } from '@svc/auth'
import { fakeClock, outbox, type FakeUser, type Outbox } from '@svc/auth/testing'
import { expect, vi } from 'vitest'
import { PASSWORD, type Answer, type Browser } from './browser.ts'
import { visitor } from './logins.ts'
import { FORGOT, PASSWORD_ROUTE, RESET } from './paths.ts'
import { somePeople, startService, type Changes, type TestService } from './service.ts'

/** A password that no rule refuses. */
export const NEW_PASSWORD = 'seven green boats sail home'

/** Lifts the limits of the routes, so that a test meets the limits behind them. */
export const UNRATIONED_PASSWORDS = {
  'password.change': { max: 1000, window_seconds: 60 },
  'password.forgot': { max: 1000, window_seconds: 60 },
  'password.reset': { max: 1000, window_seconds: 60 },
} as const

export interface PasswordService extends TestService {
  readonly mailer: Outbox
}

/** Starts the service with the passwords layer and a mailer that keeps its mails. */
export async function startPasswords({
  passwords = {},
  config = {},
  ...changes
}: Omit<Changes, 'mailer'> & {
  readonly passwords?: NonNullable<PanelAuthOptions<FakeUser>['passwords']>
} = {}): Promise<PasswordService> {
  const mailer = outbox()
  const limits = { ...UNRATIONED_PASSWORDS, ...config.limits }
  const service = await startService({
    mailer,
    passwords,
    ...changes,
    config: { ...config, limits },
  })
  return { ...service, mailer }
}

/** Starts two nodes of one service with the passwords layer, on the same users and mails. */
export async function startTwoPasswordNodes(
  stores: readonly [Stores, Stores],
): Promise<readonly [PasswordService, PasswordService]> {
  const mailer = outbox()
  const shared = {
    users: somePeople(),
    clock: fakeClock(),
    mailer,
    passwords: {},
    appUrl: 'http://panel.test',
    config: { limits: UNRATIONED_PASSWORDS },
  }
  const start = async (ofNode: Stores) => ({
    ...(await startService({ ...shared, stores: ofNode })),
    mailer,
  })
  return [await start(stores[0]), await start(stores[1])]
}

/** Requests a link for an email, from a browser of its own unless one is given. */
export async function forget(
  service: TestService,
  email: string,
  { from, body = {} }: { readonly from?: Browser; readonly body?: object } = {},
): Promise<Answer> {
  const browser = from ?? (await visitor(service))
  return browser.post(FORGOT, { email, ...body })
}

/** Requests a link and waits for its mail, which leaves at once and not after a random time. @returns the link. */
export async function linkFor(service: PasswordService, email = 'u1@x.test'): Promise<string> {
  const before = service.mailer.sent.length
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  try {
    expect((await forget(service, email)).status).toBe(202)
    await expect.poll(() => service.mailer.sent.length, { interval: 5 }).toBeGreaterThan(before)
  } finally {
    random.mockRestore()
  }
  return service.mailer.link(email)
}

/** Returns the token in the fragment of a link. */
export function tokenIn(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? ''
}

/** Requests a link and returns the token in it. */
export async function tokenFor(service: PasswordService, email?: string): Promise<string> {
  return tokenIn(await linkFor(service, email))
}

/** Chooses a new password with a token. */
export async function reset(
  service: TestService,
  token: unknown,
  password: unknown = NEW_PASSWORD,
): Promise<Answer> {
  return (await visitor(service)).post(RESET, { token, password })
}

/** Changes the password of the user who is logged in. */
export async function change(
  browser: Browser,
  password: unknown = NEW_PASSWORD,
  current: unknown = PASSWORD,
): Promise<Answer> {
  return browser.send('PUT', PASSWORD_ROUTE, { body: { current_password: current, password } })
}

/** Closes the service, which waits for every mail that was requested. */
export async function closed<Service extends TestService>(service: Service): Promise<Service> {
  await service.auth.close()
  return service
}
