import type { EventClient } from '../../contracts/panel-events.ts'
import type { Owner } from '../../contracts/store-contracts.ts'
import type { Session } from '../sessions/sessions.ts'
import type { LoginParts } from './login-parts.ts'

/** The parts that end the logins of a user. */
export type EndingParts = Pick<LoginParts, 'pendingLogins' | 'sessions' | 'events'>

/**
 * Ends the pending logins of a user and then the sessions, so that a login whose code arrives
 * meanwhile ends, too.
 *
 * @param client `null`: no request of a client ends them.
 * @param except A session that stays. Default: none.
 * @returns their number.
 */
export async function endLoginsOf(
  { pendingLogins, sessions, events }: EndingParts,
  { tenant, userId }: Owner,
  client: EventClient | null,
  except: Session | null = null,
): Promise<number> {
  const owner = { tenant, userId }
  const logins = await pendingLogins.endAllOf(owner)
  const ended =
    except === null
      ? await sessions.endAllOf(owner, client)
      : await sessions.endOthersOf(except, client)
  if (logins + ended > 0)
    events.emit('session.revoked', { userId, tenant, ended: logins + ended }, client)
  return logins + ended
}
