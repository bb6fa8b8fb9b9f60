import type { RequestHandler } from 'express'
import type { Impersonation, PanelAuth } from '@svc/auth'
import { userOf } from '@svc/auth/express'
import { textsOf } from './api-texts.ts'
import type { Person, Users } from './users.ts'

/** Returns whether a person is an administrator: they must have a second factor. */
const isAdministrator = ({ twoFactorRequired }: Person): boolean => twoFactorRequired === 1

/** Administrators may act as everybody but each other. */
export const impersonation = {
  allows: (person, user) => isAdministrator(person) && !isAdministrator(user),
} satisfies Impersonation<Person>

interface ImpersonationParts {
  readonly auth: PanelAuth<Person>
  readonly users: Users
}

/** Creates the route that lets an administrator act as a user. */
export function impersonationRoute({
  auth,
  users,
}: ImpersonationParts): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const person = userOf(auth, request)
    if (person === null) throw new Error('the guard did not run')
    const texts = textsOf(request)
    const user = await users.findById(request.params.id)
    if (user === null) return void response.status(404).json({ message: texts.gone })
    const opened = await auth.openSession(user, { request, by: { user: person } })
    if (opened.outcome === 'refused')
      return void response.status(403).json({ message: texts.mayNotActAs })
    response.append('Set-Cookie', [...opened.cookies]).json({ message: texts.actingAs })
  }
}
