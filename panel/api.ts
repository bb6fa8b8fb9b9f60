import express, { Router } from 'express'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { NotificationError, type BellData, type PanelAuth } from '@svc/auth'
import { guard, userOf } from '@svc/auth/express'
import * as v from 'valibot'
import { forEachLanguage, languageOf, textsOf, type ApiTexts } from './api-texts.ts'
import { personLimits, type PersonLimits } from './person-limits.ts'
import { reasonOf } from './command.ts'
import { logFailure } from './log.ts'
import type { Person, Users } from './users.ts'

const BODY_KIB = 16

/** Maximum lengths of a notification's parts, in characters. */
export const maxLengths = { title: 120, body: 1000, url: 2048 } as const

/** Returns the rule for an optional field. */
function optional(most: number, texts: ApiTexts) {
  return v.pipe(
    v.nullish(
      v.pipe(v.string(texts.giveText), v.trim(), v.maxCodePoints(most, texts.tooLong(most))),
      null,
    ),
    v.transform((text) => (text === '' ? null : text)),
  )
}

/** Returns the rule for a required field: a missing one is treated as empty. */
function required(message: string) {
  return v.pipe(v.nullish(v.string(message), ''), v.trim(), v.minLength(1, message))
}

const sending = forEachLanguage((texts) =>
  v.object({
    to: required(texts.chooseSomebody),
    title: v.pipe(
      required(texts.enterTitle),
      v.maxCodePoints(maxLengths.title, texts.titleTooLong(maxLengths.title)),
    ),
    body: optional(maxLengths.body, texts),
    url: optional(maxLengths.url, texts),
  }),
)

/**
 * Creates the panel's own routes. The guard checks session, CSRF token and gates before the body is
 * read, and answers its refusals. Every user whom it admits may use all routes.
 */
export function createApi(auth: PanelAuth<Person>, users: Users, limits: PersonLimits): Router {
  async function listPeople(_request: Request, response: Response): Promise<void> {
    const people = (await users.list()).map(({ id, email, name }) => ({ id, email, name }))
    response.json({ data: people })
  }

  async function sendNotification(request: Request, response: Response): Promise<void> {
    const sender = userOf(auth, request)
    if (sender === null) throw new Error('the guard did not run')
    const checked = v.safeParse(sending[languageOf(request)], request.body)
    const texts = textsOf(request)
    if (!checked.success) return refuse(response, 422, v.flatten(checked.issues).nested ?? {})
    const { to, ...entry } = checked.output
    const person = await users.findById(to)
    if (person === null) {
      return refuse(response, 404, { to: [texts.gone] })
    }
    if (!(await limits.count(sender.id, personLimits.sending))) return refuseTooOften(response)
    if (!(await isSent(person, entry))) return refuse(response, 422, { url: [texts.badUrl] })
    response.status(202).json({ message: texts.sent })
  }

  /** Sends a notification. Title and body are valid, so the service can only refuse the address. */
  async function isSent(person: Person, entry: BellData): Promise<boolean> {
    try {
      await auth.notify(person, { type: 'note', via: () => ['database'], toDatabase: () => entry })
      return true
    } catch (error) {
      if (error instanceof NotificationError) return false
      throw error
    }
  }

  return Router()
    .use(guard(auth), forbidCaching)
    .get('/people', listPeople)
    .post('/notifications', express.json({ limit: `${BODY_KIB}kb` }), sendNotification)
    .use(answerError)
}

const forbidCaching: RequestHandler = (_request, response, next) => {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  next()
}

type FieldErrors = Readonly<Record<string, readonly string[] | undefined>>

/** Answers in the service's format: the first message, and all of them by field. */
function refuse(response: Response, status: number, errors: FieldErrors): void {
  const first = Object.values(errors).find((said) => said !== undefined)
  const message = first?.[0] ?? textsOf(response.req).sendObject
  response.status(status).json({ message, errors })
}

function refuseTooOften(response: Response): void {
  response.set('retry-after', String(personLimits.sending.windowSeconds))
  response.status(429).json({ message: textsOf(response.req).tooOften })
}

/** Answers the errors of the body parser, and logs all others. */
const answerError: ErrorRequestHandler = (error, request, response, next) => {
  if (response.headersSent) return next(error)
  switch (error.type) {
    case 'entity.parse.failed':
      return refuse(response, 422, {})
    case 'entity.too.large':
      // The rest of the body would be parsed as the next request.
      response.set('connection', 'close')
      response.status(413).json({ message: textsOf(request).tooLarge(BODY_KIB) })
      return
    default:
      logFailure(`${request.method} ${request.originalUrl} failed: ${reasonOf(error)}`)
      response.status(503).json({ message: textsOf(request).unavailable })
  }
}
