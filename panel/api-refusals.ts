import type { Response } from 'express'
import { textsOf } from './api-texts.ts'
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
