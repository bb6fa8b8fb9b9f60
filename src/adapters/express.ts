import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { GuardOptions, PanelAuth } from '../contracts/service-contract.ts'
import { getUser } from './admitted-users.ts'
import * as node from './node.ts'
import type { PageGuardOptions } from './page-guard.ts'

export { impersonatorOf } from './admitted-users.ts'

/**
 * Mounts the service as Express middleware. Mount it at the root, before any body parser; behind
 * one it uses `request.body`.
 *
 * @example
 * ```ts
 * import express from 'express'
 *
 * const app = express()
 * app.use(mount(auth))
 * app.use(express.json())
 * ```
 */
export function mount(auth: PanelAuth): RequestHandler {
  const handler = node.mount(auth)
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.baseUrl !== '')
      return next(
        new Error(
          `the service is mounted at ${request.baseUrl}: mount it at the root, app.use(mount(auth))`,
        ),
      )
    handler(request, response, next)
  }
}

/**
 * Guards routes of the host; `userOf(auth, request)` returns the admitted user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import express from 'express'
 *
 * const app = express()
 * app.use(mount(auth))
 * app.use('/api', guard(auth))
 * app.get('/api/status', guard(auth, { passive: true }), (_, response) => response.send('ok'))
 * ```
 */
export function guard(auth: PanelAuth, options?: GuardOptions): RequestHandler {
  return guardBy(node.guard(auth, options))
}

/**
 * Guards pages that the host renders. A navigation without a session is redirected to the login,
 * and after the login back to the page. In the route, `userOf(auth, request)` returns the user.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import express from 'express'
 *
 * const app = express()
 * app.use('/orders', pageGuard(auth, { login: '/admin/main/login' }))
 * ```
 */
export function pageGuard(auth: PanelAuth, options: PageGuardOptions): RequestHandler {
  return guardBy(node.pageGuard(auth, options))
}

function guardBy(judge: node.NodeGuard<unknown>): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    try {
      if ((await judge(request, response)) === null) return
    } catch (error) {
      // Express 4 ignores a handler's promise: a rejection would end the process.
      return next(error)
    }
    next()
  }
}

/**
 * Returns the user that the service's guard admitted; `null` if the route has no guard.
 *
 * @example
 * ```ts
 * import express from 'express'
 *
 * const app = express()
 * app.get('/api/orders', guard(auth), (request, response) => {
 *   response.json({ seenBy: userOf(auth, request)?.name })
 * })
 * ```
 */
export function userOf<User>(auth: PanelAuth<User>, request: Request): User | null {
  return getUser(auth, request)
}
