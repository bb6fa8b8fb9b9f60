import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedStores } from '../boundary/checked-stores.ts'

/** The number of records that one step removes. */
const STEP = 500
/** Later than any expiry. */
const FAR_FUTURE = Date.UTC(9999, 0)
/** Longer than a statement of a store may run. */
const PAUSE_MS = 2000

type EndedStores = Pick<CheckedStores, 'sessions' | 'pendingLogins'>

/**
 * Ends every pending login, and then every session and trusted device, of all users.
 *
 * Servers skip a record that a request holds locked at that moment. The pass is therefore repeated,
 * after every such request has ended, until it finds nothing.
 *
 * @returns their number.
 * @throws {StoreError} The stores cannot be reached. The call can be repeated.
 */
export async function endEveryone(stores: EndedStores): Promise<number> {
  let ended = await endOnce(stores)
  for (;;) {
    await pause(PAUSE_MS)
    const further = await endOnce(stores)
    if (further === 0) return ended
    ended += further
  }
}

/**
 * Ends the pending logins first: a login whose code arrives meanwhile opens its session, looks for
 * its pending login, and ends the session when that is gone.
 */
async function endOnce({ sessions, pendingLogins }: EndedStores): Promise<number> {
  const waiting = await untilNone(async () => pendingLogins.deleteExpired(FAR_FUTURE, STEP))
  return (
    waiting + (await untilNone(async () => (await sessions.deleteExpired(FAR_FUTURE, STEP)).length))
  )
}

async function untilNone(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const ended = await step()
    if (ended === 0) return total
    total += ended
  }
}
