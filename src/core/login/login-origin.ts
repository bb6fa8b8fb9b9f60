import type { Origin } from '../passwords/fair-shares.ts'
import type { LoginSource } from './account-ceiling.ts'
import type { Devices } from './devices.ts'

/**
 * Returns the groups among which the hashing queue is shared. Known browsers are a group of their
 * own beside all others, so that a flood from unknown networks leaves them half of the queue. The
 * others share by wide network, and within it by network.
 *
 * Remaining risk: an attacker with many wide networks takes most of the other half.
 */
export function loginOrigin(devices: Devices, { network, deviceCookie }: LoginSource): Origin {
  const device = devices.issuedId(deviceCookie)
  if (device !== null) return ['known browser', device]
  return ['unknown browser', wideNetworkOf(network), network]
}

/** Returns the /24 of an IPv4 address, or the /48 of a /64. */
export function wideNetworkOf(network: string): string {
  const [start = ''] = network.split('::')
  if (!network.includes(':')) return network.split('.').slice(0, 3).join('.')
  // The zeros that `::` stands for follow the written groups: the last four of a /64 are zero.
  return [...start.split(':').filter((group) => group !== ''), '0', '0', '0'].slice(0, 3).join(':')
}
