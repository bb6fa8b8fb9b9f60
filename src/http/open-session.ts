import * as v from 'valibot'
import { ensureOptions, optionsOf } from '../contracts/call-options.ts'
import { ConfigError } from '../contracts/errors.ts'
import { ownProperties } from '../contracts/own-properties.ts'
import type { PlainRequest, Tenant } from '../contracts/host.ts'
import type {
  ActingUser,
  OpenSessionOptions,
  SessionOpening,
} from '../contracts/session-opening.ts'
import { beginImpersonation } from '../core/impersonation/begin-impersonation.ts'
import { openHostLogin } from '../core/login/host-login.ts'
import { isThenable } from '../core/timeouts.ts'
import type { FindAction } from './session-of-action.ts'
import { createSessionCookies } from './routes/session-cookies.ts'
import { sourceOf } from './routes/login-routes.ts'
import type { Service } from './service.ts'
import { requestOfHeaders } from './wire/headers-request.ts'

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !isThenable(given)

const having = (name: string, message: string) =>
  v.custom<object>((given) => isObject(given) && isObject(Reflect.get(given, name)), message)

const actingUser = optionsOf({
  user: v.custom<object>(isObject, 'give a user'),
  name: v.optional(v.pipe(v.string('give a text'), v.minLength(1, 'give a text'))),
})

const optionsSchema = optionsOf({
  request: having(
    'headers',
    'give the request of the browser, or an object with its headers, awaited',
  ),
  tenant: v.optional(v.nullable(v.string('give a string or null'))),
  secondFactor: v.optional(v.picklist(['asked', 'done'], "give 'asked' or 'done'")),
  by: v.optional(v.union([v.string(), actingUser], 'give a text, or { user } of who acts as it')),
})

const NO_CODE =
  'openSession: secondFactor: leave it out where `by` is a person, who cannot enter the code of another'

/** The request, read, and the user of the host. */
interface OpeningArguments {
  readonly host: unknown
  readonly request: PlainRequest
  readonly tenant: Tenant
}

/**
 * Opens a session for a user whom the host has checked.
 *
 * @param findAction Given here, so that these modules load nothing of the gates.
 * @throws {ConfigError} An option is wrong.
 */
export async function openSession(
  service: Service,
  findAction: FindAction,
  host: unknown,
  options: OpenSessionOptions,
): Promise<SessionOpening> {
  ensureOptions('openSession', options, optionsSchema)
  const checked = ownProperties(options, ['request', 'tenant', 'secondFactor', 'by'])
  const { request: given, tenant = null, secondFactor = 'asked', by = 'host' } = checked
  if (typeof by === 'object' && checked.secondFactor !== undefined) throw new ConfigError(NO_CODE)
  await service.ready()
  const address = given.socket?.remoteAddress ?? given.address ?? null
  const request = requestOfHeaders(given.headers, { method: 'POST', address })
  const opening = { host, request, tenant }
  return typeof by === 'string'
    ? logIn(service, opening, { secondFactor, by })
    : impersonate(service, findAction, opening, by)
}

async function logIn(
  service: Service,
  { host, request, tenant }: OpeningArguments,
  checked: { readonly secondFactor: 'asked' | 'done'; readonly by: string },
): Promise<SessionOpening> {
  const presentedId = service.cookies(tenant).read(request.header('cookie'))
  const source = { ...sourceOf(service, request, tenant), presentedId }
  const result = await openHostLogin(service, { ...source, host, ...checked })
  const sessionCookies = createSessionCookies(service)
  switch (result.outcome) {
    case 'authenticated':
      return { outcome: 'opened', cookies: sessionCookies.giveLogin(tenant, result)['set-cookie'] }
    case 'pending': {
      const cookies = sessionCookies.give(tenant, result.pendingId)['set-cookie']
      return { outcome: 'code-owed', cookies }
    }
    case 'refused':
      return result
  }
}

/**
 * Opens a session for a person who acts as the user. The request must be of that person's session,
 * and meet the gates and the proof of an action: a link or a page of another site must not begin
 * it, whatever the route of the host accepts.
 */
async function impersonate(
  service: Service,
  findAction: FindAction,
  { host, request, tenant }: OpeningArguments,
  by: ActingUser<unknown>,
): Promise<SessionOpening> {
  const { user, name: shown } = ownProperties(by, ['user', 'name'])
  const presented = await findAction(service, request, tenant)
  const person = service.users.identify(user)
  const { id, name, email } = person
  if (presented === null || presented.holder.user.id !== id || !service.users.isIn(person, tenant))
    return { outcome: 'refused', reason: 'not-logged-in' }
  const beginning = {
    ...sourceOf(service, request, tenant),
    by: presented.holder,
    presentedId: presented.presentedId,
    name: shown ?? name ?? email,
    host,
  }
  const result = await beginImpersonation(service, beginning)
  if (result.outcome === 'refused') return result
  const sessionCookies = createSessionCookies(service)
  const cookies = sessionCookies.give(tenant, result.sessionId)['set-cookie']
  return { outcome: 'opened', cookies }
}
