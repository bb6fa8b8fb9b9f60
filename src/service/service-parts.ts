import type { LinkCutoff } from '../core/accounts/link-cutoff.ts'
import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { User } from '../core/boundary/checked-users.ts'
import { endEveryone } from '../core/login/end-everyone.ts'
import { resetTwoFactor } from '../core/second-factor/reset-two-factor.ts'
import type { SessionList } from '../core/sessions/session-list.ts'
import { setSessionOpener } from '../contracts/session-openers.ts'
import { openForTests } from '../http/open-for-tests.ts'
import type { Service } from '../http/service.ts'
import type { PanelAuthOptions } from '../contracts/options.ts'
import type { PanelAuth } from '../contracts/service-contract.ts'
import type { Settings } from '../config/settings.ts'
import type { Owner } from '../contracts/store-contracts.ts'
import { atLeisure, checked } from '../core/boundary/checked.ts'
import { activityStore, notificationContract } from '../core/boundary/checked-stores.ts'
import type { PersonParts } from '../core/person/person.ts'

export type { SeenAddresses } from '../http/wire/address-probe.ts'

/** The options of a service, as they were read. */
interface GivenOptions<Host> {
  readonly options: PanelAuthOptions<Host>
  readonly settings: Settings
  /** The parts of the host, checked. */
  readonly host: CheckedHost
  /** The warnings of the start. */
  readonly warnings: readonly string[]
}

/** The parts of a service that the command line inspects and calls. */
export interface ServiceParts<Host>
  extends
    GivenOptions<Host>,
    Pick<Service, 'users' | 'factor' | 'layers' | 'origins' | 'addressProbe' | 'events' | 'ready'> {
  readonly sessionList: SessionList
  /** The parts that keep data about persons. */
  readonly person: PersonParts
  /**
   * Ends every session, pending login and trusted device of all users, and every link in a mail.
   * Returns their number, without that of the links.
   */
  readonly endEveryone: () => Promise<number>
  /** Disables the second factor of a user, and ends the sessions; `null`: none is bound. */
  readonly resetTwoFactor: ((user: User, owner: Owner) => Promise<number>) | null
}

/** A name for this file, also where a loader names a copy of it by a query. */
const PARTS = Symbol.for(`@svc/auth: service parts of ${import.meta.url.replace(/\?.*$/, '')}`)
const shared = globalThis as { [key: symbol]: WeakMap<object, unknown> | undefined }

/**
 * The parts of each service. They are not members of it: they include the keys of the service. The
 * copies of this file share them: tsx loads the package a second time for a configuration in
 * CommonJS, and `svc` must know the service that this copy has created.
 */
const serviceParts = (shared[PARTS] ??= new WeakMap())

interface GivenParts<Host>
  extends GivenOptions<Host>, Omit<PersonParts, 'notifications' | 'activity'> {
  readonly linkCutoff: LinkCutoff
}

/** Sets the parts of a service. */
export function setServiceParts<Host>(
  auth: PanelAuth<Host>,
  service: Service,
  given: GivenParts<Host>,
): void {
  const { factor } = service
  const { host, linkCutoff } = given
  const parts: ServiceParts<Host> = {
    ...service,
    ...given,
    person: personPartsOf(given),
    async endEveryone() {
      await linkCutoff.set(service.clock.now())
      const ended = await endEveryone(host.stores)
      await service.changeNotifier.everySessionEnded()
      return ended
    },
    resetTwoFactor:
      factor && (async (user, owner) => resetTwoFactor({ ...service, factor }, user, owner)),
  }
  serviceParts.set(auth, parts)
  setSessionOpener(auth, async (host, tenant) => openForTests(service, { host, tenant }))
}

function personPartsOf<Host>(given: GivenParts<Host>): PersonParts {
  const { options, host, ...core } = given
  const { activity, notifications } = options.stores
  // A host that binds no activity any more may have stored some.
  const kept = activity === undefined ? null : checked(activity, activityStore)
  return {
    ...core,
    // A bell may have more entries than are read or removed by the deadline of a request.
    notifications: checked(notifications, notificationContract(atLeisure)),
    activity: host.activity ?? kept,
  }
}

/** Returns the parts of a service; `null` when another copy of the package created it. */
export function servicePartsOf<Host>(auth: PanelAuth<Host>): ServiceParts<Host> | null {
  // The type is right, because only `setServiceParts` adds entries, of the service's user type.
  return (serviceParts.get(auth) as ServiceParts<Host> | undefined) ?? null
}
