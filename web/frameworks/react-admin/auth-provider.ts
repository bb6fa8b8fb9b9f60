import type { PanelSession, PanelUser } from '../../client/client.ts'
import { endSession, endsSession, settledUser } from '../../client/session/session-answers.ts'

/** The user as react-admin shows it: what the service presents, with `fullName` for the menu. */
export type Identity = PanelUser & { readonly fullName: string }

/**
 * The methods of react-admin's `AuthProvider` that the session answers. Add `canAccess` or
 * another `getPermissions` of your own.
 */
export interface SessionAuthProvider {
  /** Resolves if the user has logged in; the credentials are not read. */
  readonly login: (params: unknown) => Promise<void>
  readonly logout: (params: unknown) => Promise<void>
  readonly checkAuth: (params: unknown) => Promise<void>
  readonly checkError: (error: unknown) => Promise<void>
  readonly getIdentity: () => Promise<Identity>
  /** Resolves to none: the service has no roles. */
  readonly getPermissions: (params: unknown) => Promise<readonly string[]>
}

/**
 * Creates the `authProvider` of react-admin for a session. Use it inside `PanelGate`. It rejects
 * users who have not passed every gate; an outage of the service logs nobody out.
 *
 * @example
 * ```tsx
 * import { Admin } from 'react-admin'
 *
 * const authProvider = createAuthProvider(session)
 * const App = () => <Admin authProvider={authProvider} requireAuth />
 * ```
 */
export function createAuthProvider(session: PanelSession): SessionAuthProvider {
  return {
    async login() {
      await requireUser(session)
    },
    async logout() {
      const problem = await endSession(session)
      if (problem !== null) throw new Error(problem)
    },
    async checkAuth() {
      await requireUser(session)
    },
    async checkError(error) {
      if (await endsSession(session, statusOf(error))) throw notLoggedIn()
    },
    async getIdentity() {
      const user = await requireUser(session)
      return { ...user, fullName: user.name ?? user.email }
    },
    getPermissions: async () => [],
  }
}

/** Returns the error that opens the login page. */
function notLoggedIn(): Error {
  // The screens say what is due; react-admin shows no message only if it is `false`.
  return Object.assign(new Error(), { message: false })
}

/**
 * Returns the user who may use the panel.
 *
 * @throws {Error} Nobody has logged in, or the user has to enter a code, to verify the email or to
 *   set up a second factor first.
 */
async function requireUser(session: PanelSession): Promise<PanelUser> {
  const user = await settledUser(session)
  if (user === null) throw notLoggedIn()
  return user
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : null
}
