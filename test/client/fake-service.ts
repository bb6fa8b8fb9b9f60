import { NetworkError } from '../../web/client/client.ts'
import type { AuthClient, PanelUser, Refusal } from '../../web/client/client.ts'
import type { SuccessBody } from '../../src/rules/routes.ts'
import { bellAnswer, fakeBell } from './fake-bell.ts'
import { createConfirmation } from '../../web/client/calls/confirmation.ts'
import type { BellName, FakeBell } from './fake-bell.ts'
import { barrier } from '../support/time.ts'

type Name =
  | BellName
  | 'user'
  | 'activity'
  | 'login'
  | 'login.two-factor'
  | 'logout'
  | 'confirm'
  | 'impersonation.end'
  | 'password.forgot'
  | 'password.reset'
  | 'password.change'
  | 'sessions'
  | 'sessions.end'
  | 'sessions.end-others'
  | 'sessions.disown'
  | 'svc.email.send'
  | 'two-factor'
  | 'two-factor.setup'
  | 'two-factor.confirm'
  | 'two-factor.disable'
  | 'two-factor.codes-seen'
  | 'trusted-devices'
  | 'trusted-devices.end'
  | 'two-factor.devices.begin'
  | 'two-factor.devices.confirm'
  | 'two-factor.devices.remove'
type Said = { readonly outcome: 'refused'; readonly refusal: Refusal } | { readonly thrown: Error }

/** A service behind a client, without a network. */
export interface FakeService {
  readonly client: AuthClient
  /** Names of the routes that were called, in their order. */
  readonly calls: string[]
  /** The user who is logged in. */
  user: PanelUser | null
  /** The code that a login still owes, with its lifetime. */
  codeOwed: { readonly seconds: number; readonly maskedEmail?: string } | null
  /** Codes that were sent, in their order. */
  readonly codes: string[]
  /** The trusted devices of whoever is logged in. */
  trustedDevices: SuccessBody<'trusted-devices'>['data']
  /** The bodies of both steps of logins, in their order. */
  readonly logins: unknown[]
  /** The bodies of the routes of the passwords layer, in their order. */
  readonly passwords: unknown[]
  /** The bodies of the confirmations, in their order. */
  readonly confirmations: unknown[]
  /** The user who acts as the one who is logged in, and who is back after `impersonation.end`. */
  person: PanelUser | null
  /** The sessions of whoever is logged in, the current one first. */
  sessions: SuccessBody<'sessions'>['data']
  /** The tokens of disowned logins, in their order. */
  readonly disowned: unknown[]
  /** The security events of whoever is logged in. */
  activity: SuccessBody<'activity'>['data']
  /** The address that must be verified first. */
  unverified: string | null
  /** The second factor of whoever is logged in; required and not enabled, it is a gate. */
  factor: SuccessBody<'two-factor'>
  /** The key of the set-up. */
  key: typeof SECRET
  /** Added to the state of a second factor that is set up; by default nothing. */
  onceOn?: Pick<SuccessBody<'two-factor'>, 'devices' | 'recovery_codes_left'>
  /** Until another mail may be sent, as the service says it. */
  retryAfter: number
  /** The notifications of whoever is in. */
  readonly bell: FakeBell
  /** The next call of the route is refused. */
  refuse(name: Name, refusal: Omit<Refusal, 'message'>): void
  /** The next call of the route throws; by default as if nothing answered. */
  fail(name: Name, error?: Error): void
  /** The next call of the route is answered only when the function that is returned is called. */
  hold(name: Name): () => void
}

/** Lets everybody in who gives an email. */
export function fakeService(): FakeService {
  const confirmation = createConfirmation()
  const next = new Map<string, Said>()
  const held = new Map<string, Promise<void>>()
  const service: FakeService = {
    calls: [],
    user: null,
    codeOwed: null,
    codes: [],
    logins: [],
    trustedDevices: [],
    passwords: [],
    confirmations: [],
    person: null,
    sessions: [],
    disowned: [],
    activity: [],
    unverified: null,
    factor: { enabled: false, required: false, pending: false, codes_unseen: false },
    retryAfter: 0,
    key: SECRET,
    bell: fakeBell(),
    refuse(name, refusal) {
      const message = `the server's words for ${refusal.key}`
      next.set(name, { outcome: 'refused', refusal: { ...refusal, message } })
    },
    fail(name, error = new NetworkError('offline')) {
      next.set(name, { thrown: error })
    },
    hold(name) {
      const { passed, open } = barrier()
      held.set(name, passed)
      return open
    },
    client: {
      // Each branch answers as the route of that name does.
      call: (async (
        name: Name,
        body: Sent | null | undefined,
        params?: { readonly id: string },
      ) => {
        const send = async () => {
          service.calls.push(name)
          const wait = held.get(name)
          held.delete(name)
          await wait
          const said = next.get(name)
          next.delete(name)
          if (said !== undefined && 'thrown' in said) throw said.thrown
          return said ?? answer(service, name, { ...body, ...params })
        }
        return confirmation.send<unknown>(send, refusalIn)
      }) as AuthClient['call'],
      onConfirmationRequired: confirmation.onRequired,
      askForConfirmation: confirmation.ask,
      // What is prepared for the user is to be asked for.
      isGuest: async () =>
        service.user === null &&
        service.codeOwed === null &&
        !next.has('user') &&
        !held.has('user'),
      fetch: async () => new Response(null, { status: 204 }),
    },
  }
  return service
}

function refusalIn(answer: unknown): Refusal | null {
  const { refusal = null } = answer as { readonly refusal?: Refusal }
  return refusal
}

interface Sent {
  readonly email?: string
  readonly code?: string
  readonly fresh?: boolean
  readonly id?: string
  readonly name?: string
}

function answer(service: FakeService, name: Name, sent: Sent) {
  const { email = '', code = '', fresh = false, id = '', name: device = '' } = sent
  switch (name) {
    case 'user':
      return whoIsHere(service)
    case 'login':
      service.logins.push(sent)
      if (service.codeOwed !== null) return { outcome: 'ok', body: owed(service.codeOwed) }
      return letIn(service, email, { two_factor: false })
    case 'login.two-factor':
      service.codes.push(code)
      service.logins.push(sent)
      return letIn(service, 'ada@example.com', null)
    case 'logout':
      service.user = null
      service.codeOwed = null
      return { outcome: 'ok', body: null }
    case 'impersonation.end':
      service.user = service.person
      return { outcome: 'ok', body: null }
    case 'confirm':
      service.confirmations.push(sent)
      return { outcome: 'ok', body: null }
    case 'svc.email.send':
      return {
        outcome: 'ok',
        body: service.unverified === null ? null : { retry_after: service.retryAfter },
      }
    case 'password.reset':
      service.user = null
      service.passwords.push(sent)
      return { outcome: 'ok', body: null }
    case 'password.forgot':
    case 'password.change':
      service.passwords.push(sent)
      return { outcome: 'ok', body: null }
    case 'sessions':
      return { outcome: 'ok', body: { data: service.sessions } }
    case 'sessions.end':
      service.sessions = service.sessions.filter((one) => one.id !== id)
      return { outcome: 'ok', body: null }
    case 'sessions.end-others':
      service.sessions = service.sessions.filter(({ current }) => current)
      return { outcome: 'ok', body: null }
    case 'sessions.disown':
      service.user = null
      service.disowned.push(sent)
      return { outcome: 'ok', body: null }
    case 'activity':
      return { outcome: 'ok', body: { data: service.activity } }
    case 'two-factor':
      return { outcome: 'ok', body: service.factor }
    case 'two-factor.setup':
      service.factor = { ...service.factor, pending: true }
      if (fresh) service.key = OTHER_SECRET
      return { outcome: 'ok', body: service.key }
    case 'two-factor.confirm':
      return confirmed(service, code)
    case 'two-factor.devices.begin':
      return byCode(service, code, () => OTHER_SECRET)
    case 'two-factor.devices.confirm':
      return byCode(service, code, () => {
        const { devices = [] } = service.factor
        const added = { id: device, name: device, added_at: ADDED_AT, last_used_at: null }
        service.factor = { ...service.factor, devices: [...devices, added] }
        return null
      })
    case 'two-factor.devices.remove':
      return byCode(service, code, () => {
        const { devices = [] } = service.factor
        service.factor = { ...service.factor, devices: devices.filter((one) => one.id !== id) }
        return null
      })
    case 'two-factor.codes-seen':
      service.factor = { ...service.factor, codes_unseen: false }
      return { outcome: 'ok', body: null }
    case 'two-factor.disable':
      service.factor = { ...service.factor, enabled: false, codes_unseen: false }
      return { outcome: 'ok', body: null }
    case 'trusted-devices':
      return { outcome: 'ok', body: { data: service.trustedDevices } }
    case 'trusted-devices.end':
      service.trustedDevices = service.trustedDevices.filter((device) => device.id !== id)
      return { outcome: 'ok', body: null }
    case 'notifications':
    case 'notifications.unread-count':
    case 'notifications.read':
    case 'notifications.read-all':
      return service.user === null ? unauthenticated : bellAnswer(service.bell, name, id)
  }
}

/** The secret of the set-up, and that of starting over. */
export const SECRET = { secret: 'KGKJHRFD7A2QP734', qr_code: 'data:image/png;base64,QUJD' }
export const OTHER_SECRET = { secret: 'OTHERKEY22223333', qr_code: 'data:image/png;base64,REVG' }

/** The code that the app shows, and what turning it on gives out. */
export const CODE = '123456'
export const RECOVERY_CODES = ['4f7k-2m9q', 'x8wd-5trc', 'b2hn7vje3k']

/** The time at which every device is added. */
export const ADDED_AT = '2026-11-20T09:30:00.000Z'

function confirmed(service: FakeService, code: string) {
  return byCode(service, code, () => {
    const { onceOn = {} } = service
    service.factor = {
      ...service.factor,
      ...onceOn,
      enabled: true,
      pending: false,
      codes_unseen: true,
    }
    return { recovery_codes: RECOVERY_CODES }
  })
}

function byCode(service: FakeService, code: string, work: () => unknown) {
  service.codes.push(code)
  const key = 'svc::auth.two_factor_invalid'
  const refusal = { status: 422, key, message: key, errors: { code: [key] } }
  if (code !== CODE) return { outcome: 'refused', refusal }
  return { outcome: 'ok', body: work() }
}

function letIn(service: FakeService, email: string, body: unknown) {
  service.codeOwed = null
  service.user = { id: '1', name: 'Ada', email, email_verified_at: null }
  return { outcome: 'ok', body }
}

function whoIsHere({ user, unverified, codeOwed, factor }: FakeService) {
  if (user === null) {
    const { refusal } = unauthenticated
    return codeOwed === null
      ? unauthenticated
      : { ...unauthenticated, refusal: { ...refusal, ...owed(codeOwed), ...masked(codeOwed) } }
  }
  if (unverified === null && factor.required && !factor.enabled) {
    const key = 'svc::auth.two_factor_setup_required'
    return { outcome: 'refused', refusal: { status: 403, key, message: key } }
  }
  if (unverified === null) return { outcome: 'ok', body: user }
  const key = 'svc::auth.email_verification_required'
  return { outcome: 'refused', refusal: { status: 403, key, message: key, email: unverified } }
}

function owed({ seconds }: { readonly seconds: number }) {
  return { two_factor: true, expires_in: seconds, attempts_left: 5 }
}

function masked({ maskedEmail: email }: { readonly maskedEmail?: string }) {
  return email === undefined ? {} : { email }
}

const unauthenticated = {
  outcome: 'refused',
  refusal: { status: 401, key: 'svc::auth.unauthenticated', message: 'Log in to continue.' },
} as const
