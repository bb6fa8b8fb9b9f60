import type { CheckedHost } from '../core/boundary/checked-host.ts'
import type { ChangeNotifier } from '../core/change-notifier.ts'
import { signerFor } from '../core/crypto.ts'
import type { LoginParts } from '../core/login/login-parts.ts'
import { createSecurityStamps } from '../core/sessions/security-stamps.ts'
import { createSessionList, type SessionList } from '../core/sessions/session-list.ts'
import type { SessionLifetimes } from '../core/sessions/session-lifetimes.ts'
import { createSessions } from '../core/sessions/sessions.ts'

/** The sessions of a service, and what its trusted devices need. */
interface AssembledSessions extends Pick<LoginParts, 'sessions' | 'stamps' | 'trustedDevices'> {
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
  const mayActAs = impersonation !== null
  const parts = { store, clock, lifetimes, changeNotifier, events, mayActAs }
  const sessions = createSessions(parts)
  return {
    sessions,
    stamps,
    sessionList: createSessionList(sessions, stamps, events),
    trustedDevices: days === null ? null : { store, clock, stamps, days },
  }
}
