import type { Owner } from '../../contracts/store-contracts.ts'
import type { User } from '../boundary/checked-users.ts'
import type { SessionDetails } from '../sessions/session-details.ts'
import type { LoginSource } from './account-ceiling.ts'

/** A login whose session is about to be opened. */
export interface ArrivingLogin {
  readonly user: User
  readonly owner: Owner
  readonly source: LoginSource
}

/** A login whose place was looked at. */
interface PlacedLogin {
  /** Kept with its session. */
  readonly details: SessionDetails
  /**
   * Informs the user after the answer, unless the place is known. Call it once the session is open.
   */
  readonly report: () => void
}

/** Looks at where users log in. Exists while the host binds `sessions.devices`. */
export interface LoginPlaces {
  /** Looks at a login before its place counts as known. */
  place(login: ArrivingLogin): Promise<PlacedLogin>
}
