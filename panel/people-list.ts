import type { Request, RequestHandler } from 'express'
import type { PanelAuth } from '@svc/auth'
import { userOf } from '@svc/auth/express'
import type { FactorStore } from '@svc/auth/totp'
import { impersonation } from './impersonations.ts'
import type { Person, Users } from './users.ts'

const PAGE_SIZE = 20

/** Sources of data beside the users table; `null` where the layer is not bound. */
export interface PersonSources {
  readonly factors: Pick<FactorStore, 'read'> | null
  readonly activity: Pick<PanelAuth<Person>, 'activityOf'> | null
}

interface ListParts extends PersonSources {
  readonly auth: PanelAuth<Person>
  readonly users: Users
}

/**
 * Creates the route that lists the users: with `page`, the 20 of that page whose name or email
 * contains `q`, and what the panel knows of them; without it, the names and emails of all.
 */
export function peopleRoute({ auth, users, ...sources }: ListParts): RequestHandler {
  return async (request, response) => {
    const reader = userOf(auth, request)
    const page = Number(textOf(request, 'page'))
    const found = matching(await users.list(), textOf(request, 'q'))
    if (!Number.isSafeInteger(page) || page < 1) {
      response.json({ data: found.map(({ id, email, name }) => ({ id, email, name })) })
      return
    }
    const shown = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    const data = await Promise.all(
      shown.map(async (person) => {
        const mayActAs = reader !== null && impersonation.allows(reader, person)
        return Object.assign(await detailsOf(person, sources), { mayActAs })
      }),
    )
    response.json({ data, total: found.length, pages: Math.ceil(found.length / PAGE_SIZE) })
  }
}

function textOf({ query }: Request, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}

/** Returns the people whose name or email contains a text, in any case, in the order of names. */
function matching(people: readonly Person[], wanted: string): readonly Person[] {
  const text = wanted.trim().toLocaleLowerCase()
  return people
    .filter(({ name, email }) => `${name ?? ''}\n${email}`.toLocaleLowerCase().includes(text))
    .toSorted((one, other) => (one.name ?? one.email).localeCompare(other.name ?? other.email))
}

async function detailsOf(person: Person, { factors, activity }: PersonSources): Promise<object> {
  const { id, email, name, emailVerifiedAt } = person
  const [factor, events] = await Promise.all([factors?.read(id), activity?.activityOf(id)])
  const login = events?.find(({ event }) => event === 'login')
  return {
    id,
    email,
    name,
    emailVerified: emailVerifiedAt !== null,
    secondFactor: factors === null ? null : factor !== null,
    lastLogin: login === undefined ? null : new Date(login.at).toISOString(),
  }
}
