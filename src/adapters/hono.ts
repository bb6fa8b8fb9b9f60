import type { Context, MiddlewareHandler } from 'hono'
import type { GetConnInfo } from 'hono/conninfo'
import type { GuardOptions, PanelAuth } from '../contracts.ts'
import { recall, remember } from './admissions.ts'
import * as fetch from './fetch.ts'

/**
 * The service as a middleware of Hono 4: `app.use(mount(auth, getConnInfo))`.
 *
 * @param connInfo `getConnInfo` of the platform that Hono runs on, such as that of `@hono/node-server/conninfo`: guests
 *   are told apart by their address.
 */
export function mount(auth: PanelAuth, connInfo: GetConnInfo): MiddlewareHandler {
  const handler = fetch.mount(auth)
  return async (context, next) => {
    const { pathname } = new URL(context.req.url)
    return auth.serves(pathname) ? handler(context.req.raw, infoOf(context, connInfo)) : next()
  }
}

/**
 * Guards routes of the host; `userOf(auth, context)` gives who was let in.
 *
 * @throws {ConfigError} An option is wrong.
 */
export function guard(
  auth: PanelAuth,
  connInfo: GetConnInfo,
  options?: GuardOptions,
): MiddlewareHandler {
  const judge = fetch.guard(auth, options)
  return async (context, next) => {
    const { user, response } = await judge(context.req.raw, infoOf(context, connInfo))
    if (response !== null) return response
    remember(auth, context, user)
    return next()
  }
}

/** The user that the guard of this service let in; `null` where no guard stands before the route. */
export function userOf<User>(auth: PanelAuth<User>, context: Context): User | null {
  return recall(auth, context)
}

function infoOf(context: Context, connInfo: GetConnInfo): fetch.FetchInfo {
  return { address: connInfo(context).remote.address ?? null }
}
