import type { User } from '../boundary/checked-users.ts'
import type { Owner, SessionRecord } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { Attempts } from '../attempts/attempts.ts'
import type { Events } from '../events.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import type { Turns } from '../attempts/turns.ts'
import type { CheckedAuthenticator } from './checked-authenticator.ts'

/** Names the turns in which the second factor of a user changes. */
export const CHANGE_TURN = 'two-factor.change'

/**
 * Names the record that `enable` was called and that nobody has confirmed seeing the recovery
 * codes.
 */
export const CODES_UNSEEN = 'two-factor.codes-unseen'

/** Precedes the sealed secret of a provisional session. No sealed text contains it. */
const MARK = '!'

/**
 * Returns whether the session is provisional: it was opened without a code, and ends once the
 * second factor is enabled.
 */
export function isProvisional({ record }: Session): boolean {
  return record.pendingSecret?.startsWith(MARK) ?? false
}

/** Returns the sealed secret of a session without the mark; `null` if it has no secret. */
export function sealedSecretOf({ pendingSecret }: SessionRecord): string | null {
  const sealed = pendingSecret?.replace(MARK, '') ?? ''
  return sealed === '' ? null : sealed
}

/** Returns the stored form of a provisional session's sealed secret. */
export function provisionalSecret(sealed: string | null): string {
  return `${MARK}${sealed ?? ''}`
}

/**
 * Ends sessions that were opened without a code as soon as the second factor is enabled.
 *
 * Assumption: a store may fail, or a node may die, at any moment between the call of `enable` and
 * the end of the sessions. The sessions therefore carry a mark before `enable` is called.
 */
export type ProvisionalSessions = ReturnType<typeof createProvisionalSessions>

export interface ProvisionalParts {
  readonly factor: CheckedAuthenticator
  readonly sessions: Sessions
  readonly attempts: Attempts
  readonly turns: Turns
  readonly events: Events
}

export function createProvisionalSessions({
  factor,
  sessions,
  attempts,
  turns,
  events,
}: ProvisionalParts) {
  return {
    /**
     * Marks a session that was opened without a code after `enable` was called, until somebody has
     * confirmed seeing the recovery codes: `enable` may still be running.
     */
    async markOpened(key: string, owner: Owner) {
      if ((await attempts.used(CODES_UNSEEN, ownerKey(owner))) === 0) return
      await sessions.swapSecret(key, { from: null, to: provisionalSecret(null) })
    },
    /**
     * Returns whether the session may still be used. A session ends here when the second factor is
     * enabled, unless the request that enabled it has replaced the session by now.
     *
     * @throws {DeadlineError} The second factor is still being changed.
     */
    async check(session: Session, user: User) {
      if (!(await factor.isEnabledFor(user))) return 'not-enabled'
      const { tenant, userId } = session.record
      await turns.untilFree(CHANGE_TURN, ownerKey(session.record))
      if ((await sessions.reload(session)) === null) return 'enabled-by-another-request'
      const ended = await sessions.end(session, null)
      if (ended)
        events.emit('session.expired', { userId, tenant, reason: 'two-factor-enabled' }, null)
      return 'ended'
    },
  }
}
