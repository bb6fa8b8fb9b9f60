import type { Clock, PlainReply, PlainRequest } from '../../contracts/host.ts'
import type { Signer } from '../../core/crypto.ts'
import { headerNames, lowerCase, MADE_UP_ADDRESS } from '../../rules/wire.ts'

/** The time for which the service answers a probe of `svc doctor`. */
const PROBE_SECONDS = 60

/** The addresses of a request, as the service sees them. */
export interface SeenAddresses {
  /** The network under which the request is counted. */
  readonly counted: string
  /** The address of the socket; `null` on a platform without sockets. */
  readonly peer: string | null
  readonly isPeerTrusted: boolean
  /** True if a header names addresses of clients or proxies. */
  readonly isForwarded: boolean
  /** The network of the client, as the first proxy names it; `null`: no proxy names any. */
  readonly named: string | null
}

/**
 * Shows an operator who has an application key what the service sees of a request, so that a proxy
 * that is missing in `trusted_proxies` is found before its clients share one limit.
 */
export type AddressProbe = ReturnType<typeof createAddressProbe>

interface AddressProbeParts {
  readonly signer: Signer
  readonly clock: Clock
  readonly address_header?: string | undefined
  readonly seenAddresses: (request: PlainRequest) => SeenAddresses
}

const NAME = lowerCase(headerNames.probe)
const SIGNED_TIME = /^(\d{1,15})\.([\w-]{43})$/

export function createAddressProbe(parts: AddressProbeParts) {
  const { signer, clock, address_header: addressHeader, seenAddresses } = parts
  /**
   * Checks the signature of a probe, because the addresses of proxies are not public. An attacker
   * with a copy of a probe can send it again for a minute. The reply contains only the addresses
   * of that request, which is the attacker's own.
   */
  function isSigned(value: string): boolean {
    const [, time = '', signature = ''] = SIGNED_TIME.exec(value) ?? []
    if (!signer.verify(signature, time)) return false
    return Math.abs(clock.now() - Number(time)) <= PROBE_SECONDS * 1000
  }
  return {
    /**
     * Returns the headers of the request. They name a client that does not exist: a service that
     * counts the request under it believes what any client sends.
     */
    requestHeaders(): Readonly<Record<string, string>> {
      const time = String(clock.now())
      return {
        [NAME]: `${time}.${signer.sign(time)}`,
        'x-forwarded-for': MADE_UP_ADDRESS,
        ...(addressHeader !== undefined && { [addressHeader]: MADE_UP_ADDRESS }),
      }
    },
    /** Returns the headers that the reply needs: none unless the request is such a probe. */
    replyHeaders(request: PlainRequest): PlainReply['headers'] {
      const value = request.header(NAME)
      if (value === null || !isSigned(value)) return {}
      return { [NAME]: JSON.stringify(seenAddresses(request)) }
    },
  }
}
