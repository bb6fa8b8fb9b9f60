import type { EventClient } from '../../contracts/panel-events.ts'
import type { Owner, SessionRecord, SessionStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import type { ChangeNotifier } from '../change-notifier.ts'
import type { Events } from '../events.ts'
import { detailsOf, type SessionDetails } from './session-details.ts'
import { trustedOwnerOf } from './trusted-owner.ts'

/** The client whose request ends a session; `null`: none does. */
export type EndedBy = EventClient | null

/** The parts that end sessions. */
export interface EndingParts {
  readonly store: Checked<SessionStore>
  readonly changeNotifier: ChangeNotifier
  /** `null`: the ends are not reported. */
  readonly events: Events | null
  /** True if persons may act as users. */
  readonly mayActAs: boolean
}

/**
 * Includes expired sessions. Sessions must also end on a node that does not know the time of the
 * stores yet.
 */
const ANY_TIME = 0

/** Ends a session. Resolves to false when it has ended before. */
export async function endSession(
  parts: EndingParts,
  key: string,
  by: EndedBy = null,
): Promise<boolean> {
  const record = parts.mayActAs ? await parts.store.read(key, ANY_TIME) : null
  const ended = await destroy(parts, key, record, by)
  if (ended) await parts.changeNotifier.sessionEnded(key)
  return ended
}

/**
 * Ends the sessions of a user, or all but one, and the user's trusted devices. Returns the number
 * of the sessions.
 */
export async function endOthers(
  parts: EndingParts,
  owner: Owner,
  except: string | null,
  by: EndedBy,
): Promise<number> {
  // A store may read the keys of an owner first and remove them then, as Redis does. A session that
  // was given a new id in between is found by the second call.
  const found = await destroyOthers(parts, owner, except, by)
  const ended = found + (await destroyOthers(parts, owner, except, by))
  if (ended > 0) await parts.changeNotifier.sessionsEnded(owner)
  return ended
}

async function destroyOthers(
  parts: EndingParts,
  owner: Owner,
  except: string | null,
  by: EndedBy,
): Promise<number> {
  const { store } = parts
  // Before the sessions: a login that reads its trusted device again once its session exists
  // therefore either sees the end, or its session ends, too. Also where they are not bound: a
  // command or a worker may bind fewer layers than the nodes, and a host that binds them again
  // later must not find those that were to end.
  await store.destroyOthers(trustedOwnerOf(owner), null)
  let ended = 0
  for (const { key, ...record } of parts.mayActAs ? await store.list(owner, ANY_TIME) : [])
    if (key !== except && impersonatorIn(record) && (await destroy(parts, key, record, by)))
      ended += 1
  return ended + (await store.destroyOthers(owner, except))
}

/**
 * Removes a session. If a person acts as the user in it, also removes the person's own, which is
 * kept for the way back, and reports the end. That one ends last: without it, a request would end
 * the other one, and the way back could not tell this from a logout.
 *
 * A crash in between, and a session that begins while all sessions of its user end, may leave the
 * person's own behind. No browser has its id, and it ends with its idle limit.
 */
async function destroy(
  { store, events }: EndingParts,
  key: string,
  record: SessionRecord | null,
  by: EndedBy,
): Promise<boolean> {
  const isEnded = await store.destroy(key)
  const impersonator = record && impersonatorIn(record)
  if (!impersonator) return isEnded
  const { userId, tenant } = record
  const impersonatorId = impersonator.userId
  if (isEnded) events?.emit('impersonation.ended', { userId, impersonatorId, tenant }, by)
  await store.destroy(impersonator.session)
  return isEnded
}

/** Returns the person in a session; `undefined` for malformed details: it must end, too. */
function impersonatorIn(record: SessionRecord): SessionDetails['impersonator'] {
  try {
    return detailsOf(record).impersonator
  } catch {
    return undefined
  }
}
