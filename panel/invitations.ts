import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { hash } from '@node-rs/argon2'
import type { RequestHandler } from 'express'
import type { PanelAuth } from '@svc/auth'
import { userOf } from '@svc/auth/express'
import * as v from 'valibot'
import { maxLengths, required } from './api-fields.ts'
import { refuse, refuseTooOften } from './api-refusals.ts'
import { forEachLanguage, textsOf } from './api-texts.ts'
import { reasonOf } from './command.ts'
import { languageOf } from './languages.ts'
import { logFailure } from './log.ts'
import { personLimits, type PersonLimits } from './person-limits.ts'
import type { Person, Users } from './users.ts'

/**
 * Returns whether the service looks a person up by this address as it is. It reads a domain such as
 * `127.1` as the IPv4 address that it stands for in a URL.
 */
function hasNamedDomain(email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return ['', domain].includes(domainToASCII(domain))
}

const inviting = forEachLanguage((texts) =>
  v.object({
    name: v.pipe(
      required(texts.enterName),
      v.maxCodePoints(maxLengths.name, texts.tooLong(maxLengths.name)),
    ),
    email: v.pipe(
      required(texts.enterEmail),
      v.toLowerCase(),
      v.rfcEmail(texts.enterEmail),
      v.check(hasNamedDomain, texts.enterEmail),
      v.maxCodePoints(maxLengths.email, texts.tooLong(maxLengths.email)),
    ),
  }),
)

interface InvitationParts {
  readonly auth: PanelAuth<Person>
  readonly users: Users
  readonly limits: PersonLimits
}

/** Creates the route that creates a user and mails an invitation. */
export function invitationRoute(parts: InvitationParts): RequestHandler {
  const { auth, users, limits } = parts
  return async (request, response) => {
    const inviter = userOf(auth, request)
    if (inviter === null) throw new Error('the guard did not run')
    const language = languageOf(request)
    const checked = v.safeParse(inviting[language], request.body)
    const texts = textsOf(request)
    if (!checked.success) return refuse(response, 422, v.flatten(checked.issues).nested ?? {})
    const limit = personLimits.inviting
    if (!(await limits.count(inviter.id, limit))) return refuseTooOften(response, limit)
    // Nobody knows this password. The invited person chooses another.
    const passwordHash = await hash(randomUUID())
    if (!(await users.createAll([{ ...checked.output, passwordHash }])))
      return refuse(response, 422, { email: [texts.known] })
    if (await isInvited(parts, checked.output.email, language)) {
      response.status(201).json({ message: texts.invited })
    } else response.status(503).json({ message: texts.notInvited })
  }
}

/** Sends the invitation. Removes the new person again if it was not sent. */
async function isInvited(
  { auth, users }: InvitationParts,
  email: string,
  language: string,
): Promise<boolean> {
  const person = await users.findByEmail(email)
  if (person === null) return false
  try {
    await auth.invite(person, { language })
    return true
  } catch (error) {
    await users.remove(person)
    logFailure(`an invitation was not sent: ${reasonOf(error)}`)
    return false
  }
}
