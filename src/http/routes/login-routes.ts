import type { PlainRequest, Tenant } from '../../contracts/host.ts'
import { hashOf, randomId } from '../../core/crypto.ts'
import type { LoginSource } from '../../core/login/account-ceiling.ts'
import { submitCode } from '../../core/login/login-code.ts'
import { logIn } from '../../core/login/login.ts'
import { impersonatorOf } from '../../core/sessions/impersonators.ts'
import type { RequestBody } from '../../rules/routes.ts'
import { headerNames, lowerCase } from '../../rules/wire.ts'
import { clientOf } from '../wire/client-of.ts'
import { done, succeed, refusalOf, type Refusal } from '../wire/respond.ts'
import type { GuestContext, Handlers } from './handler.ts'
import type { RouteParts } from './route-parts.ts'

const CSRF_TOKEN = lowerCase(headerNames.csrfToken)
const SESSION = lowerCase(headerNames.session)

/** Creates the handlers that open and close sessions. */
export function createLoginRoutes(parts: RouteParts) {
  return {
    csrf: async (context) => issueToken(parts, context),
    login: async (context, body) => answerLogin(parts, context, body),
    'login.two-factor': async (context, body) => answerCode(parts, context, body),
    logout: async (context) => logOut(parts, context),
  } satisfies Partial<Handlers>
}

async function issueToken(parts: RouteParts, context: GuestContext) {
  const { presentedId, tenant, stateful } = context
  if (!stateful) return done()
  const id = presentedId ?? randomId()
  const given = presentedId === null ? id : null
  const token = parts.csrf.issue(id)
  return done({
    'set-cookie': parts.cookies(tenant).give(given, token),
    [CSRF_TOKEN]: token,
    ...((await isGuest(parts, context)) && { [SESSION]: 'none' }),
  })
}

/**
 * Returns whether the presented cookie belongs to neither a session nor a pending login. A page
 * learns from it that it has no session without a refusal, which browsers log as an error. While a
 * store is down it returns false, and the routes that need the session report the outage.
 */
async function isGuest(
  { sessions, pendingLogins }: RouteParts,
  { presentedId, tenant }: GuestContext,
): Promise<boolean> {
  if (presentedId === null) return true
  try {
    if ((await sessions.find(presentedId, tenant)) !== null) return false
    return (await pendingLogins.find(presentedId, tenant)) === null
  } catch {
    return false
  }
}

async function answerLogin(
  parts: RouteParts,
  context: GuestContext,
  { remember = false, ...fields }: RequestBody<'login'>,
) {
  const { request, tenant, presentedId } = context
  const signal = request.signal ?? null
  const source = sourceOf(parts, request, tenant)
  const result = await logIn(parts, { ...source, ...fields, remember, presentedId, signal })
  if (result.outcome === 'authenticated')
    return succeed('login', { two_factor: false }, parts.sessionCookies.giveLogin(tenant, result))
  if (result.outcome !== 'pending') return refusalOf(result)
  const { expiresInSeconds, attemptsLeft, pendingId } = result
  const body = { two_factor: true, expires_in: expiresInSeconds, attempts_left: attemptsLeft }
  return succeed('login', body, parts.sessionCookies.give(tenant, pendingId))
}

async function answerCode(
  parts: RouteParts,
  context: GuestContext,
  { code, trust_device: trustDevice = false }: RequestBody<'login.two-factor'>,
) {
  const { request, tenant, presentedId } = context
  const source = sourceOf(parts, request, tenant)
  const result = await submitCode(parts, { ...source, code, presentedId, trustDevice })
  if (result.outcome === 'authenticated')
    return done(parts.sessionCookies.giveLogin(tenant, result))
  if (result.outcome === 'invalid') return incorrectCode(result.attemptsLeft)
  if (result.outcome !== 'exhausted') return refusalOf(result, 'code')
  return { key: 'svc::auth.two_factor_exhausted', more: { attempts_left: 0 } } as const
}

function incorrectCode(attemptsLeft: number): Refusal {
  return {
    key: 'svc::auth.two_factor_invalid',
    message: { key: 'svc::auth.two_factor_attempts', values: { count: attemptsLeft } },
    more: { attempts_left: attemptsLeft },
  }
}

/** Returns the origin of a request that checks a password or a code. */
export function sourceOf(
  parts: Pick<RouteParts, 'cookies' | 'clientNetworkOf'>,
  request: PlainRequest,
  tenant: Tenant,
): LoginSource {
  const ofTenant = parts.cookies(tenant)
  const header = request.header('cookie')
  return {
    ...clientOf(parts, request),
    tenant,
    deviceCookie: ofTenant.readDevice(header),
    trustedDeviceId: ofTenant.readTrusted(header),
  }
}

/**
 * Ends whatever the presented cookie stands for, also at another tenant of the same host: as the
 * cookie expires, its user could not end it any more.
 */
async function logOut(parts: RouteParts, { request, tenant, presentedId }: GuestContext) {
  if (presentedId !== null) {
    const session = await parts.sessions.reload({ key: hashOf(presentedId) })
    await parts.pendingLogins.endOf(presentedId)
    const client = clientOf(parts, request)
    if (session !== null && (await parts.sessions.end(session, client))) {
      const { userId } = impersonatorOf(session) ?? session.record
      const owner = { userId, tenant: session.record.tenant }
      parts.events.emit('logout', owner, client)
    }
  }
  return done({ 'set-cookie': parts.cookies(tenant).expire() })
}
