import type { IncomingMessage, ServerResponse } from 'node:http'
import { NotificationError, type BellData, type PanelAuth } from '@svc/auth'
import { guard, toPlainRequest, type NodeHandler } from '@svc/auth/node'
import * as v from 'valibot'
import { personLimits, type PersonLimits } from './person-limits.ts'
import { reasonOf } from './command.ts'
import type { Person, Users } from './users.ts'

/** Maximum size of a request body. */
const BODY_BYTES = 16 * 1024

interface Reply {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const UNAVAILABLE: Reply = {
  status: 503,
  body: { message: 'The panel cannot do this now. Try again in a moment.' },
}
const TOO_LARGE: Reply = {
  status: 413,
  body: { message: `This is too long: at most ${BODY_BYTES / 1024} KiB can be sent.` },
  // The rest of the body would be parsed as the next request.
  headers: { connection: 'close' },
}
const SENT: Reply = { status: 202, body: { message: 'Sent.' } }
const NOBODY = 'This person is no longer here. Choose another.'
const BAD_URL =
  'Give an address that begins with https:// or http://, or a path that begins with /.'

const TOO_OFTEN: Reply = {
  status: 429,
  body: { message: 'You have sent many notifications. Try again in a minute.' },
  headers: { 'retry-after': String(personLimits.sending.windowSeconds) },
}

/** Maximum lengths of a notification's parts, in characters. */
export const maxLengths = { title: 120, body: 1000, url: 2048 } as const

/** Returns the rule for an optional field. */
function optional(most: number) {
  return v.pipe(
    v.nullish(
      v.pipe(
        v.string('Give a text.'),
        v.trim(),
        v.maxCodePoints(most, `This is too long: use at most ${most} characters.`),
      ),
      null,
    ),
    v.transform((text) => (text === '' ? null : text)),
  )
}

/** Returns the rule for a required field: a missing one is treated as empty. */
function required(message: string) {
  return v.pipe(v.nullish(v.string(message), ''), v.trim(), v.minLength(1, message))
}

const sending = v.object({
  to: required('Choose a person.'),
  title: v.pipe(
    required('Enter a title.'),
    v.maxCodePoints(
      maxLengths.title,
      `The title is too long: use at most ${maxLengths.title} characters.`,
    ),
  ),
  body: optional(maxLengths.body),
  url: optional(maxLengths.url),
})

type Answer = (request: IncomingMessage, person: Person) => Promise<Reply>

/** The panel's own routes, by method and path. */
export type Api = ReadonlyMap<string, NodeHandler>

/** Creates the routes. Every user whom the guard admits may use all of them. */
export function createApi(auth: PanelAuth<Person>, users: Users, limits: PersonLimits): Api {
  const guarded = guardedBy(auth)

  async function listPeople(): Promise<Reply> {
    const people = (await users.list()).map(({ id, email, name }) => ({ id, email, name }))
    return { status: 200, body: { data: people } }
  }

  async function sendNotification(request: IncomingMessage, sender: Person): Promise<Reply> {
    const bytes = await toPlainRequest(request).body(BODY_BYTES)
    if (bytes === null) return TOO_LARGE
    const checked = v.safeParse(sending, parsedObject(bytes))
    if (!checked.success) return atFields(422, v.flatten(checked.issues).nested ?? {})
    const { to, ...entry } = checked.output
    const person = await users.findById(to)
    if (person === null) return atFields(404, { to: [NOBODY] })
    if (!(await limits.count(sender.id, personLimits.sending))) return TOO_OFTEN
    return (await isSent(person, entry)) ? SENT : atFields(422, { url: [BAD_URL] })
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

  return new Map([
    ['GET /api/people', guarded(listPeople)],
    ['POST /api/notifications', guarded(sendNotification)],
  ])
}

/**
 * Guards a route. The guard checks session, CSRF token and gates before the body is read, and
 * answers its refusals.
 */
function guardedBy(auth: PanelAuth<Person>): (answer: Answer) => NodeHandler {
  const admit = guard(auth)
  return (answer) => (request, response) => {
    const run = async (): Promise<void> => {
      const person = await admit(request, response)
      if (person !== null) answerJson(response, await answer(request, person))
    }
    run().catch((error: unknown) => {
      console.error(`${request.method} ${request.url} failed: ${reasonOf(error)}`)
      answerJson(response, UNAVAILABLE)
    })
  }
}

type FieldErrors = Readonly<Record<string, readonly string[] | undefined>>

/** Returns a refusal in the service's format: the first message, and all of them by field. */
function atFields(status: number, errors: FieldErrors): Reply {
  const first = Object.values(errors).find((said) => said !== undefined)
  return { status, body: { message: first?.[0] ?? 'Send a JSON object.', errors } }
}

/** Parses a JSON object. @returns `undefined` for anything else. */
function parsedObject(bytes: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return Array.isArray(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Writes an answer, which caches must not store. */
function answerJson(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  })
  response.end(JSON.stringify(body))
}
