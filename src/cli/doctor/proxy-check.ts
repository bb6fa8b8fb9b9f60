import { isLoopback } from '../../core/loopback.ts'
import type { SeenAddresses } from '../../service/service-parts.ts'
import { headerNames, MADE_UP_ADDRESS } from '../../rules/wire.ts'
import { failed, ok, warning, type Check } from '../output/check.ts'

const NAME = 'proxies'

/**
 * Checks which client address a running service sees, from its reply to a probe.
 *
 * @param url The address that the probe was sent to.
 */
export function checkProxy(url: URL, { status, headers }: Response): Check {
  const seen = read(headers.get(headerNames.probe))
  if (seen === null)
    return warning(
      NAME,
      `the service at ${url.origin} has not answered the probe (status ${status}), so the address that it ` +
        'sees is not known: it has another APP_KEY, is an older release, or a proxy refuses the probe',
    )
  return judge(url, seen)
}

function read(answer: string | null): SeenAddresses | null {
  if (answer === null) return null
  try {
    // The service wrote it. A stranger at this address could mislead its own operator only.
    return JSON.parse(answer) as SeenAddresses
  } catch {
    return null
  }
}

function judge(url: URL, seen: SeenAddresses): Check {
  const { counted, peer, isPeerTrusted, named } = seen
  if (counted === MADE_UP_ADDRESS) return named === null ? believed(url, peer) : tooTrusted(named)
  if (named === null) return unnamed(seen)
  const place = peer === null ? '' : ` at ${peer}`
  if (counted === named)
    return ok(NAME, `the service counts this command as ${counted}, as the proxy${place} names it`)
  const wrong = isPeerTrusted ? counted : (peer ?? counted)
  return failed(
    NAME,
    `the service counts this command as ${wrong}, which is a proxy: the first proxy names ${named}. All ` +
      'clients share that address and its limits; add it to trusted_proxies, if the proxy is yours',
  )
}

/** Returns the finding that the service counts the request under the made-up address. */
function believed(url: URL, peer: string | null): Check {
  const cause =
    peer === null
      ? 'the platform passes on the header of address_header that a client sends'
      : `the proxy at ${peer} passes on the X-Forwarded-For of a client unchanged`
  const text =
    `the service believes an address that this command made up: ${cause}, so a client can escape every ` +
    'limit; let the proxy append the address of its client, or set it'
  // Without a proxy in between, this command connects as a trusted proxy would.
  return isLoopback(url.hostname)
    ? warning(NAME, `${text}. Ignore this if no proxy is between; check from another machine`)
    : failed(NAME, text)
}

/**
 * Returns the finding that the first proxy names a trusted address as its client: that of a
 * balancer or a program for TLS that does not tell whose connections it passes on, or of this
 * machine.
 */
function tooTrusted(named: string): Check {
  return failed(
    NAME,
    `the first proxy names ${named}, which trusted_proxies lists, so the service believes an address that ` +
      'this command made up. If this machine has that address, check from another machine. Otherwise ' +
      'what connects to that proxy does not name its clients, and a client can escape every limit: let it ' +
      'send the PROXY protocol, or X-Forwarded-For',
  )
}

/** Returns the finding that no proxy names an address. */
function unnamed({ counted, peer, isPeerTrusted, isForwarded }: SeenAddresses): Check {
  if (isPeerTrusted)
    return failed(
      NAME,
      `the proxy at ${peer} sends no X-Forwarded-For: all of its clients share its address and its ` +
        'limits; let it send the header',
    )
  if (peer === null)
    return failed(
      NAME,
      'no address reaches the service: all clients share one count; pass it to the adapter, or name ' +
        'the header of the proxy in address_header',
    )
  if (!isForwarded)
    return warning(
      NAME,
      `something between removes X-Forwarded-For, and the service counts this command as ${counted}: if ` +
        'that is a proxy, let it send the header and add it to trusted_proxies',
    )
  return ok(
    NAME,
    `the service counts this command as ${counted}, the address that connects; if that is a proxy, it ` +
      'does not name its clients',
  )
}
