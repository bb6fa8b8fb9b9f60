import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createParamDecorator,
  HttpException,
  SetMetadata,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common'
import type { PlainReply } from '../contracts/host.ts'
import { ConfigError } from '../contracts/errors.ts'
import type { GuardOptions, PanelAuth, Verdict } from '../contracts/service-contract.ts'
import { getUser, setAdmission } from './admitted-users.ts'
import { ensureAuth } from './ensure-auth.ts'
import { toPlainRequest } from './node.ts'
import { createPageJudge, limitCaching, type Guarded, type PageGuardOptions } from './page-guard.ts'
import { setReason } from './reason-phrase.ts'
import { parseReplyBody } from './reply-body.ts'

/**
 * Mounts the service as middleware of NestJS, on Express or Fastify: `app.use(mount(auth))`, before
 * `app.listen`.
 *
 * @example
 * ```ts
 * import { Module } from '@nestjs/common'
 * import { NestFactory } from '@nestjs/core'
 *
 * @Module({})
 * class Shop {}
 *
 * const app = await NestFactory.create(Shop)
 * app.use(mount(auth))
 * ```
 */
export { mount } from './node.ts'
export { impersonatorOf } from './admitted-users.ts'

/** A request or response of the platform: Express uses Node's own, Fastify wraps them. */
type Platform<Node> = Node | { readonly raw: Node }

/**
 * Guards routes of the host: `@UseGuards(guard(auth))`. `@CurrentUser(auth)` and `userOf(auth,
 * request)` return the admitted user.
 *
 * A refusal is an `HttpException` with the status and the body of the service, which the host's
 * filters see like any other. If a middleware of the service answered without JSON, the answer is
 * the exception's message.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { Controller, UseGuards } from '@nestjs/common'
 *
 * @Controller('api/orders')
 * @UseGuards(guard(auth))
 * class Orders {}
 * ```
 */
export function guard(auth: PanelAuth, options?: GuardOptions): CanActivate {
  ensureAuth(auth, 'guard')
  const guardOptions = auth.checkGuard(options)
  return guardBy(auth, 'route', async (request) =>
    auth.guard(toPlainRequest(request), guardOptions),
  )
}

/**
 * Guards every route of the application except those that `@Public()` exempts. Provide it as
 * `APP_GUARD`.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { Module } from '@nestjs/common'
 * import { APP_GUARD } from '@nestjs/core'
 *
 * @Module({ providers: [{ provide: APP_GUARD, useValue: globalGuard(auth) }] })
 * class Shop {}
 * ```
 */
export function globalGuard(auth: PanelAuth, options?: GuardOptions): CanActivate {
  const guarded = guard(auth, options)
  return { canActivate: (context) => isPublic(context) || guarded.canActivate(context) }
}

/** The key of the metadata. No other code can set it. */
const PUBLIC = Symbol('@svc/auth/nestjs: Public')

/**
 * Exempts a handler, or every handler of a controller, from `globalGuard`. Guards of the handler or
 * the controller itself stay in force. `@Public(false)` on a handler closes it in a public
 * controller. Subclasses do not inherit the exemption.
 *
 * @example
 * ```ts
 * import { Controller, Get } from '@nestjs/common'
 *
 * @Controller('health')
 * class Health {
 *   @Get()
 *   @Public()
 *   check() {
 *     return auth.health()
 *   }
 * }
 * ```
 */
export function Public(isExempt = true): MethodDecorator & ClassDecorator {
  return SetMetadata(PUBLIC, isExempt)
}

/**
 * Reads the metadata of the handler, or else of the controller. Own metadata only: a controller
 * that extends a public one would otherwise open its routes without a word in its own file.
 */
function isPublic(context: ExecutionContext): boolean {
  const ofHandler: unknown = Reflect.getOwnMetadata(PUBLIC, context.getHandler())
  const ofController: unknown = Reflect.getOwnMetadata(PUBLIC, context.getClass())
  return (ofHandler === undefined ? ofController : ofHandler) === true
}

/**
 * Guards pages that the host renders: `@UseGuards(pageGuard(auth, { login }))`. A navigation
 * without a session is redirected to the login, and after the login back to the page. The redirect
 * is an `HttpException`, too.
 *
 * @throws {ConfigError} An option is wrong.
 *
 * @example
 * ```ts
 * import { Controller, UseGuards } from '@nestjs/common'
 *
 * @Controller('orders')
 * @UseGuards(pageGuard(auth, { login: '/admin/main/login' }))
 * class OrderPages {}
 * ```
 */
export function pageGuard(auth: PanelAuth, options: PageGuardOptions): CanActivate {
  const judge = createPageJudge(auth, options)
  return guardBy(auth, 'page', async (request) => judge(toPlainRequest(request)))
}

const GUARDED =
  'the guard of @svc/auth decides about HTTP requests only; guard the HTTP endpoint or the ' +
  'upgrade, and exempt the handler by @Public()'

function guardBy(
  auth: PanelAuth,
  guarded: Guarded,
  judge: (request: IncomingMessage) => Promise<Verdict<unknown>>,
): CanActivate {
  return {
    async canActivate(context) {
      requireHttp(context, GUARDED)
      const http = context.switchToHttp()
      const request = http.getRequest<Platform<IncomingMessage>>()
      const response = nodes(http.getResponse<Platform<ServerResponse>>())
      const verdict = await judge(nodes(request))
      if (verdict.outcome !== 'admitted') throw refusal(verdict.reply, response)
      limitCaching(response, guarded)
      setAdmission(auth, request, verdict)
      return true
    },
  }
}

/**
 * Returns the user that the service's guard admitted; `null` if the route has no guard.
 *
 * @example
 * ```ts
 * import { Controller, Get, Req, UseGuards } from '@nestjs/common'
 *
 * @Controller('api/orders')
 * class Orders {
 *   @Get()
 *   @UseGuards(guard(auth))
 *   list(@Req() request: object) {
 *     return { seenBy: userOf(auth, request)?.name }
 *   }
 * }
 * ```
 */
export function userOf<User>(auth: PanelAuth<User>, request: object): User | null {
  return getUser(auth, request)
}

/**
 * Injects the user that the guard of this service admitted; `null` if none did, as on a public
 * route. Rejects handlers of gateways, microservices and GraphQL.
 *
 * @throws {ConfigError} The service is missing, for example because of a circular import.
 *
 * @example
 * ```ts
 * import { Controller, Get, UseGuards } from '@nestjs/common'
 *
 * @Controller('api/orders')
 * @UseGuards(guard(auth))
 * class Orders {
 *   @Get()
 *   list(@CurrentUser(auth) user: User) {
 *     return { seenBy: user.name }
 *   }
 * }
 * ```
 */
export function CurrentUser(auth: PanelAuth): ParameterDecorator {
  if (typeof auth !== 'object' || auth === null)
    throw new ConfigError(
      'CurrentUser: pass the service, @CurrentUser(auth); if it is undefined, look for a circular import',
    )
  return injectUser(auth)
}

const injectUser = createParamDecorator((auth: PanelAuth, context: ExecutionContext): unknown => {
  requireHttp(context, 'CurrentUser of @svc/auth knows users of HTTP requests only')
  return getUser(auth, context.switchToHttp().getRequest<object>())
})

/**
 * Rejects handlers of gateways, microservices and GraphQL: what they receive as request is not
 * a request of the platform, so nothing in it proves a session.
 */
function requireHttp(context: ExecutionContext, rule: string): void {
  const type: string = context.getType()
  if (type === 'http') return
  const handler = `${context.getClass().name}.${context.getHandler().name}`
  throw new Error(`${handler} answers "${type}": ${rule} (docs/frameworks/nestjs.md)`)
}

function nodes<Node extends object>(platform: Platform<Node>): Node {
  return 'raw' in platform ? platform.raw : platform
}

/**
 * Converts a refusal. Sets its headers on the response, but not those of its body, such as its type
 * and its Content-Security-Policy: a filter of the host may write a page in place of it.
 */
function refusal({ status, headers, body }: PlainReply, response: ServerResponse): HttpException {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('content-')) response.setHeader(name, value)
  }
  setReason(response, status)
  return new HttpException(parseReplyBody(body), status)
}
