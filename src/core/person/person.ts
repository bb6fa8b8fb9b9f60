import type { ActivityStore, NotificationStore, Owner } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import type { User } from '../boundary/checked-users.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { LoginParts } from '../login/login-parts.ts'
import type { SessionList } from '../sessions/session-list.ts'

/** A person whose data is exported or erased. */
export interface Person {
  readonly owner: Owner
  /** `null`: the host has no such user any more. */
  readonly user: User | null
}

/** The parts of a service that keep data about persons. */
export interface PersonParts extends Pick<
  LoginParts,
  'users' | 'pendingLogins' | 'sessions' | 'attempts' | 'ceiling' | 'clock' | 'factor'
> {
  readonly sessionList: SessionList
  readonly changeNotifier: ChangeNotifier
  readonly notifications: Checked<NotificationStore>
  /** `null`: the stores keep no activity. */
  readonly activity: Checked<ActivityStore> | null
}
