import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { ChangeNotifier } from '../core/change-notifier.ts'
import { signerFor } from '../core/crypto.ts'
import type { Events } from '../core/events.ts'
import type { EventClient } from '../contracts/panel-events.ts'
import type { LoginParts } from '../core/login/login-parts.ts'
import { endingKeptSessions } from '../core/sessions/kept-sessions.ts'
import { createSecurityStamps } from '../core/sessions/security-stamps.ts'
import { createSessionList, type SessionList } from '../core/sessions/session-list.ts'
import type { SessionLifetimes } from '../core/sessions/session-lifetimes.ts'
import { createSessions, type Sessions } from '../core/sessions/sessions.ts'
import { endingTrustedDevices } from '../core/sessions/trusted-owner.ts'

/** The sessions of a service, and what its trusted devices need. */
interface AssembledSessions extends Pick<LoginParts, 'sessions' | 'stamps' | 'trustedDevices'> {
  /** The same, whose ends are not reported: listeners would store what is to be erased. */
  readonly silentSessions: Sessions
  readonly sessionList: SessionList
}

interface SessionParts extends Pick<LoginParts, 'clock' | 'events'> {
  readonly changeNotifier: ChangeNotifier
  readonly keys: readonly string[]
}

/** Creates the sessions, and binds the trusted devices. */
export function assembleSessions(
  {
    impersonation,
    stores: { sessions: store },
    sessionDays: { remembered, trusted: days },
  }: CheckedHost,
  given: Omit<SessionLifetimes, 'rememberedDays'>,
  { clock, changeNotifier, events, keys }: SessionParts,
): AssembledSessions {
  const stamps = createSecurityStamps(signerFor('session.stamp', keys))
  const lifetimes = { ...given, rememberedDays: remembered }
  const create = (reported: Events | null): Sessions => {
    const storeFor = (client: EventClient | null) => {
      const kept = impersonation === null ? store : endingKeptSessions(store, reported, client)
      // Also where they are not bound: a command or a worker may bind fewer layers than the nodes,
      // and a host that binds them again later must not find those that were to end.
      return endingTrustedDevices(kept)
    }
    return createSessions({ store: storeFor(null), storeFor, clock, lifetimes, changeNotifier })
  }
  const sessions = create(events)
  return {
    sessions,
    silentSessions: create(null),
    stamps,
    sessionList: createSessionList(sessions, stamps, events),
    trustedDevices: days === null ? null : { store, clock, stamps, days },
  }
}
