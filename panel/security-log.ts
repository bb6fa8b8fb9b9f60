import type { PanelAuth, PanelEvents } from '@svc/auth'
import type { Person, Users } from './users.ts'

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

// JSON leaves these characters as they are, but terminals and log viewers interpret them.
const UNSAFE_IN_A_LINE = /[\u007f-\u009f\u2028\u2029]/g

/**
 * Writes one line of JSON for each security event.
 *
 * Replaces an email by its user's id, because people type passwords into the email field.
 */
export function logSecurityEvents(
  auth: PanelAuth<Person>,
  users: Users,
  log: (line: string) => void,
): void {
  async function write(event: string, payload: object): Promise<void> {
    const time = new Date().toISOString()
    const { email, ...fields } = payload as { readonly email?: string }
    const known = 'userId' in fields || email === undefined ? {} : await idOf(email)
    log(asLine({ time, event, ...known, ...fields }))
  }

  async function idOf(email: string): Promise<{ readonly userId: string | null }> {
    const person = await users.findByEmail(email).catch(() => null)
    return { userId: person?.id ?? null }
  }

  for (const event of LOGGED) auth.on(event, (payload) => void write(event, payload))
}

function asLine(fields: object): string {
  return JSON.stringify(fields).replaceAll(
    UNSAFE_IN_A_LINE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
