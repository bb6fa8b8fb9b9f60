import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpException, type CanActivate } from '@nestjs/common'
import type { PlainReply } from '../contracts.ts'
import type { GuardOptions, PanelAuth, Verdict } from '../service-contract.ts'
import { readGuardOptions } from '../guard-options.ts'
import { getUser, setUser } from './admitted-users.ts'
import { toPlainRequest } from './node.ts'
import { createPageJudge, originalTarget, type PageGuardOptions } from './page-guard.ts'
import { reasonOf } from './reason-phrase.ts'

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

/** A request or response of the platform: Express uses Node's own, Fastify wraps them. */
type Platform<Node> = Node | { readonly raw: Node }

/**
 * Guards routes of the host: `@UseGuards(guard(auth))`, or `app.useGlobalGuards(guard(auth))`.
 * `userOf(auth, request)` returns the admitted user.
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
  const guardOptions = readGuardOptions(options)
  return guardBy(auth, async (request) => auth.guard(toPlainRequest(request), guardOptions))
}

/**
 * Guards pages that the host renders: `@UseGuards(pageGuard(auth, { login }))`. A navigation
 * without a session is redirected to the panel, which returns to the page afterwards. The redirect
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
  return guardBy(auth, async (request) => judge(toPlainRequest(request), originalTarget(request)))
}

function guardBy(
  auth: PanelAuth,
  judge: (request: IncomingMessage) => Promise<Verdict<unknown>>,
): CanActivate {
  return {
    async canActivate(context) {
      const http = context.switchToHttp()
      const request = http.getRequest<Platform<IncomingMessage>>()
      const verdict = await judge(nodes(request))
      if (verdict.outcome !== 'admitted') {
        throw refusal(verdict.reply, nodes(http.getResponse<Platform<ServerResponse>>()))
      }
      setUser(auth, request, verdict.user)
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

function nodes<Node extends object>(platform: Platform<Node>): Node {
  return 'raw' in platform ? platform.raw : platform
}

/** Converts a refusal. Sets its headers on the response; the filter writes and frames the body. */
function refusal({ status, headers, body }: PlainReply, response: ServerResponse): HttpException {
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'content-length') response.setHeader(name, value)
  }
  response.statusMessage = reasonOf(status)
  return new HttpException(parsed(body), status)
}

function parsed(body: PlainReply['body']): Record<string, unknown> | string {
  if (typeof body !== 'string') return ''
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : body
  } catch {
    return body
  }
}
