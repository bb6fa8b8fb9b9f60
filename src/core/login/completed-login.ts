import type { EventClient } from '../../contracts/panel-events.ts'
import { confirmedNow } from '../sessions/confirmed.ts'
import type { User } from '../boundary/checked-users.ts'
import type { LoginSource } from './account-ceiling.ts'
import type { SessionDetails } from '../sessions/session-details.ts'
import type { Authenticated, LoginParts } from './login-parts.ts'

/** A login whose proofs are complete. */
interface CompletedLogin {
  readonly user: User
  /** The stamp of the password that was checked. */
  readonly stamp: string
  /** The session id that the request presented; what it stands for ends. */
  readonly presented: string | null
  /** Default: none. */
  readonly details?: SessionDetails | undefined
}

/**
 * Opens the session of a login, and remembers where it was completed, unless `objection` returns
 * one. All of it happens before the session is given out, so that an outage leaves none behind.
 *
 * @param objection Runs once the session exists, as `openUnless` of the sessions describes.
 */
export async function openCompleted<Objection>(
  parts: LoginParts,
  source: LoginSource,
  { user, stamp, presented, details = {} }: CompletedLogin,
  objection: (key: string) => Promise<Objection | null>,
): Promise<Authenticated | { readonly objection: Objection }> {
  const { sessions, ceiling, events, devices, loginPlaces } = parts
  const { tenant, network } = source
  const { id: userId } = user
  const owner = { tenant, userId }
  const placed = await loginPlaces?.place({ user, owner, source })
  const kept = { ...details, ...proofOf(parts, details), ...placed?.details }
  const opening = { presented: null, owner, stamp, details: kept }
  const opened = await sessions.openUnless(opening, async (key) => {
    const found = await objection(key)
    if (found !== null) return found
    await ceiling.complete(owner, source)
    // Last, because a login that fails leaves the session of before.
    await endPresented(parts, presented, source)
    return null
  })
  if ('objection' in opened) return opened
  const { openedBy: by } = details
  events.emit('login', { userId, tenant, network, ...(by !== undefined && { by }) }, source)
  placed?.report()
  const deviceCookie = devices.issue(source.deviceCookie, owner)
  const { id: sessionId, cookieSeconds } = opened
  return { outcome: 'authenticated', sessionId, cookieSeconds, deviceCookie, trustedDevice: null }
}

/** Ends the session or the pending login of the id that a login presented. */
export async function endPresented(
  { sessions, pendingLogins }: Pick<LoginParts, 'sessions' | 'pendingLogins'>,
  presented: string | null,
  client: EventClient,
): Promise<void> {
  if (presented === null) return
  await pendingLogins.endOf(presented)
  await sessions.endOf(presented, client)
}

/**
 * Returns the details about the proof. A login is a confirmation, but not one that the host has
 * checked in its own way: an administrator may have opened it for somebody else.
 */
function proofOf(parts: LoginParts, { openedBy }: SessionDetails): SessionDetails {
  return openedBy === undefined ? confirmedNow(parts) : {}
}
