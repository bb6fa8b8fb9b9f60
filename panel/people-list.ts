import type { RequestHandler } from 'express'
import type { PanelAuth } from '@svc/auth'
import { userOf } from '@svc/auth/express'
import { impersonation } from './impersonations.ts'
import type { Person, Users } from './users.ts'

interface ListParts {
  readonly auth: PanelAuth<Person>
  readonly users: Users
}

/** Creates the route that lists the users, and says as whom the reader may act. */
export function peopleRoute({ auth, users }: ListParts): RequestHandler {
  return async (request, response) => {
    const reader = userOf(auth, request)
    const people = await users.list()
    response.json({ data: people.map((person) => shownTo(reader, person)) })
  }
}

function shownTo(reader: Person | null, person: Person): object {
  const { id, email, name } = person
  const mayActAs = reader !== null && impersonation.allows(reader, person)
  return mayActAs ? { id, email, name, mayActAs } : { id, email, name }
}
