import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import type { GuardOptions, PanelAuth } from '../contracts/service-contract.ts'
import { getUser, impersonatorOf, setAdmission } from './admitted-users.ts'
import * as node from './node.ts'
import type { PageGuardOptions } from './page-guard.ts'

export { impersonatorOf } from './admitted-users.ts'

type Raw = Parameters<node.NodeGuard<unknown>>

/** An `onRequest` hook of every Fastify instance, also of one on HTTP/2. */
export type FastifyGuard = (
  request: { readonly raw: Raw[0] },
  reply: { readonly raw: Raw[1]; hijack(): unknown },
) => Promise<unknown>

/**
 * Mounts the service as a plugin of Fastify 5: `app.register(mount(auth))`. It answers before
 * bodies are parsed and before routes of the host, also when it is registered within another
 * plugin, as in the `app.js` of Fastify's generator.
 *
 * @throws {Error} from `app.ready()`: it is registered below a prefix, or where Fastify does not
 *   let it reach the root.
 *
 * @example
 * ```ts
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * await app.register(mount(auth))
 * await app.listen({ port: 3000 })
 * ```
 */
export function mount(auth: PanelAuth): FastifyPluginCallback {
  const handler = node.mount(auth)
  const plugin: FastifyPluginCallback = (app, _options, registered) => {
    if (app.prefix !== '')
      return registered(
        new Error(
          `the service is registered below ${app.prefix}: register it at the root, app.register(mount(auth))`,
        ),
      )
    const root = rootOf(app)
    if (root === null) return registered(new Error(UNREACHABLE))
    root.addHook('onRequest', (request, reply, next) => {
      if (!auth.serves(request.raw.url ?? '/')) return next()
      reply.hijack()
      handler(request.raw, reply.raw)
    })
    registered()
  }
  // Fastify's marker for a plugin that gets no context of its own.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
}

const UNREACHABLE =
  'the service cannot reach the root of this Fastify instance: register it there, app.register(mount(auth))'

/**
 * Returns the instance that the host created; `null` if it cannot be told. A hook of an
 * encapsulated context runs for the routes of that context only, and the service's paths are no
 * routes: their requests are handled as "not found", by the root. Fastify creates a context as an
 * object that inherits from the one around it, and `version` is an own property of the root alone.
 */
function rootOf(app: FastifyInstance): FastifyInstance | null {
  for (let one: object | null = app; one !== null; one = Object.getPrototypeOf(one) as object) {
    if (Object.hasOwn(one, 'version')) return one as FastifyInstance
  }
  return null
}

/**
 * Guards routes of the host as their `onRequest` hook, before the body is parsed. `userOf(auth,
 * request)` returns the admitted user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * app.get('/api/status', { onRequest: guard(auth, { passive: true }) }, () => ({ ok: true }))
 * ```
 */
export function guard(auth: PanelAuth, options?: GuardOptions): FastifyGuard {
  return guardBy(auth, node.guard(auth, options))
}

/**
 * Guards pages that the host renders, as their `onRequest` hook. A navigation without a session is
 * redirected to the login, and after the login back to the page. In the route, `userOf(auth,
 * request)` returns the user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * app.addHook('onRequest', pageGuard(auth, { login: '/admin/main/login' }))
 * ```
 */
export function pageGuard(auth: PanelAuth, options: PageGuardOptions): FastifyGuard {
  return guardBy(auth, node.pageGuard(auth, options))
}

function guardBy(auth: PanelAuth, judge: node.NodeGuard<unknown>): FastifyGuard {
  return async (request, reply) => {
    const user = await judge(request.raw, reply.raw)
    if (user === null) return reply.hijack()
    const impersonator = impersonatorOf(auth, request.raw)
    setAdmission(auth, request, { user, ...(impersonator !== null && { impersonator }) })
    return undefined
  }
}

/**
 * Returns the user that the service's guard admitted; `null` if the route has no guard.
 *
 * @example
 * ```ts
 * import fastify from 'fastify'
 *
 * const app = fastify()
 * app.get('/api/orders', { onRequest: guard(auth) }, (request) => ({
 *   seenBy: userOf(auth, request)?.name,
 * }))
 * ```
 */
export function userOf<User>(
  auth: PanelAuth<User>,
  request: { readonly raw: object },
): User | null {
  return getUser(auth, request)
}
