import type { IncomingMessage, ServerResponse } from 'node:http'
import { NotificationError, type Notification, type PanelAuth } from '@svc/auth'
import { guard, toPlainRequest, type NodeHandler } from '@svc/auth/node'
import { z } from 'zod'
import { answerJson } from './answer.ts'
import { reasonOf } from './reason.ts'
import type { Person, Users } from './users.ts'

/** The largest body that is read. */
export const BODY_BYTES = 16 * 1024

const UNAVAILABLE = { message: 'The panel cannot do this now. Try again in a moment.' }
const TOO_LARGE = { message: `This is too long: at most ${BODY_BYTES / 1024} KiB can be sent.` }
const MALFORMED = { message: 'The body is no JSON.' }
const NOBODY = 'This person is no longer here. Choose another.'
const BAD_URL =
  'Give an address that begins with https:// or http://, or a path that begins with /.'

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** An entry that may be left empty. */
const optional = z
  .string('Give a text.')
  .nullish()
  .transform((text) => (text ?? '').trim() || null)

const sending = z.object({
  to: z.string('Choose a person.').min(1, 'Choose a person.'),
  title: z.string('Enter a title.').trim().min(1, 'Enter a title.'),
  body: optional,
  url: optional,
})

/** The panel's own routes, by method and path. Whoever is let in by the guard may use all of them. */
export function createApi(auth: PanelAuth<Person>, users: Users): ReadonlyMap<string, NodeHandler> {
  const admit = guard(auth)

  const guarded =
    (answer: Answer) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      const run = async (): Promise<void> => {
        if ((await admit(request, response)) !== null) await answer(request, response)
      }
      run().catch((error: unknown) => {
        console.error(`${request.method} ${request.url} failed: ${reasonOf(error)}`)
        answerJson(response, 503, UNAVAILABLE)
      })
    }

  async function listPeople(_: IncomingMessage, response: ServerResponse): Promise<void> {
    const people = (await users.all()).map(({ id, email, name }) => ({ id, email, name }))
    answerJson(response, 200, { data: people })
  }

  // No limit of its own: it takes somebody who is known, and one row each. A panel that strangers can
  // register at would count them by their sender.
  async function sendNotification(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const bytes = await toPlainRequest(request).body(BODY_BYTES)
    // What has not been read would be taken for the next request.
    if (bytes === null) return answerJson(response, 413, TOO_LARGE, { connection: 'close' })
    const body = parse(bytes)
    if (body === undefined) return answerJson(response, 400, MALFORMED)
    const checked = sending.safeParse(body)
    if (!checked.success) {
      const { fieldErrors } = z.flattenError(checked.error)
      return answerJson(response, 422, atFields(fieldErrors))
    }
    const { to, ...entry } = checked.data
    const person = await users.findById(to)
    if (person === null) return answerJson(response, 404, atFields({ to: [NOBODY] }))
    try {
      await auth.notify(person, noteOf(entry))
    } catch (error) {
      // A title and a text it has: what is left to be wrong with it is the address.
      if (!(error instanceof NotificationError)) throw error
      return answerJson(response, 422, atFields({ url: [BAD_URL] }))
    }
    answerJson(response, 202, { message: 'Sent.' })
  }

  return new Map([
    ['GET /api/people', guarded(listPeople)],
    ['POST /api/notifications', guarded(sendNotification)],
  ])
}

type FieldErrors = Readonly<Record<string, readonly string[] | undefined>>

/** In the shape of the service's own refusals: the first message, and each at its field. */
function atFields(errors: FieldErrors): object {
  const first = Object.values(errors).find((said) => said !== undefined)
  return { message: first?.[0] ?? 'Send a JSON object.', errors }
}

/** @returns `undefined`: it is no JSON. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

function noteOf(
  entry: Readonly<{ title: string; body: string | null; url: string | null }>,
): Notification<Person> {
  return { type: 'note', via: () => ['database'], toDatabase: () => entry }
}
