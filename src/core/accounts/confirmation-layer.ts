import type { Owner } from '../../contracts/store-contracts.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { User } from '../boundary/checked-users.ts'
import {
  releaseAll,
  reserveAll,
  type Count,
  type OutcomeNamed,
  type Throttled,
} from '../login/counted-attempts.ts'
import type { LoginSource } from '../login/account-ceiling.ts'
import { findEntitledUser } from '../login/login-code.ts'
import { loginOrigin } from '../login/login-origin.ts'
import type { LoginParts } from '../login/login-parts.ts'
import { proveOwnPassword } from '../login/password-check.ts'
import type { CheckedAuthenticator } from '../second-factor/checked-authenticator.ts'
import type { Holder } from '../second-factor/two-factor.ts'
import { detailsOf } from '../sessions/session-details.ts'

/** The proof that a user gives of being the same. */
export type Proof =
  | { readonly kind: 'password'; readonly password: string }
  | { readonly kind: 'code'; readonly code: string }

/** A request of a logged-in user to confirm the session. */
export interface ConfirmationRequest extends LoginSource, Holder {
  readonly proof: Proof
}

export type ConfirmationOutcome =
  | OutcomeNamed<'confirmed' | 'incorrect' | 'overloaded' | 'session-ended'>
  | Throttled

interface ConfirmationParts extends LoginParts {
  /** The number of digits of a code; `null`: unknown. */
  readonly codeDigits: number | null
}

/**
 * Confirms a session by the password or a code of its user: checks the proof and records its time
 * in the session, whose lifetime stays. A failure is counted as a login's, with counts of its own:
 * a session that was taken over must not guess without bounds, and must not lock its user out of
 * logins.
 */
export async function confirm(
  parts: ConfirmationParts,
  request: ConfirmationRequest,
): Promise<ConfirmationOutcome> {
  const { session, network, proof } = request
  const { tenant, userId } = session.record
  const checked = await (proof.kind === 'password'
    ? byPassword(parts, request, proof.password)
    : byCode(parts, request, proof.code))
  if (checked.outcome === 'incorrect')
    parts.events.emit('confirmation.failed', { userId, tenant, network, by: proof.kind }, request)
  if (checked.outcome !== 'confirmed') return checked
  // A change of the password or the factor that ran meanwhile has ended this session.
  const details = { ...detailsOf(session.record), confirmedAt: parts.clock.now() }
  if (!(await parts.sessions.setDetails(session, details))) return { outcome: 'session-ended' }
  parts.events.emit('confirmed', { userId, tenant, network, by: proof.kind }, request)
  return checked
}

async function byPassword(
  parts: ConfirmationParts,
  request: ConfirmationRequest,
  password: string,
): Promise<ConfirmationOutcome> {
  const { user, tenant, network, session } = request
  const slot = parts.passwords.tryAcquire(loginOrigin(parts.devices, request))
  if (slot === null) return { outcome: 'overloaded' }
  try {
    const counts: readonly Count[] = [
      { limit: 'login.failed', parts: countOf('password', session.record, network) },
      await parts.ceiling.countOfConfirmation(session.record, request),
    ]
    const proof = await proveOwnPassword(parts, { user, tenant, password, slot, counts })
    return proof.outcome === 'accepted' ? { outcome: 'confirmed' } : proof
  } finally {
    slot.release()
  }
}

async function byCode(
  parts: ConfirmationParts,
  request: ConfirmationRequest,
  code: string,
): Promise<ConfirmationOutcome> {
  const { factor, ceiling } = parts
  const { network, session } = request
  const counted = await reserveAll(parts.attempts, [
    { limit: 'login.failed', parts: countOf('code', session.record, network) },
    ...(await ceiling.countsOfCode(session.record, request, 'confirmation')),
  ])
  if ('outcome' in counted) return counted
  if (factor === null || !isOfApp(code, parts.codeDigits)) return { outcome: 'incorrect' }
  const answer = await factor.verify(session.record, code, async () =>
    entitled(parts, factor, request),
  )
  if (answer === 'unchecked' && (await parts.sessions.reload(session)) === null) {
    // The factor did not look at the code, so it may be right.
    await releaseAll(counted)
    return { outcome: 'session-ended' }
  }
  if (answer !== 'accepted') return { outcome: 'incorrect' }
  const [consecutive, ...others] = counted
  await Promise.all([consecutive?.clear(), releaseAll(others)])
  return { outcome: 'confirmed' }
}

/**
 * Returns whether a code may be one of the app. A recovery code works once and is kept for a login
 * without the app, so a confirmation must not use one up.
 *
 * Remaining risk: an authenticator that does not state `codeDigits`, or whose recovery codes are of
 * as many digits, receives them, too.
 */
function isOfApp(code: string, digits: number | null): boolean {
  return digits === null || (code.length === digits && /^\d+$/.test(code))
}

/**
 * Reads the user again, because the code may have waited for its turn. Returns `null` when the
 * session has ended or the second factor is not enabled any more.
 */
async function entitled(
  parts: ConfirmationParts,
  factor: CheckedAuthenticator,
  { session }: ConfirmationRequest,
): Promise<User | null> {
  const now = await parts.sessions.reload(session)
  return now === null ? null : findEntitledUser(parts, factor, now.record)
}

function countOf(kind: Proof['kind'], owner: Owner, network: string): Count['parts'] {
  return ['confirm', kind, ownerKey(owner), network]
}
