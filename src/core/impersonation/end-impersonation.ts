import { impersonatorOf } from '../sessions/impersonators.ts'
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
): Promise<EndOutcome> {
  const impersonator = impersonatorOf(session)
  if (impersonator === null) return { outcome: 'own-session' }
  const own = await sessions.reload({ key: impersonator.session })
  const sessionId = own === null ? null : await sessions.replace(own)
  // Without the kept session this one is refused from now on, also when it cannot be ended.
  await sessions.end(session)
  if (own === null || sessionId === null) return { outcome: 'session-ended' }
  return { outcome: 'ended', own, sessionId }
}
