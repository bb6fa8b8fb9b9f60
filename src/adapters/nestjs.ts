import type { IncomingMessage, ServerResponse } from 'node:http'
import { HttpException, type CanActivate } from '@nestjs/common'
import {
  readGuardOptions,
  type GuardOptions,
  type PanelAuth,
  type PlainReply,
} from '../contracts.ts'
import { getUser, setUser } from './admitted-users.ts'
import { toPlainRequest } from './node.ts'
import { reasonOf } from './reason-phrase.ts'

/** The service as a middleware of NestJS, on Express and on Fastify: `app.use(mount(auth))`, before `app.listen`. */
export { mount } from './node.ts'

/** A request or a response of the platform below: Express has Node's own, Fastify wraps them. */
type Platform<Node> = Node | { readonly raw: Node }

/**
 * Guards routes of the host: `@UseGuards(guard(auth))`, or `app.useGlobalGuards(guard(auth))`. `userOf(auth, request)`
 * gives who was let in.
 *
 * Who is refused meets an `HttpException` with the status and the body of the service, which the filters of the host
 * see like any other; what a middleware of the service answered without JSON comes as the exception's message.
 *
 * @throws {ConfigError} An option is wrong.
 */
export function guard(auth: PanelAuth, options?: GuardOptions): CanActivate {
  const guardOptions = readGuardOptions(options)
  return {
    async canActivate(context) {
      const http = context.switchToHttp()
      const request = http.getRequest<Platform<IncomingMessage>>()
      const verdict = await auth.guard(toPlainRequest(nodes(request)), guardOptions)
      if (verdict.outcome !== 'admitted') {
        throw refusal(verdict.reply, nodes(http.getResponse<Platform<ServerResponse>>()))
      }
      setUser(auth, request, verdict.user)
      return true
    },
  }
}

/** The user that the guard of this service let in; `null` where no guard stands before the route. */
export function userOf<User>(auth: PanelAuth<User>, request: object): User | null {
  return getUser(auth, request)
}

function nodes<Node extends object>(platform: Platform<Node>): Node {
  return 'raw' in platform ? platform.raw : platform
}

/** The headers stay with the response; the body is written by the filter, which frames it anew. */
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
