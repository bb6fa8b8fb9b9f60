import type { LogoutOutcome, PanelSession, PanelUser } from '../client/client.ts'

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
      // react-admin also calls this after a rejected check. The user may then have to enter a code
      // or to verify an email, and a logout at the service would end that login.
      if (session.getState().state !== 'ready') return
      const problem = problemOf(await session.logout())
      if (problem !== null) throw new Error(problem)
    },
    async checkAuth() {
      await requireUser(session)
    },
    async checkError(error) {
      const status = statusOf(error)
      if (status !== 401 && status !== 403) return
      // Either may be the host's own: the service knows if the session has ended or a gate is shut.
      await session.refresh()
      if (session.getState().state !== 'ready') throw notLoggedIn()
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

/** Returns the user. @throws {Error} There is none, or a gate is shut. */
async function requireUser(session: PanelSession): Promise<PanelUser> {
  const state = await session.settled()
  if (state.state !== 'ready') throw notLoggedIn()
  return state.user
}

function problemOf(logout: LogoutOutcome): string | null {
  switch (logout.outcome) {
    case 'ok':
      return null
    case 'refused':
      return logout.refusal.message
    case 'busy':
    case 'unreachable':
      return 'The service did not answer. You are still logged in.'
  }
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : null
}
