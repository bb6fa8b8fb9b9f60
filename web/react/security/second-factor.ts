import { NetworkError, type CallResult, type PanelSession } from '../../client/client.ts'
import type { CallName } from '../../client/calls/answer.ts'
import type { CallArguments } from '../../client/calls/auth-client.ts'
import type { SuccessBody } from '../../../src/rules/routes.ts'
import { noticeOf, type Notice, type Unsuccessful } from './notice.ts'

/** The demand on the user, in every state of the second factor. */
interface Demand {
  /** `true` if the user's role demands it. */
  readonly required: boolean
  /** The full days until the role demands it; `null` if it does already, or never. */
  readonly daysLeft: number | null
}

/** State of the user's second factor. */
export type Factor =
  /** The service has not answered. */
  { readonly state: 'loading' | 'unknown' } | Off | SettingUp | Codes | On

export interface On extends Demand {
  readonly state: 'on'
  /** `true` until the user has confirmed that the recovery codes are saved. */
  readonly codesUnseen: boolean
  /** `null` if the service does not tell. */
  readonly codesLeft: number | null
  /** `null` if a user has one device, of which the service tells nothing. */
  readonly devices: readonly ListedDevice[] | null
}

/** A device that shows codes of the user. */
export type ListedDevice = NonNullable<SuccessBody<'two-factor'>['devices']>[number]

export interface Off extends Demand {
  readonly state: 'off'
  /** A set-up has begun and can be continued. */
  readonly pending: boolean
}

export interface SettingUp extends Demand {
  readonly state: 'setting-up'
  /** The key to type into an app that cannot scan the image. */
  readonly secret: string
  /** Source of the QR code's image. */
  readonly qrCode: string
  readonly wrongCodes: number
  /** `true` after a code got no answer: it may have been accepted. */
  readonly mayBeOn: boolean
}

/** Recovery codes that exist only in this tab until the user has saved them. */
export interface Codes extends Demand {
  readonly state: 'codes'
  readonly codes: readonly string[]
}

/** Result of a step: the new state and its notice. */
export interface FactorStep {
  readonly factor: Factor
  readonly notice: Notice | null
}

/** Requests the status; continues a set-up that is still valid. */
export async function requestStatus(session: PanelSession, before: Factor): Promise<FactorStep> {
  const answer = await call(session, 'two-factor')
  if (answer.outcome !== 'ok') {
    const factor = before.state === 'loading' ? ({ state: 'unknown' } as const) : before
    return { factor, notice: noticeOf(answer) }
  }
  const { enabled, required, pending, codes_unseen: codesUnseen } = answer.body
  const { recovery_codes_left: codesLeft = null, required_in_days: daysLeft = null } = answer.body
  const demand = { required, daysLeft }
  if (enabled) {
    const { devices = null } = answer.body
    return { factor: { state: 'on', ...demand, codesUnseen, codesLeft, devices }, notice: null }
  }
  // Another tab may have started over, which makes the key on the screen useless.
  if (before.state === 'setting-up' && pending) return beginSetUp(session, before, 'again')
  return { factor: { state: 'off', ...demand, pending }, notice: null }
}

/** Begins the set-up. @param how `again` shows the previous image while it is valid. */
export async function beginSetUp(
  session: PanelSession,
  before: Off | SettingUp,
  how: 'again' | 'fresh',
): Promise<FactorStep> {
  const answer = await call(session, 'two-factor.setup', { fresh: how === 'fresh' })
  if (answer.outcome !== 'ok') {
    const notice = noticeOf(answer)
    return isOnAlready(answer) ? statusAfter(session, before, notice) : { factor: before, notice }
  }
  const { secret, qr_code: qrCode } = answer.body
  const isShown = before.state === 'setting-up'
  if (isShown && before.secret === secret) return { factor: before, notice: null }
  const mayBeOn = isShown && before.mayBeOn
  const key = { secret, qrCode, wrongCodes: 0, mayBeOn }
  return { factor: { state: 'setting-up', ...demandOf(before), ...key }, notice: null }
}

/** Enables the second factor with a code of the app. */
export async function confirmSetUp(
  session: PanelSession,
  before: SettingUp,
  code: string,
): Promise<FactorStep> {
  const answer = await call(session, 'two-factor.confirm', { code })
  if (answer.outcome !== 'ok') return afterFailedConfirm(session, before, answer)
  session.channel.send('two-factor-changed')
  const { recovery_codes: codes } = answer.body
  return { factor: { state: 'codes', ...demandOf(before), codes }, notice: null }
}

/**
 * Confirms that the recovery codes are saved. They stay on the screen until the service has
 * answered.
 */
export async function confirmSaved(session: PanelSession, before: Codes | On): Promise<FactorStep> {
  const answer = await reportSaved(session)
  if (answer.outcome !== 'ok') return { factor: before, notice: noticeOf(answer) }
  const known = before.state === 'on' ? before : { ...demandOf(before), ...UNKNOWN }
  // The codes are confirmed, also if the service does not tell the rest.
  const confirmed = { ...known, state: 'on', codesUnseen: false } as const
  const { factor } = await requestStatus(session, confirmed)
  return { factor, notice: null }
}

/** Tells the service that the recovery codes are saved. */
export async function reportSaved(session: PanelSession) {
  const answer = await call(session, 'two-factor.codes-seen')
  if (answer.outcome === 'ok') session.channel.send('two-factor-changed')
  return answer
}

/** Disables the second factor. */
export async function turnOff(session: PanelSession, before: Factor): Promise<FactorStep> {
  const answer = await call(session, 'two-factor.disable')
  if (answer.outcome !== 'ok') {
    const now = await requestStatus(session, before)
    return now.factor.state === 'off' ? now : { factor: now.factor, notice: noticeOf(answer) }
  }
  session.channel.send('two-factor-changed')
  const daysLeft = 'daysLeft' in before ? before.daysLeft : null
  return { factor: { state: 'off', required: false, daysLeft, pending: false }, notice: null }
}

function demandOf({ required, daysLeft }: Demand): Demand {
  return { required, daysLeft }
}

async function afterFailedConfirm(
  session: PanelSession,
  before: SettingUp,
  answer: Unsuccessful,
): Promise<FactorStep> {
  const notice = noticeOf(answer)
  // The service may have accepted the code, and its answer with the recovery codes was lost.
  if (answer.outcome === 'unreachable' || answer.refusal.status >= 500)
    return statusAfter(session, { ...before, mayBeOn: true }, notice)
  if (isOnAlready(answer)) return statusAfter(session, before, notice)
  if (answer.refusal.key !== 'svc::auth.two_factor_invalid') return { factor: before, notice }
  const wrongCodes = before.wrongCodes + 1
  return {
    factor: { ...before, wrongCodes },
    notice: { notice: 'wrong-code', refusal: answer.refusal, times: wrongCodes },
  }
}

/** Requests the status after a step whose result is unknown. */
async function statusAfter(
  session: PanelSession,
  before: Off | SettingUp,
  notice: Notice,
): Promise<FactorStep> {
  const { factor } = await requestStatus(session, before)
  const isLost = before.state === 'setting-up' && before.mayBeOn
  if (factor.state !== 'on' || !isLost) return { factor, notice }
  return { factor, notice: { notice: 'codes-lost', required: factor.required } }
}

function isOnAlready(answer: Unsuccessful): boolean {
  return answer.outcome === 'refused' && answer.refusal.status === 409
}

/** The parts of `On` that the service has not told yet. */
const UNKNOWN = { codesLeft: null, devices: null } as const

/** Calls a route. @returns `unreachable` instead of an error of the network. */
export async function call<Name extends CallName>(
  session: PanelSession,
  name: Name,
  ...args: CallArguments<Name>
): Promise<CallResult<Name> | { readonly outcome: 'unreachable' }> {
  try {
    return await session.call(name, ...args)
  } catch (error) {
    if (error instanceof NetworkError) return { outcome: 'unreachable' }
    throw error
  }
}
