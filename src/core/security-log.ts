import type { UserProvider } from '../contracts/host.ts'
import type { PanelAuth, PanelEvents } from '../contracts/service-contract.ts'
import { checkUsers, type Users } from './boundary/checked-users.ts'
import { asLine } from './standard-error.ts'

/** Says of each event whether it is logged. A type error names an event that is missing here. */
const IS_LOGGED: Readonly<Record<keyof PanelEvents, boolean>> = {
  // Its outcome is logged.
  attempting: false,
  login: true,
  'login.unknown-place': true,
  'login.disowned': true,
  failed: true,
  lockout: true,
  logout: true,
  'two-factor.challenged': true,
  'two-factor.failed': true,
  confirmed: true,
  'confirmation.failed': true,
  'two-factor.enabled': true,
  'two-factor.disabled': true,
  'two-factor.device-added': true,
  'two-factor.device-removed': true,
  'verification.sent': true,
  verified: true,
  'password.changed': true,
  'password.reset': true,
  'password.forgot': true,
  'user.invited': true,
  'impersonation.started': true,
  'impersonation.ended': true,
  'device.trusted': true,
  'device.untrusted': true,
  // The bell is not about security.
  'notification.sent': false,
  'notification.read': false,
  'session.expired': true,
  'session.revoked': true,
  'csrf.refused': true,
}

/**
 * Logs each security event as one line of JSON: time, event, user id, tenant, network. Replaces a
 * typed email by its user's id, or `null`, because people type passwords into the email field.
 *
 * @param users Finds the user of an email.
 * @returns a function that stops it.
 *
 * @example
 * ```ts
 * logSecurityEvents(auth, users, console.log)
 * ```
 */
export function logSecurityEvents<User>(
  auth: Pick<PanelAuth<User>, 'on'>,
  users: Pick<UserProvider<User>, 'findByEmail' | 'identify'>,
  log: (line: string) => void,
): () => void {
  // Nothing but these two methods is called.
  const checkedUsers = checkUsers(users as UserProvider<unknown>)
  async function lineOf(event: string, payload: Payload): Promise<string> {
    const time = new Date().toISOString()
    const { email, ...fields } = payload
    const known = 'userId' in fields || email === undefined ? {} : await idOf(checkedUsers, payload)
    return asLine({ time, event, ...known, ...fields })
  }

  const events = Object.keys(IS_LOGGED) as (keyof PanelEvents)[]
  const stops = events
    .filter((event) => IS_LOGGED[event])
    .map((event) =>
      auth.on(event, async (payload) => {
        try {
          log(await lineOf(event, payload))
        } catch {
          // A log that fails must not fill the log of errors with each event.
        }
      }),
    )
  return () => {
    for (const stop of stops) stop()
  }
}

interface Payload {
  readonly email?: string
  readonly tenant?: string | null
}

async function idOf(
  users: Users,
  { email = '', tenant = null }: Payload,
): Promise<{ readonly userId: string | null }> {
  try {
    return { userId: (await users.findByEmail(email, tenant))?.id ?? null }
  } catch {
    // The event is logged during an outage, too.
    return { userId: null }
  }
}
