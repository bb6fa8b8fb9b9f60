import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../contracts/host.ts'
import { DAY_MS } from '../../rules/limits.ts'
import type { CheckedHost } from '../boundary/checked-host.ts'
import type { CheckedStores } from '../boundary/checked-stores.ts'
import type { Events } from '../events.ts'
import { isTrustedOwner } from '../sessions/trusted-owner.ts'

/**
 * The number of records that one step removes. Keys are random, so each record is on a page of its
 * own that must be written; on SQLite a step blocks all other requests.
 */
const STEP = 50

type PrunedStores = Pick<
  CheckedStores,
  'sessions' | 'pendingLogins' | 'attempts' | 'notifications'
> &
  Pick<CheckedHost, 'activity'>

/** The ages at which entries are removed, in days. */
export interface KeptDays {
  /** `null`: never. */
  readonly notificationDays: number | null
  readonly activityDays: number
}

/**
 * Removes expired records in steps, and lets requests through in between.
 *
 * @returns the number of removed records.
 */
export async function prune(
  { sessions, pendingLogins, attempts, notifications, activity }: PrunedStores,
  clock: Clock,
  events: Events,
  { notificationDays, activityDays }: KeptDays,
): Promise<number> {
  const ended = await inSteps(async () => {
    const owners = await sessions.deleteExpired(clock.now(), STEP)
    for (const owner of owners) {
      if (!isTrustedOwner(owner))
        events.emit('session.expired', { ...owner, reason: 'lifetime' }, null)
    }
    return owners.length
  })
  const unfinished = await inSteps(async () => pendingLogins.deleteExpired(clock.now(), STEP))
  const expired = await inSteps(async () => attempts.deleteExpired(clock.now(), STEP))
  const past = activity === null ? 0 : await older(activity, activityDays)
  const old = notificationDays === null ? 0 : await older(notifications, notificationDays)
  return ended + unfinished + expired + past + old

  async function older(
    store: Pick<typeof notifications, 'deleteOlder'>,
    days: number,
  ): Promise<number> {
    const before = clock.now() - days * DAY_MS
    return inSteps(async () => store.deleteOlder(before, STEP))
  }
}

async function inSteps(step: () => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    const started = performance.now()
    const removed = await step()
    total += removed
    if (removed < STEP) return total
    // The pause equals the time of the step, so half of the time stays for requests on any disk.
    await pause(performance.now() - started)
  }
}
