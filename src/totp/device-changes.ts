import type { TwoFactorDevice } from '../contracts/two-factor-devices.ts'
import { sizes } from '../rules/limits.ts'
import type { UsedStep } from './factor-store.ts'
import { CHANGED, retried } from './retried.ts'
import { devicesOf, newDeviceId, storedDevices, type Device } from './stored-devices.ts'
import { startOfStep } from './time-codes.ts'
import type { TotpParts } from './used-codes.ts'

/** Lists the devices of a user. */
export async function listDevices(
  { factors, clock }: TotpParts,
  id: string,
): Promise<readonly TwoFactorDevice[]> {
  const factor = await factors.read(id)
  if (factor === null) return []
  return devicesOf(factor, id).map(({ id: device, name, addedAt, lastStep }) => ({
    id: device,
    name,
    addedAt: addedAt === null ? null : new Date(addedAt),
    // The clock of a phone may be fast.
    lastUsedAt: lastStep === null ? null : new Date(Math.min(startOfStep(lastStep), clock.now())),
  }))
}

/** Adds a device. The code of its set-up is used up, so that it does not log in, too. */
export async function addDevice(
  parts: TotpParts,
  id: string,
  { secret, name }: Pick<Device, 'secret' | 'name'>,
): Promise<boolean> {
  const { secrets, codes, clock } = parts
  const added: Device = {
    id: newDeviceId(),
    name,
    addedAt: clock.now(),
    secret: secrets.write(secret, id),
    lastStep: codes.confirmedStep(secret),
  }
  return changeDevices(parts, id, (devices) => {
    const hasPlace = devices.length > 0 && devices.length < sizes.twoFactorDevices
    return hasPlace ? [...devices, added] : null
  })
}

/** Removes a device, unless it is the last one. */
export async function removeDevice(
  parts: TotpParts,
  id: string,
  removed: string,
): Promise<boolean> {
  return changeDevices(parts, id, (devices) => {
    const rest = devices.filter((device) => device.id !== removed)
    return rest.length === devices.length || rest.length === 0 ? null : rest
  })
}

/** Changes the devices of a user. @param change Returns `null` to change nothing. */
async function changeDevices(
  { factors }: TotpParts,
  id: string,
  change: (devices: readonly Device[]) => readonly Device[] | null,
): Promise<boolean> {
  return retried(id, async () => {
    const factor = await factors.read(id)
    const before = factor === null ? [] : devicesOf(factor, id)
    const after = change(before)
    if (factor === null || after === null) return false
    const changed = { devices: storedDevices(after), first: newFirst(before, after) }
    return (await factors.replaceDevices?.(id, factor, changed)) === true || CHANGED
  })
}

/** Returns the device that becomes the first one; `null` if it is the same as before. */
function newFirst([before]: readonly Device[], [after]: readonly Device[]): UsedStep | null {
  if (after === undefined || after.id === before?.id) return null
  return { secret: after.secret, lastStep: after.lastStep ?? 0 }
}
