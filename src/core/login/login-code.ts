import type { Tenant } from '../../contracts/host.ts'
import type { SessionRecord } from '../../contracts/store-contracts.ts'
import { nextLoginState, type LoginState } from '../../rules/states.ts'
import type { Attempt } from '../attempts/attempts.ts'
import type { User } from '../boundary/checked-users.ts'
import { releaseAll, reserveAll, type Throttled } from './counted-attempts.ts'
import { maskEmail } from '../../contracts/email-address.ts'
import type { CheckedAuthenticator } from '../second-factor/checked-authenticator.ts'
import { openCompleted } from './completed-login.ts'
import type { Authenticated, LoginParts } from './login-parts.ts'
import type { Pending } from './pending-logins.ts'
import { detailsOf } from '../sessions/session-details.ts'
import { openTrusting, type TrustRequest } from './trusted-login.ts'
import type { Turn, Turns } from '../attempts/turns.ts'

/** A submitted code. */
interface CodeRequest extends TrustRequest {
  readonly code: string
  readonly presentedId: string | null
}

type CodeOutcome =
  | Authenticated
  | { readonly outcome: 'invalid'; readonly attemptsLeft: number }
  | { readonly outcome: 'exhausted' }
  /** The pending login does not exist or has expired. */
  | { readonly outcome: 'expired' }
  | Throttled

export interface CodeParts extends LoginParts {
  readonly turns: Turns
}

const EXPIRED: CodeOutcome = { outcome: 'expired' }

/**
 * Checks the code of a pending login and opens the session. The attempt is reserved before the host
 * verifies the code. Only the request that consumed the pending login receives the session, so any
 * number of correct codes opens one session.
 *
 * @see docs/specification.md, "Login session"; docs/http-api.md, "Limits"
 */
export async function submitCode(parts: CodeParts, request: CodeRequest): Promise<CodeOutcome> {
  const { factor } = parts
  if (request.presentedId === null || factor === null) return EXPIRED
  const pending = await parts.pendingLogins.find(request.presentedId, request.tenant)
  if (pending === null) return EXPIRED
  const user = await findEntitledUser(parts, factor, pending.record)
  if (user === null) {
    await parts.pendingLogins.end(pending.key)
    return EXPIRED
  }
  const reserved = await reserve(parts, request, pending)
  return 'outcome' in reserved ? reserved : check(parts, factor, request, { pending, reserved })
}

/** A counted code and its pending login. */
interface CountedCode {
  readonly pending: Pending
  readonly reserved: Reserved
}

/**
 * Checks the codes of one pending login one at a time, across all nodes. The host uses up a
 * recovery code when it accepts it, so a second code must not be verified after the first one has
 * opened the session.
 *
 * Remaining risk: a host that answers after the timeout uses up a code that opens no session,
 * perhaps while the next one is verified. Mitigation: each was counted before, and stays counted.
 */
async function check(
  parts: CodeParts,
  factor: CheckedAuthenticator,
  request: CodeRequest,
  { pending, reserved }: CountedCode,
): Promise<CodeOutcome> {
  const acquired: { readonly turn: Turn; readonly user: User }[] = []
  try {
    const answer = await factor.verify(pending.record, request.code, async (isAbandoned) => {
      const turn = await parts.turns.take('code.turn', pending.key)
      const user = isAbandoned()
        ? null
        : await orEnd(turn, async () => recheck(parts, factor, pending))
      if (user === null || isAbandoned()) {
        await turn.end()
        return null
      }
      acquired.push({ turn, user })
      return user
    })
    const [{ user } = { user: null }] = acquired
    if (answer === 'accepted' && user !== null)
      return await accept(parts, request, { pending, user, reserved })
    if (answer === 'refused') return await refuse(parts, request, pending, reserved.ofPending)
    await releaseAll(reserved.ofUser)
    return EXPIRED
  } finally {
    await Promise.all(acquired.map(async ({ turn }) => turn.end()))
  }
}

async function orEnd<T>(turn: Turn, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    await turn.end()
    throw error
  }
}

/**
 * Reads the user again. While this code waited for its turn, another code may have opened the
 * session, or the login may have ended.
 */
async function recheck(
  parts: CodeParts,
  factor: CheckedAuthenticator,
  pending: Pending,
): Promise<User | null> {
  const isWaiting = await parts.pendingLogins.isWaiting(pending)
  return isWaiting ? findEntitledUser(parts, factor, pending.record) : null
}

/**
 * Returns the user of a session or pending login whose code is verified; `null` when the user has
 * another password, may no longer log in, or has no second factor any more.
 */
export async function findEntitledUser(
  { users, stamps }: Pick<CodeParts, 'users' | 'stamps'>,
  factor: CheckedAuthenticator,
  { userId, tenant, stamp }: Pick<SessionRecord, 'userId' | 'tenant' | 'stamp'>,
): Promise<User | null> {
  const user = await users.findById(userId, tenant)
  if (user === null || !stamps.fits(stamp, users.credential(user))) return null
  if (!(await users.mayAccess(user))) return null
  return (await factor.isEnabledFor(user)) ? user : null
}

interface Reserved {
  readonly ofPending: Attempt
  /**
   * Counted across all pending logins, so that a stolen password does not buy unlimited guesses.
   */
  readonly ofUser: readonly Attempt[]
}

async function reserve(
  { attempts, ceiling }: CodeParts,
  request: CodeRequest,
  { key, record }: Pending,
): Promise<Reserved | CodeOutcome> {
  const ofPending = await attempts.reserve('two-factor.pending', 'code.pending', key)
  if (!ofPending.granted) return EXPIRED
  const ofUser = await reserveAll(attempts, await ceiling.countsOfCode(record, request))
  if (!('outcome' in ofUser)) return { ofPending, ofUser }
  // The host did not verify this code, so it must not count against the pending login.
  await ofPending.release()
  return ofUser
}

async function accept(
  parts: CodeParts,
  request: CodeRequest,
  { pending, user, reserved }: CountedCode & { readonly user: User },
): Promise<CodeOutcome> {
  const { users, stamps, pendingLogins } = parts
  // A correct code is not a guess, even when it arrives too late.
  await releaseAll(reserved.ofUser)
  const accepted = nextLoginState(
    waitingState(pending.record),
    { event: 'code-accepted' },
    parts.clock.now(),
    parts.limits['two-factor.pending'],
  )
  if (accepted.state !== 'authenticated') return EXPIRED
  const stamp = stamps.of(users.credential(user))
  // Up to five minutes may have passed while the host verified the code. Whatever ends a user's
  // logins ends the pending logins first and the sessions after them. If the pending login still
  // exists once the session exists, nothing has ended it.
  const details = detailsOf(pending.record)
  const login = { user, stamp, presented: null, details }
  const opened = await openTrusting(parts, request, login, async (endReplaced) =>
    openCompleted(parts, request, login, async () => {
      if (!(await pendingLogins.consume(pending))) return 'ended'
      await reserved.ofPending.clear()
      await endReplaced()
      return null
    }),
  )
  return 'objection' in opened ? EXPIRED : opened
}

async function refuse(
  { clock, events, pendingLogins, limits }: CodeParts,
  request: CodeRequest,
  { key, record }: Pending,
  { number, remaining }: Attempt,
): Promise<CodeOutcome> {
  const { tenant, userId, expiresAt } = record
  events.emit('two-factor.failed', { userId, tenant, network: request.network }, request)
  const now = clock.now()
  const waiting = waitingState(record)
  const limit = limits['two-factor.pending']
  const counted = nextLoginState(waiting, { event: 'code-refused', number }, now, limit)
  const next = nextLoginState(counted, { event: 'time' }, now, limit)
  if (next.state === 'pending-second-factor') return { outcome: 'invalid', attemptsLeft: remaining }
  // Of several codes sent at once, the fifth counted is not the last one verified, so the pending
  // login stays for the others. The ledger refuses a sixth.
  if (now < expiresAt) return { outcome: 'exhausted' }
  await pendingLogins.end(key)
  return EXPIRED
}

function waitingState({ userId, expiresAt }: Pending['record']): LoginState {
  return { state: 'pending-second-factor', userId, expiresAt }
}

/** The remaining lifetime and attempts of a pending login, and its email. */
interface PendingStatus {
  readonly expiresInSeconds: number
  readonly attemptsLeft: number
  /** Masked, because the code has not been entered yet. */
  readonly email: string
}

/**
 * Returns the status of a pending login, so that a reloaded page can resume it; `null` when it does
 * not exist.
 */
export async function pendingStatus(
  { factor, pendingLogins, attempts, clock, limits, users }: CodeParts,
  presentedId: string,
  tenant: Tenant,
): Promise<PendingStatus | null> {
  // Without a second factor no code can be due.
  if (factor === null) return null
  const pending = await pendingLogins.find(presentedId, tenant)
  if (pending === null) return null
  const used = await attempts.used('code.pending', pending.key)
  const attemptsLeft = Math.max(0, limits['two-factor.pending'].max - used)
  if (attemptsLeft === 0) return null
  const user = await users.findById(pending.record.userId, tenant)
  if (user === null) return null
  const expiresInSeconds = Math.ceil((pending.record.expiresAt - clock.now()) / 1000)
  return { expiresInSeconds, attemptsLeft, email: maskEmail(user.email) }
}
