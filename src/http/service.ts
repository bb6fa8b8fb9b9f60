import type { StreamTurns } from '../core/bell/stream-turns.ts'
import type { ChangeNotifier } from '../core/change-notifier.ts'
import type { CodeParts } from '../core/login/login-code.ts'
import type { Meter } from '../core/meter.ts'
import type { OutageLogger } from '../core/operation/outage-log.ts'
import type { HeldOpen } from '../core/held-open.ts'
import type { UserResolver } from '../core/sessions/resolve-user.ts'
import type { SharedResolver } from '../core/sessions/shared-resolver.ts'
import type { ReadTouches } from '../core/sessions/read-touches.ts'
import type { Awaitable, Middleware, PlainRequest, Tenant } from '../contracts/host.ts'
import type { ConfirmedRoutes } from '../rules/routes/row.ts'
import type { Origins } from './gates/origin.ts'
import type { NoteRefusedOrigin } from './gates/refused-origins.ts'
import type { Handlers } from './routes/handler.ts'
import type { RouteParts } from './routes/route-parts.ts'
import type { AddressProbe } from './wire/address-probe.ts'

/** The parts of the wire that the gates and the handlers share. */
type WireParts = Pick<
  RouteParts,
  'baseUrl' | 'cookies' | 'csrf' | 'clientNetworkOf' | 'closing' | 'translator'
>

/** The parts of the gates, and the handlers behind them. `panel-auth.ts` assembles it. */
export interface Service extends CodeParts, StreamTurns, WireParts {
  readonly handlers: Handlers
  /** The minutes within which the user must have confirmed the session; `null`: at any time. */
  readonly confirmWithin: Readonly<Record<ConfirmedRoutes, number | null>>
  /** Resolves once this node may respond: its clock is synchronized and it has the shared keys. */
  readonly ready: () => Awaitable<void>
  /** `null`: nobody measures the service. */
  readonly meter: Meter | null
  readonly middleware: readonly Middleware[]
  readonly authenticatedMiddleware: readonly Middleware[]

  /**
   * Returns whether the panel of the tenant uses https. The scheme of `app.url` decides, because a
   * proxy may end TLS before the request arrives.
   */
  readonly isHttps: (tenant: Tenant) => boolean
  readonly production: boolean
  readonly origins: Origins
  readonly noteRefusedOrigin: NoteRefusedOrigin

  readonly userResolver: UserResolver
  /** Resolves the users of open streams. */
  readonly sharedResolver: SharedResolver
  readonly readTouches: ReadTouches

  readonly noteAddress: (request: PlainRequest) => void
  readonly addressProbe: AddressProbe

  readonly changeNotifier: ChangeNotifier
  /** The open streams of the bell on this node. */
  readonly heldStreams: HeldOpen
  /** The requests of the host that are watched on this node. */
  readonly watchedRequests: HeldOpen
  readonly logger: OutageLogger
}
