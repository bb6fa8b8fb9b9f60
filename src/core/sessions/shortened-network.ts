import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The network of the loopback address, which people know by it. @see RFC 4291, section 2.5.3 */
const LOOPBACK = { network: '::/64', address: '::1' }

/**
 * Returns the part of a client's network that people may see: an IPv4 address without its last
 * number, such as `203.0.113.x`, or the /48 of an IPv6 address. Both lead to a provider and a
 * region, not to a household. Returns `null` when the network is unknown.
 *
 * @param network An IPv4 address or the /64 of an IPv6 address, as requests are counted.
 */
export function shortenedNetwork(network: string): string | null {
  if (isIPv4(network)) return network.replace(/\d+$/, 'x')
  if (network === LOOPBACK.network) return LOOPBACK.address
  const [address = ''] = network.split('/')
  if (!isIPv6(address)) return null
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`).toString()}/48`
}
