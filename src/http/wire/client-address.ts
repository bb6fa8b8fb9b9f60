import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Logger, PlainRequest } from '../../contracts/host.ts'
import { ConfigError } from '../../contracts/errors.ts'
import { sizes } from '../../rules/limits.ts'
import { MADE_UP_ADDRESS, UNKNOWN_NETWORK } from '../../rules/wire.ts'
import type { SeenAddresses } from './address-probe.ts'
import { lastItems } from './header-lists.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface AddressSettings {
  readonly trusted_proxies: readonly string[]
  /** The header that names the client where the platform has no socket; in lower case. */
  readonly address_header?: string | undefined
}

/** Returns the network under which a request is counted. */
export type ClientNetworkOf = (request: PlainRequest) => string

/**
 * Creates the functions about the addresses of clients. A network is an IPv4 address, or the /64 of
 * an IPv6 address; IPv4 within IPv6 is IPv4. The address is that of the socket. If that is a
 * trusted proxy, it is the right-most address of `X-Forwarded-For` that is not trusted, because the
 * client can send the ones before it. If the platform reports no socket address, the header
 * `address_header` is read in the same way.
 *
 * @throws {ConfigError} An entry of `trusted_proxies` cannot be read.
 * @see docs/http-api.md, "Limits"
 */
export function createClientAddresses(
  { trusted_proxies: trustedProxies, address_header: addressHeader }: AddressSettings,
  logger: Pick<Logger, 'warn'>,
) {
  const isTrusted = isIn(trustedProxies.map(parseNetwork))
  const warnOfMissingAddress = missingAddressWarning(logger)
  const warnOfUnnamedClient = unnamedClientWarning(logger, isTrusted)
  const forwardedOf = (request: PlainRequest, peer: Address | null): string | null => {
    const header = peer === null ? addressHeader : 'x-forwarded-for'
    return header === undefined ? null : lastHops(request.header(header))
  }
  const clientNetworkOf: ClientNetworkOf = (request) => {
    const peer = parseAddress(request.address ?? '')
    const isDirect = peer !== null && !isTrusted(peer)
    const address = isDirect ? peer : firstUntrusted(peer, forwardedOf(request, peer), isTrusted)
    if (address === null) warnOfMissingAddress(request)
    else warnOfUnnamedClient(request, address)
    return address === null ? UNKNOWN_NETWORK : networkOf(address)
  }
  /**
   * Warns at the first request without an address, and at the first that a proxy has forwarded
   * while no proxy is trusted. The first page that somebody opens then shows the mistake. Where
   * proxies are trusted, the first request that is counted shows it, such as a login: reading the
   * addresses of every request would take time.
   */
  function noteAddress(request: PlainRequest): void {
    if (request.address === null && addressHeader === undefined) warnOfMissingAddress(request)
    const forwarded = request.header('x-forwarded-for') ?? request.header('forwarded')
    if (trustedProxies.length > 0 || forwarded === null) return
    const peer = parseAddress(request.address ?? '')
    if (peer !== null) warnOfUnnamedClient(request, peer)
  }
  function seenAddresses(request: PlainRequest): SeenAddresses {
    const peer = parseAddress(request.address ?? '')
    const forwarded = forwardedOf(request, peer)
    return {
      counted: clientNetworkOf(request),
      peer: peer === null ? null : peer.toString(),
      isPeerTrusted: peer !== null && isTrusted(peer),
      isForwarded: forwarded !== null,
      named: firstNamed(forwarded),
    }
  }
  return { clientNetworkOf, noteAddress, seenAddresses }
}

function isIn(networks: readonly (readonly [Address, number])[]): (address: Address) => boolean {
  return (address) =>
    networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
}

function lastHops(forwarded: string | null): string | null {
  return forwarded === null ? null : lastItems(forwarded, sizes.forwardedCharacters)
}

/** Returns the network of the first address of a header, after the one that a probe makes up. */
function firstNamed(forwarded: string | null): string | null {
  const hops = (forwarded ?? '').split(',').map((hop) => withoutPort(hop.trim()))
  const first = parseAddress(hops.find((hop) => hop !== MADE_UP_ADDRESS) ?? '')
  return first === null ? null : networkOf(first)
}

/**
 * Returns a function that warns once. The start cannot tell: an adapter for web requests receives
 * the address with each request.
 */
function missingAddressWarning(logger: Pick<Logger, 'warn'>): (request: PlainRequest) => void {
  let hasWarned = false
  return ({ signal }) => {
    // The socket of a client that has left, before an earlier hook was done, has no address.
    if (hasWarned || signal?.aborted === true) return
    hasWarned = true
    logger.warn(
      { setting: 'address_header' },
      'a request has no client address: such clients share one count of attempts; ' +
        'pass it to the adapter, or name the header of your proxy in address_header',
    )
  }
}

/** The kinds of addresses that a proxy has on this machine or in the network of the host. */
const PROXY_RANGES = /^(?:linkLocal|loopback|private|uniqueLocal)$/

/**
 * Returns a function that warns once of a forwarded request that is counted under the address of a
 * proxy. It logs that address, but no other part of a header: any client can send one.
 */
function unnamedClientWarning(logger: Pick<Logger, 'warn'>, isTrusted: (one: Address) => boolean) {
  let hasWarned = false
  return (request: PlainRequest, counted: Address): void => {
    if (hasWarned || !isForwardedBy(counted, request)) return
    const isListed = isTrusted(counted)
    if (!isListed && !PROXY_RANGES.test(counted.range())) return
    hasWarned = true
    const fault = isListed
      ? 'of trusted_proxies names no client'
      : 'at a private address forwards requests, but trusted_proxies does not list it'
    logger.warn(
      { setting: 'trusted_proxies', address: counted.toString() },
      `a proxy ${fault}: its clients share one count of attempts. ` +
        'If it is a proxy of yours, list it, and let it set X-Forwarded-For',
    )
  }
}

/** Returns whether a header names somebody before the address under which a request is counted. */
function isForwardedBy(counted: Address, request: PlainRequest): boolean {
  const forwarded = request.header('x-forwarded-for')
  // Only a proxy adds to the address that `svc doctor` makes up.
  if (forwarded === null || forwarded === MADE_UP_ADDRESS)
    return request.header('forwarded') !== null
  const first = parseAddress(withoutPort((forwarded.split(',', 1)[0] ?? '').trim()))
  return first?.toString() !== counted.toString()
}

function firstUntrusted(
  peer: Address | null,
  forwarded: string | null,
  isTrusted: (address: Address) => boolean,
): Address | null {
  let last = peer
  for (const hop of (forwarded ?? '').split(',').toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()))
    // A trusted proxy writes valid addresses, so the client may have written this one and all
    // before.
    if (address === null) return last
    if (!isTrusted(address)) return address
    last = address
  }
  return last
}

/**
 * Parses an address. The library also accepts shorthands such as `1.2.3`, so `net.isIP` goes first.
 */
function parseAddress(text: string): Address | null {
  const bare = text.replace(/%.*$/, '')
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1]
  return bracketed ?? hop.replace(/^([\d.]+):\d+$/, '$1')
}

function networkOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString()
  const bytes = address.toByteArray()
  if (NAT64.every((byte, index) => bytes[index] === byte))
    return ipaddr.fromByteArray(bytes.slice(NAT64.length)).toString()
  return `${ipaddr.fromByteArray([...bytes.slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`
}

/**
 * The prefix of the IPv4 clients that a translator leads to a server with IPv6 alone: 64:ff9b::/96.
 * As a /64 they would all share one count. Only counting reads the IPv4 address: a trusted proxy is
 * compared as it is written.
 *
 * @see RFC 6052, section 2.1
 */
const NAT64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

// Shorter prefixes are not networks of proxies. The shortest that are in use are 10.0.0.0/8 and
// fc00::/7.
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 7 } as const

function parseNetwork(entry: string): [Address, number] {
  const [network, bits] = readNetwork(entry)
  if (!isTooWide(network, bits)) return [network, bits]
  throw new ConfigError(
    `trusted_proxies: ${entry} trusts everybody, so that a client chooses the address of its attempts; list the networks of your proxies, like 10.0.0.0/8`,
  )
}

/** Returns whether a network is too wide for proxies alone, also one of IPv4 within IPv6. */
function isTooWide(network: Address, bits: number): boolean {
  const hasNat64 =
    network.kind() === 'ipv6' && ipaddr.parse('64:ff9b::').match(network, Math.min(bits, 96))
  return hasNat64 ? bits - 96 < SHORTEST_PREFIX.ipv4 : bits < SHORTEST_PREFIX[network.kind()]
}

function readNetwork(entry: string): [Address, number] {
  try {
    // The library also accepts shorthands: it reads `010.0.0.1` as 8.0.0.1 and `10/8` as
    // 0.0.0.10/8.
    if (isIP(entry.split('/')[0] ?? '') === 0) throw new Error('no address')
    const [network, bits] = ipaddr.parseCIDR(entry.includes('/') ? entry : withAllBits(entry))
    // `ipaddr.process` converts IPv4-mapped addresses, so a mapped network must be converted, too.
    const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
    return mapped ? [network.toIPv4Address(), bits - 96] : [network, bits]
  } catch (error) {
    throw new ConfigError(
      `trusted_proxies: ${JSON.stringify(entry)} cannot be read; write an address or a network, like 10.0.0.0/8, or 127.0.0.0/8 for a proxy on this machine`,
      { cause: error },
    )
  }
}

function withAllBits(address: string): string {
  return `${address}/${isIP(address) === 6 ? 128 : 32}`
}
