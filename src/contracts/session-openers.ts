import type { Tenant } from './host.ts'
import type { PanelAuth } from './service-contract.ts'

/** A session that was opened without a login. */
export interface OpenedSession {
  /** The origin of the panel, `app.url`. */
  readonly origin: string
  /** The `Set-Cookie` lines of the session and its token. */
  readonly cookies: readonly string[]
  readonly token: string
}

/**
 * The way of each service to open a session without a login, for `loginAs` of the testing entry. It
 * is not a method of the service, so that no host can offer it to clients by accident.
 */
export const sessionOpeners = new WeakMap<
  object,
  (user: unknown, tenant: Tenant) => Promise<OpenedSession>
>()

/** Sets how a service opens sessions for tests. */
export function setSessionOpener<User>(
  auth: PanelAuth<User>,
  open: (user: User, tenant: Tenant) => Promise<OpenedSession>,
): void {
  // The type is right, because `loginAs` takes the user type from the same service.
  sessionOpeners.set(auth, (user, tenant) => open(user as User, tenant))
}
