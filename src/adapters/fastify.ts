import type { FastifyPluginCallback, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { GuardOptions, PanelAuth } from '../service-contract.ts'
import { getUser, setUser } from './admitted-users.ts'
import * as node from './node.ts'
import type { PageGuardOptions } from './page-guard.ts'

/**
 * Mounts the service as a plugin of Fastify 5: `app.register(mount(auth))`. Register it at the
 * root: it answers before bodies are parsed, and before routes of the host.
 *
 * @throws {Error} from `app.ready()`: it is registered below a prefix.
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
    if (app.prefix !== '') {
      return registered(
        new Error(
          `the service is registered below ${app.prefix}: register it at the root, app.register(mount(auth))`,
        ),
      )
    }
    app.addHook('onRequest', (request, reply, next) => {
      if (!auth.serves(request.raw.url ?? '/')) return next()
      reply.hijack()
      handler(request.raw, reply.raw)
    })
    registered()
  }
  // Fastify's marker for a plugin whose hooks apply to the whole site.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true })
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
export function guard(auth: PanelAuth, options?: GuardOptions): onRequestAsyncHookHandler {
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
export function pageGuard(auth: PanelAuth, options: PageGuardOptions): onRequestAsyncHookHandler {
  return guardBy(auth, node.pageGuard(auth, options))
}

function guardBy(auth: PanelAuth, judge: node.NodeGuard<unknown>): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const user = await judge(request.raw, reply.raw)
    if (user === null) return reply.hijack()
    setUser(auth, request, user)
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
export function userOf<User>(auth: PanelAuth<User>, request: FastifyRequest): User | null {
  return getUser(auth, request)
}
