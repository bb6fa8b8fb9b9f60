import type { Clock } from '../../contracts/host.ts'
import type { ActivityStore, NotificationStore, Owner } from '../../contracts/store-contracts.ts'
import type { Attempts } from '../attempts.ts'
import type { Checked } from '../boundary/checked.ts'
import type { User, Users } from '../boundary/checked-users.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { AccountCeiling } from '../login/account-ceiling.ts'
import type { PendingLogins } from '../login/pending-logins.ts'
import type { CheckedAuthenticator } from '../second-factor/checked-authenticator.ts'
import type { SessionList } from '../sessions/session-list.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** A person whose data is exported or erased. */
export interface Person {
  readonly owner: Owner
  /** `null`: the host has no such user any more. */
  readonly user: User | null
}

/** The parts of a service that keep data about persons. */
export interface PersonParts {
  readonly users: Users
  /** Their ends are not reported. */
  readonly sessions: Sessions
  readonly sessionList: SessionList
  readonly pendingLogins: PendingLogins
  readonly attempts: Attempts
  readonly ceiling: AccountCeiling
  readonly changeNotifier: ChangeNotifier
  readonly clock: Clock
  /** `null`: no second factor is bound. */
  readonly factor: CheckedAuthenticator | null
  readonly notifications: Checked<NotificationStore>
  /** `null`: the stores keep no activity. */
  readonly activity: Checked<ActivityStore> | null
}
