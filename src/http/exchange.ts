import type { Owner, PlainReply } from '../contracts.ts'
import type { LoginSource } from '../core/login/account-ceiling.ts'
import type { Authenticated } from '../core/login/login-parts.ts'
import type { Holder, TwoFactor } from '../core/second-factor/two-factor.ts'
import type { Exchange, Service } from './service.ts'

/** Who makes the request, and in which session. Only behind the session gate. */
export function holderOf<User>({ user, session }: Exchange<User>): Holder<User> {
  if (user === null || session === null)
    throw new Error('this route stands behind the session gate')
  return { user, session }
}

/** Whose bell it is. */
export function ownerOf<User>(exchange: Exchange<User>): Owner {
  const { tenant, userId } = holderOf(exchange).session.record
  return { tenant, userId }
}

/** The cookies that give out a session, or a login that waits for its code, with its token. */
export function cookiesFor<User>(
  { cookies, csrf }: Service<User>,
  { tenant }: Exchange<User>,
  id: string,
): PlainReply['headers'] {
  return { 'set-cookie': cookies(tenant).give(id, csrf.issue(id)) }
}

/** The cookies of a login that is complete: the session's, and the one by which the browser is a known place. */
export function cookiesOfLogin<User>(
  service: Service<User>,
  { tenant }: Exchange<User>,
  { sessionId, deviceCookie }: Authenticated,
): PlainReply['headers'] {
  const cookies = service.cookies(tenant)
  const session = cookies.give(sessionId, service.csrf.issue(sessionId))
  return { 'set-cookie': [...session, cookies.giveDevice(deviceCookie)] }
}

/** Where a login comes from. */
export function sourceOf<User>(
  service: Service<User>,
  { request, tenant }: Exchange<User>,
): LoginSource {
  const deviceCookie = service.cookies(tenant).readDevice(request.header('cookie'))
  return { tenant, network: service.networks(request), deviceCookie }
}

/** The second factor. Its routes are not there while none is bound. */
export function factorOf<User>({ twoFactor }: Service<User>): TwoFactor<User> {
  if (twoFactor === null) throw new Error('this route is there only while a second factor is bound')
  return twoFactor
}

/**
 * Returns whether the cookie that was presented opens nothing: neither a session nor a login that waits for its code.
 * A page asks this where a refusal would be shown as an error in the browser's console. While a store is down nobody is
 * called a guest: the routes that need the session say that it is down.
 */
export async function isGuest<User>(
  { sessions, pendingLogins }: Service<User>,
  { presentedId, tenant }: Exchange<User>,
): Promise<boolean> {
  if (presentedId === null) return true
  try {
    if ((await sessions.find(presentedId, tenant)) !== null) return false
    return (await pendingLogins.find(presentedId, tenant)) === null
  } catch {
    return false
  }
}
