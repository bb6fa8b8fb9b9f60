import type { UserProvider } from '../../contracts/host.ts'
import type { PanelAuth, PanelEvents } from '../../contracts/service-contract.ts'
import { EVENT_NAMES } from '../../rules/event-names.ts'
import { checkUsers, type Users } from '../boundary/checked-users.ts'
import { asLine, printableFields } from './standard-error.ts'

/** The outcome of an attempt is logged, and the bell is not about security. */
const UNLOGGED: ReadonlySet<string> = new Set([
  'attempting',
  'notification.sent',
  'notification.read',
] satisfies (keyof PanelEvents)[])

/** A logger with the interface of pino, as `logSecurityEvents` uses it. */
export interface SecurityLogger {
  readonly info: (fields: object, message: string) => void
}

/**
 * Logs each security event as one line of JSON: time, event, user id, tenant, network. Replaces a
 * typed email by its user's id, or `null`, because people type passwords into the email field.
 *
 * @param users Finds the user of an email.
 * @param log Receives the lines. Or a logger, which receives the fields, and the event as message.
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
  log: ((line: string) => void) | SecurityLogger,
): () => void {
  // Nothing but these two methods is called.
  const checkedUsers = checkUsers(users as UserProvider<unknown>)
  async function fieldsOf(event: string, payload: Payload): Promise<object> {
    const { email, ...fields } = payload
    const known = 'userId' in fields || email === undefined ? {} : await idOf(checkedUsers, payload)
    return { event, ...known, ...fields }
  }

  /** Returns the promise of a log that writes later: it must not reject unhandled. */
  async function write(event: string, time: string, fields: object): Promise<void> {
    return typeof log === 'function'
      ? log(asLine({ time, ...fields }))
      : log.info(printableFields(fields), event)
  }

  const stops = EVENT_NAMES.filter((event) => !UNLOGGED.has(event)).map((event) =>
    auth.on(event, async (payload) => {
      const time = new Date().toISOString()
      try {
        await write(event, time, await fieldsOf(event, payload))
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
