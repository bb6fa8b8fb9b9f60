import express, { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { NotificationError, type BellData, type PanelAuth } from '@svc/auth'
import { guard, userOf } from '@svc/auth/express'
import * as v from 'valibot'
import { BODY_KIB, maxLengths, optional, required } from './api-fields.ts'
import { refuse, refuseTooOften } from './api-refusals.ts'
import { forEachLanguage, textsOf } from './api-texts.ts'
import { impersonationRoute } from './impersonations.ts'
import { invitationRoute } from './invitations.ts'
import { peopleRoute, type PersonSources } from './people-list.ts'
import { personLimits, type PersonLimits } from './person-limits.ts'
import { languageOf } from './languages.ts'
import type { Person, Users } from './users.ts'

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

export interface ApiParts extends PersonSources {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly limits: PersonLimits
}

/**
 * Creates the panel's own routes. A guard checks session, CSRF token and gates before the body is
 * read, and answers its refusals. Another one checks them again when the body has arrived: its
 * sender decides when, and the session may have ended. Every user whom they admit may use all
 * routes.
 */
export function createApi({ auth, users, limits, ...sources }: ApiParts): Router {
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
    const limit = personLimits.sending
    if (!(await limits.count(sender.id, limit))) return refuseTooOften(response, limit)
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

  const body = express.json({ limit: `${BODY_KIB}kb` })
  // An administrator who acts as a user must not send notifications in the name of that user.
  const themselves = guard(auth, { impersonation: 'refused' })
  const api = Router()
    .use(guard(auth), forbidCaching)
    .get('/people', peopleRoute({ auth, users, ...sources }))
    .post('/notifications', body, themselves, sendNotification)
  // The layers of an account are bound together.
  if (sources.activity !== null) {
    // Both let somebody into the panel, so a session that was left open must not be enough.
    const confirmed = guard(auth, { confirmedWithin: 15 })
    api
      .post('/people', body, confirmed, invitationRoute({ auth, users, limits }))
      .post('/people/:id/impersonation', confirmed, impersonationRoute({ auth, users }))
  }
  return api
}

const forbidCaching: RequestHandler = (_request, response, next) => {
  response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  next()
}
