import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { DeviceParts, FactorDevices } from '../core/second-factor/factor-devices.ts'
import { lazily } from './lazily.ts'

type Core = Omit<DeviceParts, 'devices' | 'factor'> & {
  readonly factor: DeviceParts['factor'] | null
}

/** Binds the devices of users, whose module the first use loads; `null`: a user has one. */
export function bindDevices(
  { twoFactorDevices: devices }: CheckedHost,
  { factor, ...core }: Core,
): (() => Promise<FactorDevices>) | null {
  if (devices === null || factor === null) return null
  return lazily(async () => {
    const { createFactorDevices } = await import('../core/second-factor/factor-devices.ts')
    return createFactorDevices({ ...core, devices, factor })
  }).load
}
