import type { Context, MiddlewareHandler } from 'hono'
import type { GetConnInfo } from 'hono/conninfo'
import type { PlainRequest } from '../contracts/host.ts'
import type { GuardOptions, PanelAuth } from '../contracts/service-contract.ts'
import { BodyConsumedError } from '../contracts/errors.ts'
import { getUser, setAdmission } from './admitted-users.ts'
import { ensureAuth, ensureConnInfo } from './ensure-auth.ts'
import * as fetch from './fetch.ts'
import { bytesOfText } from './kept-text.ts'
import { cachingHeaders, type Guarded, type PageGuardOptions } from './page-guard.ts'
import { setReason } from './reason-phrase.ts'
import { malformed, usableUrl } from './usable-url.ts'

export { impersonatorOf } from './admitted-users.ts'

/**
 * Mounts the service as middleware of Hono 4: `app.use(mount(auth, getConnInfo))`.
 *
 * @param connInfo `getConnInfo` of Hono's platform, such as that of `@hono/node-server/conninfo`:
 *   the limits for guests use the client's address.
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { Hono } from 'hono'
 *
 * const app = new Hono()
 * app.use(mount(auth, getConnInfo))
 * ```
 */
export function mount(auth: PanelAuth, connInfo: GetConnInfo): MiddlewareHandler {
  ensureAuth(auth, 'mount')
  ensureConnInfo(connInfo, 'mount')
  return async (context, next) => {
    const url = usableUrl(context.req.url)
    if (url === null) return malformed()
    if (!auth.serves(url.pathname)) return next()
    return withReason(
      context,
      fetch.toResponse(await auth.handle(toPlainRequest(context, connInfo))),
    )
  }
}

/**
 * Guards routes of the host; `userOf(auth, context)` returns the admitted user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { Hono } from 'hono'
 *
 * const app = new Hono()
 * app.use('/api/*', guard(auth, getConnInfo))
 * ```
 */
export function guard(
  auth: PanelAuth,
  connInfo: GetConnInfo,
  options?: GuardOptions,
): MiddlewareHandler {
  ensureConnInfo(connInfo, 'guard')
  return guardBy(auth, connInfo, { guarded: 'route', judge: fetch.guard(auth, options) })
}

/**
 * Guards pages that the host renders. A navigation without a session is redirected to the login,
 * and after the login back to the page. In the route, `userOf(auth, context)` returns the user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { Hono } from 'hono'
 *
 * const app = new Hono()
 * app.use('/orders/*', pageGuard(auth, getConnInfo, { login: '/admin/main/login' }))
 * ```
 */
export function pageGuard(
  auth: PanelAuth,
  connInfo: GetConnInfo,
  options: PageGuardOptions,
): MiddlewareHandler {
  ensureConnInfo(connInfo, 'pageGuard')
  return guardBy(auth, connInfo, { guarded: 'page', judge: fetch.pageGuard(auth, options) })
}

function guardBy(
  auth: PanelAuth,
  connInfo: GetConnInfo,
  { guarded, judge }: { readonly guarded: Guarded; readonly judge: fetch.FetchGuard<unknown> },
): MiddlewareHandler {
  return async (context, next) => {
    const { response, ...admission } = await judge(context.req.raw, infoOf(context, connInfo))
    if (response !== null) return withReason(context, response)
    setAdmission(auth, context, admission)
    await next()
    const { status, headers } = context.res
    // Hono copies the response, and a copy of an upgrade has lost the WebSocket of Deno.
    if (status === 101) return undefined
    for (const line of cachingHeaders(guarded, (name) => headers.get(name))) context.header(...line)
    return undefined
  }
}

/**
 * Returns the user that the service's guard admitted; `null` if the route has no guard.
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { Hono } from 'hono'
 *
 * const app = new Hono()
 * app.get('/api/orders', guard(auth, getConnInfo), (context) =>
 *   context.json({ seenBy: userOf(auth, context)?.name }),
 * )
 * ```
 */
export function userOf<User>(auth: PanelAuth<User>, context: Context): User | null {
  return getUser(auth, context)
}

/** Converts a context. Hono caches a body that an earlier middleware has read. */
function toPlainRequest(context: Context, connInfo: GetConnInfo): PlainRequest {
  const { req } = context
  const plain = fetch.toPlainRequest(req.raw, infoOf(context, connInfo))
  if (!req.raw.bodyUsed || Object.keys(req.bodyCache).length === 0) return plain
  return {
    ...plain,
    async body(limitBytes) {
      const bytes = bytesOfText(await keptText(context))
      return bytes.byteLength > limitBytes ? null : bytes
    },
  }
}

/**
 * Returns the text of a body that an earlier middleware has read.
 *
 * @throws {BodyConsumedError} It was read in a form that Hono could not parse, and is lost.
 */
async function keptText({ req }: Context): Promise<string> {
  try {
    return await req.text()
  } catch (cause) {
    throw new BodyConsumedError(
      'the body of a request was read before the service could read it, and Hono has not kept it: ' +
        'mount the service before whatever reads bodies',
      { cause },
    )
  }
}

/** Sets the reason phrase on Node, because Hono does not pass on that of a web response. */
function withReason({ env }: Context, response: Response): Response {
  const { outgoing } = {
    ...(env as { readonly outgoing?: { statusMessage?: string } } | undefined),
  }
  if (outgoing !== undefined) setReason(outgoing, response.status)
  return response
}

function infoOf(context: Context, connInfo: GetConnInfo): fetch.FetchInfo {
  return { address: connInfo(context).remote.address ?? null }
}
