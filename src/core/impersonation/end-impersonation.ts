import type { EventClient } from '../../contracts/panel-events.ts'
import { impersonatorOf } from '../sessions/impersonators.ts'
import { detailsOf, storedDetails } from '../sessions/session-details.ts'
import type { Session } from '../sessions/sessions.ts'
import type { ImpersonationParts } from './begin-impersonation.ts'

type EndOutcome =
  | { readonly outcome: 'ended'; readonly own: Session; readonly sessionId: string }
  | { readonly outcome: 'own-session' | 'session-ended' }

/**
 * Ends the session of a person who acts as another, and gives the kept session of the person an id
 * for the browser. Its lifetime goes on. Of several requests at once, one receives it.
 */
export async function endImpersonation(
  { sessions }: Pick<ImpersonationParts, 'sessions'>,
  session: Session,
  client: EventClient,
): Promise<EndOutcome> {
  const impersonator = impersonatorOf(session)
  if (impersonator === null) return { outcome: 'own-session' }
  const own = await sessions.reload({ key: impersonator.session })
  if (own === null) return SESSION_ENDED
  const details = { ...detailsOf(own.record), confirmedAt: undefined, kept: undefined }
  const given = { ...own.record, pendingSecret: null, details: storedDetails(details) }
  // Of several ends at once, one is true: a logout that came first is not undone.
  const end = async () => (await sessions.end(session, client)) || null
  const fresh = await sessions.openSuccessor(own, given, end)
  return fresh === null ? SESSION_ENDED : { outcome: 'ended', own, sessionId: fresh.id }
}

const SESSION_ENDED = { outcome: 'session-ended' } as const
