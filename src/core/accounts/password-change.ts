import { ownerKey } from '../../rules/owner-key.ts'
import type { OutcomeNamed, Throttled } from '../login/counted-attempts.ts'
import type { LoginSource } from '../login/account-ceiling.ts'
import { loginOrigin } from '../login/login-origin.ts'
import { proveOwnPassword } from '../login/password-check.ts'
import type { PasswordSlot } from '../passwords/passwords.ts'
import { isProvisional, provisionalSecret } from '../second-factor/provisional-sessions.ts'
import type { Holder } from '../second-factor/two-factor.ts'
import { confirmedNow } from '../sessions/confirmed.ts'
import { detailsOf, storedDetails } from '../sessions/session-details.ts'
import type { AccountParts } from './account-parts.ts'
import {
  changeInTurn,
  endLogins,
  hashNew,
  mailNotice,
  refusalFor,
  storeHash,
  type ComposeNotice,
  type UserWithHash,
} from './password-replacement.ts'
import type { PasswordRefusal } from './password-policy.ts'

/** A request of a logged-in user to change the password. */
export interface ChangeRequest extends LoginSource, Holder {
  readonly currentPassword: string
  readonly password: string
}

export type ChangeOutcome =
  | Changed
  | OutcomeNamed<'incorrect' | 'overloaded' | 'session-ended'>
  | Throttled
  | { readonly outcome: 'refused'; readonly refusal: PasswordRefusal }

/** A change that was made. */
interface Changed {
  readonly outcome: 'changed'
  /** The new id of the session; `null`: it has ended meanwhile. */
  readonly sessionId: string | null
}

/**
 * Replaces the password of a user who proves the current one, ends the other sessions, and gives
 * this one a new id.
 */
export async function changePassword(
  parts: AccountParts,
  request: ChangeRequest,
  compose: ComposeNotice,
): Promise<ChangeOutcome> {
  const slot = parts.passwords.tryAcquire(loginOrigin(parts.devices, request))
  if (slot === null) return { outcome: 'overloaded' }
  try {
    const proof = await prove(parts, request, slot)
    if ('outcome' in proof) return proof
    const refusal = await refusalFor(parts, proof, request.password)
    if (refusal !== null) return { outcome: 'refused', refusal }
    const hash = await hashNew(slot, request.password)
    const changed = hash === null ? null : await replace(parts, request, proof, hash)
    if (changed === null) return { outcome: 'session-ended' }
    const { userId, tenant } = proof.owner
    parts.events.emit('password.changed', { userId, tenant, network: request.network }, request)
    mailNotice(parts, proof, compose)
    return changed
  } finally {
    slot.release()
  }
}

async function prove(
  parts: AccountParts,
  { user, session, tenant, currentPassword: password }: ChangeRequest,
  slot: PasswordSlot,
): Promise<UserWithHash | ChangeOutcome> {
  const owner = { tenant, userId: session.record.userId }
  const limits = ['password.incorrect', 'password.incorrect.day'] as const
  const counts = limits.map((limit) => ({ limit, parts: [limit, ownerKey(owner)] }))
  const proof = await proveOwnPassword(parts, { user, tenant, password, slot, counts })
  if (proof.outcome !== 'accepted') return proof
  return { user: proof.user, owner, hash: parts.users.passwordHash(proof.user) }
}

/**
 * Stores the new hash and moves the session to it. The new session exists before the hash is
 * stored, because the old one is refused from then on; it has the stamp of the new hash, so it is
 * accepted only afterwards.
 */
async function replace(
  parts: AccountParts,
  request: ChangeRequest,
  { owner, hash: from }: UserWithHash,
  to: string,
): Promise<Changed | null> {
  const { sessions, stamps } = parts
  const { session } = request
  return changeInTurn(parts, { owner, hash: from }, async (user) => {
    // A session that was opened without a code stays one.
    const pendingSecret = isProvisional(session) ? provisionalSecret(null) : null
    const details = storedDetails({ ...detailsOf(session.record), ...confirmedNow(parts) })
    const given = { stamp: stamps.of(to), pendingSecret, details }
    const fresh = await sessions.openSuccessor(
      session,
      given,
      async () => (await storeHash(parts, { user, owner, hash: from }, to)) || null,
    )
    if (fresh === null) return null
    let sessionId: string | null = fresh.id
    await endLogins(parts, owner, async () => {
      // A session that a logout has ended while the host stored the hash must not come back.
      if (!(await sessions.end(session, request))) sessionId = null
      return sessionId === null
        ? sessions.endAllOf(owner, request)
        : sessions.endOthersOf(fresh.session, request)
    })
    return { outcome: 'changed', sessionId }
  })
}
