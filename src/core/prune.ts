import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../contracts/host.ts'
import type { CheckedStores } from './boundary/checked-stores.ts'
import type { Events } from './events.ts'

/**
 * The number of records that one step removes. Keys are random, so each record is on a page of its
 * own that must be written; on SQLite a step blocks all other requests.
 */
const STEP = 50

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes expired records in steps, and lets requests through in between.
 *
 * @param keepDays The age at which notifications are removed; `null` keeps them for ever.
 * @returns the number of removed records.
 */
export async function prune(
  { sessions, pendingLogins, attempts, notifications }: CheckedStores,
  clock: Clock,
  events: Events,
  keepDays: number | null,
): Promise<number> {
  const ended = await inSteps(async () => {
    const owners = await sessions.deleteExpired(clock.now(), STEP)
    for (const owner of owners) events.emit('session.expired', { ...owner, reason: 'lifetime' })
    return owners.length
  })
  const unfinished = await inSteps(async () => pendingLogins.deleteExpired(clock.now(), STEP))
  const expired = await inSteps(async () => attempts.deleteExpired(clock.now(), STEP))
  if (keepDays === null) return ended + unfinished + expired
  const before = clock.now() - keepDays * DAY_MS
  const old = await inSteps(async () => notifications.deleteOlder(before, STEP))
  return ended + unfinished + expired + old
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
