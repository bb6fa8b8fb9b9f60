import type { ErrorRequestHandler, Response } from 'express'
import { BODY_KIB } from './api-fields.ts'
import { textsOf } from './api-texts.ts'
import { reasonOf } from './command.ts'
import { logFailure } from './log.ts'
import type { PersonLimit } from './person-limits.ts'

type FieldErrors = Readonly<Record<string, readonly string[] | undefined>>

/** Answers in the service's format: the first message, and all of them by field. */
export function refuse(response: Response, status: number, errors: FieldErrors): void {
  const first = Object.values(errors).find((said) => said !== undefined)
  const message = first?.[0] ?? textsOf(response.req).sendObject
  response.status(status).json({ message, errors })
}

export function refuseTooOften(response: Response, { windowSeconds }: PersonLimit): void {
  response.set('retry-after', String(windowSeconds))
  response.status(429).json({ message: textsOf(response.req).tooOften })
}

/**
 * Answers every error of the panel's own routes, because the handler of Express shows the stack. An
 * error of the client is not logged: anybody can cause any number of them.
 */
export const answerError: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error)
  // The address cannot be decoded, so nothing is there.
  if (error instanceof URIError) return next()
  const { type, status } = Object(error) as { readonly type?: unknown; readonly status?: unknown }
  if (type === 'entity.too.large') {
    // The rest of the body would be parsed as the next request.
    response.set('connection', 'close')
    response.status(413).json({ message: textsOf(request).tooLarge(BODY_KIB) })
  } else if (type === 'entity.parse.failed') refuse(response, 422, {})
  else if (Number(status) < 500) refuse(response, Number(status), {})
  else {
    logFailure(`${request.method} ${request.originalUrl} failed: ${reasonOf(error)}`)
    response.status(503).json({ message: textsOf(request).unavailable })
  }
}
