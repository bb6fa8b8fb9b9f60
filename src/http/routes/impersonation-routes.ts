import { clientOf } from '../wire/client-of.ts'
import { done, refusalOf } from '../wire/respond.ts'
import type { HandlersOf } from './handler.ts'
import type { RouteParts } from './route-parts.ts'

/** Creates the handler of the way back. It exists only while impersonation is bound. */
export function createImpersonationRoutes(parts: RouteParts): HandlersOf<'impersonation.end'> {
  return {
    async 'impersonation.end'({ request, session }) {
      const { endImpersonation } = await import('../../core/impersonation/end-impersonation.ts')
      const result = await endImpersonation(parts, session, clientOf(parts, request))
      if (result.outcome !== 'ended') return refusalOf(result)
      return done(parts.sessionCookies.giveNewId(result.own, result.sessionId))
    },
  }
}
