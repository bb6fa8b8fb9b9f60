import type { EventClient } from '../../contracts/panel-events.ts'
import type { TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import { sizes } from '../../rules/limits.ts'
import type { Checked } from '../boundary/checked.ts'
import type { User } from '../boundary/checked-users.ts'
import type { OutcomeNamed } from '../login/counted-attempts.ts'
import { proveByCode, type ProvenRequest, type Unproven } from './code-proof.ts'
import type { Session } from '../sessions/sessions.ts'
import { trustedOwnerOf } from '../sessions/trusted-owner.ts'
import { endOtherSessions, inFactorTurn, mayStillAct, reread } from './factor-change.ts'
import { keepFresh, waitingSecret } from './setup-secret.ts'
import type { Holder } from './two-factor.ts'
import type { TwoFactorParts } from './two-factor-parts.ts'

/** The parts that the management of devices uses. */
interface DeviceParts extends TwoFactorParts {
  readonly twoFactorDevices: Checked<TwoFactorDevices<unknown>>
}

export type DeviceSetupOutcome =
  | { readonly outcome: 'started'; readonly secret: string; readonly qrCode: string }
  | { readonly outcome: 'not-enabled' | 'full' }
  | Unproven

/** The first code of a further device. */
export interface DeviceConfirmation extends Holder, EventClient {
  readonly code: string
  readonly name: string
}

export type DeviceConfirmOutcome = OutcomeNamed<
  'added' | 'invalid' | 'setup-missing' | 'full' | 'not-enabled' | 'session-ended'
>

export type DeviceRemovalOutcome = OutcomeNamed<'removed' | 'unknown' | 'last'> | Unproven

/**
 * Starts the set-up of a further device, after a code of the user: a session that was taken over
 * must not be enough to add the thief's device, which would stay when the session has ended.
 */
export async function beginDevice(
  parts: DeviceParts,
  request: ProvenRequest,
): Promise<DeviceSetupOutcome> {
  const { factor, twoFactorDevices: devices } = parts
  const { user, session } = request
  const refused = refusalFor(await devices.list(user.host))
  if (refused !== null) return { outcome: refused }
  const unproven = await proveByCode(parts, request)
  if (unproven !== null) return unproven
  const secret = await keepFresh(parts, session, 'device')
  if (secret === null) return { outcome: 'session-ended' }
  return { outcome: 'started', secret, qrCode: await factor.qrCode(user, secret) }
}

/** Returns why a user may add no device to these; `null` if the user may. */
function refusalFor({ length }: readonly unknown[]): 'not-enabled' | 'full' | null {
  if (length === 0) return 'not-enabled'
  return length < sizes.twoFactorDevices ? null : 'full'
}

/** Adds the device whose set-up this session has started. */
export async function confirmDevice(
  parts: DeviceParts,
  request: DeviceConfirmation,
): Promise<DeviceConfirmOutcome> {
  const { session, code } = request
  const secret = waitingSecret(parts, session, 'device')
  if (secret === null) return { outcome: 'setup-missing' }
  if (!(await parts.factor.verifySetup(secret, code))) return { outcome: 'invalid' }
  // Ten minutes may have passed while the host verified the code.
  if (waitingSecret(parts, session, 'device') === null) return { outcome: 'setup-missing' }
  return inFactorTurn(parts, session, async () => addOnce(parts, request, secret))
}

async function addOnce(
  parts: DeviceParts,
  request: DeviceConfirmation,
  secret: string,
): Promise<DeviceConfirmOutcome> {
  const { session, name, network } = request
  const { sessions, twoFactorDevices: devices, events } = parts
  const { tenant, userId } = session.record
  const user = await reread(parts, session)
  if (user === null || !(await mayStillAct(parts, session, user)))
    return { outcome: 'session-ended' }
  const swap = { from: session.record.pendingSecret, to: null }
  if (!(await sessions.swapSecret(session.key, swap))) {
    const isThere = (await sessions.reload(session)) !== null
    return { outcome: isThere ? 'setup-missing' : 'session-ended' }
  }
  await endTrust(parts, session)
  if (!(await devices.add(user.host, { secret, name })))
    return { outcome: refusalFor(await devices.list(user.host)) ?? 'setup-missing' }
  events.emit('two-factor.device-added', { userId, tenant, network }, request)
  return { outcome: 'added' }
}

/** Removes a device, after a code of the user. Recovery codes stay. */
export async function removeDevice(
  parts: DeviceParts,
  request: ProvenRequest & { readonly id: string },
): Promise<DeviceRemovalOutcome> {
  const { user, session, id } = request
  const refused = await reasonNotToRemove(parts, user, id)
  // Nothing would be removed, so the code stays.
  if (refused !== null) return { outcome: refused }
  const unproven = await proveByCode(parts, request)
  if (unproven !== null) return unproven
  return inFactorTurn(parts, session, async () => removeOnce(parts, request))
}

async function reasonNotToRemove(
  { twoFactorDevices: devices }: DeviceParts,
  { host }: User,
  id: string,
): Promise<'unknown' | 'last' | null> {
  const all = await devices.list(host)
  if (!all.some((device) => device.id === id)) return 'unknown'
  return all.length === 1 ? 'last' : null
}

async function removeOnce(
  parts: DeviceParts,
  request: ProvenRequest & { readonly id: string },
): Promise<DeviceRemovalOutcome> {
  const { session, id, network } = request
  const { twoFactorDevices: devices, events } = parts
  const { tenant, userId } = session.record
  const user = await reread(parts, session)
  // A session that has ended must not remove what another session has added since.
  if (user === null || !(await mayStillAct(parts, session, user)))
    return { outcome: 'session-ended' }
  // A code of this device may have opened a session, trusted a browser, or begun to add a device.
  // They end before the call, so that none is left when the node stops after it, and again after
  // it: a login by this device opens its session only while it waits.
  await endOtherSessions(parts, { session, client: request })
  if (!(await devices.remove(user.host, id)))
    return { outcome: (await reasonNotToRemove(parts, user, id)) ?? 'unknown' }
  await endOtherSessions(parts, { session, client: request })
  events.emit('two-factor.device-removed', { userId, tenant, network }, request)
  return { outcome: 'removed' }
}

/** Ends the trust in browsers, which rests on the devices of before. */
async function endTrust({ sessions }: DeviceParts, { record }: Session): Promise<void> {
  await sessions.endAllOf(trustedOwnerOf(record), null)
}
