import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ConfigError, type PlainRequest } from '../../contracts.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Tells the network that a request is counted under. */
export type ClientNetworkOf = (request: PlainRequest) => string

/** What a request without an address is counted under: a missing address is never a missing limit. */
const NOWHERE = 'unknown'

/**
 * The client's network: its IPv4 address, or the /64 of its IPv6 address. The address is the socket's, unless
 * that is a trusted proxy: then the right-most of `X-Forwarded-For` that is not trusted.
 *
 * @throws {ConfigError} An entry of `trusted_proxies` cannot be read.
 * @see docs/http-api.md, "Limits"
 */
export function createNetworks(trustedProxies: readonly string[]): ClientNetworkOf {
  const trusted = trustedProxies.map(parseNetwork)
  const isTrusted = (address: Address): boolean =>
    trusted.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  return (request) => {
    const peer = parseAddress(request.address ?? '')
    if (peer === null) return NOWHERE
    return networkOf(
      isTrusted(peer) ? firstUntrusted(peer, request.header('x-forwarded-for'), isTrusted) : peer,
    )
  }
}

function firstUntrusted(
  peer: Address,
  forwarded: string | null,
  isTrusted: (address: Address) => boolean,
): Address {
  let last = peer
  for (const hop of (forwarded ?? '').split(',').toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()))
    // What stands left of a hop that nobody can read was not written by a trusted proxy.
    if (address === null) return last
    if (!isTrusted(address)) return address
    last = address
  }
  return last
}

/** `net.isIP` first: the library also reads `1.2.3` and other shorthands, which are nobody's address. */
function parseAddress(text: string): Address | null {
  const bare = text.replace(/%[\w.-]+$/, '')
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1]
  return bracketed ?? hop.replace(/^([\d.]+):\d+$/, '$1')
}

function networkOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString()
  const prefix = address.toByteArray().slice(0, 8)
  return `${ipaddr.fromByteArray([...prefix, 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`
}

function parseNetwork(entry: string): [Address, number] {
  try {
    // The library also reads shorthands: `010.0.0.1` as 8.0.0.1, and `10/8` as 0.0.0.10/8.
    if (isIP(entry.split('/')[0] ?? '') === 0) throw new Error('no address')
    const [network, bits] = ipaddr.parseCIDR(entry.includes('/') ? entry : withAllBits(entry))
    // Addresses are compared as IPv4 where they are mapped, so a mapped network has to be one too.
    const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
    return mapped ? [network.toIPv4Address(), bits - 96] : [network, bits]
  } catch (error) {
    throw new ConfigError(
      `trusted_proxies: ${JSON.stringify(entry)} cannot be read. Write an address or a network, like 10.0.0.0/8.`,
      { cause: error },
    )
  }
}

function withAllBits(address: string): string {
  return `${address}/${isIP(address) === 6 ? 128 : 32}`
}
