import type { UserProvider } from '../contracts.ts'
import type { PanelAuth, PanelEvents } from '../service-contract.ts'
import { asLine } from './standard-error.ts'

/**
 * The logged events. `attempting` is omitted because its outcome is logged; bell events are not
 * about security.
 */
const LOGGED = [
  'login',
  'failed',
  'lockout',
  'logout',
  'two-factor.challenged',
  'two-factor.failed',
  'two-factor.enabled',
  'two-factor.disabled',
  'verification.sent',
  'verified',
  'session.expired',
  'csrf.refused',
] as const satisfies readonly (keyof PanelEvents)[]

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
  async function lineOf(event: string, payload: Payload): Promise<string> {
    const time = new Date().toISOString()
    const { email, ...fields } = payload
    const known = 'userId' in fields || email === undefined ? {} : await idOf(users, payload)
    return asLine({ time, event, ...known, ...fields })
  }

  const stops = LOGGED.map((event) =>
    auth.on(event, (payload) => {
      // A log that fails must not end the process.
      lineOf(event, payload)
        .then(log)
        .catch(() => undefined)
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

async function idOf<User>(
  users: Pick<UserProvider<User>, 'findByEmail' | 'identify'>,
  { email = '', tenant = null }: Payload,
): Promise<{ readonly userId: string | null }> {
  try {
    const user = await users.findByEmail(email, tenant)
    return { userId: user === null ? null : users.identify(user).id }
  } catch {
    // The event is logged during an outage, too.
    return { userId: null }
  }
}
