import type { FieldProblem, PanelSession } from '@svc/auth/client'
import { locale, texts } from './page-texts.ts'

/** A user of the panel, as in `GET /api/people`. */
export interface NamedPerson {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

/** A user of the panel, as in `GET /api/people?page=1`. */
export interface Person extends NamedPerson {
  readonly emailVerified: boolean
  /** `null` if the panel has no second factor. */
  readonly secondFactor: boolean | null
  /** In ISO 8601; `null` if there was none, or the panel does not know. */
  readonly lastLogin: string | null
  /** True for a person as whom the reader may act. */
  readonly mayActAs: boolean
}

/** A page of the people that match a text. */
export interface PeoplePage {
  readonly data: readonly Person[]
  readonly total: number
  readonly pages: number
}

/** A notification, as in its form. */
export type Sending = Readonly<Record<'to' | 'title' | 'body' | 'url', string>>

/** Result of a request: a refusal has one message, or one for each invalid field. */
export type ApiResult<Body> =
  | { readonly outcome: 'ok'; readonly body: Body }
  | { readonly outcome: 'refused'; readonly problem: string | readonly FieldProblem[] }

/** Loads the names of all users of the panel. */
export async function readPeople(
  session: PanelSession,
): Promise<ApiResult<{ readonly data: readonly NamedPerson[] }>> {
  return ask(session, '/api/people')
}

/** Loads a page of the users whose name or email contains a text. */
export async function findPeople(
  session: PanelSession,
  { text, page }: { readonly text: string; readonly page: number },
): Promise<ApiResult<PeoplePage>> {
  return ask(session, `/api/people?${new URLSearchParams({ q: text, page: String(page) })}`)
}

/** Sends a notification to a user's bell. */
export async function sendNotification(
  session: PanelSession,
  sending: Sending,
): Promise<ApiResult<unknown>> {
  return ask(session, '/api/notifications', sending)
}

/** Creates a user and sends the invitation. */
export async function invitePerson(
  session: PanelSession,
  person: Readonly<Record<'name' | 'email', string>>,
): Promise<ApiResult<unknown>> {
  return ask(session, '/api/people', person)
}

/** Lets the user act as a person. */
export async function actAs(session: PanelSession, { id }: Person): Promise<ApiResult<unknown>> {
  return ask(session, `/api/people/${id}/impersonation`, {})
}

/** Sends a request. @param sent Body to send as JSON; without it, the request is a GET. */
async function ask<Body>(
  session: PanelSession,
  path: string,
  sent?: object,
): Promise<ApiResult<Body>> {
  try {
    // The session adds the CSRF token, and shows the login when it has ended.
    const response = await session.request(async (fetch) => fetch(path, requestOf(sent)))
    return outcomeOf(response.ok, await response.json())
  } catch (error) {
    // A proxy that limits requests, or has no server to ask, answers with a page.
    const isPage = error instanceof SyntaxError
    return { outcome: 'refused', problem: isPage ? texts.unavailable : texts.unreachable }
  }
}

function requestOf(sent: object | undefined): RequestInit {
  // The user may have chosen another language in the panel than in the browser.
  const headers = { 'Accept-Language': locale }
  if (sent === undefined) return { headers }
  return {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  }
}

interface RefusedBody {
  readonly message: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

function outcomeOf<Body>(isOk: boolean, body: unknown): ApiResult<Body> {
  // The responses come from our own server.
  if (isOk) return { outcome: 'ok', body: body as Body }
  const { message, errors } = body as RefusedBody
  if (errors === undefined) return { outcome: 'refused', problem: message }
  const problem = Object.entries(errors).flatMap(([id, [message]]) =>
    message === undefined ? [] : [{ id, message }],
  )
  return { outcome: 'refused', problem }
}
