import type { Tenant } from '../../contracts/host.ts'
import type { Sealer } from '../../contracts/sealed.ts'
import type { TwoFactorDevices } from '../../contracts/two-factor-devices.ts'
import type { PasswordLayer } from '../../core/accounts/password-layer.ts'
import type { SessionLayer } from '../../core/accounts/session-layer.ts'
import type { ActivityLog } from '../../core/activity/activity-log.ts'
import type { Bell } from '../../core/bell/notifications.ts'
import type { StreamTurns } from '../../core/bell/stream-turns.ts'
import type { BellSubscriptions } from '../../core/bell/subscriptions.ts'
import type { VerificationParts } from '../../core/email/email-verification.ts'
import type { Checked } from '../../core/boundary/checked.ts'
import type { CodeParts } from '../../core/login/login-code.ts'
import type { Csrf } from '../../core/sessions/csrf.ts'
import type { SessionList } from '../../core/sessions/session-list.ts'
import type { ClientNetworkOf } from '../wire/client-address.ts'
import type { Cookies } from '../wire/cookies.ts'
import type { Translator } from '../wire/translate.ts'
import type { SessionCookies } from './session-cookies.ts'

/** The parts that the handlers of all features use. */
export interface RouteParts extends CodeParts, Omit<StreamTurns, 'waitingStreams'> {
  readonly clientNetworkOf: ClientNetworkOf
  readonly cookies: (tenant: Tenant) => Cookies
  readonly csrf: Csrf
  readonly sessionCookies: SessionCookies
  readonly sessionList: SessionList
  readonly bell: Bell
  readonly bellSubscriptions: BellSubscriptions
  /** Aborted when the service closes. */
  readonly closing: AbortSignal
  readonly verification: VerificationParts
  readonly translator: Translator
  readonly baseUrl: (tenant: Tenant) => string
  readonly prefix: string
  readonly panels: readonly string[]
  /** The name of the panel in mails. */
  readonly name: string
  readonly sealer: Sealer
  /** `null`: a user has one device for codes. */
  readonly twoFactorDevices: Checked<TwoFactorDevices<unknown>> | null
  /** The number of digits of a code; `null`: unknown. */
  readonly codeDigits: number | null
  // Each of these loads its modules. `null`: the host does not bind it.
  readonly passwordLayer: (() => Promise<PasswordLayer>) | null
  readonly sessionLayer: (() => Promise<SessionLayer>) | null
  readonly activityLog: (() => Promise<ActivityLog>) | null
}

/** The same where a part is bound. Handlers of a part exist only then. */
export type Bound<Part extends keyof RouteParts> = RouteParts & {
  readonly [Name in Part]: NonNullable<RouteParts[Name]>
}
