import type { FieldProblem, PanelSession } from '@svc/auth/client'

/** Somebody of the panel, as `GET /api/people` tells. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string | null
}

/** A notification, as its form has it. */
export type Sending = Readonly<Record<'to' | 'title' | 'body' | 'url', string>>

/** What became of a request: a refusal says why, by field where a field is at fault. */
export type Outcome<Body> =
  | { readonly outcome: 'ok'; readonly body: Body }
  | { readonly outcome: 'refused'; readonly problem: string | readonly FieldProblem[] }

const UNREACHABLE = 'We could not reach the server. Check your connection and try again.'

/** Everybody of the panel. */
export async function readPeople(session: PanelSession): Promise<Outcome<readonly Person[]>> {
  const answer = await ask<{ readonly data: readonly Person[] }>(session, '/api/people')
  return answer.outcome === 'ok' ? { outcome: 'ok', body: answer.body.data } : answer
}

/** Sends a notification to the bell of somebody. */
export async function sendNotification(
  session: PanelSession,
  sending: Sending,
): Promise<Outcome<unknown>> {
  return ask(session, '/api/notifications', sending)
}

/** @param sent Sent as JSON; left out, the path is read. */
async function ask<Body>(
  session: PanelSession,
  path: string,
  sent?: object,
): Promise<Outcome<Body>> {
  try {
    // Through the session: it brings the CSRF token, and the panel shows its login when the session has ended.
    const response = await session.request(async (fetch) => fetch(path, requestOf(sent)))
    return outcomeOf(response.ok, await response.json())
  } catch {
    return { outcome: 'refused', problem: UNREACHABLE }
  }
}

function requestOf(sent: object | undefined): RequestInit {
  if (sent === undefined) return {}
  const headers = { 'Content-Type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(sent) }
}

interface Refusal {
  readonly message: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

function outcomeOf<Body>(isOk: boolean, body: unknown): Outcome<Body> {
  // These are the answers of our own server.
  if (isOk) return { outcome: 'ok', body: body as Body }
  const { message, errors } = body as Refusal
  if (errors === undefined) return { outcome: 'refused', problem: message }
  const problem = Object.entries(errors).flatMap(([id, [message]]) =>
    message === undefined ? [] : [{ id, message }],
  )
  return { outcome: 'refused', problem }
}
