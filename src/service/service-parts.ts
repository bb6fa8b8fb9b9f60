import type { CheckedUsers } from '../core/checked-users.ts'
import type { Events } from '../core/events.ts'
import type { CheckedAuthenticator } from '../core/second-factor/checked-authenticator.ts'
import { resetTwoFactor } from '../core/second-factor/reset-two-factor.ts'
import type { SecurityStamps } from '../core/sessions/security-stamps.ts'
import { mayAccess } from '../core/sessions/resolve-user.ts'
import { createSessionList, type SessionList } from '../core/sessions/session-list.ts'
import type { Origins } from '../http/gates/origin.ts'
import type { Service } from '../http/service.ts'
import type { AddressProbe } from '../http/wire/address-probe.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import type { Settings } from '../config/settings.ts'
import type { Owner } from '../contracts/store-contracts.ts'

/** The options of a service, as they were read. */
interface GivenOptions<User> {
  readonly options: PanelAuthOptions<User>
  readonly settings: Settings
  /** The warnings of the start. */
  readonly warnings: readonly string[]
}

/** The parts of a service that the command line inspects and calls. */
export interface ServiceParts<User> extends GivenOptions<User> {
  readonly users: CheckedUsers<User>
  /** `null`: no second factor is bound. */
  readonly factor: CheckedAuthenticator<User> | null
  readonly origins: Origins
  readonly addressProbe: AddressProbe
  readonly events: Events
  /** Returns whether `canAccessPanel` admits a user. */
  readonly mayAccess: (user: User) => Promise<boolean>
  readonly sessionList: SessionList
  /** Disables the second factor of a user who has lost it; `null`: none is bound. */
  readonly resetTwoFactor: ((user: User, owner: Owner) => Promise<void>) | null
}

/** The parts of each service. They are no members of it: they include the keys of the service. */
const serviceParts = new WeakMap<object, unknown>()

/** Sets the parts of a service. */
export function setServiceParts<User>(
  auth: PanelAuth<User>,
  service: Service<User>,
  { stamps, ...given }: GivenOptions<User> & { readonly stamps: SecurityStamps },
): void {
  const { users, factor, origins, addressProbe, events, sessions } = service
  const parts: ServiceParts<User> = {
    ...given,
    users,
    factor,
    origins,
    addressProbe,
    events,
    mayAccess: async (user) => mayAccess(users, user),
    sessionList: createSessionList(sessions, stamps, events),
    resetTwoFactor:
      factor && (async (user, owner) => resetTwoFactor({ ...service, factor }, user, owner)),
  }
  serviceParts.set(auth, parts)
}

/** Returns the parts of a service; `null` when another copy of the package created it. */
export function servicePartsOf<User>(auth: PanelAuth<User>): ServiceParts<User> | null {
  // The type is right, because only `setServiceParts` adds entries, of the service's user type.
  return (serviceParts.get(auth) as ServiceParts<User> | undefined) ?? null
}
