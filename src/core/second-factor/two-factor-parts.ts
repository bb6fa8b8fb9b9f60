import type { Clock, Logger } from '../../contracts/host.ts'
import type { Attempts } from '../attempts.ts'
import type { Users } from '../boundary/checked-users.ts'
import type { Events } from '../events.ts'
import type { PendingLogins } from '../login/pending-logins.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Turns } from '../turns.ts'
import type { CheckedAuthenticator } from './checked-authenticator.ts'
import type { Sealer } from '../../contracts/sealed.ts'

/** The parts that the management of the second factor uses. */
export interface TwoFactorParts {
  readonly factor: CheckedAuthenticator
  readonly sessions: Sessions
  readonly pendingLogins: PendingLogins
  readonly attempts: Attempts
  readonly turns: Turns
  readonly users: Users
  readonly sealer: Sealer
  readonly clock: Clock
  readonly events: Events
  readonly logger: Logger
}
