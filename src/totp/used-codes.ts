import type { Clock } from '../contracts/host.ts'
import { bareCode } from './bare-code.ts'
import type { FactorStore, StoredFactor } from './factor-store.ts'
import { CHANGED, retried } from './retried.ts'
import type { Secrets } from './secrets.ts'
import { devicesOf, storedDevices, type Device } from './stored-devices.ts'
import type { RecoveryCodes } from './stored-recovery-codes.ts'
import type { TimeCodes } from './time-codes.ts'

/** The parts of the second factor. */
export interface TotpParts {
  readonly factors: FactorStore
  readonly codes: TimeCodes
  readonly secrets: Secrets
  readonly recovery: RecoveryCodes
  readonly clock: Clock
}

/** Uses a code of a device up. @returns false when it is none of the user, or was used before. */
async function useTimeCode(parts: TotpParts, id: string, code: string): Promise<boolean> {
  return retried(id, async () => {
    const factor = await parts.factors.read(id)
    return factor === null ? false : useStep(parts, id, factor, code)
  })
}

async function useStep(
  parts: TotpParts,
  id: string,
  factor: StoredFactor,
  code: string,
): Promise<boolean | typeof CHANGED> {
  const { factors, secrets } = parts
  const devices = devicesOf(factor, id)
  const match = await matchOf(parts, id, devices, code)
  if (match === null) return false
  const { index, device, lastStep } = match
  const used = { lastStep, secret: secrets.renew(device.secret, id) }
  // The statement compares with the last step, so a lost race means that the code was used.
  if (index === 0) return (await factors.useStep(id, factor, used)) === true
  const changed = storedDevices(devices.with(index, { ...device, ...used }))
  const isUsed = await factors.replaceDevices?.(id, factor, { devices: changed, first: null })
  return isUsed === true || CHANGED
}

/** A device that shows a code, which was not used before. */
interface DeviceMatch {
  readonly index: number
  readonly device: Device
  readonly lastStep: number
}

/**
 * Returns the device that shows a code; `null` if none does. A device whose secret does not open,
 * such as one that was in a drawer while keys were replaced, keeps no other device out.
 */
async function matchOf(
  { codes, secrets }: TotpParts,
  id: string,
  devices: readonly Device[],
  code: string,
): Promise<DeviceMatch | null> {
  const failures: unknown[] = []
  for (const [index, device] of devices.entries()) {
    try {
      const lastStep = await codes.stepOf(code, secrets.read(device.secret, id))
      if (lastStep !== null && lastStep > (device.lastStep ?? 0)) return { index, device, lastStep }
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return null
}

/** Rejects where no secret of a user can be read, or not the recovery codes. */
export async function checkReadable(
  { factors, codes, secrets, recovery }: TotpParts,
  id: string,
): Promise<void> {
  const factor = await factors.read(id)
  if (factor === null) return
  if (factor.recoveryCodes !== null) recovery.count(factor.recoveryCodes, id)
  const read = devicesOf(factor, id).map(async ({ secret }) =>
    codes.checkSecret(secrets.read(secret, id)),
  )
  if (read.length > 0)
    await Promise.any(read).catch(({ errors: [first] }: AggregateError) => {
      throw first
    })
}

/** Uses a recovery code up. @returns false when it is none of the user's. */
async function useRecoveryCode(
  { factors, recovery }: TotpParts,
  id: string,
  typed: string,
): Promise<boolean> {
  const remove = await recovery.remove(typed, id)
  return retried(id, async () => {
    const factor = await factors.read(id)
    const stored = factor?.recoveryCodes ?? null
    const rest = stored === null ? null : remove(stored)
    if (factor === null || rest === null) return false
    return (await factors.replaceRecoveryCodes(id, factor, rest)) === true || CHANGED
  })
}

/** Uses a code or a recovery code up. Those of another system may look like a code. */
export async function useCode(
  parts: TotpParts,
  id: string,
  code: string,
): Promise<'time-code' | 'recovery-code' | null> {
  const typed = bareCode(code)
  if (parts.codes.isCode(typed) && (await useTimeCode(parts, id, typed))) return 'time-code'
  return (await useRecoveryCode(parts, id, code)) ? 'recovery-code' : null
}
