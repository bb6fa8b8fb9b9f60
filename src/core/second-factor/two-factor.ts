import type { TwoFactorDevice } from '../../contracts/two-factor-devices.ts'
import type { User } from '../boundary/checked-users.ts'
import { DAY_MS, times } from '../../rules/limits.ts'
import { nextTwoFactorState, type TwoFactorEvent, type TwoFactorState } from '../../rules/states.ts'
import type { CheckedAuthenticator } from './checked-authenticator.ts'
import { ownerKey } from '../../rules/owner-key.ts'
import {
  endOtherSessions,
  inFactorTurn,
  mayStillAct,
  reread,
  rotate,
  type FactorChange,
} from './factor-change.ts'
import { CHANGE_TURN, CODES_UNSEEN, provisionalSecret } from './provisional-sessions.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'
import { keepFresh, waitingSecret } from './setup-secret.ts'
import type { Session } from '../sessions/sessions.ts'

/** The user who changes the second factor, and the session of the request. */
export interface Holder {
  readonly user: User
  readonly session: Session
}

export type SetupOutcome =
  | { readonly outcome: 'started'; readonly secret: string; readonly qrCode: string }
  | { readonly outcome: 'already-enabled' | 'session-ended' }

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
  /** The full days until it becomes required; `null` if it is already, or not at all. */
  readonly daysUntilRequired: number | null
  /** True while a secret waits for confirmation in this session. */
  readonly pending: boolean
  /** True when it is enabled and the user has not confirmed seeing the recovery codes. */
  readonly codesUnseen: boolean
  /** `null` when it is not enabled, or the host does not count them. */
  readonly recoveryCodesLeft: number | null
  /** `null` when it is not enabled, or the host keeps one device for each user. */
  readonly devices: readonly TwoFactorDevice[] | null
}

/**
 * Records that the user has seen the recovery codes. Idempotent. Before the factor is enabled
 * nobody has seen any, and a session that is opened meanwhile must be provisional.
 */
export async function confirmCodesSeen(
  { attempts, factor }: TwoFactorParts,
  { session, user }: Holder,
): Promise<void> {
  if (await factor.isEnabledFor(user)) await attempts.forget(CODES_UNSEEN, ownerKey(session.record))
}

/** Returns the second factor of a logged-in user, for the security page. */
export async function statusOf(
  parts: TwoFactorParts,
  { user, session }: Holder,
): Promise<TwoFactorStatus> {
  const { state, required, requiredFrom } = await parts.factor.stateOf(user)
  const enabled = state === 'enabled'
  // Recovery codes are worthless once the host itself has turned the factor off, so the record is
  // ignored then.
  const codesUnseen =
    enabled && (await parts.attempts.used(CODES_UNSEEN, ownerKey(session.record))) > 0
  const pending = waitingSecret(parts, session) !== null
  const recoveryCodesLeft = enabled ? await countCodes(parts, user) : null
  const devices = enabled ? await parts.factor.listDevices(user) : null
  const daysUntilRequired =
    requiredFrom === null ? null : Math.floor((requiredFrom - parts.clock.now()) / DAY_MS)
  return {
    enabled,
    required,
    daysUntilRequired,
    pending,
    codesUnseen,
    recoveryCodesLeft,
    devices,
  }
}

/** Counts the recovery codes. Best effort: nothing is decided by the number. */
async function countCodes({ factor, logger }: TwoFactorParts, user: User): Promise<number | null> {
  try {
    return await factor.recoveryCodesLeft(user)
  } catch (error) {
    logger.warn(
      { err: error },
      'the number of recovery codes left is not shown, because it could not be counted',
    )
    return null
  }
}

/**
 * Starts the set-up with a secret that the session keeps for ten minutes from the first request. A
 * repeated request returns the same secret, so that a scanned QR code stays valid, unless a fresh
 * one is requested.
 *
 * @see docs/specification.md, "Second factor"; docs/http-api.md, "Second factor"
 */
export async function setUp(
  parts: TwoFactorParts,
  { user, session }: Holder,
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
 * Confirms the set-up. The secret comes from this session only, and of concurrent confirmations one
 * enables the factor.
 *
 * @see docs/specification.md, "Second factor"
 */
export async function confirm(
  parts: TwoFactorParts,
  change: Holder & FactorChange,
  code: string,
): Promise<ConfirmOutcome> {
  const { factor } = parts
  const { user, session } = change
  if (await factor.isEnabledFor(user)) return { outcome: 'already-enabled' }
  const secret = waitingSecret(parts, session)
  if (secret === null) return withoutSecret(parts, session)
  if (!(await factor.verifySetup(secret, code))) return { outcome: 'invalid' }
  // Ten minutes may have passed while the host verified the code.
  if (waitingSecret(parts, session) === null) return { outcome: 'setup-missing' }
  return inFactorTurn(parts, session, async () => enableOnce(parts, change, secret))
}

/**
 * Returns the outcome for a session without a secret. A concurrent confirmation of the same session
 * may have taken the secret and enable the factor now.
 */
async function withoutSecret(parts: TwoFactorParts, session: Session): Promise<ConfirmOutcome> {
  await parts.turns.untilFree(CHANGE_TURN, ownerKey(session.record))
  const user = await reread(parts, session)
  const isEnabled = user !== null && (await parts.factor.isEnabledFor(user))
  return { outcome: isEnabled ? 'already-enabled' : 'setup-missing' }
}

/**
 * Enables the factor. Whatever fails, no session that was opened without a code is accepted
 * afterwards: the user's other sessions end before `enable` is called, and this session and those
 * that are opened meanwhile are provisional by then.
 */
async function enableOnce(
  parts: TwoFactorParts,
  change: FactorChange,
  secret: string,
): Promise<ConfirmOutcome> {
  const { session } = change
  const { factor, sessions, attempts } = parts
  const user = await reread(parts, session)
  if (user === null) return { outcome: 'session-ended' }
  // A user may enable a second factor that is not required, so `required` is not asked for.
  const state = await enabledState(factor, user, false)
  if (!changes(state, 'confirmed')) return { outcome: 'already-enabled' }
  if (!(await mayStillAct(parts, session, user))) return { outcome: 'session-ended' }
  const swap = { from: session.record.pendingSecret, to: provisionalSecret(null) }
  if (!(await sessions.swapSecret(session.key, swap))) {
    const isThere = (await sessions.reload(session)) !== null
    return { outcome: isThere ? 'setup-missing' : 'session-ended' }
  }
  // Recorded before the call, because the response may get lost or the node may stop. Recorded
  // before the other sessions end, because a session that is opened in between must find it.
  await attempts.remember(times.codesUnseenSeconds, CODES_UNSEEN, ownerKey(session.record))
  await endOtherSessions(parts, change)
  const recoveryCodes = await factor.enable(user, secret)
  const sessionId = await rotate(parts, change, 'two-factor.enabled')
  return sessionId === null
    ? { outcome: 'session-ended' }
    : { outcome: 'enabled', recoveryCodes, sessionId }
}

/**
 * Disables the second factor. Changes nothing when it is required.
 *
 * @see docs/specification.md, "Second factor"
 */
export async function disable(
  parts: TwoFactorParts,
  change: Holder & FactorChange,
): Promise<DisableOutcome> {
  const refused = await reasonNotToDisable(parts, change.user)
  return refused ?? inFactorTurn(parts, change.session, async () => disableOnce(parts, change))
}

async function reasonNotToDisable(
  { factor }: TwoFactorParts,
  user: User,
): Promise<{ readonly outcome: 'not-enabled' | 'required' } | null> {
  const required = await factor.isRequiredFor(user)
  const state = await enabledState(factor, user, required)
  if (changes(state, 'disabled')) return null
  return { outcome: required ? 'required' : 'not-enabled' }
}

async function enabledState(
  factor: CheckedAuthenticator,
  user: User,
  required: boolean,
): Promise<TwoFactorState> {
  return { state: (await factor.isEnabledFor(user)) ? 'enabled' : 'not-enabled', required }
}

/** Returns whether an event changes the state, by the table of the specification. */
function changes(state: TwoFactorState, event: TwoFactorEvent['event']): boolean {
  return nextTwoFactorState(state, { event }).state !== state.state
}

async function disableOnce(parts: TwoFactorParts, change: FactorChange): Promise<DisableOutcome> {
  const { session } = change
  const { factor, attempts } = parts
  const user = await reread(parts, session)
  if (user === null) return { outcome: 'session-ended' }
  const refused = await reasonNotToDisable(parts, user)
  if (refused !== null) return refused
  // A session that has ended must not disable what another session has set up since.
  if (!(await mayStillAct(parts, session, user))) return { outcome: 'session-ended' }
  // They end before the call, so that none is left when the node stops after it.
  await endOtherSessions(parts, change)
  await factor.disable(user)
  await attempts.forget(CODES_UNSEEN, ownerKey(session.record))
  const sessionId = await rotate(parts, change, 'two-factor.disabled')
  return sessionId === null ? { outcome: 'session-ended' } : { outcome: 'disabled', sessionId }
}
