import type { Tenant } from '../../contracts/host.ts'
import type { ConfirmationLayer } from '../../core/accounts/confirmation-layer.ts'
import type { PasswordLayer } from '../../core/accounts/password-layer.ts'
import type { SessionLayer } from '../../core/accounts/session-layer.ts'
import type { ActivityLog } from '../../core/activity/activity-log.ts'
import type { Bell } from '../../core/bell/notifications.ts'
import type { StreamTurns } from '../../core/bell/stream-turns.ts'
import type { BellSubscriptions } from '../../core/bell/subscriptions.ts'
import type { Verification } from '../../core/email/email-verification.ts'
import type { CodeParts } from '../../core/login/login-code.ts'
import type { FactorDevices } from '../../core/second-factor/factor-devices.ts'
import type { TwoFactor } from '../../core/second-factor/two-factor.ts'
import type { Csrf } from '../../core/sessions/csrf.ts'
import type { SessionList } from '../../core/sessions/session-list.ts'
import type { ClientNetworkOf } from '../wire/client-address.ts'
import type { Cookies } from '../wire/cookies.ts'
import type { Translator } from '../wire/translate.ts'
import type { SessionCookies } from './session-cookies.ts'

/** The parts that the handlers of all features use. */
export interface RouteParts extends CodeParts, Omit<StreamTurns, 'waitingStreams'> {
  readonly networks: ClientNetworkOf
  readonly cookies: (tenant: Tenant) => Cookies
  readonly csrf: Csrf
  readonly sessionCookies: SessionCookies
  readonly sessionList: SessionList
  readonly bell: Bell
  readonly bellSubscriptions: BellSubscriptions
  /** Aborted when the service closes. */
  readonly closing: AbortSignal
  readonly verification: Verification
  readonly translator: Translator
  readonly baseUrl: (tenant: Tenant) => string
  readonly prefix: string
  readonly panels: readonly string[]
  /** The name of the panel in mails. */
  readonly name: string
  /** `null`: no second factor is bound. */
  readonly twoFactor: TwoFactor | null
  // Each of these loads its modules. `null`: the host does not bind it.
  readonly factorDevices: (() => Promise<FactorDevices>) | null
  readonly passwordLayer: (() => Promise<PasswordLayer>) | null
  readonly confirmationLayer: (() => Promise<ConfirmationLayer>) | null
  readonly sessionLayer: (() => Promise<SessionLayer>) | null
  readonly activityLog: (() => Promise<ActivityLog>) | null
}

/** The same where a part is bound. Handlers of a part exist only then. */
export type Bound<Part extends keyof RouteParts> = RouteParts & {
  readonly [Name in Part]: NonNullable<RouteParts[Name]>
}
