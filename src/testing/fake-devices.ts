import type { TwoFactorDevice, TwoFactorDevices } from '../contracts/two-factor-devices.ts'
import { MAX_DEVICES } from './two-factor-case.ts'

const FIRST: TwoFactorDevice = { id: 'first', name: null, addedAt: null, lastUsedAt: null }

/** Creates the devices of the fake, in memory. @param isEnabled By the id of a user. */
export function fakeDevices<User extends { readonly id: string }>(
  isEnabled: (id: string) => boolean,
): TwoFactorDevices<User> {
  const all = new Map<string, readonly TwoFactorDevice[]>()
  let added = 0
  function devicesOf(id: string): readonly TwoFactorDevice[] {
    if (!isEnabled(id)) all.delete(id)
    return isEnabled(id) ? (all.get(id) ?? [FIRST]) : []
  }
  return {
    list: ({ id }) => devicesOf(id),
    add({ id }, { name }) {
      const devices = devicesOf(id)
      if (devices.length === 0 || devices.length >= MAX_DEVICES) return false
      added += 1
      const device = { id: `device-${added}`, name, addedAt: new Date(), lastUsedAt: null }
      all.set(id, [...devices, device])
      return true
    },
    remove({ id }, removed) {
      const devices = devicesOf(id)
      const rest = devices.filter((device) => device.id !== removed)
      if (rest.length === 0 || rest.length === devices.length) return false
      all.set(id, rest)
      return true
    },
  }
}
