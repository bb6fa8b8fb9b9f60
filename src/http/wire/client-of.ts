import type { PlainRequest } from '../../contracts/host.ts'
import type { EventClient } from '../../contracts/panel-events.ts'
import type { ClientNetworkOf } from './client-address.ts'

/** Returns the client of a request, for the listeners of events. */
export function clientOf(
  { clientNetworkOf }: { readonly clientNetworkOf: ClientNetworkOf },
  request: PlainRequest,
): EventClient {
  return {
    network: clientNetworkOf(request),
    userAgent: request.header('user-agent'),
    acceptLanguage: request.header('accept-language'),
  }
}
