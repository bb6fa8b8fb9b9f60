import type { Middleware } from '@svc/auth'
import { memoryStores } from '@svc/auth/memory'
import { fakeClock, fakeTwoFactor, fakeUsers, outbox, type FakeUser } from '@svc/auth/testing'
import { expect } from 'vitest'
import type { Browser } from './browser.ts'
import { CODE } from './second-factor.ts'
import { passwordHash, startService } from './service.ts'
import { watchedStores } from './watched-stores.ts'

export type Gate = 'session' | 'email' | 'factor'

/** The states of a user: the gate that refuses it, and the gates that have something to check. */
export const STATES = {
  anonymous: { who: null, stopsAt: 'session', asks: ['session'] },
  'pending login': { who: 'pending', stopsAt: 'session', asks: ['session'] },
  unverified: { who: 'unverified', stopsAt: 'email', asks: ['session', 'email'] },
  'unverified + required': { who: 'both', stopsAt: 'email', asks: ['session', 'email'] },
  'verified + required, not enabled': {
    who: 'setup',
    stopsAt: 'factor',
    asks: ['session', 'email', 'factor'],
  },
  'nothing to verify + required, not enabled': {
    who: 'exempt-setup',
    stopsAt: 'factor',
    asks: ['session', 'factor'],
  },
  full: { who: 'full', stopsAt: null, asks: ['session', 'email', 'factor'] },
  'full + required': { who: 'full-required', stopsAt: null, asks: ['session', 'email', 'factor'] },
  'full, nothing to verify': { who: 'exempt', stopsAt: null, asks: ['session', 'factor'] },
} as const satisfies Record<
  string,
  { readonly who: string | null; readonly stopsAt: Gate | null; readonly asks: readonly Gate[] }
>

export type State = keyof typeof STATES

const ENABLED = new Set(['pending', 'full', 'full-required'])

const REQUIRED = new Set(['both', 'setup', 'exempt-setup', 'full-required'])

const MUST_VERIFY = new Set(['pending', 'unverified', 'both', 'setup', 'full', 'full-required'])

const UNVERIFIED = new Set(['unverified', 'both'])

export const BOUND = ['bound', 'unbound'] as const

export type Bound = (typeof BOUND)[number]

export const MIDDLEWARE = 'svc.middleware'

export const AUTHENTICATED = 'svc.authenticated_middleware'

/** Starts a service that records in `met` every extension point that a request reaches. */
export async function startRecorded(bound: Bound) {
  const met: string[] = []
  const note = <Result>(name: string, work: () => Result): Result => {
    met.push(name)
    return work()
  }
  const noting =
    (name: string): Middleware =>
    async (_context, next) =>
      note(name, next)
  const clock = fakeClock()
  const people = fakeUsers(
    Object.values(STATES).flatMap(({ who }) =>
      who === null
        ? []
        : {
            id: who,
            email: `${who}@x.test`,
            name: who,
            passwordHash,
            mustVerify: MUST_VERIFY.has(who),
            emailVerifiedAt: UNVERIFIED.has(who) ? null : clock.now(),
          },
    ),
    { clock },
  )
  const users = {
    ...people,
    findById: async (id: string, tenant: string | null) => {
      const user = await people.findById(id, tenant)
      const { hasVerifiedEmail } = user ?? {}
      if (user === null || hasVerifiedEmail === undefined) return user
      return { ...user, hasVerifiedEmail: () => note('email', hasVerifiedEmail) }
    },
    present: (user: FakeUser) =>
      note('present', () => ({ id: user.id, name: null, email: 'x', email_verified_at: null })),
  }
  const factor = fakeTwoFactor<FakeUser>({ enabled: [...ENABLED], required: [...REQUIRED] })
  const twoFactor = {
    ...factor,
    isRequiredFor: (user: FakeUser) => note('factor', () => factor.isRequiredFor(user)),
    isEnabledFor: (user: FakeUser) => note('factor', () => factor.isEnabledFor(user)),
    verifySetup: (secret: string, code: string) =>
      note('verifySetup', () => factor.verifySetup(secret, code)),
  }
  const memory = memoryStores()
  const bell = memory.notifications
  const stores = watchedStores({
    ...memory,
    notifications: {
      ...bell,
      latest: (...args) => note('latest', () => bell.latest(...args)),
      unreadCount: (...args) => note('unreadCount', () => bell.unreadCount(...args)),
      markRead: (...args) => note('markRead', () => bell.markRead(...args)),
      markAllRead: (...args) => note('markAllRead', () => bell.markAllRead(...args)),
    },
  })
  stores.instead('sessions.read', (proceed) => note('session', proceed))
  const mails = outbox()
  const unrationed = { max: 100_000, window_seconds: 60 }
  const service = await startService({
    stores,
    clock,
    users,
    mailer: { send: async (mail) => note('mail', async () => mails.send(mail)) },
    ...(bound === 'bound' && { twoFactor }),
    config: {
      svc: {
        prefix: 'admin',
        panels: ['main'],
        middleware: [noting(MIDDLEWARE)],
        authenticated_middleware: [noting(AUTHENTICATED)],
      },
      limits: { 'svc.email.send': unrationed },
    },
  })
  for (const { who } of Object.values(STATES)) {
    if (who === null) continue
    const entry = { id: idOf(who), type: 'note', title: 'Hello', body: null, url: null }
    await memory.notifications.add(
      { tenant: null, userId: who },
      { ...entry, createdAt: clock.now() },
    )
  }
  return { ...service, met, factor }
}

export type Recorded = Awaited<ReturnType<typeof startRecorded>>

/** Returns the id of the only entry in the bell of a user. */
export function idOf(who: string): string {
  const digits = Buffer.from(who).toString('hex').padEnd(12, '0').slice(-12)
  return `0b0e6d3c-64b5-4f0e-9b57-${digits}`
}

/** Opens a browser and brings its user into that state by the public routes. */
export async function enter({ browser, factor }: Recorded, state: State): Promise<Browser> {
  const { who } = STATES[state]
  const opened = browser()
  await opened.get('/svc/api/csrf-cookie')
  if (who === null) return opened
  // What an earlier request has changed.
  factor.update(who, { enabled: ENABLED.has(who) })
  const { json } = await opened.logIn(`${who}@x.test`)
  if (json.two_factor === true && state !== 'pending login') {
    const { status } = await opened.post('/svc/api/login/two-factor', { code: CODE })
    expect(status).toBe(204)
  }
  return opened
}
