import type { EventClient } from '../../contracts/panel-events.ts'
import type { SessionRecord, SessionStore } from '../../contracts/store-contracts.ts'
import type { Checked } from '../boundary/checked.ts'
import type { Events } from '../events.ts'
import { impersonatorOf, type ImpersonatorDetails } from './impersonators.ts'

/**
 * Includes expired sessions. Sessions must also end on a node that does not know the time of the
 * stores yet.
 */
const ANY_TIME = 0

/**
 * Returns the store of sessions so that whatever ends the session of a person who acts as a user
 * also ends the person's own, which is kept for the way back, and reports the end. That one ends
 * last: without it, a request would end the other one, and the way back could not tell this from a
 * logout.
 *
 * A crash in between, and a session that begins while all sessions of its user end, may leave the
 * person's own behind. No browser has its id, and it ends with its idle limit.
 *
 * @param events `null`: the ends are not reported.
 * @param client The client whose request ends them; `null`: none does.
 */
export function endingKeptSessions(
  store: Checked<SessionStore>,
  events: Events | null,
  client: EventClient | null,
): Checked<SessionStore> {
  async function endActing(
    key: string,
    { tenant, userId }: Pick<SessionRecord, 'tenant' | 'userId'>,
    impersonator: ImpersonatorDetails,
  ): Promise<boolean> {
    const isEnded = await store.destroy(key)
    const impersonatorId = impersonator.userId
    if (isEnded) events?.emit('impersonation.ended', { userId, impersonatorId, tenant }, client)
    await store.destroy(impersonator.session)
    return isEnded
  }

  return {
    ...store,
    async destroy(key) {
      const record = await store.read(key, ANY_TIME)
      const impersonator = record && readableImpersonatorOf(record)
      return impersonator ? endActing(key, record, impersonator) : store.destroy(key)
    },
    async destroyOthers(owner, except) {
      let ended = 0
      for (const { key, ...record } of await store.list(owner, ANY_TIME)) {
        const impersonator = key === except ? null : readableImpersonatorOf(record)
        if (impersonator !== null && (await endActing(key, record, impersonator))) ended += 1
      }
      return ended + (await store.destroyOthers(owner, except))
    },
  }
}

/** Returns the person in a session; `null` also for malformed details, which must not keep it. */
function readableImpersonatorOf(record: SessionRecord): ImpersonatorDetails | null {
  try {
    return impersonatorOf({ record })
  } catch {
    return null
  }
}
