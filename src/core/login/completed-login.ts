import type { Owner } from '../../contracts/store-contracts.ts'
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
  { sessions, ceiling, events, devices }: LoginParts,
  source: LoginSource,
  { owner, stamp, presented, details = {} }: CompletedLogin,
  objection: (key: string) => Promise<Objection | null>,
): Promise<Authenticated | { readonly objection: Objection }> {
  const opened = await sessions.openUnless({ presented, owner, stamp, details }, async (key) => {
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
