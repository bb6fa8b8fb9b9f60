import type { Clock } from '../../contracts.ts'
import { isAlive, times } from '../../rules/limits.ts'
import { nextTwoFactorState, type TwoFactorEvent, type TwoFactorState } from '../../rules/states.ts'
import type { Attempts } from '../attempts.ts'
import type { CheckedUsers } from '../checked-users.ts'
import { DeadlineError, withTimeout } from '../timeouts.ts'
import type { Events } from '../events.ts'
import type { CheckedAuthenticator } from './checked-authenticator.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import type { PendingLogins } from '../login/pending-logins.ts'
import type { Sealer } from './sealed.ts'
import type { Session, Sessions } from '../sessions/sessions.ts'
import type { Turns } from '../turns.ts'

/** The user who changes the second factor, and the session of the request. */
export interface Holder<User> {
  readonly user: User
  readonly session: Session
}

export interface TwoFactorParts<User> {
  readonly factor: CheckedAuthenticator<User>
  readonly sessions: Sessions
  readonly pendingLogins: PendingLogins
  readonly attempts: Attempts
  readonly turns: Turns
  readonly users: CheckedUsers<User>
  readonly sealer: Sealer
  readonly clock: Clock
  readonly events: Events
}

export type SetupOutcome =
  | { readonly outcome: 'started'; readonly secret: string; readonly qrCode: string }
  | { readonly outcome: 'already-enabled' }
  | { readonly outcome: 'session-ended' }

export type ConfirmOutcome =
  | {
      readonly outcome: 'enabled'
      readonly recoveryCodes: readonly string[]
      readonly sessionId: string
    }
  | { readonly outcome: 'invalid' | 'already-enabled' | 'setup-missing' | 'session-ended' }

export type DisableOutcome =
  | { readonly outcome: 'disabled'; readonly sessionId: string }
  | { readonly outcome: 'not-enabled' | 'required' | 'session-ended' }

export interface TwoFactorStatus {
  readonly enabled: boolean
  readonly required: boolean
  /** True while a secret waits for confirmation in this session. */
  readonly pending: boolean
  /** True when it is enabled and the user has not confirmed seeing the recovery codes. */
  readonly codesUnseen: boolean
}

/** Manages the second factor of a logged-in user, for the security page. */
export interface TwoFactor<User> {
  statusOf(holder: Holder<User>): Promise<TwoFactorStatus>
  /** Records that the user has seen the recovery codes. Idempotent. */
  confirmCodesSeen(holder: Holder<User>): Promise<void>
  setUp(holder: Holder<User>, wanted: 'same' | 'fresh'): Promise<SetupOutcome>
  confirm(holder: Holder<User>, code: string): Promise<ConfirmOutcome>
  disable(holder: Holder<User>): Promise<DisableOutcome>
}

export function createTwoFactor<User>(parts: TwoFactorParts<User>): TwoFactor<User> {
  return {
    statusOf: async (holder) => statusOf(parts, holder),
    confirmCodesSeen: async ({ session }) =>
      parts.attempts.forget(CODES_UNSEEN, ownerKey(session.record)),
    setUp: async (holder, wanted) => setUp(parts, holder, wanted),
    confirm: async (holder, code) => confirm(parts, holder, code),
    disable: async (holder) => disable(parts, holder),
  }
}

/** Names the record of recovery codes that were issued and not confirmed as seen. */
export const CODES_UNSEEN = 'two-factor.codes-unseen'

async function statusOf<User>(
  parts: TwoFactorParts<User>,
  { user, session }: Holder<User>,
): Promise<TwoFactorStatus> {
  const { state, required } = await parts.factor.stateOf(user)
  const enabled = state === 'enabled'
  // Recovery codes are worthless once the host itself has turned the factor off, so the record is
  // ignored then.
  const codesUnseen =
    enabled && (await parts.attempts.used(CODES_UNSEEN, ownerKey(session.record))) > 0
  return { enabled, required, pending: waitingSecret(parts, session) !== null, codesUnseen }
}

/**
 * Starts the set-up with a secret that the session keeps for ten minutes from the first request. A
 * repeated request returns the same secret, so that a scanned QR code stays valid, unless a fresh
 * one is requested.
 *
 * @see docs/specification.md, "Second factor"; docs/http-api.md, "Second factor"
 */
async function setUp<User>(
  parts: TwoFactorParts<User>,
  { user, session }: Holder<User>,
  wanted: 'same' | 'fresh',
): Promise<SetupOutcome> {
  const { factor } = parts
  if (await factor.isEnabledFor(user)) return { outcome: 'already-enabled' }
  const waiting = wanted === 'same' ? waitingSecret(parts, session) : null
  const secret = waiting ?? (await keepFresh(parts, session))
  if (secret === null) return { outcome: 'session-ended' }
  return { outcome: 'started', secret, qrCode: await factor.qrCode(user, secret) }
}

/**
 * Stores a new secret in the session. Returns the secret of a concurrent request if that one stored
 * its own first.
 */
async function keepFresh<User>(
  parts: TwoFactorParts<User>,
  session: Session,
): Promise<string | null> {
  const { factor, sessions } = parts
  const secret = await factor.newSecret()
  const swap = { from: session.record.pendingSecret, to: seal(parts, session, secret) }
  if (await sessions.swapSecret(session, swap)) return secret
  const now = await sessions.reload(session)
  return now === null ? null : waitingSecret(parts, now)
}

/**
 * Confirms the set-up. The secret comes from this session only, and of concurrent confirmations one
 * enables the factor.
 *
 * @see docs/specification.md, "Second factor"
 */
async function confirm<User>(
  parts: TwoFactorParts<User>,
  holder: Holder<User>,
  code: string,
): Promise<ConfirmOutcome> {
  const { factor } = parts
  const { user, session } = holder
  if (await factor.isEnabledFor(user)) return { outcome: 'already-enabled' }
  const secret = waitingSecret(parts, session)
  if (secret === null) return { outcome: 'setup-missing' }
  if (!(await factor.verifySetup(secret, code))) return { outcome: 'invalid' }
  // Ten minutes may have passed while the host verified the code.
  if (waitingSecret(parts, session) === null) return { outcome: 'setup-missing' }
  return inTurn(parts, session, async () => enableOnce(parts, session, secret))
}

/** Runs the confirming and disabling of one user one at a time, across all nodes. */
async function inTurn<User, Outcome>(
  { turns }: TwoFactorParts<User>,
  { record }: Session,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const turn = await turns.take('two-factor.change', ownerKey(record))
  try {
    const outcome = await change()
    await turn.end()
    return outcome
  } catch (error) {
    // A host method that timed out may still be running, so the turn must expire instead of ending
    // now.
    if (error instanceof DeadlineError) turn.lapse()
    else await turn.end()
    throw error
  }
}

/** Reads the user again. Another request may have changed it while this one waited for its turn. */
async function reread<User>(
  { users }: TwoFactorParts<User>,
  { record }: Session,
): Promise<User | null> {
  return withTimeout('findById', users.findById(record.userId, record.tenant))
}

async function enableOnce<User>(
  parts: TwoFactorParts<User>,
  session: Session,
  secret: string,
): Promise<ConfirmOutcome> {
  const { factor, sessions, attempts } = parts
  const user = await reread(parts, session)
  if (user === null) return { outcome: 'session-ended' }
  // A user may enable a second factor that is not required, so `required` is not asked for.
  const state = await enabledState(factor, user, false)
  if (!changes(state, 'confirmed')) return { outcome: 'already-enabled' }
  const swap = { from: session.record.pendingSecret, to: null }
  if (!(await sessions.swapSecret(session, swap))) {
    const isThere = (await sessions.reload(session)) !== null
    return { outcome: isThere ? 'setup-missing' : 'session-ended' }
  }
  // Recorded before the call, because the response may get lost or the node may stop.
  await attempts.remember(times.codesUnseenSeconds, CODES_UNSEEN, ownerKey(session.record))
  const recoveryCodes = await factor.enable(user, secret)
  const sessionId = await rotate(parts, session, 'two-factor.enabled')
  return sessionId === null
    ? { outcome: 'session-ended' }
    : { outcome: 'enabled', recoveryCodes, sessionId }
}

/**
 * Disables the second factor. Changes nothing when it is required.
 *
 * @see docs/specification.md, "Second factor"
 */
async function disable<User>(
  parts: TwoFactorParts<User>,
  { user, session }: Holder<User>,
): Promise<DisableOutcome> {
  const refused = await reasonNotToDisable(parts, user)
  return refused ?? inTurn(parts, session, async () => disableOnce(parts, session))
}

async function reasonNotToDisable<User>(
  { factor }: TwoFactorParts<User>,
  user: User,
): Promise<{ readonly outcome: 'not-enabled' | 'required' } | null> {
  const required = await factor.isRequiredFor(user)
  const state = await enabledState(factor, user, required)
  if (changes(state, 'disabled')) return null
  return { outcome: required ? 'required' : 'not-enabled' }
}

async function enabledState<User>(
  factor: CheckedAuthenticator<User>,
  user: User,
  required: boolean,
): Promise<TwoFactorState> {
  return { state: (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled', required }
}

/** Returns whether an event changes the state, by the table of the specification. */
function changes(state: TwoFactorState, event: TwoFactorEvent['event']): boolean {
  return nextTwoFactorState(state, { event }).state !== state.state
}

async function disableOnce<User>(
  parts: TwoFactorParts<User>,
  session: Session,
): Promise<DisableOutcome> {
  const { factor, sessions, attempts } = parts
  const user = await reread(parts, session)
  if (user === null) return { outcome: 'session-ended' }
  const refused = await reasonNotToDisable(parts, user)
  if (refused !== null) return refused
  // A session that has ended must not disable what another session has set up since.
  if ((await sessions.reload(session)) === null) return { outcome: 'session-ended' }
  await factor.disable(user)
  await attempts.forget(CODES_UNSEEN, ownerKey(session.record))
  const sessionId = await rotate(parts, session, 'two-factor.disabled')
  return sessionId === null ? { outcome: 'session-ended' } : { outcome: 'disabled', sessionId }
}

/** Gives this session a new id and ends the user's other sessions and pending logins. */
async function rotate<User>(
  { sessions, pendingLogins, events }: TwoFactorParts<User>,
  session: Session,
  event: 'two-factor.enabled' | 'two-factor.disabled',
): Promise<string | null> {
  const { tenant, userId } = session.record
  events.emit(event, { userId, tenant })
  await pendingLogins.endAllOf(session.record)
  return sessions.rotate(session)
}

/**
 * Seals the secret together with its creation time, so that its ten minutes cannot be restarted.
 */
function seal<User>(
  { sealer, clock }: TwoFactorParts<User>,
  session: Session,
  secret: string,
): string {
  return sealer.seal(JSON.stringify([clock.now(), secret]), purposeOf(session))
}

function waitingSecret<User>(
  { sealer, clock }: TwoFactorParts<User>,
  session: Session,
): string | null {
  const { pendingSecret } = session.record
  const opened = pendingSecret === null ? null : sealer.open(pendingSecret, purposeOf(session))
  if (opened === null) return null
  // `open` decrypts only what `seal` wrote.
  const [createdAt, secret] = JSON.parse(opened) as [number, string]
  const expiresAt = createdAt + times.pendingSecretMinutes * 60_000
  return isAlive({ createdAt, expiresAt }, clock.now()) ? secret : null
}

function purposeOf({ key, record }: Session): string {
  return `two-factor.setup:${key}:${ownerKey(record)}`
}
