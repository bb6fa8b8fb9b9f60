import type { Owner } from '../../contracts/store-contracts.ts'
import { confirmedNow } from '../sessions/confirmed.ts'
import type { LoginSource } from './account-ceiling.ts'
import type { SessionDetails } from '../sessions/session-details.ts'
import type { Authenticated, LoginParts } from './login-parts.ts'

/** A login whose proofs are complete. */
interface CompletedLogin {
  readonly owner: Owner
  /** The stamp of the password that was checked. */
  readonly stamp: string
  /** The session id that the request presented; its session ends. */
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
  { owner, stamp, presented, details = {} }: CompletedLogin,
  objection: (key: string) => Promise<Objection | null>,
): Promise<Authenticated | { readonly objection: Objection }> {
  const { sessions, ceiling, events, devices } = parts
  const opening = { presented, owner, stamp, details: { ...details, ...proofOf(parts, details) } }
  const opened = await sessions.openUnless(opening, async (key) => {
    const found = await objection(key)
    if (found === null) await ceiling.complete(owner, source)
    return found
  })
  if ('objection' in opened) return opened
  const { tenant, userId } = owner
  const { network } = source
  const { openedBy: by } = details
  events.emit('login', { userId, tenant, network, ...(by !== undefined && { by }) })
  const deviceCookie = devices.issue(source.deviceCookie, owner)
  return { outcome: 'authenticated', sessionId: opened.id, deviceCookie }
}

/**
 * Returns the details about the proof. A login is a confirmation, but not one that the host has
 * checked in its own way: an administrator may have opened it for somebody else.
 */
function proofOf(parts: LoginParts, { openedBy }: SessionDetails): SessionDetails {
  return openedBy === undefined ? confirmedNow(parts) : {}
}
