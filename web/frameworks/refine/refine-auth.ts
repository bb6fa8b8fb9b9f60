import type { PanelSession, PanelUser } from '../../client/client.ts'
import { endSession, endsSession, settledUser } from '../../client/session/session-answers.ts'

/** Result of an action. A type, because an interface would lack the index signature of refine's. */
export type ActionResult = {
  readonly success: boolean
  readonly redirectTo?: string
  readonly error?: Error
}

/** The methods of refine's `AuthProvider` that the session answers. */
export interface SessionAuthProvider {
  /** Succeeds if the user has logged in; the credentials are not read. */
  readonly login: () => Promise<ActionResult>
  readonly logout: () => Promise<ActionResult>
  readonly check: () => Promise<{ readonly authenticated: boolean }>
  readonly onError: (error: unknown) => Promise<{ readonly logout?: boolean }>
  readonly getIdentity: () => Promise<PanelUser | null>
}

/**
 * Creates the `authProvider` of refine for a session. Use it inside `PanelGate`. It authenticates
 * nobody who has not passed every gate; an outage of the service logs nobody out.
 *
 * @example
 * ```tsx
 * import { Refine } from '@refinedev/core'
 *
 * const authProvider = createAuthProvider(session)
 * const App = () => (
 *   <PanelGate name="Shop">
 *     <Refine authProvider={authProvider} />
 *   </PanelGate>
 * )
 * ```
 */
export function createAuthProvider(session: PanelSession): SessionAuthProvider {
  return {
    login: async () => ({ success: (await settledUser(session)) !== null }),
    async logout() {
      const hadUser = session.getState().state === 'ready'
      const problem = await endSession(session)
      if (problem !== null) return { success: false, error: new Error(problem) }
      // A user who has logged out did not ask to return to this page.
      return hadUser ? { success: true, redirectTo: '/' } : { success: true }
    },
    check: async () => ({ authenticated: (await settledUser(session)) !== null }),
    onError: async (error) =>
      (await endsSession(session, statusOf(error))) ? { logout: true } : {},
    getIdentity: async () => settledUser(session),
  }
}

/** Returns the status of an `HttpError` of refine. */
function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'statusCode' in error
    ? error.statusCode
    : null
}
