import type { User } from '../boundary/checked-users.ts'
import { releaseAll, reserveAll, type Throttled } from '../login/counted-attempts.ts'
import type { LoginSource } from '../login/account-ceiling.ts'
import { mayStillAct, reread } from './factor-change.ts'
import type { Holder } from './two-factor.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

/** A request of a logged-in user who proves a second factor. */
export interface ProvenRequest extends LoginSource, Holder {
  /** A code of a device, or a recovery code. */
  readonly code: string
}

/** The reason why a proof was not accepted. */
export type Unproven = { readonly outcome: 'invalid' | 'session-ended' } | Throttled

/**
 * Verifies a code of a logged-in user, and uses it up. Returns `null` if it was accepted.
 *
 * Assumption: somebody has taken the session over, and knows neither a code nor a recovery code.
 * The codes are counted with those of logins, so that a session buys no further guesses. The counts
 * are of the place of the request, so that it does not lock the user out elsewhere.
 */
export async function proveByCode(
  parts: TwoFactorParts,
  request: ProvenRequest,
): Promise<Unproven | null> {
  const { factor, events, attempts, ceiling } = parts
  const { session, network, code } = request
  const { tenant, userId } = session.record
  const counted = await reserveAll(attempts, await ceiling.countsOfCode(session.record, request))
  if ('outcome' in counted) return counted
  const answer = await factor.verify(session.record, code, async () => entitled(parts, request))
  if (answer === 'refused') {
    events.emit('two-factor.failed', { userId, tenant, network }, request)
    return { outcome: 'invalid' }
  }
  await releaseAll(counted)
  return answer === 'accepted' ? null : { outcome: 'session-ended' }
}

/**
 * Reads the user again, because the code may have waited for its turn; `null` if the session may no
 * longer act for its user.
 */
async function entitled(parts: TwoFactorParts, { session }: Holder): Promise<User | null> {
  const user = await reread(parts, session)
  if (user === null || !(await mayStillAct(parts, session, user))) return null
  return (await parts.factor.isEnabledFor(user)) ? user : null
}
